//! Help where the user writes a tool file: its fields and their values as completions, and what a field
//! is for under the pointer. All of it comes from the table by which the file is read.

use super::completion::{Completion, CompletionKind};
use crate::conversation::review::range;
use crate::protocol::Range;
use assent_base::text::{Position, PositionEncoding, offset};
use assent_base::tool::{tool_file_about, tool_file_offers};
use ropey::Rope;

/// What may be written at the cursor.
pub fn completions(text: &Rope, cursor: Position, encoding: PositionEncoding) -> Vec<Completion> {
    let end = offset(text, cursor, encoding);
    let whole = text.to_string();
    let (word, offers) = tool_file_offers(&whole, end);
    let typed = whole.get(word.start..end.max(word.start)).unwrap_or_default().to_owned();
    let begun = typed.trim_start_matches('"').to_lowercase();
    let replaces = range(text, &word, encoding);
    let fitting = offers
        .into_iter()
        .filter(|offer| offer.text.trim_start_matches('"').to_lowercase().starts_with(&begun));
    fitting
        .enumerate()
        .map(|(rank, offer)| Completion {
            text: offer.text,
            kind: CompletionKind::Field,
            detail: Some(offer.about.to_owned()),
            typed: typed.clone(),
            rank,
            replaces,
        })
        .collect()
}

/// What the field under the pointer is for, as Markdown, and where it stands.
pub fn about(text: &Rope, pointer: Position, encoding: PositionEncoding) -> Option<(String, Range)> {
    let (word, words) = tool_file_about(&text.to_string(), offset(text, pointer, encoding))?;
    Some((words, range(text, &word, encoding)))
}

#[cfg(test)]
mod tests;
