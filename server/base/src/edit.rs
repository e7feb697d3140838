//! An edit set: replacements bound to the length of the text they were made for, as a value. It
//! refuses a text of another length, can be taken back, joined with the next, and carried over
//! an edit that came in between.

mod compose;

use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;

/// One replacement: the bytes of the old text that go, and what comes instead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// Bytes of the text before the edit set.
    pub range: Range<usize>,
    /// The text that takes their place.
    pub text: String,
}

/// Replacements, sorted and not overlapping, all in terms of the text before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditSet {
    before: usize,
    edits: Vec<Edit>,
}

/// Why edits do not make a set, or a set does not fit a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// Two edits touch the same bytes.
    #[error("two edits overlap")]
    Overlap,
    /// An edit reaches beyond the text.
    #[error("an edit reaches beyond the text")]
    OutOfRange,
    /// The text has another length than the one the set was made for.
    #[error("the edits were made for another text")]
    OtherText,
    /// An edit begins or ends inside a character.
    #[error("an edit cuts a character in two")]
    InsideCharacter,
    /// Both sides changed the same bytes.
    #[error("both changed the same place")]
    Conflict,
}

impl EditSet {
    /// No edit, for a text of that many bytes.
    pub fn empty(before: usize) -> Self {
        Self { before, edits: Vec::new() }
    }

    /// Edits in any order, for a text of `before` bytes.
    pub fn new(before: usize, mut edits: Vec<Edit>) -> Result<Self, EditError> {
        edits.retain(|edit| !edit.range.is_empty() || !edit.text.is_empty());
        edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
        let mut free = 0;
        for edit in &edits {
            if edit.range.start > edit.range.end || edit.range.end > before {
                return Err(EditError::OutOfRange);
            }
            if edit.range.start < free {
                return Err(EditError::Overlap);
            }
            free = edit.range.end;
        }
        Ok(Self { before, edits })
    }

    /// What turns `old` into `new`, by runs of changed lines.
    pub fn from_diff(old: &str, new: &str) -> Self {
        let (old_lines, new_lines) = (lines(old), lines(new));
        let (old_at, new_at) = (starts(&old_lines), starts(&new_lines));
        let ops = capture_diff_slices(Algorithm::Myers, &old_lines, &new_lines);
        let changed = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. })).map(|op| {
            let (from, to) = (op.old_range(), op.new_range());
            let text = &new[new_at[to.start]..new_at[to.end]];
            narrowed(old, old_at[from.start]..old_at[from.end], text)
        });
        Self { before: old.len(), edits: changed.collect() }
    }

    /// The edits, in order.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Bytes of the text it is for.
    pub fn len_before(&self) -> usize {
        self.before
    }

    /// Bytes of the text after it.
    pub fn len_after(&self) -> usize {
        let come: usize = self.edits.iter().map(|edit| edit.text.len()).sum();
        let gone: usize = self.edits.iter().map(|edit| edit.range.len()).sum();
        self.before + come - gone
    }

    /// The text after it.
    pub fn apply(&self, text: &str) -> Result<String, EditError> {
        if text.len() != self.before {
            return Err(EditError::OtherText);
        }
        let mut out = String::with_capacity(self.len_after());
        let mut at = 0;
        for edit in &self.edits {
            out.push_str(text.get(at..edit.range.start).ok_or(EditError::InsideCharacter)?);
            out.push_str(&edit.text);
            at = edit.range.end;
        }
        out.push_str(text.get(at..).ok_or(EditError::InsideCharacter)?);
        Ok(out)
    }

    /// Apply to a rope, at the cost of the edits, not of the text.
    pub fn apply_rope(&self, rope: &mut ropey::Rope) -> Result<(), EditError> {
        if rope.len_bytes() != self.before {
            return Err(EditError::OtherText);
        }
        let cuts = |rope: &ropey::Rope, at| rope.char_to_byte(rope.byte_to_char(at)) != at;
        if self.edits.iter().any(|edit| cuts(rope, edit.range.start) || cuts(rope, edit.range.end)) {
            return Err(EditError::InsideCharacter);
        }
        for edit in self.edits.iter().rev() {
            let (start, end) = (rope.byte_to_char(edit.range.start), rope.byte_to_char(edit.range.end));
            rope.remove(start..end);
            rope.insert(start, &edit.text);
        }
        Ok(())
    }

    /// What takes it back; `text` is the text before it.
    pub fn invert(&self, text: &str) -> Result<Self, EditError> {
        if text.len() != self.before {
            return Err(EditError::OtherText);
        }
        let mut moved = 0isize;
        let mut edits = Vec::with_capacity(self.edits.len());
        for edit in &self.edits {
            let gone = text.get(edit.range.clone()).ok_or(EditError::InsideCharacter)?;
            let start = edit.range.start.saturating_add_signed(moved);
            edits.push(Edit { range: start..start + edit.text.len(), text: gone.to_owned() });
            moved += edit.text.len() as isize - edit.range.len() as isize;
        }
        Ok(Self { before: self.len_after(), edits })
    }

    /// Where an offset of the text before is in the text after. An offset inside what was
    /// replaced moves to its end, or, for `before`, to its start; the same for an insertion there.
    pub fn map_offset(&self, offset: usize, before: bool) -> usize {
        let mut moved = 0isize;
        for edit in &self.edits {
            if edit.range.end < offset || (edit.range.end == offset && !(before && edit.range.is_empty())) {
                moved += edit.text.len() as isize - edit.range.len() as isize;
            } else if edit.range.start < offset {
                let start = edit.range.start.saturating_add_signed(moved);
                return if before { start } else { start + edit.text.len() };
            }
        }
        offset.saturating_add_signed(moved)
    }
}

/// A replacement without the characters that both ends have in common.
fn narrowed(old: &str, range: Range<usize>, new: &str) -> Edit {
    let gone = &old[range.clone()];
    let front: usize =
        gone.chars().zip(new.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let rest = (gone[front..].chars().rev()).zip(new[front..].chars().rev());
    let back: usize = rest.take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    Edit { range: range.start + front..range.end - back, text: new[front..new.len() - back].to_owned() }
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
mod tests;
