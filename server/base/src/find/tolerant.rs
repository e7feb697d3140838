//! Matches that are not to the letter. Each compares whole lines, and changes no byte outside the
//! lines it reports.

use super::{end_around, fitted};
use crate::edit::Edit;
use crate::text::{LineEnd, to_line_end};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::cell::Cell;
use std::ops::Range;

/// The old text with other line ends than the file's.
pub(super) fn line_ends(text: &str, old: &str, new: &str) -> Vec<Edit> {
    if !old.contains('\n') || !text.contains('\r') && !old.contains('\r') {
        return Vec::new();
    }
    let (plain, back) = without_returns(text);
    let wanted = old.replace("\r\n", "\n");
    let found = plain.match_indices(&wanted).map(|(at, _)| {
        let range = back.original(at)..back.original(at + wanted.len());
        Edit { text: fitted(text, range.clone(), &new.replace("\r\n", "\n")), range }
    });
    found.collect()
}

/// Lines that differ only in blanks at their ends.
pub(super) fn trailing_blanks(text: &str, old: &str, new: &str) -> Vec<Edit> {
    by_lines(text, old, |have, want| (content(have) == content(want)).then_some(()))
        .into_iter()
        .map(|(range, _)| Edit { text: rebuilt(text, &range, old, new, new), range })
        .collect()
}

/// Lines that all have the same blanks in front of what the model wrote, or all lack them. The
/// new text is shifted alike.
pub(super) fn indentation(text: &str, old: &str, new: &str) -> Vec<Edit> {
    by_lines(text, old, shift)
        .into_iter()
        .filter_map(|(range, shifts)| {
            let mut shifts = shifts.into_iter().flatten();
            let first = shifts.next()?;
            shifts.all(|shift| shift == first).then_some(())?;
            let shifted = shifted(new, &first)?;
            Some(Edit { text: rebuilt(text, &range, old, new, &shifted), range })
        })
        .collect()
}

/// What comes in place of `range`: the new text, in which the lines that the model left as they
/// were in its old text are those of the file, with the blanks they have. `placed` is the new text,
/// line for line, as it goes into the file.
fn rebuilt(text: &str, range: &Range<usize>, old: &str, new: &str, placed: &str) -> String {
    let lines = |text| str::lines(text).collect::<Vec<_>>();
    let (old_lines, new_lines) = (lines(old), lines(new));
    let gone = &text[range.clone()];
    let have: Vec<&str> = gone.split_inclusive('\n').collect();
    let placed: Vec<&str> = placed.split_inclusive('\n').collect();
    let mut kept = vec![None; new_lines.len()];
    for op in capture_diff_slices(Algorithm::Myers, &old_lines, &new_lines) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            (0..len).for_each(|nth| kept[new_index + nth] = have.get(old_index + nth));
        }
    }
    let end = end_around(text, range.clone());
    let mut out = String::with_capacity(new.len());
    for (line, kept) in placed.iter().zip(&kept) {
        match kept {
            // The last line of the new text may end where one within the old text went on.
            Some(kept) if kept.ends_with('\n') == line.ends_with('\n') => out.push_str(kept),
            Some(kept) => {
                out.push_str(kept.trim_end_matches(['\r', '\n']));
                out.push_str(if line.ends_with('\n') { end.as_str() } else { "" });
            }
            None => out.push_str(&to_line_end(line, end)),
        }
    }
    closed(gone, out, old, end)
}

/// What is in front of a line beyond what the model wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Shift {
    More(String),
    Less(String),
}

/// `None`: the lines differ in more than their indentation. `Some(None)`: a blank line fits any.
fn shift(have: &str, want: &str) -> Option<Option<Shift>> {
    let (have, want) = (content(have), content(want));
    if have.is_empty() && want.is_empty() {
        return Some(None);
    }
    if have.trim_start_matches(BLANKS) != want.trim_start_matches(BLANKS) {
        return None;
    }
    let (have, want) = (blanks(have), blanks(want));
    if let Some(more) = have.strip_suffix(want) {
        return Some(Some(Shift::More(more.to_owned())));
    }
    want.strip_suffix(have).map(|less| Some(Shift::Less(less.to_owned())))
}

/// What blanks are here: no other character is, however it looks.
const BLANKS: [char; 2] = [' ', '\t'];

/// A line without its line end and the blanks before it.
fn content(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line).trim_end_matches(BLANKS)
}

fn blanks(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches(BLANKS).len()]
}

fn shifted(new: &str, by: &Shift) -> Option<String> {
    let mut out = String::with_capacity(new.len());
    for line in new.split_inclusive('\n') {
        match by {
            _ if content(line).is_empty() => out.push_str(line),
            Shift::More(more) => {
                out.push_str(more);
                out.push_str(line);
            }
            Shift::Less(less) => out.push_str(line.strip_prefix(less.as_str())?),
        }
    }
    Some(out)
}

/// How many lines may be compared in one search: a file of lines that are all alike must not keep
/// the server busy. What is beyond is not found.
const MOST_COMPARED: usize = 1_000_000;

/// Places where consecutive lines of the text fit the lines of `old`, with what each line gave.
/// Blank lines alone fit nowhere, as they say nothing about the place.
fn by_lines<T>(text: &str, old: &str, fits: impl Fn(&str, &str) -> Option<T>) -> Vec<(Range<usize>, Vec<T>)> {
    let wanted: Vec<&str> = old.lines().collect();
    if wanted.iter().all(|line| content(line).is_empty()) {
        return Vec::new();
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut starts = Vec::with_capacity(lines.len() + 1);
    starts.push(0);
    lines.iter().for_each(|line| starts.push(starts[starts.len() - 1] + line.len()));
    let mut found = Vec::new();
    let compared = Cell::new(0);
    let mut at = 0;
    while at + wanted.len() <= lines.len() && compared.get() < MOST_COMPARED {
        let compare = |(have, want): (&&str, &&str)| {
            compared.set(compared.get() + 1);
            fits(have, want)
        };
        match lines[at..at + wanted.len()].iter().zip(&wanted).map(compare).collect() {
            Some(run) => {
                found.push((starts[at]..starts[at + wanted.len()], run));
                at += wanted.len();
            }
            None => at += 1,
        }
    }
    // What was not searched might hold a second match.
    if compared.get() < MOST_COMPARED { found } else { Vec::new() }
}

/// The new text with a last line end just where the replaced lines have one: so that the line
/// behind is not joined if the model left it out, and none appears at the end of the file.
fn closed(gone: &str, mut new: String, old: &str, end: LineEnd) -> String {
    match (gone.ends_with('\n'), old.ends_with('\n')) {
        (true, false) => new.push_str(end.as_str()),
        (false, true) => {
            let bare = new.strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line).len());
            new.truncate(bare.unwrap_or(new.len()));
        }
        (true, true) | (false, false) => {}
    }
    new
}

/// A text without the `\r` of its line ends, and the way back.
fn without_returns(text: &str) -> (String, Back) {
    let mut plain = String::with_capacity(text.len());
    let mut dropped = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("\r\n") {
        plain.push_str(&rest[..at]);
        dropped.push(plain.len());
        plain.push('\n');
        rest = &rest[at + 2..];
    }
    plain.push_str(rest);
    (plain, Back { dropped })
}

/// Where a `\r` was dropped, in the plain text.
struct Back {
    dropped: Vec<usize>,
}

impl Back {
    fn original(&self, at: usize) -> usize {
        at + self.dropped.partition_point(|dropped| *dropped < at)
    }
}
