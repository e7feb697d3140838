//! One session.

mod interrupted;
mod ledger;
mod replay;
pub use interrupted::Interrupted;
pub use ledger::{Ledger, Remembered, from_log};
pub use replay::replay_events;

pub use crate::store::{Cursor, SessionPage, SessionSummary};

use crate::commands::SlashCommand;
use crate::event::{SessionId, StopReason, Todo, UsageReport};
use assent_base::path::DocumentUri;
use assent_base::policy::Mode;
use assent_base::text::PositionRange;
use std::path::PathBuf;

/// A piece of a prompt as the user sent it.
#[derive(Debug, Clone, PartialEq)]
pub enum PromptBlock {
    /// Words; `/name …` at the start of the first block is a slash command.
    Text(String),
    /// An image.
    Image {
        /// Media type.
        media_type: String,
        /// Base64.
        data: String,
    },
    /// A file or document the user attached; an open document's text is the buffer's.
    Document {
        /// Which.
        uri: DocumentUri,
        /// A part of it.
        range: Option<PositionRange>,
        /// The text the client sent along, used where the document is neither open nor on disk.
        text: Option<String>,
    },
}

/// How a prompt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompted {
    /// Why its turn ended.
    pub stop: StopReason,
    /// Which of the session's prompts it is, from 0; `None` where it did not get into the
    /// conversation.
    pub prompt: Option<usize>,
}

/// What a front shows of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionState {
    /// Its id.
    pub id: SessionId,
    /// Its folder.
    pub folder: Option<PathBuf>,
    /// Its title, once it has one.
    pub title: Option<String>,
    /// Its mode.
    pub mode: Mode,
    /// `provider/model`; `None` when no model could be chosen.
    pub model: Option<String>,
    /// Models that can be chosen.
    pub models: Vec<String>,
    /// The agent.
    pub agent: String,
    /// Agents that can be chosen.
    pub agents: Vec<String>,
    /// The thought level, where one was set.
    pub effort: Option<String>,
    /// The todo list.
    pub todos: Vec<Todo>,
    /// Tokens.
    pub usage: UsageReport,
    /// The tools that can be called by a slash command.
    pub commands: Vec<SlashCommand>,
    /// What of the project does not count, and how it would.
    pub notice: Option<String>,
}

/// Something a session can be set to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionOption {
    /// The mode.
    Mode(Mode),
    /// `provider/model`.
    Model(String),
    /// The agent.
    Agent(String),
    /// The thought level.
    Effort(String),
}
