//! A program that takes the terminal over: an editor that the user asked us to open. It is the
//! user's own program on the user's own terminal, so it gets the whole environment and the whole
//! standard input and output; only a front that uses none of them itself may start one.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

/// What to start.
#[derive(Debug, Clone)]
pub struct Program {
    /// The program, absolute.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Where it runs.
    pub directory: PathBuf,
    /// Variables beyond those of this process.
    pub environment: Vec<(String, OsString)>,
}

/// Start it and wait until it ends.
pub async fn run(program: Program) -> io::Result<ExitStatus> {
    tokio::process::Command::new(program.program)
        .args(program.arguments)
        .current_dir(program.directory)
        .envs(program.environment)
        .status()
        .await
}
