//! What the user attached, as text for the model. An open document's text is the buffer's.

use crate::commands;
use crate::documents::{self, DocumentsReader, Seen};
use crate::editor::Editor;
use crate::event::SessionId;
use crate::limits;
use crate::session::PromptBlock;
use assent_base::path::DocumentUri;
use assent_base::secret::{self, SecretFile};
use assent_base::text::PositionRange;
use assent_base::tool::{Content, Origin};
use std::path::PathBuf;

/// Where the texts of attachments come from.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// Open documents.
    pub documents: &'a DocumentsReader,
    /// The editor.
    pub editor: &'a dyn Editor,
    /// The session.
    pub session: &'a SessionId,
    /// What its model has read.
    pub seen: &'a Seen,
    /// Whether secrets are kept from the model.
    pub keep_secrets: bool,
}

/// The user's message as the model gets it, attachments behind the words. A document that was
/// attached whole counts as read.
pub async fn expand(blocks: &[PromptBlock], folders: &[PathBuf], sources: Sources<'_>) -> Vec<Content> {
    let mut words = Vec::new();
    let mut attached = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        match block {
            PromptBlock::Text(text) => {
                for path in mentions(text, folders).await {
                    let uri = DocumentUri::from_path(&path);
                    // The words name it: it is not shown a second time.
                    let text = attachment(&uri, None, None, sources).await;
                    attached.push(Content::note(text));
                }
                words.push(if at == 0 { typed(text) } else { Content::Text(text.clone()) });
            }
            PromptBlock::Image { media_type, data } => {
                words.push(Content::Image { media_type: media_type.clone(), data: data.clone() });
            }
            PromptBlock::Document { uri, range, text } => {
                let text = attachment(uri, *range, text.as_deref(), sources).await;
                attached.push(Content::Expanded { text, of: origin(uri, *range) });
            }
        }
    }
    words.retain(|content| !matches!(content, Content::Text(text) if text.trim().is_empty()));
    words.extend(attached);
    words
}

/// The first words of a prompt: a slash command is expanded.
fn typed(text: &str) -> Content {
    let expanded = commands::expand(text);
    match expanded == text {
        true => Content::Text(expanded),
        false => Content::Expanded { text: expanded, of: Origin::Command(text.to_owned()) },
    }
}

/// A document, or a part of it, as the user is shown it.
pub fn origin(uri: &DocumentUri, range: Option<PositionRange>) -> Origin {
    let lines = range.map(|range| {
        let last = u32::try_from(last_line(range)).unwrap_or(u32::MAX);
        (range.start.line.saturating_add(1), last.saturating_add(1))
    });
    Origin::Document { uri: uri.as_str().to_owned(), lines }
}

/// Files of the workspace that a text names as `@path`. What is no file there is left as words.
async fn mentions(text: &str, folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for word in text.split_whitespace().filter_map(|word| word.strip_prefix('@')) {
        let name = word.trim_end_matches([',', '.', ';', ':', ')', '?', '!']);
        for candidate in folders.iter().map(|folder| folder.join(name)) {
            let real = tokio::fs::canonicalize(&candidate).await.unwrap_or_default();
            if folders.iter().any(|folder| real.starts_with(folder)) && real.is_file() {
                found.push(candidate);
                break;
            }
        }
    }
    found.dedup();
    found
}

async fn attachment(
    uri: &DocumentUri,
    range: Option<PositionRange>,
    sent: Option<&str>,
    sources: Sources<'_>,
) -> String {
    let Sources { documents, editor, session, seen, keep_secrets } = sources;
    let secrets = uri.to_path().and_then(|path| secret::file_of_secrets(&path)).filter(|_| keep_secrets);
    let name = uri.to_path().map_or_else(|| uri.as_str().to_owned(), |path| path.display().to_string());
    let loaded = match documents.get(uri) {
        Some(open) => Ok(open),
        None => match uri.to_path() {
            Some(path) => documents::load(documents, editor, session, &path)
                .await
                .map_err(|problem| problem.to_string()),
            None => Err("it is neither open nor a file".to_owned()),
        },
    };
    match (loaded, sent) {
        (Ok(snapshot), _) => {
            let lines = range.map(|range| (range.start.line as usize, last_line(range)));
            if lines.is_none() && snapshot.text.len_bytes() <= limits::RESULT_BYTES {
                seen.note(&snapshot);
            }
            excerpt(&name, &snapshot.text, lines, secrets)
        }
        (Err(_), Some(text)) => excerpt(&name, &ropey::Rope::from_str(text), None, secrets),
        (Err(reason), None) => format!("<document path=\"{name}\">\n(can't be shown: {reason})\n</document>"),
    }
}

/// A selection that ends at the start of a line does not reach into that line.
fn last_line(range: PositionRange) -> usize {
    let reaches = range.end.character > 0 || range.end.line == range.start.line;
    (range.end.line as usize).saturating_sub(usize::from(!reaches))
}

fn excerpt(
    name: &str,
    text: &ropey::Rope,
    lines: Option<(usize, usize)>,
    secrets: Option<SecretFile>,
) -> String {
    let count = text.len_lines();
    let (first, last) = lines.unwrap_or((0, count.saturating_sub(1)));
    let (first, last) = (first.min(count.saturating_sub(1)), last.min(count.saturating_sub(1)));
    let body = text.slice(text.line_to_char(first)..text.line_to_char((last + 1).min(count))).to_string();
    let body = match secrets {
        Some(kind) => secret::hide_file(&body, kind).text.into_owned(),
        None => body,
    };
    let clipped = assent_base::clip::clip(&body, limits::RESULT_BYTES, limits::RESULT_LINES);
    let rest = if clipped.cut { "\n(cut: use read for the rest)" } else { "" };
    let range = lines.map(|_| format!(" lines=\"{}-{}\"", first + 1, last + 1)).unwrap_or_default();
    format!("<document path=\"{name}\"{range}>\n{}{rest}\n</document>", clipped.shown.trim_end_matches('\n'))
}
