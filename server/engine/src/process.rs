//! The only place that starts a process. A child gets a folder, a cleared environment with an
//! allow list, no standard input, a session of its own and a time limit; it never touches the
//! protocol's pipes.
//!
//! A run ends when its main process ends, even while background children still hold its output.
//! Those may live on until [`Processes::end`] is called for their owner. On a timeout, a cancel
//! or a drop the whole tree goes, and when the server is killed its watchdog ends what is left.

mod capture;
mod environment;
/// A program that takes the terminal over.
pub mod foreground;
/// A command of the user's settings that answers with a text.
pub mod helper;
mod pipe;
/// What holds a process.
pub mod sandbox;
mod tree;
mod watchdog;

pub use capture::Captured;
pub use watchdog::watch;

use crate::limits;
use assent_base::path::normal;
use assent_base::policy::Program;
use capture::Capture;
use parking_lot::Mutex;
use pipe::Pipe;
use process_wrap::tokio::{ChildWrapper, CommandWrap};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::AbortHandle;
use tokio_util::sync::CancellationToken;
use tree::Tree;
use watchdog::Watchdog;

/// A process to start.
#[derive(Debug, Clone)]
pub struct Command {
    /// The program, absolute: nothing is searched at the start.
    pub program: PathBuf,
    /// Its arguments, as they are.
    pub arguments: Vec<String>,
    /// Where it runs.
    pub directory: PathBuf,
    /// Variables beyond the allow list.
    pub environment: Vec<(String, String)>,
    /// How long it may run.
    pub timeout: Duration,
    /// Where the whole output is kept if it is longer than what [`Captured`] shows.
    pub spill: PathBuf,
    /// What holds it; `None`: nothing.
    pub sandbox: Option<Arc<sandbox::Profile>>,
}

/// Our own binary, which also has to do other work than that of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnBinary {
    /// Where it is.
    pub program: PathBuf,
    /// The argument with which, and a mark, it calls [`watch`].
    pub watchdog: &'static str,
    /// The argument with which it lays a sandbox around itself.
    pub launcher: &'static str,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal that we did not send.
    Signal(i32),
    /// We ended it after its time was over.
    TimedOut,
    /// We ended it because it was cancelled.
    Cancelled,
}

/// A finished run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finished {
    /// How it ended.
    pub end: End,
    /// What it wrote, standard output and standard error in the order of writing.
    pub output: Captured,
}

/// Starts processes and knows those that may still be alive. Cheap to clone.
#[derive(Clone)]
pub struct Processes {
    base: Arc<[(String, String)]>,
    /// Marks what we start, for good: process numbers are used again.
    mark: Arc<str>,
    owners: Arc<Mutex<HashMap<String, Owner>>>,
    watchdog: Arc<Watchdog>,
    launcher: Option<sandbox::Launcher>,
    found: Arc<tokio::sync::Mutex<sandbox::Found>>,
    masks: sandbox::Masks,
}

/// What one owner (a session) may have left behind.
#[derive(Default)]
struct Owner {
    trees: Vec<Tree>,
    drains: Vec<AbortHandle>,
    /// Each holds the job object of its run, which ends what is in it when it is dropped.
    #[cfg(windows)]
    jobs: Vec<Box<dyn ChildWrapper>>,
}

impl Processes {
    /// Children get those variables of `variable` that the allow list names.
    pub fn new(variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let mark = uuid::Uuid::now_v7().simple().to_string().into();
        Self {
            base: environment::allowed(variable).into(),
            mark,
            owners: Arc::default(),
            watchdog: Arc::new(Watchdog::new(None)),
            launcher: None,
            found: Arc::default(),
            masks: sandbox::Masks::default(),
        }
    }

    /// The same with our own binary, which watches over what is started and puts sandboxes on.
    pub fn with_binary(self, own: OwnBinary) -> Self {
        let watchdog = Watchdog::new(Some((own.program.clone(), own.watchdog)));
        Self { watchdog: Arc::new(watchdog), launcher: Some((own.program, own.launcher)), ..self }
    }

    /// The same with more variables for the children: those of `names` that are set.
    pub fn passing(&self, names: &[String], variable: &dyn Fn(&str) -> Option<String>) -> Self {
        let more = names.iter().filter_map(|name| variable(name).map(|value| (name.clone(), value)));
        let base = self.base.iter().cloned().chain(more).collect();
        Self { base, ..self.clone() }
    }

