//! What the fronts hold: methods that put an event on the inbox as their first step (so that
//! wire order is kept) and wait only for the main loop's own answer.

use super::{Reply, Wake};
use crate::commands::SlashCommand;
use crate::documents::{ContentChange, DocumentsReader};
use crate::editor::{Answer, Approval, HunkDecision};
use crate::event::SessionId;
use crate::permission::{self, ListedRule};
use crate::session::{Cursor, PromptBlock, Prompted, SessionOption, SessionPage, SessionState};
use assent_base::path::DocumentUri;
use assent_base::review::Review;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Why a request was refused, in words for the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Nothing of that name (session, review, hunk, approval).
    #[error("{0}")]
    Unknown(String),
    /// It can't be done now (a turn is running, the session is open elsewhere).
    #[error("{0}")]
    Busy(String),
    /// It failed.
    #[error("{0}")]
    Failed(String),
}

/// A cheap handle on the main loop.
#[derive(Clone)]
pub struct Handle {
    inbox: mpsc::Sender<Wake>,
    documents: DocumentsReader,
}

impl Handle {
    /// Made by [`super::start`].
    pub(super) fn new(inbox: mpsc::Sender<Wake>, documents: DocumentsReader) -> Self {
        Self { inbox, documents }
    }

    /// Published snapshots of the open documents, as far as the main loop has come; see
    /// [`Self::caught_up`].
    pub fn documents(&self) -> &DocumentsReader {
        &self.documents
    }

    /// Wait until the main loop has taken in everything sent before, so that a request sees the
    /// change that came right before it.
    pub async fn caught_up(&self) -> Result<(), Refused> {
        self.request(|reply| Wake::CaughtUp { reply }).await
    }

    /// A document was opened.
    pub async fn document_opened(&self, uri: DocumentUri, language: String, version: i32, text: String) {
        self.send(Wake::Opened { uri, language, version, text }).await;
    }

    /// A document changed.
    pub async fn document_changed(&self, uri: DocumentUri, version: i32, changes: Vec<ContentChange>) {
        self.send(Wake::Changed { uri, version, changes }).await;
    }

    /// A document was saved.
    pub async fn document_saved(&self, uri: DocumentUri) {
        self.send(Wake::Saved(uri)).await;
    }

    /// A document was closed.
    pub async fn document_closed(&self, uri: DocumentUri) {
        self.send(Wake::Closed(uri)).await;
    }

    /// The workspace folders changed.
    pub async fn folders_changed(&self, folders: Vec<PathBuf>) {
        self.send(Wake::Folders(folders)).await;
    }

    /// The editor's settings changed.
    pub async fn settings_changed(&self, settings: serde_json::Value) {
        self.send(Wake::Settings(settings)).await;
    }

    /// A tool file changed, or may have.
    pub async fn tools_changed(&self) {
        self.send(Wake::ToolsChanged).await;
    }

    /// The tools that can be called by a slash command.
    pub async fn commands(&self) -> Result<Vec<SlashCommand>, Refused> {
        self.request(|reply| Wake::Commands { reply }).await
    }

    /// The editor put the workspace into its restricted mode, or took it out.
    pub async fn restricted(&self, restricted: bool) {
        self.send(Wake::Restricted(restricted)).await;
    }

    /// A new session.
    pub async fn new_session(&self, folder: Option<PathBuf>) -> Result<SessionState, Refused> {
        self.request(|reply| Wake::NewSession { folder, reply }).await?
    }

    /// Bring back a session; with `replay` its conversation is told again before this returns. See
    /// [`Self::take_up`] for what comes then.
    pub async fn load_session(&self, id: SessionId, replay: bool) -> Result<SessionState, Refused> {
        self.request(|reply| Wake::LoadSession { id, replay, reply }).await?
    }

    /// Let the turn go on that waited for the user when the server ended, in a session that was
    /// loaded. To be called when whoever asked for the session has been answered; where no turn
    /// waits, nothing happens.
    pub async fn take_up(&self, id: SessionId) {
        self.send(Wake::TakeUp(id)).await;
    }

    /// A page of the sessions on disk, newest first.
    pub async fn list_sessions(
        &self,
        folder: Option<PathBuf>,
        after: Option<Cursor>,
    ) -> Result<SessionPage, Refused> {
        self.request(|reply| Wake::ListSessions { folder, after, reply }).await
    }

    /// Give a session another title, whether it is open or not.
    pub async fn rename_session(&self, id: SessionId, title: String) -> Result<(), Refused> {
        self.request(|reply| Wake::RenameSession { id, title, reply }).await?
    }

