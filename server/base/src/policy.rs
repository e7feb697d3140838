//! The one decision: what a call may do, from rules, mode and the call itself.

mod class;
mod command;
mod decide;
mod glob;
mod judge;
mod remember;
mod rules;

#[cfg(test)]
mod tests;

pub use command::{Analysis, Simple, analyse};
pub use decide::{Decision, Gate, Step, decide};
pub use remember::{Memory, Remembered, Span};
pub use rules::{Fallback, Policy, Rule, RuleSet, Source, ToolRules};

use crate::path::ResolvedPath;
use crate::tool::Effects;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// The session's mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Ask before anything beyond reading the project; review edits by hunk.
    #[default]
    Ask,
    /// Project edits are applied at once and shown as accepted.
    AcceptEdits,
    /// Nothing is written.
    Plan,
}

impl Mode {
    /// Whether less runs without a question, or at all, than in the other.
    pub fn is_stricter_than(self, other: Self) -> bool {
        let strictness = |mode| match mode {
            Self::AcceptEdits => 0,
            Self::Ask => 1,
            Self::Plan => 2,
        };
        strictness(self) > strictness(other)
    }
}

/// What the gate says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Runs.
    Allow,
    /// The user is asked (a project edit: by its review).
    Ask,
    /// Does not run; the model is told why.
    Deny,
}

/// How a call touches a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reads it.
    Read,
    /// Writes its text: creates, edits or renames it.
    Write,
    /// Deletes it.
    Delete,
    /// Changes its mode bits, which no review can show.
    Mode,
}

impl Access {
    /// Whether anything is changed.
    pub fn writes(self) -> bool {
        self != Self::Read
    }
}

/// The immutable value that is judged, shown and run. Nothing is parsed again after it.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedCall {
    /// The call's id.
    pub call_id: String,
    /// The tool's name.
    pub tool: String,
    /// What policy rules match and what the approval shows: a path relative to its folder, a
    /// command line, a URL; else the tool's name.
    pub subject: String,
    /// The class of this call.
    pub effects: Effects,
    /// Every path it touches.
    pub paths: Vec<(Access, ResolvedPath)>,
    /// The command line it runs, where it runs one through a shell.
    pub command: Option<CommandCall>,
    /// The program it runs, where it runs one without a shell.
    pub program: Option<ProgramCall>,
    /// The arguments, checked against the schema and repaired.
    pub arguments: Map<String, Value>,
    /// What the user should know before answering, found while the call was resolved.
    pub notes: Vec<String>,
    /// It asks to run without the sandbox that commands run in.
    pub unsandboxed: bool,
}

impl ResolvedCall {
    /// Whether it runs something whose doings are not ours to see: a command line or a program.
    pub fn runs(&self) -> bool {
        self.command.is_some() || self.program.is_some()
    }
}

/// A program as it will be run: found once, before anybody is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramCall {
    /// The program, absolute.
    pub program: PathBuf,
    /// Its arguments, each as it is given.
    pub arguments: Vec<String>,
    /// The directory it runs in.
    pub directory: PathBuf,
}

impl ProgramCall {
    /// The words of the call as one line, as a shell would need them written. `name` is what the
    /// program is known by.
    pub fn line(&self, name: &str) -> String {
        let words: Vec<String> =
            std::iter::once(name.to_owned()).chain(self.arguments.iter().cloned()).collect();
        command::join(&words)
    }
}

/// A shell command as it will be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandCall {
    /// The line.
    pub line: String,
    /// The directory it runs in.
    pub directory: ResolvedPath,
}
