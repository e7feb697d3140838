//! Trust in a workspace: what came with a project counts only once its user has looked at it.
//!
//! Before that nothing of it is read beyond the names of its files. After it, everything that can
//! run something counts for as long as it is byte for byte what the user looked at; what changed
//! waits, it alone, until it was looked at again, and what is changed back counts again. A project
//! never takes part in the decision, and nobody but the user makes it: not an editor, not `--yes`
//! of a turn.
//!
//! [`Trust`] answers what stands; [`Shown`] is what the user is shown and what is then approved.

mod files;
mod owner;
mod record;
mod shown;
mod words;

pub use files::{agent_files, may_be_read, project_files, settings_file, tool_files, tools_folder};
pub use owner::nobody_else_can_write;
pub use shown::{Item, ItemState, Shown, State, tool_name};
pub use words::{notice, summary};

use record::Record;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The kinds of things that count by their content. A kind more is a line here, its items in
/// [`shown`], and [`Approved::has`] asked before it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The project's `assent.yaml`.
    Settings,
    /// A file of `.assent/agents`.
    Agent,
    /// A file of `.assent/tools`.
    Tool,
    /// An entry of `mcp`.
    Mcp,
    /// A module of `tools`.
    Module,
}

impl Kind {
    /// Its name on the wire, for a reader, and in the record.
    pub fn name(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::Agent => "agent",
            Self::Tool => "tool",
            Self::Mcp => "mcp",
            Self::Module => "module",
        }
    }
}

/// Whom the user trusts, as it stands on disk. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Trust {
    folder: PathBuf,
    restricted: bool,
}

/// Where a workspace folder stands.
#[derive(Debug, Clone)]
pub enum Standing {
    /// Nothing of the project counts.
    Untrusted(Reason),
    /// What was approved counts.
    Trusted(Arc<Approved>),
}

/// Why nothing of a project counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The user has not said that it does.
    NotYet,
    /// The editor has the workspace in its restricted mode.
    Restricted,
    /// What the user said can't be read.
    Broken(String),
}

/// What the user looked at in one folder.
#[derive(Debug, Clone, Default)]
pub struct Approved {
    record: Record,
}

impl Trust {
    /// Trust as the state folder has it. With `restricted` no folder is trusted, whatever it says.
    pub fn new(state: &Path, restricted: bool) -> Self {
        Self { folder: state.join("trust"), restricted }
    }

    /// Where a folder stands. Blocks.
    pub fn of(&self, folder: &Path) -> Standing {
        if self.restricted {
            return Standing::Untrusted(Reason::Restricted);
        }
        let Ok(root) = std::fs::canonicalize(folder) else { return Standing::Untrusted(Reason::NotYet) };
        match record::read(&self.file(&root), &root) {
            Ok(Some(record)) => Standing::Trusted(Arc::new(Approved { record })),
            Ok(None) => Standing::Untrusted(Reason::NotYet),
            Err(words) => Standing::Untrusted(Reason::Broken(words)),
        }
    }

    /// Trust a folder with exactly what was shown of it. Blocks.
    pub fn approve(&self, shown: &Shown) -> Result<(), String> {
        if self.restricted {
            return Err("The editor has this workspace in its restricted mode. Trust it there first.".into());
        }
        let file = self.file(&shown.folder);
        // A record that does not count is begun anew.
        let before = record::read(&file, &shown.folder).ok().flatten().unwrap_or_default();
        record::write(&file, &before.with(shown))
    }

    /// Trust a folder no more; says whether it was. Blocks.
    pub fn revoke(&self, folder: &Path) -> Result<bool, String> {
        let root = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        record::remove(&self.file(&root))
    }

    fn file(&self, root: &Path) -> PathBuf {
        self.folder.join(format!("{}.json", digest(root.as_os_str().as_encoded_bytes())))
    }
}

impl Standing {
    /// What was approved, where the folder is trusted.
    pub fn approved(&self) -> Option<&Arc<Approved>> {
        match self {
            Self::Trusted(approved) => Some(approved),
            Self::Untrusted(_) => None,
        }
    }
}

impl Approved {
    /// Whether this is what the user looked at.
    pub fn has(&self, kind: Kind, name: &str, digest: &str) -> bool {
        self.digest(kind, name).is_some_and(|approved| approved == digest)
    }

    /// The project's settings file as the user looked at it: its name and text.
    pub fn settings(&self) -> Option<(&str, &str)> {
        self.record.settings.as_ref().map(|settings| (settings.name.as_str(), settings.text.as_str()))
    }

    fn digest(&self, kind: Kind, name: &str) -> Option<&str> {
        self.record.approved.get(&record::key(kind, name)).map(String::as_str)
    }
}

/// SHA-256 in hexadecimal.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
