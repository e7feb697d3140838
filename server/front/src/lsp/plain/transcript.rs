//! The transcript of plain mode: one Markdown file a session, written as events come. It is
//! read-only for everybody else, because it is a view and not a document.

use super::{private_file, show};
use crate::conversation::Peer;
use crate::conversation::updates::origin;
use assent_base::tool::Content;
use assent_engine::event::{CallStatus, Event, EventKind, Level, SessionId, StopReason};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The transcripts of one connection.
pub struct Transcripts {
    folder: PathBuf,
    /// Whom they are shown to; `None` where the client can't show documents.
    shows: Option<Peer>,
    files: HashMap<SessionId, File>,
}

impl Transcripts {
    /// Transcripts in the state folder.
    pub fn new(state: &Path, shows: Option<Peer>) -> Self {
        Self { folder: state.join("transcripts"), shows, files: HashMap::new() }
    }

    /// Write an event down; a turn's begin also shows the transcript.
    pub fn note(&mut self, event: &Event) {
        let begins = matches!(event.kind, EventKind::TurnStarted);
        let Some(text) = written(&event.kind) else {
            if begins && let Some(peer) = self.shows.clone() {
                let path = self.path(&event.session);
                match self.file(&event.session) {
                    Ok(_) => show(&peer, &path),
                    Err(error) => {
                        tracing::warn!("the transcript {} can't be written: {error}", path.display())
                    }
                }
            }
            return;
        };
        if let Err(error) = self.file(&event.session).and_then(|file| file.write_all(text.as_bytes())) {
            tracing::warn!("the transcript of {} can't be written: {error}", event.session);
        }
    }

    fn path(&self, session: &SessionId) -> PathBuf {
        let name = session.0.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
        self.folder.join(format!("{name}.md"))
    }

    fn file(&mut self, session: &SessionId) -> io::Result<&mut File> {
        let path = self.path(session);
        match self.files.entry(session.clone()) {
            std::collections::hash_map::Entry::Occupied(entry) => Ok(entry.into_mut()),
            std::collections::hash_map::Entry::Vacant(entry) => {
                set_writable(&path, true);
                let file = private_file(&self.folder, &path)?;
                set_writable(&path, false);
                Ok(entry.insert(file))
            }
        }
    }
}

/// Others may only read; our own handle keeps writing. Where that can't be said it is no loss.
fn set_writable(path: &Path, writable: bool) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = if writable { 0o600 } else { 0o400 };
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = (path, writable);
}

/// What of an event is written down.
fn written(kind: &EventKind) -> Option<String> {
    match kind {
        EventKind::UserMessage { content, .. } => {
            let words = content.iter().filter_map(|content| match content {
                Content::Text(text) => Some(text.clone()),
                Content::Image { .. } => Some("(an image)".into()),
                Content::Expanded { of, .. } => origin(of),
            });
            Some(format!("\n\n## You\n\n{}\n\n## Assent\n\n", words.collect::<Vec<_>>().join("\n\n")))
        }
        EventKind::Text(text) => Some(text.clone()),
        EventKind::ToolCall(call) => match call.status {
            CallStatus::Pending | CallStatus::Running => None,
            CallStatus::Completed => {
                let summary = call.summary.as_ref().map(|summary| format!(": {summary}")).unwrap_or_default();
                Some(format!("\n\n- {}{summary}\n\n", call.title))
            }
            CallStatus::Failed => Some(format!("\n\n- {} – failed\n\n", call.title)),
        },
        EventKind::Notice { level, text } => {
            let word = match level {
                Level::Info => "Note",
                Level::Warning => "Warning",
                Level::Error => "Error",
            };
            Some(format!("\n\n> {word}: {text}\n\n"))
        }
        EventKind::TurnEnded(reason) => Some(match reason {
            StopReason::EndTurn => "\n\n---\n".into(),
            StopReason::Cancelled => "\n\n> Cancelled.\n\n---\n".into(),
            StopReason::MaxTokens => {
                "\n\n> The answer was cut: the model's output limit was reached.\n\n---\n".into()
            }
            StopReason::MaxTurnRequests => "\n\n> The turn was stopped.\n\n---\n".into(),
            StopReason::Refusal => "\n\n> The model refused.\n\n---\n".into(),
            StopReason::Failed(text) => format!("\n\n> Error: {text}\n\n---\n"),
        }),
        EventKind::TurnStarted
        | EventKind::Reasoning(_)
        | EventKind::ToolOutput { .. }
        | EventKind::Plan(_)
        | EventKind::Review(_)
        | EventKind::ApprovalClosed { .. }
        | EventKind::ModeChanged(_)
        | EventKind::ConfigChanged
        | EventKind::Commands(_)
        | EventKind::Title(_)
        | EventKind::Usage(_) => None,
    }
}

#[cfg(test)]
mod tests;
