//! One edit on its way into a document.

use crate::editor::Applied;
use assent_base::path::DocumentUri;

/// An edit that was sent and is not settled.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) number: u64,
    /// The review's key on the desk.
    pub(super) review: u64,
    /// Its hunks.
    pub(super) hunks: Vec<String>,
    /// An open document shows the edit by its text; a closed file by the report of its writer.
    pub(super) open: bool,
    /// The document was open and had no unsaved changes.
    pub(super) clean: bool,
    /// The text when it was sent.
    pub(super) before: ropey::Rope,
    /// What the editor answered.
    pub(super) answer: Option<Applied>,
    /// The text came back with all of its hunks in it.
    pub(super) echoed: bool,
    /// The answer was waited for long enough without the text coming back.
    pub(super) overdue: bool,
    /// Somebody waits for the text already.
    pub(super) awaiting: bool,
}

/// What is known of a flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    /// Too little.
    NotYet,
    /// The editor says yes; the text must still come back.
    AwaitEcho,
    /// It is in the text.
    Landed,
    /// The editor's answer and the text do not agree, or both say no: look at the text.
    Doubtful,
}

impl Flight {
    pub(super) fn state(&self) -> Settled {
        match &self.answer {
            None => Settled::NotYet,
            Some(_) if self.echoed => Settled::Landed,
            Some(Applied::Yes) if !self.open => Settled::Landed,
            Some(Applied::Yes) if self.overdue => Settled::Doubtful,
            Some(Applied::Yes) if self.awaiting => Settled::NotYet,
            Some(Applied::Yes) => Settled::AwaitEcho,
            Some(_) => Settled::Doubtful,
        }
    }

    /// Why the edit is not in the document, for the model.
    pub(super) fn failure(&self, uri: &DocumentUri) -> String {
        let name = uri.to_path().map_or_else(|| uri.as_str().to_owned(), |path| path.display().to_string());
        let why = match &self.answer {
            Some(Applied::No { reason: Some(reason) }) => format!("the editor refused the edit ({reason})"),
            Some(Applied::No { reason: None }) => "the editor refused the edit".to_owned(),
            Some(Applied::Failed(message)) => format!("it failed: {message}"),
            Some(Applied::Silent) => "the editor did not answer in time".to_owned(),
            Some(Applied::Yes) | None => {
                "the editor said yes, but the text is not as it should be".to_owned()
            }
        };
        format!(
            "{name} was not edited: {why}. Its text may have changed meanwhile: read it again before another try."
        )
    }
}
