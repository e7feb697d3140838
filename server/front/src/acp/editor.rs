//! An ACP client as an editor: it shows what it is told, asks its user by
//! `session/request_permission`, and reads and writes files where it has a file system to offer.

use crate::conversation::{Feed, Peer, permission, question, review};
use agent_client_protocol_schema::v1 as acp;
use assent_base::edit::Edit;
use assent_base::path::DocumentUri;
use assent_base::review::Review;
use assent_engine::editor::{
    Abilities, Answer, Applied, Approval, DocumentChange, DocumentEdit, Editor, HunkDecision, UserQuestion,
};
use assent_engine::event::{Event, SessionId};
use async_trait::async_trait;
use ropey::Rope;
use serde_json::json;

/// The client.
pub struct AcpEditor {
    peer: Peer,
    feed: Feed,
    client: acp::ClientCapabilities,
}

impl AcpEditor {
    /// The client behind `peer`, whose events go into `feed`.
    pub fn new(peer: Peer, feed: Feed, client: acp::ClientCapabilities) -> Self {
        Self { peer, feed, client }
    }
}

#[async_trait]
impl Editor for AcpEditor {
    fn abilities(&self) -> Abilities {
        // What the client writes, it has saved, or keeps for its user to save.
        let writes = self.client.fs.write_text_file;
        Abilities {
            applies_edits: writes,
            saves: writes,
            // ACP has no word for it: the server does it.
            deletes: false,
            decides_later: false,
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
        let Some(path) = edit.uri.to_path() else {
            return Applied::Failed(format!("{} is no file that the client could write", edit.uri.as_str()));
        };
        let content = match edit.change {
            DocumentChange::Create { text } => text,
            DocumentChange::Edit { edits, old_text } => edited(old_text, &edits),
            DocumentChange::Delete { .. } | DocumentChange::Rename { .. } => {
                return Applied::Failed("an ACP client can neither delete nor rename a file".into());
            }
        };
        let params = json!(acp::WriteTextFileRequest::new(edit.session.0, path, content));
        match self.peer.request(acp::CLIENT_METHOD_NAMES.fs_write_text_file, params).await {
            Ok(_) => Applied::Yes,
            Err(problem) => Applied::Failed(problem.to_string()),
        }
    }

    async fn save(&self, uris: Vec<DocumentUri>) -> Vec<DocumentUri> {
        uris
    }

    async fn ask(&self, approval: Approval) -> Answer {
        // The call that is asked about is announced first.
        self.feed.flush().await;
        permission::ask(&self.peer, &approval).await
    }

    async fn question(&self, question: UserQuestion) -> Option<Vec<String>> {
        self.feed.flush().await;
        question::ask(&self.peer, &self.client, &question).await
    }

    async fn review(&self, review: &Review) -> (Vec<HunkDecision>, Option<String>) {
        self.feed.flush().await;
        review::ask(&self.peer, review).await
    }

    async fn read(&self, session: &SessionId, uri: &DocumentUri) -> Option<String> {
        if !self.client.fs.read_text_file {
            return None;
        }
        let params = json!(acp::ReadTextFileRequest::new(session.0.clone(), uri.to_path()?));
        let result = self.peer.request(acp::CLIENT_METHOD_NAMES.fs_read_text_file, params).await.ok()?;
        serde_json::from_value::<acp::ReadTextFileResponse>(result).ok().map(|response| response.content)
    }
}

/// The text after the edits. They are sorted and do not overlap, so from the end each range is
/// still what it was.
fn edited(mut text: Rope, edits: &[Edit]) -> String {
    for edit in edits.iter().rev() {
        let end = text.len_bytes();
        let from = text.byte_to_char(edit.range.start.min(end));
        text.remove(from..text.byte_to_char(edit.range.end.min(end)));
        text.insert(from, &edit.text);
    }
    text.to_string()
}

#[cfg(test)]
mod tests;
