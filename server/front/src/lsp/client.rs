//! The LSP client as an editor: the engine's port over the connection.

use super::apply;
use super::capabilities::Capabilities;
use super::plain;
use crate::conversation::{Feed, Peer, permission, question, review};
use crate::protocol::{DOCUMENT_SAVE, DocumentSave, DocumentSaved, LANGUAGE_QUERY, LanguageQuery};
use assent_base::path::DocumentUri;
use assent_base::review::Review;
use assent_engine::editor::{
    Abilities, Answer, Applied, Approval, DocumentEdit, Editor, HunkDecision, UserQuestion,
};
use assent_engine::event::Event;
use assent_engine::limits;
use async_trait::async_trait;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// The client.
pub struct LspEditor {
    peer: Peer,
    feed: Feed,
    capabilities: Arc<Capabilities>,
    /// Where a long approval is put to be shown whole.
    state: PathBuf,
}

impl LspEditor {
    /// The client behind `peer`, whose events go into `feed`.
    pub fn new(peer: Peer, feed: Feed, capabilities: Arc<Capabilities>, state: PathBuf) -> Self {
        Self { peer, feed, capabilities, state }
    }
}

#[async_trait]
impl Editor for LspEditor {
    fn abilities(&self) -> Abilities {
        Abilities {
            applies_edits: self.capabilities.apply_edit,
            saves: self.capabilities.assent.save,
            deletes: self.capabilities.delete_files,
            decides_later: true,
            questions: true,
            interactive: true,
        }
    }

    fn notify(&self, event: Event) {
        self.feed.push(event);
    }

    async fn keep_pace(&self) {
        self.feed.room().await;
    }

    async fn apply(&self, edit: DocumentEdit) -> Applied {
        let params = match apply::params(&edit, &self.capabilities) {
            Ok(params) => params,
            Err(reason) => return Applied::No { reason: Some(reason) },
        };
        // The state that led here is told first: afterwards its places would be wrong.
        self.feed.flush().await;
        let asked = self.peer.request("workspace/applyEdit", params);
        match tokio::time::timeout(limits::APPLY_TIME, asked).await {
            Ok(Ok(answer)) => apply::claim(&answer),
            Ok(Err(problem)) => Applied::Failed(problem.to_string()),
            Err(_) => Applied::Silent,
        }
    }

    async fn save(&self, uris: Vec<DocumentUri>) -> Vec<DocumentUri> {
        if !self.capabilities.assent.save {
            return Vec::new();
        }
        let wanted = uris.iter().map(|uri| uri.as_str().to_owned()).collect();
        let asked = self.peer.request(DOCUMENT_SAVE, json!(DocumentSave { uris: wanted }));
        let Ok(Ok(answer)) = tokio::time::timeout(limits::APPLY_TIME, asked).await else { return Vec::new() };
        let Ok(DocumentSaved { saved }) = serde_json::from_value(answer) else { return Vec::new() };
        saved.iter().map(|uri| DocumentUri::new(uri)).filter(|uri| uris.contains(uri)).collect()
    }

    async fn ask(&self, approval: Approval) -> Answer {
        // The call that is asked about is announced first.
        self.feed.flush().await;
        if self.capabilities.plain() {
            plain::ask(&self.peer, &self.capabilities, &self.state, &approval).await
        } else {
            permission::ask(&self.peer, &approval).await
        }
    }

    async fn question(&self, question: UserQuestion) -> Option<Vec<String>> {
        self.feed.flush().await;
        if self.capabilities.plain() {
            plain::question(&self.peer, &question).await
        } else {
            question::ask(&self.peer, &self.capabilities.acp(), &question).await
        }
    }

    async fn review(&self, review: &Review) -> (Vec<HunkDecision>, Option<String>) {
        // Not used while `decides_later` holds; the same answer all the same.
        self.feed.flush().await;
        review::ask(&self.peer, review).await
    }

    async fn query(&self, method: &str, params: Value) -> Option<Value> {
        if !self.capabilities.assent.language_queries {
            return None;
        }
        let query = LanguageQuery { method: method.to_owned(), params };
        self.peer.request(LANGUAGE_QUERY, json!(query)).await.ok().filter(|answer| !answer.is_null())
    }
}
