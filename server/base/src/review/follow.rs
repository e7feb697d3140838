//! What becomes of hunks when the text changes, whoever changed it.
//!
//! A change elsewhere moves a hunk. A change of the hunk's own lines makes a pending one stale,
//! and it is offered again against the text as it is now. A change after which the hunk's place
//! holds just what it proposed puts it in: that is how our own edit shows when it comes back, and
//! it does not matter how the editor cut it, or what else came with it.

use super::{FileReview, Hunk, HunkStatus, Review};
use crate::edit::{Edit, EditSet};
use crate::path::DocumentUri;
use ropey::Rope;
use std::ops::Range;

impl Review {
    /// The text of a document changed by `step` and is now `new`. Gives whether this review has
    /// a part in that document.
    pub fn text_changed(
        &mut self,
        uri: &DocumentUri,
        step: &EditSet,
        version: Option<i32>,
        new: &Rope,
    ) -> bool {
        let mut next = self.next_id();
        let Some(file) = self.files.iter_mut().find(|file| file.uri == *uri) else { return false };
        let mut again = Vec::new();
        for hunk in &mut file.hunks {
            if let Some(mut offer) = follow(hunk, step, new) {
                offer.id = format!("h{next}");
                next += 1;
                again.push(offer);
            }
        }
        file.hunks.extend(again);
        file.hunks.sort_by_key(|hunk| hunk.range.start);
        file.text = new.clone();
        file.version = version;
        true
    }
}

/// Move one hunk. Gives the hunk that is offered in its place, if it became stale.
fn follow(hunk: &mut Hunk, step: &EditSet, new: &Rope) -> Option<Hunk> {
    // An editor may report an insertion among lines that are alike one line further on.
    let near =
        if hunk.status == HunkStatus::Applying && hunk.range.is_empty() { hunk.text().len() } else { 0 };
    let touched = touched(&hunk.range, near, step);
    let place = hunk.range.clone();
    hunk.range = moved(&place, step);
    if !touched {
        return None;
    }
    if hunk.is_open() && holds(hunk, &place, step, new) {
        hunk.status = HunkStatus::Accepted;
        return None;
    }
    match hunk.status {
        HunkStatus::Pending if untouched_lines(hunk, new) => None,
        HunkStatus::Pending => {
            hunk.status = HunkStatus::Stale;
            offer_again(hunk, new)
        }
        // An insertion that is on its way keeps its place while the user types beside it.
        HunkStatus::Applying if hunk.old_text.is_empty() => None,
        HunkStatus::Applying => {
            hunk.range = whole_lines(&reach(&place, step), new);
            None
        }
        HunkStatus::Accepted => {
            hunk.range = reach(&place, step);
            None
        }
        HunkStatus::Rejected | HunkStatus::Stale => None,
    }
}

/// Whether an edit meets the range or comes that near to it; its borders count.
fn touched(range: &Range<usize>, near: usize, step: &EditSet) -> bool {
    step.edits().iter().any(|edit| meets(edit, range, near))
}

/// The range after the step: what is inserted at its borders stays outside.
fn moved(range: &Range<usize>, step: &EditSet) -> Range<usize> {
    let mut start = range.start as isize;
    let mut end = range.end as isize;
    for Edit { range: gone, text } in step.edits() {
        let grown = text.len() as isize - gone.len() as isize;
        if gone.end <= range.start {
            start += grown;
            end += grown;
        } else if gone.start < range.end {
            // A true overlap: what was cut from the front, and all that was put in, stays inside.
            if gone.start < range.start {
                start -= (range.start - gone.start) as isize;
            }
            end += grown + gone.end.saturating_sub(range.end) as isize;
        }
    }
    start.max(0) as usize..end.max(start.max(0)) as usize
}

/// The range after the step, with all that was put in at or over its borders.
fn reach(range: &Range<usize>, step: &EditSet) -> Range<usize> {
    let mut reach = moved(range, step);
    for Edit { range: gone, text } in step.edits() {
        if gone.is_empty() && gone.start == range.end {
            reach.end += text.len();
        }
    }
    reach
}

/// Whether the hunk's place now holds what it proposed, because of this step.
fn holds(hunk: &mut Hunk, place: &Range<usize>, step: &EditSet, new: &Rope) -> bool {
    let wanted = hunk.text().to_owned();
    if place.is_empty() {
        // The step must have put in as much, so that lines that were there before do not count.
        let near = if hunk.status == HunkStatus::Applying { wanted.len() } else { 0 };
        let put_in = step
            .edits()
            .iter()
            .filter(|edit| meets(edit, place, near))
            .map(|edit| edit.text.len())
            .sum::<usize>();
        let after = moved(place, step).start;
        let found =
            [after, after.saturating_sub(wanted.len())].into_iter().find(|at| slice_is(new, *at, &wanted));
        return match found.filter(|_| put_in >= wanted.len()) {
            Some(start) => {
                hunk.range = start..start + wanted.len();
                true
            }
            None => false,
        };
    }
    let start = moved(place, step).start;
    let reached = reach(place, step);
    let fits = [moved(place, step), reached].into_iter().any(|range| range.len() == wanted.len());
    if fits && slice_is(new, start, &wanted) {
        hunk.range = start..start + wanted.len();
        return true;
    }
    false
}

fn meets(edit: &Edit, place: &Range<usize>, near: usize) -> bool {
    edit.range.start <= place.end + near && edit.range.end + near >= place.start
}

fn slice_is(text: &Rope, start: usize, wanted: &str) -> bool {
    text.get_byte_slice(start..start + wanted.len()).is_some_and(|slice| slice == wanted)
}

/// Whether the hunk still replaces the same whole lines.
fn untouched_lines(hunk: &Hunk, new: &Rope) -> bool {
    let same = slice_is(new, hunk.range.start, &hunk.old_text) && hunk.range.len() == hunk.old_text.len();
    let whole =
        hunk.old_text.is_empty() || hunk.old_text.ends_with('\n') || hunk.range.end == new.len_bytes();
    same && whole && starts_line(new, hunk.range.start)
}

fn starts_line(text: &Rope, offset: usize) -> bool {
    offset == 0 || text.get_byte(offset - 1) == Some(b'\n')
}

/// The same proposal against the lines as they are now; none where they are already as proposed.
fn offer_again(hunk: &mut Hunk, new: &Rope) -> Option<Hunk> {
    let range = whole_lines(&hunk.range, new);
    let old_text = new.get_byte_slice(range.clone())?.to_string();
    (old_text != hunk.new_text).then(|| Hunk {
        id: String::new(),
        status: HunkStatus::Pending,
        range,
        old_text,
        new_text: hunk.new_text.clone(),
        changed: None,
    })
}

/// Grown to whole lines.
fn whole_lines(range: &Range<usize>, text: &Rope) -> Range<usize> {
    let end = range.end.min(text.len_bytes());
    let start = range.start.min(end);
    let first = text.byte_to_line(start);
    let line_start = text.line_to_byte(first);
    if start == end && start == line_start {
        return start..end;
    }
    let last = text.byte_to_line(end);
    let line_end = if end == text.line_to_byte(last) && end > start {
        end
    } else {
        text.line_to_byte((last + 1).min(text.len_lines()))
    };
    line_start..line_end
}

impl FileReview {
    /// Hunks of this file that wait for the user.
    pub fn pending(&self) -> impl Iterator<Item = &Hunk> {
        self.hunks.iter().filter(|hunk| hunk.status == HunkStatus::Pending)
    }
}
