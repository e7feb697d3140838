mod disk;
mod open;
mod resolve;
mod seen;

use super::*;
use crate::editor::{Abilities, Answer, Applied, Approval, DocumentEdit, Editor, HunkDecision, UserQuestion};
use crate::event::{Event, SessionId};
use assent_base::path::DocumentUri;
use assent_base::review::Review;
use async_trait::async_trait;
use ropey::Rope;
use std::collections::HashMap;
use std::path::Path;

/// An editor that knows some texts, as an ACP client does, and nothing else.
#[derive(Default)]
struct Texts(HashMap<DocumentUri, String>);

#[async_trait]
impl Editor for Texts {
    fn abilities(&self) -> Abilities {
        Abilities::default()
    }
    fn notify(&self, _: Event) {}
    async fn apply(&self, _: DocumentEdit) -> Applied {
        Applied::No { reason: None }
    }
    async fn save(&self, _: Vec<DocumentUri>) -> Vec<DocumentUri> {
        Vec::new()
    }
    async fn ask(&self, _: Approval) -> Answer {
        Answer::Reject { feedback: None, stop: false }
    }
    async fn question(&self, _: UserQuestion) -> Option<Vec<String>> {
        None
    }
    async fn review(&self, _: &Review) -> (Vec<HunkDecision>, Option<String>) {
        (Vec::new(), None)
    }
    async fn read(&self, _: &SessionId, uri: &DocumentUri) -> Option<String> {
        self.0.get(uri).cloned()
    }
}

fn session() -> SessionId {
    SessionId("s".into())
}

fn opened(path: &Path, text: &str) -> OpenDocuments {
    let mut documents = OpenDocuments::new();
    documents.opened(DocumentUri::from_path(path), "text".into(), 1, text.into());
    documents
}
