//! Answers that the user chose to keep. Each matches exactly what it says, nothing near it.

use super::ResolvedCall;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How long a remembered answer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Span {
    /// As long as the session.
    Session,
    /// In this workspace.
    Workspace,
    /// Everywhere, for good.
    Always,
}

impl Span {
    /// For display: "for this session".
    pub fn words(self) -> &'static str {
        match self {
            Self::Session => "for this session",
            Self::Workspace => "for this workspace",
            Self::Always => "for good",
        }
    }
}

/// One kind of call that was allowed: this tool, this subject, this place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Remembered {
    /// The tool's name.
    pub tool: String,
    /// The normalised command line, the path as it is shown, or the tool's own subject.
    pub subject: String,
    /// The directory a command runs in, or the canonical path of a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PathBuf>,
}

impl std::fmt::Display for Remembered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.tool, self.subject)
    }
}

impl Remembered {
    /// A command, as it may be remembered.
    pub(super) fn command(call: &ResolvedCall, text: String) -> Option<Self> {
        let directory = call.command.as_ref()?.directory.canonical.clone();
        Some(Self { tool: call.tool.clone(), subject: text, place: Some(directory) })
    }

    /// A call without a command; `None` where nothing says exactly what it does.
    pub(super) fn call(call: &ResolvedCall) -> Option<Self> {
        if let Some(program) = &call.program {
            let place = Some(program.directory.clone());
            return Some(Self { tool: call.tool.clone(), subject: call.subject.clone(), place });
        }
        let place = match call.paths.as_slice() {
            [] if call.subject == call.tool && !call.arguments.is_empty() => return None,
            [] => None,
            [(_, only)] => Some(only.canonical.clone()),
            _ => return None,
        };
        Some(Self { tool: call.tool.clone(), subject: call.subject.clone(), place })
    }
}

/// Everything remembered, for the gate to look up and for the user to list and revoke.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    entries: BTreeMap<Remembered, Span>,
}

impl Memory {
    /// Remembers; the longer span wins.
    pub fn remember(&mut self, what: Remembered, span: Span) {
        let kept = self.entries.entry(what).or_insert(span);
        *kept = (*kept).max(span);
    }

    /// Forgets; whether it was there.
    pub fn revoke(&mut self, what: &Remembered) -> bool {
        self.entries.remove(what).is_some()
    }

    /// How long this exact call is remembered, if it is.
    pub fn span(&self, what: &Remembered) -> Option<Span> {
        self.entries.get(what).copied()
    }

    /// All entries.
    pub fn iter(&self) -> impl Iterator<Item = (&Remembered, Span)> {
        self.entries.iter().map(|(what, span)| (what, *span))
    }
}
