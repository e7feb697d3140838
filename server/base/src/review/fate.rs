//! What became of every hunk, in words for the model.

use super::{Change, FileReview, Hunk, HunkStatus, Review};
use similar::TextDiff;

/// The end of a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Hunk by hunk.
    pub text: String,
    /// Whether anything is in a document now that was proposed.
    pub any_applied: bool,
}

impl Review {
    /// What became of it; `feedback` is the user's reason for what was refused.
    pub fn outcome(&self, feedback: Option<&str>) -> Outcome {
        let any_applied = self.hunks().any(|hunk| hunk.status == HunkStatus::Accepted);
        let mut lines: Vec<String> = self.files.iter().flat_map(file_fate).collect();
        if lines.is_empty() {
            lines.push("Nothing to change: the text is already so.".into());
        }
        if let Some(feedback) = feedback {
            lines.push(format!("The user's reason: {feedback}"));
        }
        if self.hunks().any(|hunk| hunk.status == HunkStatus::Rejected) {
            lines.push("What was rejected is not in the file; do not propose it again unless asked.".into());
        }
        Outcome { text: lines.join("\n"), any_applied }
    }
}

fn file_fate(file: &FileReview) -> Vec<String> {
    let name =
        file.uri.to_path().map_or_else(|| file.uri.as_str().to_owned(), |path| path.display().to_string());
    let plain = |hunk: &Hunk| hunk.status == HunkStatus::Accepted && hunk.changed.is_none();
    if file.hunks.iter().all(plain) && !file.hunks.is_empty() {
        let verb = match &file.change {
            Change::Edit => format!("Edited {name}"),
            Change::Create => format!("Created {name}"),
            Change::Delete => format!("Deleted {name}"),
            Change::Rename { to } => format!("Renamed {name} to {}", to.as_str()),
        };
        return vec![match file.hunks.len() {
            1 => format!("{verb}: accepted."),
            n => format!("{verb}: all {n} hunks accepted."),
        }];
    }
    let mut lines = vec![format!("{name}:")];
    lines.extend(file.hunks.iter().map(|hunk| format!("- {}: {}", place(file, hunk), hunk_fate(hunk))));
    lines
}

fn place(file: &FileReview, hunk: &Hunk) -> String {
    let end = hunk.range.end.min(file.text.len_bytes());
    let first = file.text.byte_to_line(hunk.range.start.min(end)) + 1;
    let last = file.text.byte_to_line(end.saturating_sub(1).max(hunk.range.start.min(end))) + 1;
    if first == last { format!("line {first}") } else { format!("lines {first}-{last}") }
}

fn hunk_fate(hunk: &Hunk) -> String {
    match (hunk.status, &hunk.changed) {
        (HunkStatus::Accepted, None) => "accepted".into(),
        (HunkStatus::Accepted, Some(changed)) => {
            format!("accepted with the user's change:\n{}", difference(&hunk.new_text, changed))
        }
        (HunkStatus::Rejected, _) => format!("rejected ({})", short(&hunk.new_text, &hunk.old_text)),
        (HunkStatus::Stale, _) => {
            "stale: the user changed these lines meanwhile; nothing of it was applied here".into()
        }
        (HunkStatus::Pending | HunkStatus::Applying, _) => "not decided".into(),
    }
}

fn difference(proposed: &str, taken: &str) -> String {
    TextDiff::from_lines(proposed, taken).unified_diff().header("proposed", "taken").to_string()
}

/// The first line of a hunk, to tell it from the others.
fn short(new: &str, old: &str) -> String {
    let (sign, text) = if new.trim().is_empty() { ('-', old) } else { ('+', new) };
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    let cut: String = line.chars().take(80).collect();
    format!("{sign} {cut}")
}
