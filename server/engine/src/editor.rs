//! The port to the editor, in our own types. The fronts (`lsp`, `acp`, `terminal`) implement it;
//! tests implement it honest, lying and late. Nothing here decides: it shows, asks and applies.

mod approval;

pub use approval::{
    Answer, Approval, Facts, Operation, Place, ShownCommand, ShownFile, ShownSandbox, ToolIdentity,
};

use crate::event::{Event, SessionId};
use assent_base::edit::Edit;
use assent_base::path::DocumentUri;
use assent_base::review::Review;
use async_trait::async_trait;
use serde_json::Value;

/// What an editor can do. Fixed at the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Abilities {
    /// Documents are synced to us, and edits go back through [`Editor::apply`].
    pub applies_edits: bool,
    /// It saves documents on request.
    pub saves: bool,
    /// It deletes files on request.
    pub deletes: bool,
    /// The user decides hunks in the editor, at any time, through the main loop. Where this is
    /// false the review is put to the user at once, through [`Editor::review`].
    pub decides_later: bool,
    /// It can put a question to the user.
    pub questions: bool,
    /// Somebody can answer. Without it what would be asked is refused.
    pub interactive: bool,
}

/// One edit of one document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentEdit {
    /// The session that it belongs to.
    pub session: SessionId,
    /// Which document.
    pub uri: DocumentUri,
    /// The version it was made for; `None` for a document that is not open.
    pub version: Option<i32>,
    /// What to do.
    pub change: DocumentChange,
    /// `Assent: …`, shown in the undo list.
    pub label: String,
}

/// What an edit does.
#[derive(Debug, Clone, PartialEq)]
pub enum DocumentChange {
    /// Replace ranges. `old_text` is the text the byte ranges refer to (for conversion).
    Edit {
        /// Sorted, not overlapping.
        edits: Vec<Edit>,
        /// The text before.
        old_text: ropey::Rope,
    },
    /// Create the file with this text.
    Create {
        /// Its text.
        text: String,
    },
    /// Delete the file.
    Delete {
        /// Its text: a file that holds another by then is not deleted.
        old_text: ropey::Rope,
    },
    /// Rename the file.
    Rename {
        /// New place.
        to: DocumentUri,
    },
}

/// What the editor claims. Never believed alone: the text that comes back decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Applied {
    /// It says yes.
    Yes,
    /// It says no.
    No {
        /// Its reason.
        reason: Option<String>,
    },
    /// It answered with an error, or was lost.
    Failed(String),
    /// It did not answer in time.
    Silent,
}

/// A question of the `question` tool.
#[derive(Debug, Clone, PartialEq)]
pub struct UserQuestion {
    /// Which session asks.
    pub session: SessionId,
    /// The call it belongs to.
    pub call_id: String,
    /// The question.
    pub question: String,
    /// Choices: label and description. Empty: free text only.
    pub options: Vec<(String, String)>,
    /// Several may be chosen.
    pub multiple: bool,
}

/// A decision about one hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HunkDecision {
    /// The hunk's id, or `*` for all that are open.
    pub hunk: String,
    /// Accept or reject.
    pub accept: bool,
    /// The user's own version of the proposal.
    pub new_text: Option<String>,
}

/// The port.
#[async_trait]
pub trait Editor: Send + Sync {
    /// What it can do.
    fn abilities(&self) -> Abilities;
    /// Tell the world. Must not block and keeps the order of its calls.
    fn notify(&self, event: Event);
    /// Wait while whoever is told is too far behind for a turn to go on.
    async fn keep_pace(&self) {}
    /// Apply one edit to one document and report what the editor claims.
    async fn apply(&self, edit: DocumentEdit) -> Applied;
    /// Save documents; gives those that were saved.
    async fn save(&self, uris: Vec<DocumentUri>) -> Vec<DocumentUri>;
    /// Put an approval to the user. Dropping the future withdraws it.
    async fn ask(&self, approval: Approval) -> Answer;
    /// Put a question to the user; `None` when it was dismissed.
    async fn question(&self, question: UserQuestion) -> Option<Vec<String>>;
    /// Put a review to the user at once (where `decides_later` is false).
    async fn review(&self, review: &Review) -> (Vec<HunkDecision>, Option<String>);
    /// The text of a document that is not synced, where the client can tell (ACP's file system),
    /// which wants to know for which session.
    async fn read(&self, _session: &SessionId, _uri: &DocumentUri) -> Option<String> {
        None
    }
    /// A request of the client's own language servers; the door of the `lsp` tool.
    async fn query(&self, _method: &str, _params: Value) -> Option<Value> {
        None
    }
}
