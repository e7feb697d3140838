//! What holds a process: the sandbox that the machine has, what it lets through, and how it is laid
//! around a program.
//!
//! A [`Profile`] is chosen before the user is asked, shown, and used as it is. On Linux it is made
//! by `bwrap` where that works, with Landlock and a filter of system calls inside; else by these two
//! alone. Both are put on by a child of our own binary ([`launch`]) that then becomes the program.
//! On macOS it is `sandbox-exec`. Elsewhere there is none, and whoever asks is told so.

#[cfg(target_os = "linux")]
mod bubblewrap;
mod guarded;
#[cfg(target_os = "linux")]
mod launcher;
mod masks;
#[cfg(any(target_os = "macos", test))]
mod seatbelt;

#[cfg(target_os = "linux")]
pub use launcher::{Rights, launch};
pub(super) use masks::Masks;

use super::{Command, End, Processes};
use crate::limits;
use assent_base::manifest::{Sandbox, SandboxKind, SandboxMode};
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The variable that tells a program in a sandbox that it is in one, and in which.
const VARIABLE: &str = "ASSENT_SANDBOX";

/// A sandbox for one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    kind: Kind,
    /// Whether a process in it reaches the network.
    pub network: bool,
    /// The folders it may write in; what is protected in them stays as it is. Canonical.
    pub writable: Vec<PathBuf>,
    /// Those of them that are workspace folders.
    workspace: Vec<PathBuf>,
    /// Our own config and state folders, which it never writes.
    own: Vec<PathBuf>,
    /// Its temporary folder, the same for all calls of a session.
    scratch: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(dead_code, reason = "which of them is made depends on the system")]
enum Kind {
    Bubblewrap {
        program: PathBuf,
        launcher: Launcher,
    },
    Landlock {
        launcher: Launcher,
        /// What is protected in the writable folders stays as it is. Landlock gives rights and takes
        /// none back, so then no new name comes up beside a protected one either, which is in the
        /// way of many a build; so only where a sandbox is demanded.
        strict: bool,
    },
    SandboxExec,
}

/// Our own binary, and the argument that makes it lay a sandbox around itself ([`launch`]).
pub(super) type Launcher = (PathBuf, &'static str);

/// What a sandbox is wanted for.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// As it is set.
    pub settings: &'a Sandbox,
    /// The workspace folders, canonical.
    pub folders: &'a [PathBuf],
    /// Our own config and state folders, canonical.
    pub own: &'a [PathBuf],
    /// The user's home.
    pub home: Option<&'a Path>,
    /// Where its temporary folder is made.
    pub scratch: &'a Path,
    /// The call is there to use the network.
    pub network: bool,
}

/// What was found out about a sandbox on this machine; looked for once.
#[derive(Debug, Clone, Default)]
pub(super) struct Found {
    /// The program `bwrap`, or why it can't be used.
    bubblewrap: Option<Result<PathBuf, String>>,
    /// Whether Landlock can be used alone, or why not.
    landlock: Option<Result<(), String>>,
}

impl Processes {
    /// The sandbox for a call, or why there is none, in words.
    pub async fn sandbox(&self, wish: Wish<'_>) -> Result<Profile, String> {
        let kind = self.kind(wish.settings, wish.folders).await?;
        let wanted = wish.settings.writable.iter().filter_map(|folder| match folder.strip_prefix("~/") {
            Some(rest) => wish.home.map(|home| home.join(rest)),
            None => Some(PathBuf::from(folder)),
        });
        let wanted: Vec<PathBuf> = wish.folders.iter().cloned().chain(wanted).collect();
        let canonical = move || wanted.iter().filter_map(|path| std::fs::canonicalize(path).ok()).collect();
        let writable = tokio::task::spawn_blocking(canonical)
            .await
            .map_err(|_| "its folders could not be looked at".to_owned())?;
        Ok(Profile {
            kind,
            network: wish.settings.network || wish.network,
            writable,
            workspace: wish.folders.to_vec(),
            own: wish.own.to_vec(),
            scratch: wish.scratch.to_owned(),
        })
    }

