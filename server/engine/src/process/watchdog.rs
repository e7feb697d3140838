//! A killed server can't end its children. So the first command brings a watchdog with it: a process of
//! our own binary that waits on a pipe whose other end only the server holds. When the server is
//! gone, however it went, the pipe closes, and the watchdog ends everything with the server's mark.
//!
//! It works where processes are found by their mark (Linux).

use super::tree;
use std::io;
use std::path::PathBuf;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::OnceLock;

/// The watchdog of one server, started when there is something to watch.
pub(super) struct Watchdog {
    /// Our own binary and the arguments that make it one; the mark is added.
    program: Option<(PathBuf, &'static str)>,
    /// Closes with this process.
    held: OnceLock<Option<ChildStdin>>,
}

impl Watchdog {
    pub(super) fn new(program: Option<(PathBuf, &'static str)>) -> Self {
        Self { program, held: OnceLock::new() }
    }

    /// See to it that somebody watches.
    pub(super) fn start(&self, mark: &str) {
        self.held.get_or_init(|| {
            let (program, argument) = self.program.as_ref().filter(|_| tree::FINDS_BY_MARKER)?;
            spawn(program, argument, mark)
                .inspect_err(|error| tracing::warn!(%error, "no watchdog: a kill of the server would leave its commands alive"))
                .ok()
        });
    }
}

/// In a group of its own: a signal to the server's group must not reach it.
fn spawn(program: &PathBuf, argument: &str, mark: &str) -> io::Result<ChildStdin> {
    let mut command = Command::new(program);
    command.args([argument, mark]).env_clear().current_dir("/");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn()?;
    child.stdin.take().ok_or_else(|| io::Error::other("it has no input"))
}

/// What the watchdog does: wait until the server that holds the other end of `input` is gone,
/// then end all that carries its mark. Blocks.
pub fn watch(mark: &str, input: &mut dyn io::Read) {
    // Nothing is ever written: this returns when the pipe is closed.
    let _ = io::copy(input, &mut io::sink());
    tree::end_marked(mark);
}