    /// A program on the children's `PATH`, outside the given folders: a project must not be able
    /// to plant the programs we start.
    pub fn find_program(&self, name: &str, not_below: &[PathBuf]) -> Option<PathBuf> {
        let path = self.base.iter().find(|(key, _)| key == "PATH").map(|(_, value)| value.as_str())?;
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(path).map(|folder| folder.join(&name)).find(|candidate| {
            // The link itself is started, not its target: some programs go by the name they have.
            std::fs::canonicalize(candidate).is_ok_and(|target| {
                let planted = |path: &Path| not_below.iter().any(|folder| path.starts_with(folder));
                is_executable(&target) && !planted(&target) && !planted(candidate)
            })
        })
    }

    /// The program that a shell of ours would run for a word of a command line: on the children's
    /// `PATH`, or where a path leads that starts in `directory`.
    pub fn look_up(&self, word: &str, directory: &Path) -> Option<Program> {
        let found = |path: PathBuf| {
            let real = std::fs::canonicalize(&path).ok().filter(|real| is_executable(real))?;
            Some(Program { path, real })
        };
        if word.contains('/') {
            return found(normal(&directory.join(word)));
        }
        let path = self.base.iter().find(|(key, _)| key == "PATH").map(|(_, value)| value.as_str())?;
        let name = format!("{word}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(path).find_map(|folder| found(folder.join(&name)))
    }

    /// The program of a tool file: a name to be found on `PATH`, or an absolute path. The error says
    /// what is missing.
    pub fn find_bin(&self, bin: &str, not_below: &[PathBuf]) -> Result<PathBuf, String> {
        let path = Path::new(bin);
        if path.is_absolute() {
            return if is_executable(path) {
                Ok(path.to_owned())
            } else {
                Err(format!("{bin} is no program"))
            };
        }
        self.find_program(bin, not_below).ok_or_else(|| format!("no {bin} was found on PATH"))
    }

    /// Run a process for `owner` to its end. `on_output` gets the output as it comes, up to a
    /// limit. An error means that it could not be started, in words that say why.
    pub async fn run(
        &self,
        owner: &str,
        command: Command,
        cancel: &CancellationToken,
        on_output: &(dyn Fn(&str) + Send + Sync),
    ) -> io::Result<Finished> {
        if !command.directory.is_dir() {
            let text = format!("The directory {} does not exist.", command.directory.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, text));
        }
        self.watchdog.start(&self.mark);
        let marker = tree::marker(&self.mark, owner);
        let laid = self.laid(&command).await?;
        let (mut pipe, mut wrap) = self.prepare(&command, laid.as_ref(), &marker)?;
        let mut child = wrap.spawn().map_err(|error| {
            io::Error::new(error.kind(), format!("{} can't be started: {error}.", command.program.display()))
        })?;
        // It holds the writing end of the pipe; the end of the output shows only without it.
        drop(wrap);
        let tree = Tree::new(marker, child.id());
        self.remember(owner, tree.clone());
        let mut guard = KillOnDrop(Some(tree.clone()));
        let mut capture = Capture::new(limits::COMMAND_CHARS, command.spill);

        let deadline = tokio::time::sleep(command.timeout);
        tokio::pin!(deadline);
        let mut open = true;
        let end = loop {
            tokio::select! {
                biased;
                () = cancel.cancelled() => break stop(&tree, &mut *child, End::Cancelled).await,
                () = &mut deadline => break stop(&tree, &mut *child, End::TimedOut).await,
                // The wrapper's own wait would wait for the background children too.
                status = child.inner_mut().wait() => break ended(&status?),
                chunk = pipe.next(), if open => match chunk? {
                    Some(bytes) => capture.push(bytes, on_output).await,
                    None => open = false,
                },
            }
        };
        if open {
            open = drain(&mut pipe, &mut capture, on_output).await?;
        }
        if laid.is_some() {
            // What runs in a sandbox leaves nothing behind.
            tree.end_marked().await;
        }
        guard.0 = None;
        if open {
            self.drain_on(owner, pipe);
        }
        #[cfg(windows)]
        self.owners.lock().entry(owner.to_owned()).or_default().jobs.push(child);
        Ok(Finished { end, output: capture.finish(on_output).await })
    }

