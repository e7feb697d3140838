//! A proposal as hunks, and what becomes of them: decided by the user, moved along by what the
//! user types, made stale by a true overlap. Plain values; who applies them is `engine::review`.

mod fate;
mod follow;
mod standing;

pub use fate::Outcome;
pub use standing::Standing;

use crate::edit::{Edit, EditSet};
use crate::path::DocumentUri;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::BTreeSet;
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
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

/// A change of one file, to be put under review.
#[derive(Debug, Clone)]
pub struct FileProposal {
    /// The document.
    pub uri: DocumentUri,
    /// Its version, where it is open.
    pub version: Option<i32>,
    /// What happens to it.
    pub change: Change,
    /// Its text now.
    pub text: ropey::Rope,
    /// Its text after.
    pub new_text: String,
}

/// There is no hunk of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no hunk {0}")]
pub struct UnknownHunk(pub String);

/// Every hunk that is undecided.
pub const ALL: &str = "*";

impl Review {
    /// Put proposals under review. A proposal that changes nothing has no hunk.
    pub fn open(id: &str, session: &str, call_id: &str, proposals: Vec<FileProposal>) -> Self {
        let mut review =
            Self { id: id.into(), session: session.into(), call_id: call_id.into(), files: Vec::new() };
        for proposal in proposals {
            let hunks = match proposal.change {
                Change::Edit => hunks_between(&proposal.text.to_string(), &proposal.new_text),
                Change::Create => vec![(0..0, String::new(), proposal.new_text)],
                Change::Delete => {
                    vec![(0..proposal.text.len_bytes(), proposal.text.to_string(), String::new())]
                }
                Change::Rename { .. } => vec![(0..0, String::new(), String::new())],
            };
            let first = review.next_id();
            let hunks = hunks.into_iter().enumerate().map(|(nth, hunk)| pending(first + nth, hunk)).collect();
            let FileProposal { uri, version, change, text, .. } = proposal;
            review.files.push(FileReview { uri, version, change, text, hunks });
        }
        review
    }

    /// Whether a hunk of that name exists; [`ALL`] always does.
    pub fn has(&self, hunk: &str) -> bool {
        hunk == ALL || self.hunks().any(|found| found.id == hunk)
    }

    /// Decide one hunk, or all that are pending. One that is decided already keeps its state.
    /// An accepted hunk is on its way into the document until [`Review::applied`].
    pub fn decide(&mut self, hunk: &str, accept: bool, new_text: Option<String>) -> Result<(), UnknownHunk> {
        if !self.has(hunk) {
            return Err(UnknownHunk(hunk.into()));
        }
        let meant =
            |found: &&mut Hunk| (hunk == ALL || found.id == hunk) && found.status == HunkStatus::Pending;
        for found in self.files.iter_mut().flat_map(|file| &mut file.hunks).filter(meant) {
            found.status = if accept { HunkStatus::Applying } else { HunkStatus::Rejected };
            if accept && hunk != ALL {
                found.changed = new_text.clone().filter(|text| *text != found.new_text);
            }
        }
        Ok(())
    }

    /// The hunks of a document that are on their way into it.
    pub fn applying(&self, uri: &DocumentUri) -> Vec<String> {
        let hunks = self.file(uri).map(|file| file.hunks.as_slice()).unwrap_or_default();
        let applying = hunks.iter().filter(|hunk| hunk.status == HunkStatus::Applying);
        applying.map(|hunk| hunk.id.clone()).collect()
    }

    /// The edits that put these hunks into the document as it is now. A hunk whose lines are not
    /// what it replaces any more has no part in them, so that nothing the user typed can go.
    pub fn edit_for(&self, uri: &DocumentUri, hunks: &[String]) -> EditSet {
        let Some(file) = self.file(uri) else { return EditSet::empty(0) };
        let named: BTreeSet<&str> = hunks.iter().map(String::as_str).collect();
        let wanted =
            file.hunks.iter().filter(|hunk| named.contains(hunk.id.as_str()) && hunk.fits(&file.text));
        let edits = wanted.map(|hunk| Edit { range: hunk.range.clone(), text: hunk.text().to_owned() });
        let length = file.text.len_bytes();
        // Hunks of one file do not overlap: they come from one diff and are moved together.
        EditSet::new(length, edits.collect()).unwrap_or_else(|_| EditSet::empty(length))
    }

    /// These hunks are in the document, whose text needs no further change: a closed file that was
    /// written, or an open document whose change was seen by [`Review::text_changed`].
    pub fn applied(&mut self, uri: &DocumentUri, hunks: &[String]) {
        let still = |file: &FileReview| {
            let missing = file.hunks.iter().filter(|hunk| hunk.status == HunkStatus::Applying);
            missing.filter(|hunk| hunks.contains(&hunk.id)).map(|hunk| hunk.id.clone()).collect::<Vec<_>>()
        };
        let Some(missing) = self.file(uri).map(still).filter(|missing| !missing.is_empty()) else { return };
        let edits = self.edit_for(uri, &missing);
        let Some(file) = self.file(uri) else { return };
        let (mut new, version) = (file.text.clone(), file.version);
        if edits.apply_rope(&mut new).is_ok() {
            self.text_changed(uri, &edits, version, &new);
        }
    }