    /// Take a prompt and all that came after it out of a session's conversation. Files stay as
    /// they are.
    pub async fn rewind(&self, id: SessionId, prompt: usize) -> Result<(), Refused> {
        self.request(|reply| Wake::Rewind { id, prompt, reply }).await?
    }

    /// End a session; its log stays.
    pub async fn close_session(&self, id: SessionId) -> Result<(), Refused> {
        self.request(|reply| Wake::CloseSession { id, reply }).await?
    }

    /// End a session and delete its log.
    pub async fn delete_session(&self, id: SessionId) -> Result<(), Refused> {
        self.request(|reply| Wake::DeleteSession { id, reply }).await?
    }

    /// Run a turn; returns when it ended and every event of it has been told.
    pub async fn prompt(&self, id: SessionId, blocks: Vec<PromptBlock>) -> Result<Prompted, Refused> {
        self.request(|reply| Wake::Prompt { id, blocks, started: None, ended: Some(reply) }).await?
    }

    /// Start a turn; returns as soon as it began.
    pub async fn start_turn(&self, id: SessionId, blocks: Vec<PromptBlock>) -> Result<(), Refused> {
        self.request(|reply| Wake::Prompt { id, blocks, started: Some(reply), ended: None }).await?
    }

    /// Cancel the running turn of a session. Nothing happens where none runs.
    pub async fn cancel(&self, id: SessionId) {
        self.send(Wake::Cancel(id)).await;
    }

    /// Set mode, model, agent or thought level.
    pub async fn set_option(&self, id: SessionId, option: SessionOption) -> Result<SessionState, Refused> {
        self.request(|reply| Wake::SetOption { id, option, reply }).await?
    }

    /// Decide hunks; gives the number still open.
    pub async fn decide(
        &self,
        review: String,
        decisions: Vec<HunkDecision>,
        feedback: Option<String>,
    ) -> Result<usize, Refused> {
        self.request(|reply| Wake::Decide { review, decisions, feedback, reply }).await?
    }

    /// A plain client applied a hunk's edit by itself and tells us.
    pub async fn applied_by_client(&self, review: String, hunk: String) {
        self.send(Wake::AppliedByClient { review, hunk }).await;
    }

    /// The open reviews.
    pub async fn reviews(&self) -> Result<Vec<Arc<Review>>, Refused> {
        self.request(|reply| Wake::Reviews { reply }).await
    }

    /// The open approvals.
    pub async fn approvals(&self) -> Result<Vec<Approval>, Refused> {
        self.request(|reply| Wake::Approvals { reply }).await
    }

    /// Answer an approval; false when it no longer stood.
    pub async fn answer_approval(&self, id: String, answer: Answer) -> Result<bool, Refused> {
        self.request(|reply| Wake::AnswerApproval { id, answer, reply }).await
    }

    /// The rules that the user chose to remember: of open sessions, of workspaces, for good.
    pub async fn rules(&self) -> Result<Vec<ListedRule>, Refused> {
        let (state, grants) = self.request(|reply| Wake::Grants { reply }).await?;
        let listed = tokio::task::spawn_blocking(move || permission::list_rules(&state, &grants)).await;
        listed.map_err(|_| Refused::Failed("The rules could not be read.".into()))
    }

    /// Revoke a rule, for every call from here on; false when there was none of that id.
    pub async fn remove_rule(&self, id: String) -> Result<bool, Refused> {
        let (state, grants) = self.request(|reply| Wake::Grants { reply }).await?;
        let removed =
            tokio::task::spawn_blocking(move || permission::remove_rule(&state, &grants, &id)).await;
        let removed = removed.unwrap_or_else(|_| Err(std::io::Error::other("the writer failed")));
        removed.map_err(|problem| {
            Refused::Failed(format!("The rule could not be removed: {problem}. It still holds."))
        })
    }

    /// Take back the last turn's edits.
    pub async fn undo_turn(&self, id: Option<SessionId>) -> Result<String, Refused> {
        self.request(|reply| Wake::UndoTurn { id, reply }).await?
    }

    /// End all turns and everything they started.
    pub async fn shutdown(&self) {
        let _ = self.request(|reply| Wake::Shutdown { reply }).await;
    }

    async fn send(&self, wake: Wake) {
        // The loop is gone only while the process ends: nobody is left to be told.
        let _ = self.inbox.send(wake).await;
    }

    async fn request<T>(&self, wake: impl FnOnce(Reply<T>) -> Wake) -> Result<T, Refused> {
        let (reply, answer) = oneshot::channel();
        self.send(wake(reply)).await;
        answer.await.map_err(|_| Refused::Failed("Assent is shutting down.".into()))
    }
}
