//! Answers that the user chose to keep. Each matches exactly what it says, nothing near it.

use super::ResolvedCall;
use super::rules::{Rule, Source};
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

/// One kind of call that was allowed: this tool, this subject, this place; or every call of the
/// tool whose subject a pattern covers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Remembered {
    /// The tool's name.
    pub tool: String,
    /// The normalised command line, the path as it is shown, or the tool's own subject; or a
    /// pattern for those.
    pub subject: String,
    /// The directory a command runs in, or the canonical path of a file; `None`: any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PathBuf>,
    /// The subject is a glob or an expression, as rules of a policy are written.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pattern: bool,
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
        Some(Self { tool: call.tool.clone(), subject: text, place: Some(directory), pattern: false })
    }

    /// A call without a command; `None` where nothing says exactly what it does.
    pub(super) fn call(call: &ResolvedCall) -> Option<Self> {
        if let Some(program) = &call.program {
            let place = Some(program.directory.clone());
            return Some(Self {
                tool: call.tool.clone(),
                subject: call.subject.clone(),
                place,
                pattern: false,
            });
        }
        let place = match call.paths.as_slice() {
            [] if call.subject == call.tool && !call.arguments.is_empty() => return None,
            [] => None,
            [(_, only)] => Some(only.canonical.clone()),
            _ => return None,
        };
        Some(Self { tool: call.tool.clone(), subject: call.subject.clone(), place, pattern: false })
    }

    /// The rule as the user changed it: the same tool, and a subject as the rules of a policy are
    /// written. The error says what to write instead.
    pub fn edited(&self, written: &str) -> Result<Self, String> {
        let written = written.trim();
        let subject = written.strip_prefix(&self.tool).and_then(|rest| rest.trim_start().strip_prefix(':'));
        let Some(subject) = subject.map(str::trim).filter(|subject| !subject.is_empty()) else {
            return Err(format!("it has to begin with `{}: ` and say what may be done", self.tool));
        };
        if subject == self.subject {
            return Ok(self.clone());
        }
        let source = Source { file: "the rule".to_owned(), line: 1 };
        if Rule::new(subject, source)?.is_exact() {
            return Err("it does not cover the call that was asked about".to_owned());
        }
        Ok(Self { tool: self.tool.clone(), subject: subject.to_owned(), place: None, pattern: true })
    }

    /// The same for any place.
    #[must_use]
    pub fn anywhere(self) -> Self {
        Self { place: None, ..self }
    }
}

/// Everything remembered, for the gate to look up and for the user to list and revoke.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    exact: BTreeMap<Remembered, Span>,
    patterns: BTreeMap<Remembered, (Rule, Span)>,
}

impl Memory {
    /// Remembers; the longer span wins. A pattern that is none is forgotten at once.
    pub fn remember(&mut self, what: Remembered, span: Span) {
        if !what.pattern {
            let kept = self.exact.entry(what).or_insert(span);
            *kept = (*kept).max(span);
            return;
        }
        let source = Source { file: format!("remembered {}", span.words()), line: 1 };
        if let Ok(rule) = Rule::new(&what.subject, source) {
            let kept = self.patterns.entry(what).or_insert((rule, span));
            kept.1 = kept.1.max(span);
        }
    }

    /// Forgets; whether it was there.
    pub fn revoke(&mut self, what: &Remembered) -> bool {
        self.exact.remove(what).is_some() || self.patterns.remove(what).is_some()
    }

    /// How long this exact call is remembered, if it is.
    pub fn span(&self, what: &Remembered) -> Option<Span> {
        let here = self.exact.get(what).copied();
        here.or_else(|| self.exact.get(&what.clone().anywhere()).copied())
    }

    /// A remembered pattern for the tool that covers the subject, and how long it holds.
    pub(super) fn covering(&self, tool: &str, covers: impl Fn(&Rule) -> bool) -> Option<(&Remembered, Span)> {
        let ours = self.patterns.iter().filter(|(what, (rule, _))| what.tool == tool && covers(rule));
        ours.map(|(what, (_, span))| (what, *span)).next()
    }

    /// All entries.
    pub fn iter(&self) -> impl Iterator<Item = (&Remembered, Span)> {
        let patterns = self.patterns.iter().map(|(what, (_, span))| (what, *span));
        self.exact.iter().map(|(what, span)| (what, *span)).chain(patterns)
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.patterns.is_empty()
    }
}
