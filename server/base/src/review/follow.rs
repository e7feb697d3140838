//! What becomes of hunks when the text changes, whoever changed it.
//!
//! A change elsewhere moves a hunk. A change of the hunk's own lines makes a pending one stale,
//! and it is offered again against the text as it is now. A change after which the hunk's place
//! holds just what it proposed puts it in: that is how our own edit shows when it comes back, and
//! it does not matter how the editor cut it, or what else came with it.

use super::{FileReview, Hunk, HunkStatus, Review, pending};
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
        let next = self.next_id();
        let ours = self.step_of_ours(uri, new);
        let Some(file) = self.files.iter_mut().find(|file| file.uri == *uri) else { return false };
        let mut any_touched = ours.is_some();
        // What the hunks passed so far put in and took away.
        let (mut come, mut gone) = (0, 0);
        for hunk in &mut file.hunks {
            if ours.is_some() && hunk.status == HunkStatus::Applying && hunk.fits(&file.text) {
                let start = hunk.range.start + come - gone;
                (come, gone) = (come + hunk.text().len(), gone + hunk.range.len());
                hunk.range = start..start + hunk.text().len();
                hunk.status = HunkStatus::Accepted;
            } else {
                any_touched |= follow(hunk, ours.as_ref().unwrap_or(step), new);
            }
        }
        file.text = new.clone();
        file.version = version;
        if any_touched {
            file.offer_changed(HunkStatus::Pending, next);
        }
        true
    }

    /// What is on its way into the document, if `new` is exactly what it leads to: then it does not
    /// matter how the editor cut the change, or among which of several lines that are alike it
    /// says that one appeared.
    fn step_of_ours(&self, uri: &DocumentUri, new: &Rope) -> Option<EditSet> {
        let ids = self.applying(uri);
        let mut text = self.file(uri).filter(|_| !ids.is_empty())?.text.clone();
        let step = self.edit_for(uri, &ids);
        (step.len_after() == new.len_bytes() && step.apply_rope(&mut text).is_ok() && text == *new)
            .then_some(step)
    }

    /// Before accepted hunks are sent to the editor: those whose lines the user changed while they
    /// waited for their turn are stale, and offered again. Gives whether there were any.
    pub fn recheck(&mut self, uri: &DocumentUri) -> bool {
        let next = self.next_id();
        let file = self.files.iter_mut().find(|file| file.uri == *uri);
        file.is_some_and(|file| file.offer_changed(HunkStatus::Applying, next))
    }
}

