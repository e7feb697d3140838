//! The session log on disk: one file a session, one JSON object a line, appended and never
//! rewritten. An entry is on disk before its effect is reported, so a killed server loses at
//! most the text being streamed. There is no index beside the logs: a list reads their heads,
//! and so two windows can never disagree about it.

mod journal;
mod list;
mod log;
mod review;
pub use journal::{Journal, Waiting};
pub use list::{Cursor, SessionPage};
pub use log::Log;
pub use review::{Decided, KeptReview, Proposed, ProposedFile};

use crate::documents::Digest;
use crate::event::{SessionId, Todo, Usage};
use crate::private;
use assent_base::chat::Record;
use assent_base::path::DocumentUri;
use assent_base::policy::Mode;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// The first line of a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Header {
    /// Version of the format.
    pub version: u32,
    /// The session's id.
    pub id: String,
    /// Its folder.
    pub folder: Option<PathBuf>,
    /// When it began, RFC 3339 in UTC.
    pub created: String,
}

/// The version written today.
pub const VERSION: u32 = 1;

/// One line after the header.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Entry {
    /// A step of the conversation.
    Chat(Record),
    /// The session's title.
    Title(String),
    /// Its mode.
    Mode(Mode),
    /// Its model.
    Model(String),
    /// Its agent.
    Agent(String),
    /// Its thought level.
    Effort(String),
    /// Its todo list, whole.
    Todos(Vec<Todo>),
    /// Tokens of one request.
    Usage(Usage),
    /// The conversation from this prompt of the user's on was taken out; they count from 0.
    Rewind(usize),
    /// Documents that the model has read, each with the digest of its text.
    Seen(Vec<(DocumentUri, Digest)>),
    /// A call is put to the user, by its id: it waits for a yes, or for answers.
    Asked(String),
    /// A call was allowed to run, by its id.
    Granted(String),
    /// A call's edit is put under review.
    Proposed(Proposed),
    /// Something about a call's review was decided.
    Decided(Decided),
}

/// A row of the session list.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionSummary {
    /// Its id.
    pub id: SessionId,
    /// Its folder.
    pub folder: Option<PathBuf>,
    /// Its title: the first line of its first prompt, or what the user named it.
    pub title: String,
    /// Last change, RFC 3339 in UTC.
    pub updated: String,
}

/// What a log held.
#[derive(Debug)]
pub struct Restored {
    /// Its first line.
    pub header: Header,
    /// Its entries, in order.
    pub entries: Vec<Entry>,
    /// What was wrong with it, for the user; the entries are what could be read all the same.
    pub notice: Option<String>,
}

/// Why a log can't be opened, in words for the user.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// No such session.
    #[error("There is no session {0}.")]
    Unknown(SessionId),
    /// Another process has it open.
    #[error("Session {0} is open in another window. Close it there, or start a new session here.")]
    InUse(SessionId),
    /// The disk says no.
    #[error(
        "The session log {path} can't be opened: {source}. Check the folder's permissions and free space."
    )]
    Disk {
        /// The file.
        path: PathBuf,
        /// The disk's reason.
        source: std::io::Error,
    },
    /// It is not a session log.
    #[error("{path} is not a session log: {reason}. Move it away; the other sessions are not affected.")]
    Broken {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
}

/// The folder of the logs.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The logs under a state folder. Nothing is touched before it is needed.
    pub fn new(state: &Path) -> Self {
        Self { folder: state.join("sessions") }
    }

    /// Where long outputs of a session are kept whole.
    pub fn spill(&self, id: &SessionId) -> PathBuf {
        self.folder.join(format!("{id}.files"))
    }

    /// Begin a new log.
    pub async fn create(&self, header: Header) -> Result<Log, OpenError> {
        let path = self.folder.join(format!("{}.jsonl", header.id));
        let folder = self.folder.clone();
        blocking(move || {
            let id = SessionId(header.id.as_str().into());
            let disk = |source| OpenError::Disk { path: path.clone(), source };
            private::private_folder(&folder).map_err(disk)?;
            Log::create(&path, id, &header)
        })
        .await
    }

    /// Open a log and read it. A tail that was torn by a crash is cut off, so that what is
    /// appended next stands on a line of its own.
    pub async fn open(&self, id: &SessionId) -> Result<(Log, Restored), OpenError> {
        let path = self.path(id)?;
        let id = id.clone();
        blocking(move || Log::open(&path, id)).await
    }

    /// The sessions, newest first, from a place in their list on; a log that can't be read is left
    /// out.
    pub async fn list(&self, only: Option<PathBuf>, after: Option<Cursor>) -> SessionPage {
        let folder = self.folder.clone();
        blocking(move || list::page(&folder, only.as_deref(), after.as_ref())).await
    }

    /// Give a session another title. `open_here`: this process has its log open, so that its end
    /// is whole and what is appended stands on a line of its own.
    pub async fn rename(&self, id: &SessionId, title: String, open_here: bool) -> Result<(), OpenError> {
        let path = self.path(id)?;
        let id = id.clone();
        blocking(move || log::append_aside(&path, id, open_here, &Entry::Title(title))).await
    }

    /// Read a session without opening it for writing.
    pub async fn read(&self, id: &SessionId) -> Result<Restored, OpenError> {
        let path = self.path(id)?;
        let id = id.clone();
        blocking(move || log::read(&path, &id)).await
    }

    /// Delete a log and the files kept with it. Refused while another process has it open.
    pub async fn delete(&self, id: &SessionId) -> Result<(), OpenError> {
        let (path, spill) = (self.path(id)?, self.spill(id));
        let id = id.clone();
        blocking(move || {
            let (log, _) = Log::open(&path, id)?;
            let deleted =
                fs::remove_file(&path).map_err(|source| OpenError::Disk { path: path.clone(), source });
            drop(log);
            let _ = fs::remove_dir_all(&spill);
            deleted
        })
        .await
    }

    /// An id comes from outside: it must be a plain name.
    fn path(&self, id: &SessionId) -> Result<PathBuf, OpenError> {
        let plain =
            !id.0.is_empty() && id.0.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if plain { Ok(self.folder.join(format!("{id}.jsonl"))) } else { Err(OpenError::Unknown(id.clone())) }
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(value) => value,
        Err(failed) => std::panic::resume_unwind(failed.into_panic()),
    }
}

#[cfg(test)]
mod tests;
