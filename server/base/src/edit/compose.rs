//! Joining edit sets, and carrying one over another.

use super::{Edit, EditError, EditSet};

impl EditSet {
    /// This, then `next`, as one set for the text before this. `text` is that text.
    pub fn compose(&self, next: &Self, text: &str) -> Result<Self, EditError> {
        if self.len_after() != next.before {
            return Err(EditError::OtherText);
        }
        let back = self.invert(text)?;
        let middle = self.apply(text)?;
        let mut joined: Vec<Edit> = Vec::new();
        let mut ours = self.edits.iter().zip(&back.edits).peekable();
        let mut theirs = next.edits.iter().peekable();
        let mut shift = 0isize;
        // Runs of edits that touch in the middle text become one replacement of the text before.
        while ours.peek().is_some() || theirs.peek().is_some() {
            let at = |edit: Option<&Edit>| edit.map_or(usize::MAX, |edit| edit.range.start);
            let start = at(ours.peek().map(|(_, there)| *there)).min(at(theirs.peek().copied()));
            let (mut end, mut before_shift) = (start, shift);
            let (mut run, mut taken) = (Vec::new(), Vec::new());
            loop {
                if let Some((ours_before, there)) = ours.next_if(|(_, there)| there.range.start <= end) {
                    end = end.max(there.range.end);
                    before_shift += ours_before.range.len() as isize - ours_before.text.len() as isize;
                    taken.push(());
                } else if let Some(edit) = theirs.next_if(|edit| edit.range.start <= end) {
                    end = end.max(edit.range.end);
                    run.push(edit);
                } else {
                    break;
                }
            }
            let mut text = String::new();
            let mut from = start;
            for edit in run {
                text.push_str(middle.get(from..edit.range.start).ok_or(EditError::InsideCharacter)?);
                text.push_str(&edit.text);
                from = edit.range.end;
            }
            text.push_str(middle.get(from..end).ok_or(EditError::InsideCharacter)?);
            joined.push(Edit {
                range: start.saturating_add_signed(shift)..end.saturating_add_signed(before_shift),
                text,
            });
            shift = before_shift;
        }
        Self::new(self.before, joined)
    }

    /// This, carried over `other`: both were made for the same text, `other` was applied first.
    /// Edits of the same bytes, or insertions inside what the other replaced, are a conflict.
    pub fn rebase(&self, other: &Self) -> Result<Self, EditError> {
        if self.before != other.before {
            return Err(EditError::OtherText);
        }
        let mut edits = Vec::with_capacity(self.edits.len());
        for edit in &self.edits {
            if other.edits.iter().any(|there| conflicts(edit, there)) {
                return Err(EditError::Conflict);
            }
            let start = other.map_offset(edit.range.start, edit.range.is_empty());
            edits.push(Edit { range: start..start + edit.range.len(), text: edit.text.clone() });
        }
        Self::new(other.len_after(), edits)
    }
}

fn conflicts(ours: &Edit, theirs: &Edit) -> bool {
    let (a, b) = (&ours.range, &theirs.range);
    match (a.is_empty(), b.is_empty()) {
        (true, true) => false,
        (true, false) => b.start < a.start && a.start < b.end,
        (false, true) => a.start < b.start && b.start < a.end,
        (false, false) => a.start < b.end && b.start < a.end,
    }
}
