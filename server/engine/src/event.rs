//! Everything a turn tells the world. A front turns these into its protocol's messages; nothing
//! is told any other way, so whoever sees every event sees everything.

use crate::commands::SlashCommand;
use assent_base::policy::Mode;
use assent_base::review::Review;
use assent_base::tool::Content;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

/// A session's id, unique for good.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId(pub Arc<str>);

impl std::fmt::Display for SessionId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Something that happened in a session.
#[derive(Debug, Clone)]
pub struct Event {
    /// Where.
    pub session: SessionId,
    /// What.
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone)]
pub enum EventKind {
    /// A turn began.
    TurnStarted,
    /// The user's message (sent when a session is loaded, and for commands that made the prompt).
    UserMessage {
        /// Which of the session's prompts it is, from 0.
        prompt: usize,
        /// What was said.
        content: Vec<Content>,
    },
    /// More of the answer.
    Text(String),
    /// More of the thinking.
    Reasoning(String),
    /// A tool call appeared, or one changed: the whole of what is known of it now.
    ToolCall(ToolCallState),
    /// More output of a running call, as it comes.
    ToolOutput {
        /// The call's id.
        call_id: String,
        /// The new piece, terminal escapes removed.
        text: String,
    },
    /// The todo list, whole.
    Plan(Vec<Todo>),
    /// A word from us, not from the model.
    Notice {
        /// How serious.
        level: Level,
        /// What happened and what to do.
        text: String,
    },
    /// The whole state of one review; sent again at each change.
    Review(Arc<Review>),
    /// An approval no longer stands (answered, cancelled): whoever shows it takes it away.
    ApprovalClosed {
        /// The approval's id.
        id: String,
    },
    /// The mode changed.
    ModeChanged(Mode),
    /// A config option (model, agent, mode) changed.
    ConfigChanged,
    /// The tools that can be called by a slash command, as they stand; perhaps as they stood before.
    Commands(Vec<SlashCommand>),
    /// The session got or changed its title.
    Title(String),
    /// Tokens of the last request and of the session.
    Usage(UsageReport),
    /// The turn ended.
    TurnEnded(StopReason),
}

/// How serious a notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Worth knowing.
    Info,
    /// Something is off; work goes on.
    Warning,
    /// Something failed.
    Error,
}

/// Why a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    /// The model was done.
    EndTurn,
    /// Cancelled by the user.
    Cancelled,
    /// The answer was cut by the output limit.
    MaxTokens,
    /// The turn limit was reached, or the model repeated itself.
    MaxTurnRequests,
    /// The model refused.
    Refusal,
    /// The turn failed; the text says what, where and what to do.
    Failed(String),
}

/// Where a tool call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallStatus {
    /// Not started (waits for its turn or for an answer).
    Pending,
    /// Running.
    Running,
    /// Done.
    Completed,
    /// Failed, denied or cancelled.
    Failed,
}

/// What kind of tool it is, for icons (ACP's tool kinds).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolKind {
    /// Reads.
    Read,
    /// Edits.
    Edit,
    /// Deletes.
    Delete,
    /// Moves.
    Move,
    /// Searches.
    Search,
    /// Runs commands.
    Execute,
    /// Thinks, plans.
    Think,
    /// Fetches from the network.
    Fetch,
    /// All else.
    Other,
}

/// What is known of a tool call.
#[derive(Debug, Clone)]
pub struct ToolCallState {
    /// The call's id, unique in its session.
    pub call_id: String,
    /// The tool's name.
    pub tool: String,
    /// One line: what it does, such as `Read src/lib.rs`.
    pub title: String,
    /// Kind.
    pub kind: ToolKind,
    /// Status.
    pub status: CallStatus,
    /// The arguments.
    pub arguments: Value,
    /// Files it touches, with the line (from 1) where known.
    pub locations: Vec<(PathBuf, Option<u32>)>,
    /// The result, once there is one.
    pub content: Vec<Content>,
    /// The result in one line, where its tool has one.
    pub summary: Option<String>,
    /// Proposed or applied changes, as (path, old text, new text); `None` for a new file.
    pub diffs: Vec<Diff>,
}

/// A change of one file, whole.
#[derive(Debug, Clone)]
pub struct Diff {
    /// The file.
    pub path: PathBuf,
    /// The text before; `None` where there was no file.
    pub old_text: Option<String>,
    /// The text after.
    pub new_text: String,
}

/// One item of the todo list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    /// Id.
    pub id: String,
    /// What is to be done.
    pub content: String,
    /// `pending`, `in_progress`, `completed`, `cancelled`.
    pub status: String,
    /// `high`, `medium`, `low`.
    pub priority: String,
}

/// Tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Prompt tokens, cached ones included.
    pub input: u64,
    /// Of them, read from the provider's cache.
    pub cached: u64,
    /// Tokens of the answer, thinking included.
    pub output: u64,
}

impl Usage {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input + other.input,
            cached: self.cached + other.cached,
            output: self.output + other.output,
        }
    }
}

/// Usage for the user.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UsageReport {
    /// Of the last request.
    pub last: Usage,
    /// Of the whole session.
    pub total: Usage,
    /// The model's context window in tokens, where known.
    pub window: Option<u64>,
}
