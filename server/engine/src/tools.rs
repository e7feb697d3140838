//! The registry and the one way to run a tool.
//!
//! A tool resolves a checked call into the one immutable [`ResolvedCall`] that is judged, shown
//! and run; it runs only with a [`Granted`], which only the gate can make.

mod bash;
mod catalogue;
mod change;
mod command;
mod delegated;
mod edit;
mod exec;
mod files;
mod glob;
mod grep;
mod invalid;
mod ls;
mod multiedit;
mod needs;
mod operation;
mod output;
mod project;
mod question;
mod read;
mod registry;
mod search;
mod target;
mod todoread;
mod todowrite;
mod toolbox;
mod write;

pub use files::{Found, ToolFiles, check_tool_files};
pub use output::finish;
pub use project::ProjectTools;
pub use registry::{Kind, Listed, Registry};
pub use toolbox::Toolbox;

use crate::documents::{DocumentsReader, Seen, Snapshot};
use crate::editor::Editor;
use crate::event::{SessionId, Todo, ToolKind};
use crate::permission::Granted;
use crate::process::Processes;
use crate::store::KeptReview;
use assent_base::path::DocumentUri;
use assent_base::policy::ResolvedCall;
use assent_base::review::Change;
use assent_base::tool::{Content, Definition, Exec, Writes};
use async_trait::async_trait;
use parking_lot::Mutex;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// What a tool may use. Cheap to clone; one for each call.
#[derive(Clone)]
pub struct ToolContext {
    /// The session.
    pub session: SessionId,
    /// The workspace folders, canonical; the first is where relative paths resolve.
    pub folders: Arc<[PathBuf]>,
    /// Our own config and state folders, canonical: protected.
    pub own: Arc<[PathBuf]>,
    /// Open documents.
    pub documents: DocumentsReader,
    /// The editor.
    pub editor: Arc<dyn Editor>,
    /// What this session's model has read.
    pub seen: Arc<Seen>,
    /// The session's todo list.
    pub todos: Arc<Mutex<Vec<Todo>>>,
    /// Where outputs too long for the model are kept whole (a folder of the session's).
    pub spill: PathBuf,
    /// Cancelled with the turn; a tool must end soon after.
    pub cancel: CancellationToken,
    /// Live output of the call, for the user.
    pub output: Arc<dyn Fn(&str) + Send + Sync>,
    /// Puts a proposed edit under review.
    pub reviewer: Arc<dyn Reviewer>,
    /// Whether secrets are kept from the model.
    pub keep_secrets: bool,
    /// Has other agents work.
    pub delegate: Arc<dyn Delegate>,
    /// Starts processes; what a session's calls leave running ends with `end(session)`.
    pub processes: Processes,
}

/// A proposed change of one file.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// The document.
    pub uri: DocumentUri,
    /// What happens to it.
    pub change: Change,
    /// The text it was computed from (empty for a new file).
    pub old: ropey::Rope,
    /// The version of the open document that `old` is; `None` where it is not open.
    pub version: Option<i32>,
    /// The text after.
    pub new_text: String,
    /// Where the file really is, links followed, as the gate judged it; `None` for a document that
    /// is no file. An edit that would land elsewhere is not made.
    pub place: Option<PathBuf>,
}

/// Puts proposals under review and waits for their fate.
#[async_trait]
pub trait Reviewer: Send + Sync {
    /// Returns when every hunk has its fate: the text for the model, and whether anything went
    /// in. `granted.auto_accept()` says that the mode accepts at once.
    async fn review(&self, granted: &Granted, proposals: Vec<Proposal>) -> ToolOutput;

    /// Opens a review again that the server's end cut short; `now` is the text of each of its
    /// files as it is, where there is one.
    async fn reopen(
        &self,
        granted: &Granted,
        kept: KeptReview,
        now: Vec<Option<Arc<Snapshot>>>,
    ) -> ToolOutput;
}

/// What another agent is to do.
#[derive(Debug, Clone)]
pub struct Task {
    /// The agent's name.
    pub agent: String,
    /// The call within which it works.
    pub call_id: String,
    /// What it is told. It knows nothing else of the conversation.
    pub prompt: String,
}

/// Has another agent work within a call: the way from a tool back to the agent loop.
#[async_trait]
pub trait Delegate: Send + Sync {
    /// Its last answer, or why there is none. With no more rights than whoever calls it.
    async fn delegate(&self, task: Task, ctx: &ToolContext) -> ToolOutput;
}

/// Where agents have nobody to work for them: within another agent's call.
pub struct NoDelegate;

#[async_trait]
impl Delegate for NoDelegate {
    async fn delegate(&self, task: Task, _: &ToolContext) -> ToolOutput {
        ToolOutput::error(format!(
            "The agent {} can't be had from here: you work for another agent. Do it yourself.",
            task.agent
        ))
    }
}

/// What a tool gives back. Never empty: an empty result says so in words.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolOutput {
    /// For the model.
    pub content: Vec<Content>,
    /// Whether it failed.
    pub is_error: bool,
    /// The result in one line for the user, where there is one.
    pub summary: Option<String>,
}

impl ToolOutput {
    /// A success in words.
    pub fn text(text: impl Into<String>) -> Self {
        Self { content: vec![Content::Text(text.into())], is_error: false, summary: None }
    }
    /// A failure in words that say what to do next.
    pub fn error(text: impl Into<String>) -> Self {
        Self { content: vec![Content::Text(text.into())], is_error: true, summary: None }
    }
}

/// One tool.
#[async_trait]
pub trait Tool: Send + Sync {
    /// What the model and the gate see.
    fn definition(&self) -> &Arc<Definition>;
    /// For icons.
    fn kind(&self) -> ToolKind;
    /// Why it can't be used at present, in words for the model; `None`: it can.
    fn missing(&self) -> Option<String> {
        None
    }
    /// One line: what this call does, such as `Read src/lib.rs`.
    fn title(&self, call: &ResolvedCall) -> String;
    /// Whether running it is asking the user.
    fn asks_user(&self) -> bool {
        false
    }
    /// Whether it changes nothing and starts nothing, so that it may run beside others, and again.
    fn only_reads(&self) -> bool {
        let effects = self.definition().effects;
        effects.writes == Writes::None && effects.exec == Exec::None
    }
    /// Whether it changes one document and ends in its review, so that the reviews of several such
    /// calls may stand beside each other.
    fn edits_one(&self) -> bool {
        self.kind() == ToolKind::Edit && self.definition().effects.exec == Exec::None
    }
    /// Resolve checked arguments: paths, subject, class of this call. May look at the disk, never
    /// changes anything. An error is a failed result for the model.
    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        ctx: &ToolContext,
    ) -> Result<ResolvedCall, String>;
    /// Run exactly what was granted.
    async fn run(&self, granted: Granted, ctx: &ToolContext) -> ToolOutput;
}

#[cfg(test)]
mod tests;
