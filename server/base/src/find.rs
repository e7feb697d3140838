//! Locate the text that the model wants replaced: exact first, then with the differences that
//! models really make and that cannot change what is meant (line ends, blanks at line ends, a
//! uniform indentation). Old and new text are plain text. Anything else is an error that shows
//! the nearest place as it stands, so that one more try is enough.

mod nearest;
mod pattern;
mod tolerant;

pub use pattern::Pattern;

use crate::edit::{Edit, EditError, EditSet};
use crate::text::{LineEnd, dominant, to_line_end};

/// How the old text was found, from the strictest way to the loosest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// To the letter.
    Exact,
    /// To the letter but for line ends.
    LineEnds,
    /// But for blanks at line ends.
    TrailingBlanks,
    /// But for a uniform indentation, by which the new text was shifted too.
    Indentation,
}

/// The old text, found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// What replaces it.
    pub edits: EditSet,
    /// How many places.
    pub count: usize,
    /// How it was found.
    pub how: How,
}

/// Why it was not, in words for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// An empty old text fits everywhere.
    #[error(
        "oldString is empty, but the file is not: give the text to replace, or use write for the whole file."
    )]
    EmptyOld,
    /// Nothing would change.
    #[error("oldString and newString are the same: nothing would change.")]
    Same,
    /// It is not there.
    #[error("oldString was not found. {nearest}")]
    Missing {
        /// The nearest place as it stands now, with line numbers.
        nearest: String,
    },
    /// It is there more than once.
    #[error(
        "oldString was found {count} times (lines {lines}): give more lines around it so that it is found once, \
         or set replaceAll."
    )]
    Ambiguous {
        /// How often.
        count: usize,
        /// On which lines, from 1.
        lines: String,
    },
    /// A fault of our own; nothing is made of what can't be made whole.
    #[error("The edit could not be put together: {problem}.")]
    Fault {
        /// What did not fit.
        problem: EditError,
    },
    /// One of several edits failed; none was made.
    #[error("Edit {number} of {total}: {problem} None of the edits was made.")]
    InList {
        /// Which, from 1.
        number: usize,
        /// Of how many.
        total: usize,
        /// Why.
        problem: Box<FindError>,
    },
}

/// One replacement as the model asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// The text to replace.
    pub old: &'a str,
    /// What comes instead.
    pub new: &'a str,
    /// Everywhere, not just once.
    pub all: bool,
}

/// Find one replacement in a text.
pub fn locate(text: &str, old: &str, new: &str, all: bool) -> Result<Located, FindError> {
    if old.is_empty() {
        if !text.is_empty() {
            return Err(FindError::EmptyOld);
        }
        let edits = vec![Edit { range: 0..0, text: new.to_owned() }];
        return Ok(Located { edits: set(text, edits), count: 1, how: How::Exact });
    }
    if old == new {
        return Err(FindError::Same);
    }
    let exact: Vec<Edit> = text
        .match_indices(old)
        .map(|(at, _)| at..at + old.len())
        .filter(|place| !cuts_line_end(text, place.start) && !cuts_line_end(text, place.end))
        .map(|range| Edit { text: fitted(text, range.clone(), new), range })
        .collect();
    if let ([only], false) = (exact.as_slice(), all)
        && let Some(other) = overlapping(text, old, only.range.start)
    {
        return Err(ambiguous(text, &[only.range.start, other]));
    }
    if let Some(found) = choose(text, exact, How::Exact, all)? {
        return Ok(found);
    }
    for (how, matches) in [
        (How::LineEnds, tolerant::line_ends(text, old, new)),
        (How::TrailingBlanks, tolerant::trailing_blanks(text, old, new)),
        (How::Indentation, tolerant::indentation(text, old, new)),
    ] {
        if let Some(found) = choose(text, matches, how, all)? {
            return Ok(found);
        }
    }
    Err(FindError::Missing { nearest: nearest::nearest(text, old) })
}

/// Find several replacements, each in the result of the one before: all or none. The set refers
/// to the text before all of them.
pub fn locate_all(text: &str, wanted: &[Wanted<'_>]) -> Result<Located, FindError> {
    let mut all = Located { edits: EditSet::empty(text.len()), count: 0, how: How::Exact };
    let mut now = text.to_owned();
    for (nth, one) in wanted.iter().enumerate() {
        let in_list =
            |problem| FindError::InList { number: nth + 1, total: wanted.len(), problem: Box::new(problem) };
        let found = locate(&now, one.old, one.new, one.all).map_err(in_list)?;
        now = found.edits.apply(&now).map_err(|problem| in_list(FindError::Fault { problem }))?;
        // Joined where it can be; the two texts say the same in any case.
        all.edits = all.edits.compose(&found.edits, text).unwrap_or_else(|_| EditSet::from_diff(text, &now));
        all.count += found.count;
        all.how = all.how.max(found.how);
    }
    Ok(all)
}

/// One match, or several where all are wanted; more than one else is ambiguous.
fn choose(text: &str, matches: Vec<Edit>, how: How, all: bool) -> Result<Option<Located>, FindError> {
    match matches.len() {
        0 => Ok(None),
        count if count == 1 || all => Ok(Some(Located { edits: set(text, matches), count, how })),
        _ => Err(ambiguous(text, &matches.iter().map(|edit| edit.range.start).collect::<Vec<_>>())),
    }
}

fn ambiguous(text: &str, places: &[usize]) -> FindError {
    let lines: Vec<_> = places.iter().take(10).map(|place| line_of(text, *place).to_string()).collect();
    FindError::Ambiguous { count: places.len(), lines: lines.join(", ") }
}

/// Whether an offset is between the two halves of a `\r\n`: an edit there would leave a stray `\r`.
fn cuts_line_end(text: &str, at: usize) -> bool {
    text[..at].ends_with('\r') && text[at..].starts_with('\n')
}

/// A second place that shares bytes with the first (`aa` in `aaa`): a search that goes on behind a
/// match does not see it.
fn overlapping(text: &str, old: &str, first: usize) -> Option<usize> {
    let second = first + old.chars().next().map_or(1, char::len_utf8);
    let reach = text.floor_char_boundary(first + 2 * old.len() - 1);
    text.get(second..reach)?.find(old).map(|at| second + at)
}

fn set(text: &str, edits: Vec<Edit>) -> EditSet {
    // Matches do not overlap: each search goes on behind the last one.
    EditSet::new(text.len(), edits).unwrap_or_else(|_| EditSet::empty(text.len()))
}

/// The new text with the line ends of the place it goes to. A text whose lines end in `\r\n` gets
/// no bare `\n` from a model that writes only those; one written with `\r\n` is left as it is.
fn fitted(text: &str, place: std::ops::Range<usize>, new: &str) -> String {
    if new.contains("\r\n") || !new.contains('\n') {
        return new.to_owned();
    }
    to_line_end(new, end_around(text, place)).into_owned()
}

/// The line end at a place: of the matched lines, else of the line it is in, else of the text.
fn end_around(text: &str, place: std::ops::Range<usize>) -> LineEnd {
    let inside = &text[place.clone()];
    if inside.contains('\n') {
        return dominant(inside);
    }
    match text[place.end..].find('\n') {
        Some(at) if text[..place.end + at].ends_with('\r') => LineEnd::CrLf,
        Some(_) => LineEnd::Lf,
        None => dominant(text),
    }
}

/// The line an offset is in, from 1.
fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests;
