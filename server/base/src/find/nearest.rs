//! The place most like what the model looked for, with line numbers as `read` shows them.

use crate::clip::{clip_around, clip_line};
use std::collections::HashMap;

/// Lines shown around the best place.
const SHOWN_LINES: usize = 12;
/// Characters shown of a line.
const SHOWN_CHARS: usize = 300;
/// Lines of the old text that are looked for.
const LOOKED_FOR: usize = 200;

/// Words for the model: the nearest region as it stands now.
pub(super) fn nearest(text: &str, old: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    match best_line(&lines, old) {
        Some(at) => {
            let first = at.saturating_sub(2);
            let shown = old.lines().count().clamp(1, SHOWN_LINES) + 4;
            let region: Vec<String> = lines[first..lines.len().min(first + shown)]
                .iter()
                .enumerate()
                .map(|(nth, line)| format!("{:>6}\t{}", first + nth + 1, part_of(line, old)))
                .collect();
            format!(
                "The nearest place as it stands now (line numbers are not part of the text):\n{}",
                region.join("\n")
            )
        }
        None => "Nothing in the file is like it: read the file again.".into(),
    }
}

/// A line, or of a long one the part with the longest word of the old text that is in it.
fn part_of(line: &str, old: &str) -> String {
    let (head, cut) = clip_line(line, SHOWN_CHARS);
    if !cut {
        return head;
    }
    let mut wanted: Vec<&str> = words(old).take(LOOKED_FOR).collect();
    wanted.sort_by_key(|word| std::cmp::Reverse(word.len()));
    match wanted.iter().take(8).find_map(|word| line.find(word).map(|at| at..at + word.len())) {
        Some(word) => clip_around(line, word, SHOWN_CHARS).0,
        None => head,
    }
}

/// The line where the old text would begin if its lines that are in the file, but for blanks,
/// were a match: the start that most of them vote for. Else the line that shares most words.
fn best_line(lines: &[&str], old: &str) -> Option<usize> {
    let wanted: Vec<&str> = old.lines().take(LOOKED_FOR).map(str::trim).collect();
    let mut at_line: HashMap<&str, Vec<usize>> = HashMap::new();
    for (nth, want) in wanted.iter().enumerate().filter(|(_, want)| want.len() > 2) {
        at_line.entry(want).or_default().push(nth);
    }
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        for nth in at_line.get(line.trim()).into_iter().flatten() {
            *votes.entry(at.saturating_sub(*nth)).or_default() += 1;
        }
    }
    let voted = votes.into_iter().max_by_key(|(at, votes)| (*votes, std::cmp::Reverse(*at)));
    voted.map(|(at, _)| at).or_else(|| most_words(lines, &wanted))
}

fn most_words(lines: &[&str], wanted: &[&str]) -> Option<usize> {
    let first = wanted.iter().find(|want| !want.is_empty())?;
    let looked_for: std::collections::HashSet<&str> = words(first).collect();
    let shared = |line: &str| words(line).filter(|word| looked_for.contains(word)).count();
    let best = lines.iter().enumerate().map(|(at, line)| (shared(line), std::cmp::Reverse(at))).max()?;
    (best.0 * 2 >= looked_for.len().max(1) && best.0 > 0).then_some(best.1.0)
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.len() > 1)
}
