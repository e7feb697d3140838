//! Taking back a turn's edits, never at the cost of what the user typed since: a hunk whose text
//! is no longer what we put there stays, and the user is told.

use super::sessions::{News, Undoable};
use super::state::{State, answer};
use super::{Refused, Reply, Work};
use crate::documents::{self, DocumentsReader};
use crate::editor::{Applied, DocumentChange, DocumentEdit, Editor};
use crate::event::SessionId;
use crate::limits;
use crate::review::apply;
use assent_base::edit::EditSet;
use assent_base::path::DocumentUri;
use assent_base::review::{Change, HunkStatus, Review};
use std::sync::Arc;

impl State {
    pub(super) fn undo_turn(&mut self, id: Option<SessionId>, reply: Reply<Result<String, Refused>>) {
        let Some(id) = id.or_else(|| self.last_edited.clone()) else {
            return answer(
                reply,
                Err(Refused::Unknown("Nothing was edited yet, so there is nothing to undo.".into())),
            );
        };
        let Some(session) = self.sessions.get_mut(&id) else {
            return answer(reply, Err(Refused::Unknown(format!("There is no open session {id}."))));
        };
        if session.running.is_some() {
            return answer(reply, Err(Refused::Busy("A turn is running. Cancel it before undoing.".into())));
        }
        let Some(turn) = session.turns.pop_back() else {
            return answer(reply, Err(Refused::Unknown("This session has no edits left to undo.".into())));
        };
        let reviews: Vec<Review> =
            turn.reviews.iter().rev().filter_map(|name| self.desk.review(name).cloned()).collect();
        let (editor, documents) = (Arc::clone(&self.setup.editor), self.reader());
        self.work(async move {
            let words = undo(editor, documents, reviews).await;
            Work::Undone { session: id, turn, words, reply }
        });
    }

    pub(super) fn undone(
        &mut self,
        session: &SessionId,
        turn: Undoable,
        words: String,
        reply: Reply<Result<String, Refused>>,
    ) {
        for review in &turn.reviews {
            self.desk.forget(review);
        }
        // The model is told of what it remembers.
        if let (Some(session), Some(prompt)) = (self.sessions.get_mut(session), turn.prompt) {
            let words = format!("The user took back edits of the last turn. {words}");
            session.news.push(News { prompt, words });
        }
        answer(reply, Ok(words));
    }
}

/// Take back every accepted hunk of these reviews, newest first; says what became of each file.
async fn undo(editor: Arc<dyn Editor>, documents: DocumentsReader, reviews: Vec<Review>) -> String {
    let mut lines = Vec::new();
    for mut review in reviews {
        let uris: Vec<DocumentUri> = review.files.iter().rev().map(|file| file.uri.clone()).collect();
        for uri in uris {
            if let Some(line) = undo_file(&editor, &documents, &mut review, &uri).await {
                lines.push(line);
            }
        }
    }
    if lines.is_empty() { "No edit of that turn is left in the files.".into() } else { lines.join("\n") }
}

async fn undo_file(
    editor: &Arc<dyn Editor>,
    documents: &DocumentsReader,
    review: &mut Review,
    uri: &DocumentUri,
) -> Option<String> {
    let name = uri.to_path().map_or_else(|| uri.as_str().to_owned(), |path| path.display().to_string());
    if review.file(uri).is_some_and(|file| file.change == Change::Delete) {
        return bring_back(editor, documents, review, uri, &name).await;
    }
    let now = match (documents.get(uri), uri.to_path()) {
        (Some(open), _) => open,
        (None, Some(path)) => match documents::load_disk(&path).await {
            Ok(snapshot) => snapshot,
            Err(problem) => return Some(format!("{name}: not undone: {problem}")),
        },
        (None, None) => return Some(format!("{name}: not undone: the document is closed.")),
    };
    let file = review.files.iter().find(|file| file.uri == *uri)?;
    let change = file.change.clone();
    if now.text != file.text {
        let step = EditSet::from_diff(&file.text.to_string(), &now.text.to_string());
        review.text_changed(uri, &step, now.version, &now.text);
    }
    let (edits, kept) = review.undo_edit(uri);
    if edits.is_empty() && kept.is_empty() {
        return None;
    }
    let kept_words = match kept.len() {
        0 => String::new(),
        n => format!(" ({n} of its changes kept: the text there was changed since)"),
    };
    if edits.is_empty() {
        return Some(format!("{name}: not undone{kept_words}"));
    }
    let change = match change {
        Change::Create => DocumentChange::Delete { old_text: now.text.clone() },
        _ => DocumentChange::Edit { edits: edits.edits().to_vec(), old_text: now.text.clone() },
    };
    let session = SessionId(review.session.as_str().into());
    let edit = DocumentEdit {
        session,
        uri: uri.clone(),
        version: now.version,
        change,
        label: "Assent: undo turn".into(),
    };
    let mut expected = now.text.clone();
    let fits = edits.apply_rope(&mut expected).is_ok();
    let open_edit = now.version.is_some() && matches!(edit.change, DocumentChange::Edit { .. });
    let dirty = now.dirty;
    let claimed = apply::apply(Arc::clone(editor), documents.clone(), edit, None).await;
    let done = claimed == Applied::Yes && fits && (!open_edit || came_back(documents, uri, &expected).await);
    if done && open_edit && !dirty && editor.abilities().saves {
        editor.save(vec![uri.clone()]).await;
    }
    Some(if done {
        format!("{name}: undone{kept_words}")
    } else {
        format!("{name}: not undone: the editor did not take the edit. Use its own undo.")
    })
}

/// Make a file again that was deleted, if there is none of its name by now.
async fn bring_back(
    editor: &Arc<dyn Editor>,
    documents: &DocumentsReader,
    review: &Review,
    uri: &DocumentUri,
    name: &str,
) -> Option<String> {
    let hunks = &review.file(uri)?.hunks;
    let deleted = hunks.iter().find(|hunk| hunk.status == HunkStatus::Accepted)?;
    if documents.get(uri).is_some() {
        return Some(format!("{name}: not undone: a document of that name is open. Save its text again."));
    }
    let edit = DocumentEdit {
        session: SessionId(review.session.as_str().into()),
        uri: uri.clone(),
        version: None,
        change: DocumentChange::Create { text: deleted.old_text.clone() },
        label: "Assent: undo turn".into(),
    };
    Some(match apply::apply(Arc::clone(editor), documents.clone(), edit, None).await {
        Applied::Yes => format!("{name}: undone"),
        Applied::No { reason: Some(reason) } | Applied::Failed(reason) => {
            format!("{name}: not undone: {reason}.")
        }
        Applied::No { reason: None } | Applied::Silent => {
            format!("{name}: not undone: the editor did not make the file again.")
        }
    })
}

/// Wait until an open document has this text.
async fn came_back(documents: &DocumentsReader, uri: &DocumentUri, expected: &ropey::Rope) -> bool {
    let mut changes = documents.subscribe();
    let arrived = async {
        loop {
            if documents.get(uri).is_some_and(|open| open.text == *expected) {
                return true;
            }
            if changes.changed().await.is_err() {
                return false;
            }
        }
    };
    tokio::time::timeout(limits::ECHO_TIME, arrived).await.unwrap_or(false)
}
