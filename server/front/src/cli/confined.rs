//! `assent __confined`: the way into a sandbox. It gives up rights and becomes the program; not for
//! people.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// What `assent __confined` takes.
#[derive(clap::Args)]
pub struct Arguments {
    /// May be written, with all that is in it.
    #[arg(long)]
    write: Vec<PathBuf>,
    /// The network may be used.
    #[arg(long)]
    network: bool,
    /// Nothing else holds the program.
    #[arg(long)]
    alone: bool,
    /// The program and its arguments.
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

/// What a shell says of a program that it could not start.
const NOT_STARTED: u8 = 126;

/// Becomes the program.
#[cfg(target_os = "linux")]
pub fn run(arguments: Arguments) -> ExitCode {
    use assent_engine::process::sandbox::{Rights, launch};
    let Arguments { write, network, alone, command } = arguments;
    let [program, arguments @ ..] = command.as_slice() else { return ExitCode::from(NOT_STARTED) };
    let words = launch(&Rights { write, network, alone }, program, arguments);
    eprintln!("assent: nothing was run, as the sandbox could not be put on: {words}");
    ExitCode::from(NOT_STARTED)
}

/// Only Linux needs it.
#[cfg(not(target_os = "linux"))]
pub fn run(_: Arguments) -> ExitCode {
    eprintln!("assent: there is no such sandbox on this system");
    ExitCode::from(NOT_STARTED)
}
