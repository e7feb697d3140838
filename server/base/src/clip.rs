//! Output for the model and for people: cut between characters with a word on what is missing,
//! free of terminal escapes, with hidden characters made visible.

mod escapes;
mod visible;

pub use escapes::{OutputDecoder, strip_escapes};
pub use visible::{is_hidden, make_visible, visible_line};

use std::ops::Range;

/// A text that was cut, if it had to be: its head and its tail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clipped {
    /// What is shown.
    pub shown: String,
    /// Whether anything is missing.
    pub cut: bool,
    /// Bytes of the whole.
    pub total_bytes: usize,
    /// Lines of the whole.
    pub total_lines: usize,
}

/// The text if it is within both bounds, else its head and its tail with a mark between them.
pub fn clip(text: &str, max_bytes: usize, max_lines: usize) -> Clipped {
    let total_lines = text.lines().count();
    let whole = Clipped { shown: String::new(), cut: false, total_bytes: text.len(), total_lines };
    if text.len() <= max_bytes && total_lines <= max_lines {
        return Clipped { shown: text.to_owned(), ..whole };
    }
    let head = front(text, max_bytes / 2, max_lines / 2);
    let tail = back(&text[head.len()..], max_bytes / 2, max_lines / 2);
    let missing = text.len() - head.len() - tail.len();
    let mark = format!("\n[… {missing} bytes cut here …]\n");
    let shown = format!("{}{mark}{}", head.trim_end_matches('\n'), tail.trim_start_matches('\n'));
    Clipped { shown, cut: true, ..whole }
}

/// A line of at most `max` characters, and whether it was cut; a cut one says so at its end.
pub fn clip_line(line: &str, max: usize) -> (String, bool) {
    match line.char_indices().nth(max) {
        None => (line.to_owned(), false),
        Some((at, _)) => (format!("{}…", &line[..at]), true),
    }
}

/// At most `max` characters of a line, so chosen that `range` (bytes of it) is among them, and
/// whether anything is missing; `…` stands for it at either end.
pub fn clip_around(line: &str, range: Range<usize>, max: usize) -> (String, bool) {
    let start = line.floor_char_boundary(range.start.min(line.len()));
    let end = line.ceil_char_boundary(range.end.clamp(start, line.len()));
    let back = |from: usize, chars: usize| {
        line[..from].char_indices().rev().take(chars).last().map_or(from, |(at, _)| at)
    };
    let around = max - line[start..end].chars().take(max).count();
    let from = back(start, around / 2);
    let to = line[from..].char_indices().nth(max).map_or(line.len(), |(at, _)| from + at);
    // What the end of the line leaves free goes to the front.
    let from = back(from, max - line[from..to].chars().count());
    let (front, behind) = (if from > 0 { "…" } else { "" }, if to < line.len() { "…" } else { "" });
    (format!("{front}{}{behind}", &line[from..to]), from > 0 || to < line.len())
}

/// What stands below a clipped result: how much there is and where all of it is kept.
pub fn whole_is_at(clipped: &Clipped, path: &str) -> String {
    let Clipped { total_bytes, total_lines, .. } = clipped;
    format!(
        "[the whole output, {total_bytes} bytes in {total_lines} lines, is in {path}; read it in parts with read]"
    )
}

fn front(text: &str, bytes: usize, lines: usize) -> &str {
    let mut end = text.len().min(bytes);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let by_lines = text.match_indices('\n').nth(lines.saturating_sub(1)).map_or(end, |(at, _)| at + 1);
    end = end.min(by_lines);
    // A whole last line reads better, where one is not lost for it.
    match text[..end].rfind('\n') {
        Some(at) if end < text.len() && at + 1 > end / 2 => &text[..=at],
        _ => &text[..end],
    }
}

fn back(text: &str, bytes: usize, lines: usize) -> &str {
    let mut start = text.len().saturating_sub(bytes);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    let by_lines = text.trim_end_matches('\n').rmatch_indices('\n').nth(lines.saturating_sub(1));
    start = start.max(by_lines.map_or(0, |(at, _)| at + 1));
    match text[start..].find('\n') {
        Some(at) if start > 0 && at + 1 < (text.len() - start) / 2 => &text[start + at + 1..],
        _ => &text[start..],
    }
}

#[cfg(test)]
mod tests;