/// Move one hunk, and see whether it is in the text now. Gives whether the step came near it.
fn follow(hunk: &mut Hunk, step: &EditSet, new: &Rope) -> bool {
    // An editor may report an insertion among lines that are alike one line further on.
    let near =
        if hunk.status == HunkStatus::Applying && hunk.range.is_empty() { hunk.text().len() } else { 0 };
    let touched = touched(&hunk.range, near, step);
    let place = hunk.range.clone();
    hunk.range = moved(&place, step);
    if !touched {
        return false;
    }
    if hunk.is_open() && hunk.old_text.is_empty() && !starts_line(new, hunk.range.start) {
        // What was typed at the place of an insertion belongs to the line behind it.
        let front = reach(&place, step).start;
        if starts_line(new, front) {
            hunk.range = front..front;
        }
    }
    if hunk.is_open() && holds(hunk, &place, step, new) {
        hunk.status = HunkStatus::Accepted;
        return true;
    }
    match hunk.status {
        // An insertion that is on its way keeps its place while the user types beside it.
        HunkStatus::Applying if hunk.old_text.is_empty() => {}
        HunkStatus::Applying => hunk.range = whole_lines(&reach(&place, step), new),
        HunkStatus::Accepted => {
            // What the user typed beside it is not a part of it; what changed it is.
            if !slice_is(new, hunk.range.start, hunk.text()) || hunk.range.len() != hunk.text().len() {
                hunk.range = reach(&place, step);
            }
        }
        HunkStatus::Pending | HunkStatus::Rejected | HunkStatus::Stale => {}
    }
    true
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
    for Edit { range: gone, text } in step.edits().iter().filter(|edit| edit.range.is_empty()) {
        if gone.start == range.start {
            // `moved` has put it in front.
            reach.start -= text.len();
        } else if gone.start == range.end {
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
    // What came in at a border may be a part of the hunk (a comment sign before its first word).
    let (inner, outer) = (moved(place, step), reach(place, step));
    let found = [outer.start, inner.start].into_iter().find(|start| {
        [outer.end, inner.end].contains(&(start + wanted.len())) && slice_is(new, *start, &wanted)
    });
    let Some(start) = found else { return false };
    hunk.range = start..start + wanted.len();
    true
}

fn meets(edit: &Edit, place: &Range<usize>, near: usize) -> bool {
    edit.range.start <= place.end + near && edit.range.end + near >= place.start
}

fn slice_is(text: &Rope, start: usize, wanted: &str) -> bool {
    text.get_byte_slice(start..start + wanted.len()).is_some_and(|slice| slice == wanted)
}

fn starts_line(text: &Rope, offset: usize) -> bool {
    offset == 0 || text.get_byte(offset - 1) == Some(b'\n')
}

/// Between two lines: in front of this place's line if it is at its start, else behind that line,
/// which an insertion must neither cut nor replace.
fn insertion_point(at: usize, text: &Rope) -> Range<usize> {
    let at = at.min(text.len_bytes());
    let line = text.byte_to_line(at);
    let start = text.line_to_byte(line);
    let next = text.line_to_byte((line + 1).min(text.len_lines()));
    let between = if at > start && starts_line(text, next) { next } else { start };
    between..between
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

    /// Hunks with this status whose lines are not those they replace become stale, and the same
    /// proposal is offered against the lines as they are. Where a change went across several hunks,
    /// so that they now share lines, they are offered as one. Gives whether there were any.
    pub(super) fn offer_changed(&mut self, status: HunkStatus, next: usize) -> bool {
        let mut offers: Vec<Offer> = Vec::new();
        for (at, hunk) in self.hunks.iter().enumerate() {
            let changed = hunk.status == status && !stands(hunk, &self.text);
            let range = match changed {
                true if hunk.old_text.is_empty() => insertion_point(hunk.range.end, &self.text),
                true => whole_lines(&hunk.range, &self.text),
                false if hunk.status == HunkStatus::Pending => hunk.range.clone(),
                false => continue,
            };
            offers.push(Offer { range, hunks: vec![at], again: changed });
        }
        let again: Vec<Offer> = joined(offers).into_iter().filter(|offer| offer.again).collect();
        let any = !again.is_empty();
        for (nth, offer) in again.into_iter().enumerate() {
            self.open_offer(offer, next + nth);
        }
        self.hunks.sort_by_key(|hunk| (hunk.range.start, hunk.range.end));
        any
    }

    fn open_offer(&mut self, offer: Offer, id: usize) {
        let mut new_text = String::new();
        for at in offer.hunks {
            self.hunks[at].status = HunkStatus::Stale;
            new_text.push_str(&self.hunks[at].new_text);
        }
        let old_text = self.text.byte_slice(offer.range.clone()).to_string();
        // Nothing is to be done where the lines are already as proposed.
        if old_text != new_text {
            self.hunks.push(pending(id, (offer.range, old_text, new_text)));
        }
    }
}

/// A proposal for some lines as they are now.
struct Offer {
    range: Range<usize>,
    /// The hunks it takes the place of.
    hunks: Vec<usize>,
    /// Whether it is not just a pending hunk as it was.
    again: bool,
}

/// Offers that share bytes, joined, by position.
fn joined(mut offers: Vec<Offer>) -> Vec<Offer> {
    offers.sort_by_key(|offer| (offer.range.start, offer.range.end));
    let mut joined: Vec<Offer> = Vec::new();
    for offer in offers {
        match joined.last_mut() {
            Some(last) if offer.range.start < last.range.end => {
                last.range.end = last.range.end.max(offer.range.end);
                last.hunks.extend(offer.hunks);
                last.again = true;
            }
            _ => joined.push(offer),
        }
    }
    joined
}

/// Whether the hunk still replaces the same whole lines.
fn stands(hunk: &Hunk, text: &Rope) -> bool {
    let whole =
        hunk.old_text.is_empty() || hunk.old_text.ends_with('\n') || hunk.range.end == text.len_bytes();
    hunk.fits(text) && whole && starts_line(text, hunk.range.start)
}
