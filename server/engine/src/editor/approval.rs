//! An approval: what is asked of the user, and what the user says.

use crate::event::SessionId;
use assent_base::path::DocumentUri;
use assent_base::policy::{Parsed, ResolvedCall, Span, Step};
use std::path::PathBuf;

/// An approval put to the user: everything that will happen, nothing folded away.
#[derive(Debug, Clone, PartialEq)]
pub struct Approval {
    /// Single use.
    pub id: String,
    /// Which session asks.
    pub session: SessionId,
    /// Fixed words from us by class: "Run a command", "Read a file outside the workspace".
    pub title: String,
    /// The call that was judged and will run, exactly.
    pub call: ResolvedCall,
    /// The subject with control and bidirectional characters made visible.
    pub shown_subject: String,
    /// The rule or default that led here, and where it stands.
    pub rule: String,
    /// The exact rule that "always" would save; `None` where none may be saved.
    pub remember: Option<String>,
    /// What the user should know: hidden characters, unsaved documents, link targets.
    pub warnings: Vec<String>,
    /// From the main agent down to the one that asks.
    pub agent_path: Vec<String>,
    /// Documents with unsaved changes, where the call is a command that may read them.
    pub unsaved: Vec<DocumentUri>,
    /// Whether the editor can save them first.
    pub can_save: bool,
    /// What holds the process that it starts; `None` where it starts none.
    pub sandbox: Option<ShownSandbox>,
    /// What all of this is bound to: it changes with anything that the answer depends on.
    pub digest: String,
    /// The same call for a reader, part by part.
    pub facts: Facts,
}

/// What holds a process, for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownSandbox {
    /// `bubblewrap`, `landlock`, `sandbox-exec` or `none`.
    pub name: &'static str,
    /// Whether the process reaches the network.
    pub network: bool,
    /// Where it may write; all that the user may is not listed, so empty with `none`.
    pub writable: Vec<PathBuf>,
    /// All of it in one line.
    pub words: String,
}

impl ShownSandbox {
    /// Nothing holds it, for a reason.
    pub fn none(why: &str) -> Self {
        let words = format!("none, it can do whatever you can: {why}");
        Self { name: "none", network: true, writable: Vec::new(), words }
    }
}

/// A call for a reader. Every text in it can be shown as it is: hidden characters are visible, and
/// nothing is cut.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts {
    /// The first line of the message that the turn works on.
    pub prompt: String,
    /// The tool.
    pub tool: ToolIdentity,
    /// What runs, where something does.
    pub command: Option<ShownCommand>,
    /// Where it runs.
    pub cwd: Option<Place>,
    /// What is set in its environment beyond what every child gets.
    pub env: Vec<(String, String)>,
    /// The files it touches.
    pub files: Vec<ShownFile>,
    /// All arguments as canonical JSON.
    pub arguments: String,
    /// What it can reach: `none`, `not limited`, or the address.
    pub network: String,
    /// The steps that led to the question, in order; the last decided.
    pub reasons: Vec<Step>,
    /// How long a remembered answer may hold; none where none may be remembered.
    pub scopes: Vec<Span>,
}

/// Which tool it is, among those of one name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolIdentity {
    /// Its name.
    pub name: String,
    /// The dialect it is written in: `builtin`, `json`, ….
    pub kind: String,
    /// The file that defines it, unless it ships with us.
    pub source: Option<String>,
    /// What it replaces.
    pub overrides: Option<String>,
    /// The digest of its definition.
    pub definition: String,
}

/// What a call runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownCommand {
    /// Lines of the text.
    pub lines: usize,
    /// Bytes of the text.
    pub bytes: usize,
    /// Each simple command.
    pub parsed: Vec<Parsed>,
}

/// A directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Canonical.
    pub path: String,
    /// Whether it lies in the workspace.
    pub inside: bool,
}

/// A file that a call touches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownFile {
    /// Relative to its workspace folder; absolute where it lies outside.
    pub path: String,
    /// Where it really is, if that is not what the path says.
    pub target: Option<String>,
    /// What happens to it.
    pub operation: Operation,
    /// The protected name it falls under.
    pub protected: Option<String>,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// It is read.
    Read,
    /// It appears.
    Create,
    /// It changes.
    Edit,
    /// It goes.
    Delete,
    /// Its mode bits change.
    Mode,
}

/// The user's answer. Everything unclear is a no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// This once.
    AllowOnce,
    /// This once, after the unsaved documents are saved; if one can't be, it does not run.
    SaveThenAllow,
    /// And remember a rule.
    Remember {
        /// How long it holds.
        span: Span,
        /// The rule as the user changed it; `None`: as it was shown.
        rule: Option<String>,
    },
    /// No.
    Reject {
        /// A reason for the model.
        feedback: Option<String>,
        /// End the turn.
        stop: bool,
    },
}
