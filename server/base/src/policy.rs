//! The one decision: what a call may do, from rules, mode and the call itself.

mod class;
mod command;
mod decide;
mod digest;
mod glob;
mod judge;
mod parsed;
mod remember;
mod rules;

#[cfg(test)]
mod tests;

pub use command::{Analysis, Simple, analyse};
pub use decide::{Decision, Gate, Step, decide};
pub use digest::{canonical, digest};
pub use parsed::{Mark, Parsed, parsed};
pub use remember::{Memory, Remembered, Span};
pub use rules::{Fallback, Policy, Rule, RuleSet, Source, ToolRules};
pub(crate) use rules::{RULES, VERDICTS};

use crate::path::ResolvedPath;
use crate::tool::Effects;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

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
    /// The same with every link followed.
    pub real: PathBuf,
    /// Its arguments, each as it is given.
    pub arguments: Vec<String>,
    /// The directory it runs in.
    pub directory: PathBuf,
    /// What is set in its environment beyond what every child gets.
    pub environment: Vec<(String, String)>,
}

/// Words as one line, as a shell would need them written.
pub fn command_line<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    command::join(&words.into_iter().map(str::to_owned).collect::<Vec<_>>())
}

impl ProgramCall {
    /// The program as it was found.
    pub fn found(&self) -> Program {
        Program { path: self.program.clone(), real: self.real.clone() }
    }

    /// The words of the call as one line, as a shell would need them written. `name` is what the
    /// program is known by.
    pub fn line(&self, name: &str) -> String {
        let words: Vec<String> =
            std::iter::once(name.to_owned()).chain(self.arguments.iter().cloned()).collect();
        command::join(&words)
    }
}

/// A program as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Where it was found, absolute.
    pub path: PathBuf,
    /// The same with every link followed.
    pub real: PathBuf,
}

impl Program {
    /// Whether it lies in one of these folders, by its own name or by where that leads.
    pub fn lies_in(&self, roots: &[PathBuf]) -> bool {
        roots.iter().any(|root| self.path.starts_with(root) || self.real.starts_with(root))
    }
}

/// A shell command as it will be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandCall {
    /// The line.
    pub line: String,
    /// The directory it runs in.
    pub directory: ResolvedPath,
    /// The line, taken apart.
    pub analysis: Analysis,
    /// The program of each command of the analysis, in its order; `None` for a builtin of the
    /// shell, and for a program that was not found or can't be told.
    pub programs: Vec<Option<Program>>,
}

impl CommandCall {
    /// Takes a line apart and has its programs looked for: `find` gets the word that names one, and
    /// the directory that a relative one starts from.
    pub fn new(
        line: String,
        directory: ResolvedPath,
        mut find: impl FnMut(&str, &Path) -> Option<Program>,
    ) -> Self {
        let analysis = analyse(&line);
        let programs = analysis.commands.iter().map(|simple| {
            let place = simple.directory(&directory.canonical)?;
            find(simple.program()?, &place)
        });
        let programs = programs.collect();
        Self { line, directory, analysis, programs }
    }
}
