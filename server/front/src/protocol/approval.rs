//! What an approval says, and what its answer may say. Every text that is shown has its hidden
//! characters made visible already; nothing is cut.

use assent_base::policy::Span;
use assent_base::tool::{Exec, Reads, Writes};
use serde::{Deserialize, Serialize};

/// `toolCall._meta.assent` of a `session/request_permission`: what is judged, and why it is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PermissionMeta {
    /// The approval's id, as `assent.approve` and `assent.deny` take it.
    pub id: String,
    /// The same.
    pub request_id: String,
    /// What the approval is bound to. An answer that carries another one is a no.
    pub digest: String,
    /// The first line of the user's message that the turn works on.
    pub prompt: String,
    /// What is judged, with control and bidirectional characters made visible.
    pub subject: String,
    /// The tool.
    pub tool: ToolMeta,
    /// What runs, where something does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandMeta>,
    /// Where it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<CwdMeta>,
    /// What is set in its environment beyond what every child gets.
    pub env: Vec<EnvMeta>,
    /// The files it touches.
    pub files: Vec<FileMeta>,
    /// All arguments as canonical JSON.
    pub arguments: String,
    /// What it can reach.
    pub network: String,
    /// What the call reads.
    pub reads: Reads,
    /// What the call writes.
    pub writes: Writes,
    /// What the call executes.
    pub exec: Exec,
    /// The rule or default that led here, and where it stands.
    pub rule: String,
    /// The steps that led here, in order; the last decided.
    pub reasons: Vec<ReasonMeta>,
    /// The exact rule that "always" would save; null where none may be saved.
    pub remember: Option<String>,
    /// How long it may hold; empty where none may be saved.
    pub remember_scopes: Vec<Span>,
    /// What the user should know before answering.
    pub warnings: Vec<String>,
    /// From the main agent down to the one that asks.
    pub agent_path: Vec<String>,
    /// Documents with unsaved changes that a command would not see.
    pub unsaved: Vec<String>,
    /// The directory a command runs in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// What holds the process that the call starts; absent where it starts none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<SandboxMeta>,
}

/// What holds a process that is asked about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxMeta {
    /// `bubblewrap`, `landlock`, `sandbox-exec` or `none`.
    pub name: String,
    /// Whether the process reaches the network.
    pub network: bool,
    /// Where it may write.
    pub writable: Vec<String>,
    /// All of it in one line.
    pub words: String,
}

/// Which tool it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolMeta {
    /// Its name.
    pub name: String,
    /// The dialect it is written in.
    pub kind: String,
    /// The file that defines it, unless it ships with us.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// What it replaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overrides: Option<String>,
}

/// What a call runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandMeta {
    /// Lines of the text.
    pub lines: usize,
    /// Bytes of the text.
    pub bytes: usize,
    /// Each simple command.
    pub parsed: Vec<CommandPart>,
}

/// One simple command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandPart {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// The program, absolute; null for a builtin, and where none was found.
    pub program: Option<String>,
    /// `project binary`, `shell builtin`, `runs project code`.
    pub marks: Vec<String>,
}

/// Where a call runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CwdMeta {
    /// The directory, canonical.
    pub path: String,
    /// Whether it lies in the workspace.
    pub inside: bool,
}

/// A variable of the environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnvMeta {
    /// Its name.
    pub name: String,
    /// What it is set to.
    pub value: String,
}

/// A file that a call touches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileMeta {
    /// Relative to its workspace folder; absolute where it lies outside.
    pub path: String,
    /// Where it really is, if that is not what the path says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// What happens to it.
    pub operation: FileOperation,
    /// The protected name it falls under.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protected: Option<String>,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FileOperation {
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

/// One step on the way to a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonMeta {
    /// What it says.
    pub what: String,
    /// File and line, or `built in`.
    pub source: String,
}

/// `_meta.assent` of the answer to a `session/request_permission`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AnswerMeta {
    /// A reason for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
    /// End the turn.
    pub stop: bool,
    /// The digest of what was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Beside an option of kind `allow_always`: the rule as the user changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Beside such an option: how long the rule holds; without it, as long as the option says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
}