    #[cfg(target_os = "linux")]
    async fn kind(&self, settings: &Sandbox, folders: &[PathBuf]) -> Result<Kind, String> {
        let (only, strict) = (settings.kind, settings.mode == SandboxMode::Required);
        let launcher = self.launcher.clone().ok_or("there is no binary of ours to start it with")?;
        let mut reasons = Vec::new();
        if only != Some(SandboxKind::Landlock) {
            let mut found = self.found.lock().await;
            if found.bubblewrap.is_none() {
                found.bubblewrap = Some(self.probe_bubblewrap(&launcher, folders).await);
            }
            match found.bubblewrap.clone() {
                Some(Ok(program)) => return Ok(Kind::Bubblewrap { program, launcher }),
                Some(Err(reason)) => reasons.push(reason),
                None => {}
            }
        }
        if only != Some(SandboxKind::Bubblewrap) {
            let mut found = self.found.lock().await;
            if found.landlock.is_none() {
                let kind = Kind::Landlock { launcher: launcher.clone(), strict };
                found.landlock = Some(self.probe(kind).await.map_err(|words| format!("Landlock: {words}")));
            }
            match found.landlock.clone() {
                Some(Ok(())) => return Ok(Kind::Landlock { launcher, strict }),
                Some(Err(reason)) => reasons.push(reason),
                None => {}
            }
        }
        Err(reasons.join("; "))
    }

