//! Matches that are not to the letter. Each compares whole lines, and changes no byte outside the
//! lines it reports.

use super::fitted;
use crate::edit::Edit;
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
    by_lines(text, old, |have, want| (have.trim_end() == want.trim_end()).then_some(()))
        .into_iter()
        .map(|(range, _)| Edit { text: closed(text, &range, fitted(text, range.clone(), new), old), range })
        .collect()
}

/// Lines that all have the same blanks in front of what the model wrote, or all lack them. The
/// new text is shifted alike.
pub(super) fn indentation(text: &str, old: &str, new: &str) -> Vec<Edit> {
    if old.trim().is_empty() {
        return Vec::new();
    }
    by_lines(text, old, shift)
        .into_iter()
        .filter_map(|(range, shifts)| {
            let mut shifts = shifts.into_iter().flatten();
            let first = shifts.next()?;
            shifts.all(|shift| shift == first).then_some(())?;
            let shifted = shifted(new, &first)?;
            Some(Edit { text: closed(text, &range, fitted(text, range.clone(), &shifted), old), range })
        })
        .collect()
}

/// What is in front of a line beyond what the model wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Shift {
    More(String),
    Less(String),
}

/// `None`: the lines differ in more than their indentation. `Some(None)`: a blank line fits any.
fn shift(have: &str, want: &str) -> Option<Option<Shift>> {
    let (have, want) = (have.trim_end(), want.trim_end());
    if have.is_empty() && want.is_empty() {
        return Some(None);
    }
    if have.trim_start() != want.trim_start() {
        return None;
    }
    let (have, want) = (blanks(have), blanks(want));
    if let Some(more) = have.strip_suffix(want) {
        return Some(Some(Shift::More(more.to_owned())));
    }
    want.strip_suffix(have).map(|less| Some(Shift::Less(less.to_owned())))
}

fn blanks(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

fn shifted(new: &str, by: &Shift) -> Option<String> {
    let mut out = String::with_capacity(new.len());
    for line in new.split_inclusive('\n') {
        match by {
            _ if line.trim().is_empty() => out.push_str(line),
            Shift::More(more) => {
                out.push_str(more);
                out.push_str(line);
            }
            Shift::Less(less) => out.push_str(line.strip_prefix(less.as_str())?),
        }
    }
    Some(out)
}

/// Places where consecutive lines of the text fit the lines of `old`, with what each line gave.
fn by_lines<T>(text: &str, old: &str, fits: impl Fn(&str, &str) -> Option<T>) -> Vec<(Range<usize>, Vec<T>)> {
    let wanted: Vec<&str> = old.lines().collect();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut starts = Vec::with_capacity(lines.len() + 1);
    starts.push(0);
    lines.iter().for_each(|line| starts.push(starts[starts.len() - 1] + line.len()));
    let mut found = Vec::new();
    let mut at = 0;
    while at + wanted.len() <= lines.len() {
        let run: Option<Vec<T>> =
            lines[at..at + wanted.len()].iter().zip(&wanted).map(|(have, want)| fits(have, want)).collect();
        match run {
            Some(run) => {
                found.push((starts[at]..starts[at + wanted.len()], run));
                at += wanted.len().max(1);
            }
            None => at += 1,
        }
    }
    found
}

/// The new text with a line end where the replaced lines had one and the model's old text did
/// not, so that the line behind is not joined.
fn closed(text: &str, range: &Range<usize>, mut new: String, old: &str) -> String {
    let gone = &text[range.clone()];
    if gone.ends_with('\n') && !old.ends_with('\n') && !new.is_empty() {
        new.push_str(if gone.ends_with("\r\n") { "\r\n" } else { "\n" });
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
