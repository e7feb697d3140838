//! The command line. Each subcommand is a file; this one reads the arguments, prepares the process
//! and turns the outcome into an exit code: 0, 1 on an error, 2 on wrong usage, 130 on interrupt.

mod confined;
mod demo;
/// What is missing or broken, and what to do about it.
pub mod doctor;
/// What the process was started with.
pub mod environment;
mod explain;
mod headless;
mod log;
mod login;
mod rules;
mod run;
mod schema;
mod sessions;
/// Which tools there are.
pub mod tools;
/// Which workspaces the user trusts.
pub mod trust;
mod validate;

use assent_engine::process::OwnBinary;
use clap::{Parser, Subcommand};
use std::io::Write;
use std::process::ExitCode;

/// A coding agent that lives in the editor and does nothing without your assent.
#[derive(Parser)]
#[command(name = "assent", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Language server on stdio, for Neovim, VS Code and every other LSP editor.
    Lsp {
        /// Accepted because clients pass it; stdio is the only transport.
        #[arg(long)]
        stdio: bool,
    },
    /// ACP agent on stdio, for Zed, JetBrains and every other ACP editor.
    Acp,
    /// One turn, headless: the answer on stdout, everything else on stderr.
    Run(run::Arguments),
    /// See it find and mend a fault in a small project; needs no model and no key.
    Demo(demo::Arguments),
    /// Look at what sessions left behind.
    #[command(subcommand)]
    Sessions(sessions::Arguments),
    /// Look at what you chose to remember, and take it back.
    #[command(subcommand)]
    Rules(rules::Arguments),
    /// Say which model would be used and why, and what is missing or broken.
    Doctor(doctor::Arguments),
    /// Store a provider's key, read from the terminal or standard input.
    Login(login::Login),
    /// Forget a stored key.
    Logout(login::Logout),
    /// Look at tools, and call one by hand.
    #[command(subcommand)]
    Tools(tools::Arguments),
    /// Say what would become of a call, and by which rule, without running it.
    ExplainRule(explain::Arguments),
    /// Look at what a project could run, and let it count.
    Trust(trust::Arguments),
    /// Let nothing of a project count any more.
    Untrust(trust::Untrust),
    /// Check every file that settings come from.
    Validate(validate::Arguments),
    /// Print the JSON Schema of tool files or settings.
    Schema(schema::Arguments),
    /// What a server starts beside its first command, to end what it runs should it be killed.
    #[command(name = WATCHDOG, hide = true)]
    Watchdog {
        /// What its processes are marked with.
        mark: String,
    },
    /// What a server starts a command through, to give up rights before it becomes the command.
    #[command(name = LAUNCHER, hide = true)]
    Confined(confined::Arguments),
}

/// The subcommand that makes this binary the watchdog of another one.
const WATCHDOG: &str = "__watchdog";

/// The subcommand that makes this binary lay a sandbox around itself.
const LAUNCHER: &str = "__confined";

/// This binary, for what it does beside serving.
fn own_binary(program: std::path::PathBuf) -> OwnBinary {
    OwnBinary { program, watchdog: WATCHDOG, launcher: LAUNCHER }
}

/// How the process ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// All is well.
    Done,
    /// Something failed, and the user was told what.
    Failed,
    /// The command line makes no sense.
    Usage,
    /// Ctrl-C, or another signal that ends a process.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Usage => 2,
            Exit::Interrupted => 130,
        })
    }
}

/// Read the command line, run it, and give the exit code.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if let Command::Watchdog { mark } = &arguments.command {
        assent_engine::process::watch(mark, &mut std::io::stdin());
        return Exit::Done.into();
    }
    if let Command::Confined(arguments) = arguments.command {
        return confined::run(arguments);
    }
    // Only fails when one is installed already, and then that one will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    match start(arguments.command) {
        Ok(exit) => exit.into(),
        Err(error) => {
            eprintln!("assent: {error:#}");
            Exit::Failed.into()
        }
    }
}

fn start(command: Command) -> anyhow::Result<Exit> {
    let environment = environment::of_process()?;
    log::start(&environment)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(workers()).enable_all().build()?;
    let exit = runtime.block_on(async {
        match command {
            Command::Lsp { stdio: _ } => Ok(crate::lsp::serve(environment).await),
            Command::Acp => match tools::mistakes(&environment, &std::env::current_dir().unwrap_or_default())
            {
                Some(words) => Err(anyhow::anyhow!(words)),
                None => Ok(crate::acp::serve(environment).await),
            },
            Command::Run(arguments) => run::run(arguments, environment).await,
            Command::Demo(arguments) => demo::run(arguments, environment).await,
            Command::Sessions(arguments) => sessions::run(arguments, environment).await,
            Command::Rules(arguments) => rules::run(arguments, &environment),
            Command::Doctor(arguments) => doctor::run(arguments, environment).await,
            Command::ExplainRule(arguments) => explain::run(arguments, environment).await,
            Command::Tools(arguments) => tools::run(arguments, environment).await,
            Command::Login(arguments) => login::login(&arguments, &environment),
            Command::Logout(arguments) => login::logout(&arguments, &environment),
            Command::Trust(arguments) => trust::run(arguments, &environment),
            Command::Untrust(arguments) => trust::untrust(arguments, &environment),
            Command::Schema(arguments) => Ok(schema::run(&arguments)),
            Command::Validate(arguments) => validate::run(arguments, &environment),
            Command::Watchdog { .. } | Command::Confined(_) => Ok(Exit::Done),
        }
    });
    // A read of stdin that blocks would keep an orderly end waiting for ever.
    runtime.shutdown_background();
    exit
}

/// Print on stdout. A reader that has gone away (`… | head`) is no error.
fn print(text: &str) {
    let mut output = std::io::stdout().lock();
    let _ = output.write_all(text.as_bytes()).and_then(|()| output.flush());
}

/// One worker may stand still in a write to a slow terminal; the others must not.
fn workers() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 8))
}