    #[cfg(target_os = "macos")]
    async fn kind(&self, settings: &Sandbox, _: &[PathBuf]) -> Result<Kind, String> {
        match settings.kind {
            None if Path::new(seatbelt::PROGRAM).is_file() => Ok(Kind::SandboxExec),
            None => Err(format!("{} is not there", seatbelt::PROGRAM)),
            Some(_) => Err("the sandbox that the settings name is one of Linux".into()),
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    async fn kind(&self, _: &Sandbox, _: &[PathBuf]) -> Result<Kind, String> {
        Err("Assent has no sandbox for this system".into())
    }

    #[cfg(target_os = "linux")]
    async fn probe_bubblewrap(&self, launcher: &Launcher, folders: &[PathBuf]) -> Result<PathBuf, String> {
        let program = self.find_program("bwrap", folders).ok_or("bubblewrap is not installed")?;
        let kind = Kind::Bubblewrap { program: program.clone(), launcher: launcher.clone() };
        match self.probe(kind).await {
            Ok(()) => Ok(program),
            Err(words) => Err(format!("bubblewrap can't be used here: {words}")),
        }
    }

    /// Tries a sandbox with a program that is surely there: our own.
    #[cfg(target_os = "linux")]
    async fn probe(&self, kind: Kind) -> Result<(), String> {
        let (Kind::Bubblewrap { launcher, .. } | Kind::Landlock { launcher, .. }) = &kind else {
            return Ok(());
        };
        let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
        let program = launcher.0.clone();
        let profile = Profile {
            kind,
            network: false,
            writable: Vec::new(),
            workspace: Vec::new(),
            own: Vec::new(),
            scratch: folder.path().to_owned(),
        };
        let command = Command {
            program,
            arguments: vec!["--version".into()],
            directory: PathBuf::from("/"),
            environment: Vec::new(),
            timeout: limits::SANDBOX_PROBE_TIME,
            spill: folder.path().join("output"),
            sandbox: Some(Arc::new(profile)),
        };
        match self.run("sandbox", command, &CancellationToken::new(), &|_| {}).await {
            Ok(finished) if finished.end == End::Exited(0) => Ok(()),
            Ok(finished) => Err(match finished.output.head.trim().lines().next_back() {
                Some(line) => line.to_owned(),
                None => format!("it ended with {:?}", finished.end),
            }),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// A program with a sandbox laid around it.
pub(super) struct Laid {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<OsString>,
    /// Variables that differ inside.
    pub(super) environment: Vec<(&'static str, OsString)>,
    /// Placeholders in the workspace for as long as the process runs.
    pub(super) _masks: Option<masks::Held>,
}

impl Profile {
    /// Its name, as settings and clients know it.
    pub fn name(&self) -> &'static str {
        match self.kind {
            Kind::Bubblewrap { .. } => "bubblewrap",
            Kind::Landlock { .. } => "landlock",
            Kind::SandboxExec => "sandbox-exec",
        }
    }

    /// Lays it around a command. Looks at the disk, so it blocks.
    pub(super) fn lay(
        &self,
        command: &Command,
        base: &[(String, String)],
        masks: &Masks,
    ) -> io::Result<Laid> {
        make_private(&self.scratch)?;
        let guarded = guarded::find(&self.writable, &self.workspace, &self.own);
        let mut laid = match &self.kind {
            #[cfg(target_os = "linux")]
            Kind::Bubblewrap { program, launcher } => {
                let masks = masks.hold(&guarded.missing);
                let arguments = bubblewrap::arguments(self, launcher, command, base, &guarded);
                let tmp = OsString::from(bubblewrap::TMP);
                Laid { program: program.clone(), arguments, environment: tmp_in(&tmp), _masks: Some(masks) }
            }
            #[cfg(target_os = "linux")]
            Kind::Landlock { launcher, strict } => {
                let guarded = if *strict { guarded } else { guarded::only(&self.writable, &self.own) };
                let mut write = guarded::grants(&self.writable, &guarded);
                write.push(self.scratch.clone());
                let rights = Rights { write, network: self.network, alone: true };
                let mut arguments = launcher::arguments(launcher, &rights, command);
                arguments.remove(0);
                let environment = tmp_in(self.scratch.as_os_str());
                Laid { program: launcher.0.clone(), arguments, environment, _masks: None }
            }
            #[cfg(target_os = "macos")]
            Kind::SandboxExec => Laid {
                program: seatbelt::PROGRAM.into(),
                arguments: seatbelt::arguments(self, command, &guarded),
                environment: tmp_in(self.scratch.as_os_str()),
                _masks: None,
            },
            #[allow(unreachable_patterns, reason = "which kinds there are depends on the system")]
            _ => {
                let _ = (base, masks, &guarded);
                return Err(io::Error::other(format!("There is no {} on this system.", self.name())));
            }
        };
        laid.environment.push((VARIABLE, self.name().into()));
        Ok(laid)
    }

    /// What a failed command has probably run into, for the model and the user.
    pub fn hint(&self, output: &str) -> Option<String> {
        const SIGNS: [&str; 10] = [
            "read-only file system",
            "permission denied",
            "operation not permitted",
            "network is unreachable",
            "could not resolve",
            "name resolution",
            "name or service not known",
            "failed to connect",
            "connection refused",
            "eai_again",
        ];
        let output = output.to_lowercase();
        SIGNS.iter().any(|sign| output.contains(sign)).then(|| format!("[it ran in a sandbox: {self}]"))
    }
}

/// In one line, for the user.
impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let network = if self.network { "network" } else { "no network" };
        let folders: Vec<String> = self.writable.iter().map(|path| path.display().to_string()).collect();
        let folders = if folders.is_empty() { "nothing".into() } else { folders.join(", ") };
        write!(f, "{}, {network}, writes only {folders} and a temporary folder of its own", self.name())?;
        f.write_str(match self.kind {
            Kind::Landlock { strict: true, .. } => {
                "; what is protected stays, and no new names come up beside it"
            }
            Kind::Landlock { strict: false, .. } => "; what is protected there it can write too",
            Kind::Bubblewrap { .. } | Kind::SandboxExec => "; what is protected stays",
        })
    }
}

fn tmp_in(folder: &std::ffi::OsStr) -> Vec<(&'static str, OsString)> {
    let cache = Path::new(folder).join("go-build").into_os_string();
    // Go builds nothing at all without a cache that it can write.
    vec![("TMPDIR", folder.to_owned()), ("GOCACHE", cache)]
}

/// Makes a folder that only its owner can look into.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| {
        let words = format!("The temporary folder {} can't be made: {error}.", folder.display());
        io::Error::new(error.kind(), words)
    })
}

#[cfg(test)]
mod tests;