    /// The turn ended: accepted hunks that were not `sent` to the editor are refused.
    pub fn take_back_unsent(&mut self, sent: &BTreeSet<String>) {
        for hunk in self.files.iter_mut().flat_map(|file| &mut file.hunks) {
            if hunk.status == HunkStatus::Applying && !sent.contains(&hunk.id) {
                hunk.status = HunkStatus::Rejected;
            }
        }
    }

    /// An editor's answer and the text do not agree: the text decides. Hunks that are not in it
    /// are stale. Gives whether all of them are in.
    pub fn settle_by_text(&mut self, uri: &DocumentUri, hunks: &[String]) -> bool {
        let mut all = true;
        let file = self.files.iter_mut().find(|file| file.uri == *uri);
        for hunk in file.into_iter().flat_map(|file| &mut file.hunks).filter(|hunk| hunks.contains(&hunk.id))
        {
            if hunk.status == HunkStatus::Applying {
                hunk.status = HunkStatus::Stale;
            }
            all &= hunk.status == HunkStatus::Accepted;
        }
        all
    }

    /// The edit that takes the accepted hunks of a document back, and the hunks that stay because
    /// their text was changed since.
    pub fn undo_edit(&self, uri: &DocumentUri) -> (EditSet, Vec<String>) {
        let Some(file) = self.file(uri) else { return (EditSet::empty(0), Vec::new()) };
        let accepted = file.hunks.iter().filter(|hunk| hunk.status == HunkStatus::Accepted);
        let (ours, kept): (Vec<&Hunk>, Vec<&Hunk>) = accepted
            .partition(|hunk| file.text.get_byte_slice(hunk.range.clone()).is_some_and(|t| t == hunk.text()));
        let edits =
            ours.iter().map(|hunk| Edit { range: hunk.range.clone(), text: hunk.old_text.clone() }).collect();
        let length = file.text.len_bytes();
        let edits = EditSet::new(length, edits).unwrap_or_else(|_| EditSet::empty(length));
        (edits, kept.into_iter().map(|hunk| hunk.id.clone()).collect())
    }

    /// How many hunks wait, for the user or for the editor.
    pub fn open_count(&self) -> usize {
        self.hunks().filter(|hunk| hunk.is_open()).count()
    }

    /// How many hunks wait for the user.
    pub fn pending_count(&self) -> usize {
        self.hunks().filter(|hunk| hunk.status == HunkStatus::Pending).count()
    }

    /// Whether every hunk has its fate.
    pub fn is_closed(&self) -> bool {
        self.open_count() == 0
    }

    /// The document a hunk belongs to.
    pub fn uri_of(&self, hunk: &str) -> Option<&DocumentUri> {
        self.files.iter().find(|file| file.hunks.iter().any(|found| found.id == hunk)).map(|file| &file.uri)
    }

    /// One document's part.
    pub fn file(&self, uri: &DocumentUri) -> Option<&FileReview> {
        self.files.iter().find(|file| file.uri == *uri)
    }

    /// All hunks, file by file.
    pub fn hunks(&self) -> impl Iterator<Item = &Hunk> {
        self.files.iter().flat_map(|file| &file.hunks)
    }

    fn next_id(&self) -> usize {
        1 + self.hunks().count()
    }
}

impl Hunk {
    /// The text it puts there: the user's own version, where there is one.
    pub fn text(&self) -> &str {
        self.changed.as_deref().unwrap_or(&self.new_text)
    }

    /// Whether its place still holds what it replaces.
    fn fits(&self, text: &ropey::Rope) -> bool {
        text.get_byte_slice(self.range.clone()).is_some_and(|place| place == self.old_text.as_str())
    }

    /// Whether it waits, for the user or for the editor.
    pub fn is_open(&self) -> bool {
        matches!(self.status, HunkStatus::Pending | HunkStatus::Applying)
    }
}

type Raw = (Range<usize>, String, String);

fn pending(number: usize, (range, old_text, new_text): Raw) -> Hunk {
    Hunk { id: format!("h{number}"), status: HunkStatus::Pending, range, old_text, new_text, changed: None }
}

/// Runs of changed lines, as bytes of the old text with both texts.
fn hunks_between(old: &str, new: &str) -> Vec<Raw> {
    let (old_lines, new_lines) = (lines(old), lines(new));
    let (old_at, new_at) = (starts(&old_lines), starts(&new_lines));
    let mut hunks: Vec<Raw> = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &old_lines, &new_lines) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (from, to) = (op.old_range(), op.new_range());
        let range = old_at[from.start]..old_at[from.end];
        let (gone, come) = (&old[range.clone()], &new[new_at[to.start]..new_at[to.end]]);
        match hunks.last_mut() {
            Some(last) if last.0.end == range.start => {
                last.0.end = range.end;
                last.1.push_str(gone);
                last.2.push_str(come);
            }
            _ => hunks.push((range.clone(), gone.to_owned(), come.to_owned())),
        }
    }
    hunks
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Where each line starts, and behind the last one where the text ends.
fn starts(lines: &[&str]) -> Vec<usize> {
    let mut at = 0;
    let mut starts = vec![0];
    for line in lines {
        at += line.len();
        starts.push(at);
    }
    starts
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
