//! A proposal as hunks, and what becomes of them: decided by the user, moved along by what the
//! user types, made stale by a true overlap. Plain values; who applies them is `engine::review`.

use crate::path::DocumentUri;
use std::ops::Range;

/// One proposal under review.
#[derive(Debug, Clone)]
pub struct Review {
    /// Unique in the process.
    pub id: String,
    /// The session's id.
    pub session: String,
    /// The tool call that made the proposal.
    pub call_id: String,
    /// Its files, in the proposal's order.
    pub files: Vec<FileReview>,
}

/// One file of a review.
#[derive(Debug, Clone)]
pub struct FileReview {
    /// The document.
    pub uri: DocumentUri,
    /// The document's version that the hunks' ranges refer to; `None` when it is not open.
    pub version: Option<i32>,
    /// What happens to the file.
    pub change: Change,
    /// The document's text as it is now; the hunks' ranges are bytes of it.
    pub text: ropey::Rope,
    /// Its hunks, by position. A create, delete or rename has exactly one.
    pub hunks: Vec<Hunk>,
}

/// What happens to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Its text changes.
    Edit,
    /// It appears.
    Create,
    /// It goes.
    Delete,
    /// It moves.
    Rename {
        /// Where to.
        to: DocumentUri,
    },
}

/// One hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// `h1`, `h2`, … unique in its review.
    pub id: String,
    /// Where it stands.
    pub status: HunkStatus,
    /// Bytes of the document as it is now: what the hunk replaces, or what it put there.
    pub range: Range<usize>,
    /// The text it replaces, whole lines.
    pub old_text: String,
    /// The text it puts there.
    pub new_text: String,
    /// The user's own version, where the proposal was changed before it was accepted.
    pub changed: Option<String>,
}

/// Where a hunk stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HunkStatus {
    /// Waits for the user.
    Pending,
    /// Accepted; on its way into the document. The wire shows it as pending.
    Applying,
    /// In the document.
    Accepted,
    /// Refused.
    Rejected,
    /// Its own lines were changed before it was decided; offered again as another hunk.
    Stale,
}
