//! `assent demo`: a small project with a fault, and a scripted model that finds and mends it. Only
//! the model's words are prepared; the loop, the tools, the gate, the review and the test run are
//! the real ones.

/// The demo in Neovim.
mod neovim;
/// The project and its script.
mod project;

use super::Exit;
use super::headless::{Headless, Running};
use crate::terminal::Terminal;
use crate::terminal::screen::Screen;
use assent_engine::main_loop::Environment;
use project::{Demo, FAULTY};

/// What `assent demo` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// Where it is shown.
    #[arg(long, value_enum, default_value = "terminal")]
    editor: EditorName,
    /// Say yes to everything it asks; only in the terminal.
    #[arg(long)]
    yes: bool,
}

/// The places for a demo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum EditorName {
    /// Neovim, with the plugin loaded and the chat ready.
    Nvim,
    /// VS Code.
    Code,
    /// Here.
    Terminal,
}

/// What the user of the demo asks for.
const PROMPT: &str = "The tests fail: cents get lost when a bill is divided. Find out why and mend it.";

/// Show it.
pub async fn run(arguments: Arguments, environment: Environment) -> anyhow::Result<Exit> {
    if arguments.editor == EditorName::Code {
        anyhow::bail!(
            "The client for VS Code is not there yet. `assent demo` shows the demo here, \
             `assent demo --editor nvim` in Neovim."
        );
    }
    if arguments.editor == EditorName::Nvim && arguments.yes {
        eprintln!("assent: --yes is for the terminal; in Neovim you decide.");
        return Ok(Exit::Usage);
    }
    let demo = Demo::unpack(&environment)?;
    match arguments.editor {
        EditorName::Nvim => neovim::open(&demo, &environment).await,
        EditorName::Terminal | EditorName::Code => in_terminal(demo, arguments.yes).await,
    }
}

async fn in_terminal(demo: Demo, approve: bool) -> anyhow::Result<Exit> {
    let terminal = Terminal::on_stdout(&demo.folder);
    let interactive = terminal.is_interactive();
    let headless = Headless {
        environment: demo.environment.clone(),
        folder: demo.folder.clone(),
        model: Some(demo.model()),
        mode: None,
        approve,
        explain: None,
    };
    let running = headless.start(terminal);
    running.terminal.with_screen(|screen| introduce(screen, &demo, approve, interactive)).await;
    let exit = running.turn(PROMPT.into()).await;
    if matches!(exit, Ok(Exit::Done)) {
        conclude(&running, &demo).await;
    }
    running.handle.shutdown().await;
    exit
}

fn introduce(screen: &mut Screen, demo: &Demo, approve: bool, interactive: bool) {
    screen.say(
        "This is a demo. The model's words are scripted, and marked so. All else is real: the tools \n\
         read and search real files, your yes or no decides what is run and changed, and the tests run.",
    );
    screen.say(&format!(
        "The project: {} (a temporary folder, yours to keep or delete)",
        demo.folder.display()
    ));
    if let Some(problem) = &demo.missing {
        screen.say(problem);
    }
    match (approve, interactive) {
        (true, _) => screen.say("--yes: whatever it asks is answered yes."),
        (false, true) => screen.say("It asks before it runs a command, and for each change."),
        (false, false) => screen.say(
            "Nobody is at the terminal, so whatever it asks is answered no: run `assent demo --yes` to \
             see it through.",
        ),
    }
    screen.say(&format!("\n> {PROMPT}\n"));
}

async fn conclude(running: &Running, demo: &Demo) {
    let became = match demo.is_changed() {
        true => format!("{FAULTY} was changed, as you accepted it."),
        false => format!("{FAULTY} is as it was: no change was accepted."),
    };
    running
        .terminal
        .with_screen(|screen| {
            screen.say(&format!("\n{became}\n"));
            screen.say(CONNECT);
        })
        .await;
}

/// How to go on with a real model.
const CONNECT: &str = "\
To go on with a real model:
  export ANTHROPIC_API_KEY=…   or OPENAI_API_KEY, or another provider's (docs/models.md)
  or start Ollama or a llama.cpp server here: it is found by itself
  assent doctor                says which model would be used and why
  assent run \"…\"               in a project of yours; or put it into your editor (docs/editors.md)";
