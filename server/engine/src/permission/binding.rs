//! What an answer is bound to. The user answers a question about a call as it stood then: the files
//! it names, the program, the directory. All of it is looked at when the user is asked and again
//! right before the call runs, and if anything is different the answer is about something else.

use crate::documents::{self, DocumentsReader, Snapshot};
use crate::editor::ToolIdentity;
use crate::limits;
use assent_base::path::{Places, ResolvedPath};
use assent_base::policy::{Access, Program, ResolvedCall, digest};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The layout of what is digested; to be changed with it.
const SCHEMA: u32 = 1;

/// Who asks, besides the call.
pub(super) struct Question<'a> {
    pub(super) session: &'a str,
    pub(super) request: &'a str,
    pub(super) tool: &'a ToolIdentity,
    pub(super) policy: &'a str,
    /// What holds it, as the user is shown it.
    pub(super) sandbox: Option<String>,
}

/// The outside world as far as a call depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct World {
    directory: Option<Thing>,
    programs: Vec<Thing>,
    files: Vec<Thing>,
}

/// A file, a program or a directory at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Thing {
    /// As the call names it.
    name: String,
    /// Where that leads; empty where it leads nowhere.
    place: PathBuf,
    /// Which file it is; `None` where there is none.
    identity: Option<Value>,
    /// What is in it, where the call is going to change that.
    before: Option<String>,
}

/// What is looked at. Owned, for the blocking threads.
pub(super) struct Eye {
    pub(super) folders: Arc<[PathBuf]>,
    pub(super) own: Arc<[PathBuf]>,
    pub(super) documents: DocumentsReader,
}

impl Eye {
    /// Look at everything that the call depends on. Blocks.
    pub(super) fn look(&self, call: &ResolvedCall) -> World {
        let directory = match (&call.command, &call.program) {
            (Some(command), _) => Some(&command.directory.canonical),
            (None, Some(program)) => Some(&program.directory),
            (None, None) => None,
        };
        let of_line = call.command.iter().flat_map(|command| command.programs.iter().flatten().cloned());
        let programs = of_line.chain(call.program.iter().map(|program| program.found()));
        World {
            directory: directory.map(|path| placed(path, path, false)),
            programs: programs.map(|Program { path, .. }| placed(&path, &path, true)).collect(),
            files: call.paths.iter().map(|(access, path)| self.file(*access, path)).collect(),
        }
    }

    fn file(&self, access: Access, path: &ResolvedPath) -> Thing {
        let places = Places { roots: &self.folders, own: &self.own };
        let place = documents::resolve_path(places, &path.given).map(|now| now.canonical).unwrap_or_default();
        let before = access.writes().then(|| self.content(path, &place)).flatten();
        Thing { name: path.given.clone(), identity: identity(&place, false), place, before }
    }

    /// The digest of a text as its editor has it, else as the disk has it.
    fn content(&self, path: &ResolvedPath, place: &Path) -> Option<String> {
        let leads_here = |open: &Arc<Snapshot>| {
            open.uri.to_path().is_some_and(|file| {
                file == path.absolute || std::fs::canonicalize(&file).is_ok_and(|real| real == place)
            })
        };
        let mut hash = Sha256::new();
        if let Some(open) = self.documents.all().into_iter().find(leads_here) {
            open.text.chunks().for_each(|chunk| hash.update(chunk));
        } else {
            // A directory, a pipe: what it is, its identity says.
            if !std::fs::metadata(place).ok()?.is_file() {
                return None;
            }
            let mut file = std::fs::File::open(place).ok()?.take(limits::FILE_BYTES);
            let mut buffer = vec![0; limits::PIPE_BYTES];
            while let Some(read) = file.read(&mut buffer).ok().filter(|read| *read > 0) {
                hash.update(&buffer[..read]);
            }
        }
        Some(hex(&hash.finalize()))
    }
}

impl World {
    /// The digest of a question about a call in this world.
    pub(super) fn digest(&self, question: &Question<'_>, call: &ResolvedCall) -> String {
        let Question { session, request, tool, policy, sandbox } = question;
        let all = |things: &[Thing]| things.iter().map(Thing::as_json).collect::<Vec<_>>();
        digest(&json!({
            "schema": SCHEMA,
            "session": session,
            "request": request,
            "tool": [tool.name, tool.kind, tool.source, tool.overrides, tool.definition],
            "policy": policy,
            "sandbox": sandbox,
            "subject": call.subject,
            "effects": call.effects,
            "command": call.command.as_ref().map(|command| &command.line),
            "program": call.program.as_ref().map(|program| (&program.program, &program.arguments)),
            "environment": call.program.as_ref().map(|program| &program.environment),
            "arguments": call.arguments,
            "unsandboxed": call.unsandboxed,
            "directory": self.directory.as_ref().map(Thing::as_json),
            "programs": all(&self.programs),
            "files": all(&self.files),
        }))
    }

    /// In what this world is another one than before, in words; `None` where it is the same.
    pub(super) fn difference(&self, before: &Self) -> Option<String> {
        let things = |world: &Self| {
            let directory = world.directory.iter().cloned();
            directory
                .chain(world.programs.iter().cloned())
                .chain(world.files.iter().cloned())
                .collect::<Vec<_>>()
        };
        let (now, then) = (things(self), things(before));
        let changed = now.iter().zip(&then).find(|(now, then)| now != then);
        changed.map(|(now, then)| match (now.place == then.place, now.identity == then.identity) {
            (false, _) => format!("{} leads elsewhere than when the user was asked", then.name),
            (true, false) if now.identity.is_none() => {
                format!("{} is gone since the user was asked", then.name)
            }
            (true, false) if then.identity.is_none() => {
                format!("{} was not there when the user was asked, and is now", then.name)
            }
            (true, false) => format!("{} is another file than when the user was asked", then.name),
            (true, true) => format!("{} was changed since the user was asked", then.name),
        })
    }

    /// Whether there was a file at the nth path of the call.
    pub(super) fn was_there(&self, nth: usize) -> bool {
        self.files.get(nth).is_some_and(|file| file.identity.is_some() || file.before.is_some())
    }
}

impl Thing {
    fn as_json(&self) -> Value {
        json!([self.name, self.place, self.identity, self.before])
    }
}

/// A thing by an absolute path, with every link followed.
fn placed(name: &Path, path: &Path, runs: bool) -> Thing {
    let place = std::fs::canonicalize(path).unwrap_or_default();
    Thing { name: name.display().to_string(), identity: identity(&place, runs), place, before: None }
}

/// Which file it is. Of a program also when it was written: a build replaces what is in it.
fn identity(place: &Path, runs: bool) -> Option<Value> {
    let data = std::fs::metadata(place).ok()?;
    #[cfg(unix)]
    let id = {
        use std::os::unix::fs::MetadataExt;
        json!([data.dev(), data.ino(), data.mode() & 0o7_777, data.is_file()])
    };
    #[cfg(not(unix))]
    let id = json!([data.created().ok(), data.is_file()]);
    let written = data.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let written = written.map(|time| time.as_nanos().to_string());
    Some(if runs { json!([id, data.len(), written]) } else { id })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
