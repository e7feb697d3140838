//! `assent run`: one turn, headless.

use super::headless::Headless;
use super::{Exit, environment};
use crate::terminal::{Form, Terminal};
use assent_base::policy::Mode;
use assent_engine::main_loop::Environment;
use std::path::PathBuf;

/// What `assent run` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// The model, as provider/model.
    #[arg(short, long)]
    model: Option<String>,
    /// What is asked about.
    #[arg(long, value_enum)]
    mode: Option<ModeName>,
    /// Answer every question with yes, except those that must not be answered so.
    #[arg(long)]
    yes: bool,
    /// One ACP session/update object a line on stdout, then {"stopReason": …}.
    #[arg(long)]
    json: bool,
    /// The workspace folder; the current one without it.
    #[arg(short = 'C', value_name = "DIR")]
    directory: Option<PathBuf>,
    /// What is to be done.
    #[arg(required = true, value_name = "PROMPT")]
    prompt: Vec<String>,
}

/// The modes by their names on the command line.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum ModeName {
    /// Ask before anything beyond reading the project.
    Ask,
    /// Accept edits of the project at once.
    AcceptEdits,
    /// Write nothing.
    Plan,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Self {
        match name {
            ModeName::Ask => Self::Ask,
            ModeName::AcceptEdits => Self::AcceptEdits,
            ModeName::Plan => Self::Plan,
        }
    }
}

/// Run the turn.
pub async fn run(arguments: Arguments, environment: Environment) -> anyhow::Result<Exit> {
    let folder = match environment::folder(arguments.directory.as_deref()) {
        Ok(folder) => folder,
        Err(error) => {
            eprintln!("assent: {error:#}");
            return Ok(Exit::Usage);
        }
    };
    if let Some(words) = super::tools::mistakes(&environment, &folder) {
        eprintln!("assent: {words}");
        return Ok(Exit::Failed);
    }
    let form = if arguments.json { Form::Json } else { Form::Words };
    let terminal = Terminal::of_process(form, &folder);
    let headless = Headless {
        environment,
        folder,
        model: arguments.model,
        mode: arguments.mode.map(Mode::from),
        approve: arguments.yes,
        explain: None,
    };
    let running = headless.start(terminal);
    let exit = running.turn(arguments.prompt.join(" ")).await;
    running.handle.shutdown().await;
    exit
}
