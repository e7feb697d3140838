//! Reviews in the log: the proposal as it was made, and where its hunks stood last.

use assent_base::edit::Edit;
use assent_base::path::DocumentUri;
use assent_base::review::{Change, Standing};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A call's edit as it was put under review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposed {
    /// The call.
    pub call_id: String,
    /// Its files; `None` where their text is more than is kept.
    pub files: Option<Vec<ProposedFile>>,
}

/// One file of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProposedFile {
    /// The document.
    pub uri: DocumentUri,
    /// What happens to it.
    pub change: Change,
    /// Where it really was when the gate judged it; `None` for a document that is no file.
    pub place: Option<PathBuf>,
    /// The text it was proposed for.
    pub old: String,
    /// What turns that into the proposed text.
    pub edits: Vec<Edit>,
}

/// Where a call's review stands after something was decided.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// The call.
    pub call_id: String,
    /// Every hunk.
    pub standing: Standing,
    /// The user's reason for what was refused.
    pub feedback: Option<String>,
    /// Edits that did not get into their documents, in words for the model.
    pub failures: Vec<String>,
}

/// All that the log knows of a review.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptReview {
    /// The proposal.
    pub files: Vec<ProposedFile>,
    /// The last decision; `None` where nothing was decided.
    pub decided: Option<Decided>,
}

impl KeptReview {
    /// Whether a hunk waited, for the user or for the editor.
    pub fn is_open(&self) -> bool {
        self.decided.as_ref().is_none_or(|decided| decided.standing.is_open())
    }
}