    /// End everything that is still alive of an owner's runs.
    pub async fn end(&self, owner: &str) {
        let left = self.owners.lock().remove(owner).unwrap_or_default();
        for drain in left.drains {
            drain.abort();
        }
        tree::end_owner(&self.mark, owner, left.trees).await;
    }

    /// End everything that is still alive of anybody's runs.
    pub async fn end_all(&self) {
        let owners: Vec<String> = self.owners.lock().keys().cloned().collect();
        for owner in owners {
            self.end(&owner).await;
        }
    }

    /// The sandbox of a command, laid around it.
    async fn laid(&self, command: &Command) -> io::Result<Option<sandbox::Laid>> {
        let Some(profile) = command.sandbox.clone() else { return Ok(None) };
        let (command, base, masks) = (command.clone(), Arc::clone(&self.base), self.masks.clone());
        let lay = move || profile.lay(&command, &base, &masks);
        tokio::task::spawn_blocking(lay).await.map_err(io::Error::other)?.map(Some)
    }

    fn prepare(
        &self,
        command: &Command,
        laid: Option<&sandbox::Laid>,
        marker: &str,
    ) -> io::Result<(Pipe, CommandWrap)> {
        let (pipe, writer) = Pipe::new()?;
        let second = writer.try_clone()?;
        let program = laid.map_or(&command.program, |laid| &laid.program);
        let mut wrap = CommandWrap::with_new(program, |process| {
            match laid {
                Some(laid) => process.args(&laid.arguments),
                None => process.args(&command.arguments),
            };
            process
                .current_dir(&command.directory)
                .env_clear()
                .envs(self.base.iter().map(|(key, value)| (key, value)))
                .envs(laid.iter().flat_map(|laid| laid.environment.iter().map(|(key, value)| (*key, value))))
                .envs(command.environment.iter().map(|(key, value)| (key, value)))
                .env(tree::VARIABLE, marker)
                .stdin(Stdio::null())
                .stdout(writer)
                .stderr(second);
        });
        #[cfg(unix)]
        wrap.wrap(process_wrap::tokio::ProcessSession);
        #[cfg(windows)]
        wrap.wrap(process_wrap::tokio::KillOnDrop).wrap(process_wrap::tokio::JobObject);
        Ok((pipe, wrap))
    }

    /// Know of a tree from its start, so that [`Self::end`] reaches it whatever becomes of its run.
    fn remember(&self, owner: &str, tree: Tree) {
        let mut owners = self.owners.lock();
        let owner = owners.entry(owner.to_owned()).or_default();
        owner.trees.retain(Tree::may_be_alive);
        owner.trees.push(tree);
    }

    /// Read on a pipe that is still held, so that a background child does not die of writing to it.
    fn drain_on(&self, owner: &str, mut pipe: Pipe) {
        let drain = tokio::spawn(async move { while let Ok(Some(_)) = pipe.next().await {} });
        let mut owners = self.owners.lock();
        let owner = owners.entry(owner.to_owned()).or_default();
        owner.drains.retain(|drain| !drain.is_finished());
        owner.drains.push(drain.abort_handle());
    }
}

fn is_executable(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    path.is_file()
}

/// Take what is in the pipe now that the main process has ended, without waiting for whoever
/// still holds it. Gives whether it is still held.
async fn drain(
    pipe: &mut Pipe,
    capture: &mut Capture,
    on_output: &(dyn Fn(&str) + Send + Sync),
) -> io::Result<bool> {
    let mut left = limits::PIPE_BYTES;
    while left > 0 {
        match pipe.next_now()? {
            pipe::Now::Bytes(bytes) => {
                left = left.saturating_sub(bytes.len());
                capture.push(bytes, on_output).await;
            }
            pipe::Now::Nothing => return Ok(true),
            pipe::Now::End => return Ok(false),
        }
    }
    Ok(true)
}

async fn stop(tree: &Tree, child: &mut dyn ChildWrapper, end: End) -> End {
    tree.end().await;
    // What the tree could not reach (no marker, no session) is at least this one.
    let _ = child.start_kill();
    let _ = child.inner_mut().wait().await;
    end
}

fn ended(status: &ExitStatus) -> End {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(status) {
        return End::Signal(signal);
    }
    End::Exited(status.code().unwrap_or(-1))
}

/// A run that is dropped half-way (its turn was aborted) leaves nothing alive.
struct KillOnDrop(Option<Tree>);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        if let Some(tree) = &self.0 {
            tree.kill_now();
        }
    }
}

#[cfg(test)]
mod tests;
