//! Where a review stands, as a value that can be kept and read back after a restart.

use super::{Hunk, HunkStatus, Review};
use crate::edit::{Edit, EditSet};
use ropey::Rope;
use serde::{Deserialize, Serialize};

/// Where a review stands. Small: of each file it holds the hunks, and what was done to the text
/// since the proposal was made, not the text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// In the order of the proposal's files.
    files: Vec<FileStanding>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct FileStanding {
    /// From the text that the proposal was made for to the one that the hunks' ranges refer to.
    since: Vec<Edit>,
    hunks: Vec<Hunk>,
}

impl Standing {
    /// Whether a hunk waited, for the user or for the editor.
    pub fn is_open(&self) -> bool {
        self.files.iter().flat_map(|file| &file.hunks).any(Hunk::is_open)
    }
}

impl Review {
    /// Where it stands; `bases` are the texts that its files were proposed for, in their order.
    pub fn standing(&self, bases: &[Rope]) -> Standing {
        let since = |base: &Rope, text: &Rope| match base == text {
            true => Vec::new(),
            false => EditSet::from_diff(&base.to_string(), &text.to_string()).edits().to_vec(),
        };
        let files = self.files.iter().zip(bases);
        let files = files
            .map(|(file, base)| FileStanding { since: since(base, &file.text), hunks: file.hunks.clone() });
        Standing { files: files.collect() }
    }

    /// Bring a review that was opened from its proposal anew to where it stood. A standing that
    /// does not fit the proposal changes nothing: then everything is asked again.
    pub fn stand(&mut self, standing: Standing) {
        let texts: Option<Vec<Rope>> = self
            .files
            .iter()
            .zip(&standing.files)
            .map(|(file, stood)| {
                let mut text = file.text.clone();
                let since = EditSet::new(text.len_bytes(), stood.since.clone()).ok()?;
                since.apply_rope(&mut text).ok()?;
                let fits = |hunk: &Hunk| text.get_byte_slice(hunk.range.clone()).is_some();
                stood.hunks.iter().all(fits).then_some(text)
            })
            .collect();
        let Some(texts) = texts.filter(|texts| texts.len() == self.files.len()) else { return };
        for ((file, stood), text) in self.files.iter_mut().zip(standing.files).zip(texts) {
            (file.text, file.hunks) = (text, stood.hunks);
        }
    }

    /// After a restart, with the text as it is now: what was accepted but is not in the text (it
    /// never arrived, or went with an unsaved buffer) waits for the user again.
    pub fn ask_again(&mut self) {
        for at in 0..self.files.len() {
            let next = self.next_id();
            let file = &mut self.files[at];
            for hunk in &mut file.hunks {
                let gone = hunk.status == HunkStatus::Accepted && hunk.fits(&file.text);
                if gone && hunk.old_text != hunk.text() {
                    hunk.status = HunkStatus::Applying;
                }
            }
            file.offer_changed(HunkStatus::Applying, next);
            for hunk in file.hunks.iter_mut().filter(|hunk| hunk.status == HunkStatus::Applying) {
                // A yes is for one try; what is shown from now on is the proposal.
                (hunk.status, hunk.changed) = (HunkStatus::Pending, None);
            }
        }
    }
}

#[cfg(test)]
mod tests;
