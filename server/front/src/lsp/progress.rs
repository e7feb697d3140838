//! Work-done progress: one a turn, which the user can cancel.

use crate::conversation::Peer;
use assent_engine::event::{CallStatus, Event, EventKind, SessionId};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::watch;

/// Progress of all sessions of one connection. Cheap to clone.
#[derive(Clone)]
pub struct Progress {
    peer: Peer,
    turns: Arc<Mutex<HashMap<SessionId, Turn>>>,
}

struct Turn {
    token: String,
    /// What goes on; the task that tells it ends when this is dropped.
    message: watch::Sender<String>,
}

impl Progress {
    /// Progress told to `peer`.
    pub fn new(peer: Peer) -> Self {
        Self { peer, turns: Arc::default() }
    }

    /// Follow an event.
    pub fn note(&self, event: &Event) {
        match &event.kind {
            EventKind::TurnStarted => {
                let token = format!("assent-{}", uuid::Uuid::now_v7());
                let (message, changes) = watch::channel("Thinking".to_owned());
                self.turns.lock().insert(event.session.clone(), Turn { token: token.clone(), message });
                tokio::spawn(tell(self.peer.clone(), event.session.clone(), token, changes));
            }
            EventKind::ToolCall(call) if call.status == CallStatus::Running => self.say(event, &call.title),
            EventKind::Text(_) => self.say(event, "Answering"),
            EventKind::TurnEnded(_) => drop(self.turns.lock().remove(&event.session)),
            _ => {}
        }
    }

    /// The session whose progress has this token.
    pub fn session(&self, token: &Value) -> Option<SessionId> {
        let token = token.as_str()?;
        self.turns.lock().iter().find(|(_, turn)| turn.token == token).map(|(session, _)| session.clone())
    }

    fn say(&self, event: &Event, text: &str) {
        if let Some(turn) = self.turns.lock().get(&event.session) {
            turn.message.send_if_modified(|message| {
                let news = message != text;
                if news {
                    text.clone_into(message);
                }
                news
            });
        }
    }
}

/// Tell one turn. A client that does not know the token yet is told nothing.
async fn tell(peer: Peer, session: SessionId, token: String, mut changes: watch::Receiver<String>) {
    if peer.request("window/workDoneProgress/create", json!({ "token": token })).await.is_err() {
        return;
    }
    let say = async |value: Value| peer.notify("$/progress", json!({ "token": token, "value": value })).await;
    let message = changes.borrow_and_update().clone();
    // LSP lets a value carry more; it tells our clients which session has begun a turn.
    let session = &*session.0;
    say(json!({ "kind": "begin", "title": "Assent", "cancellable": true, "message": message, "sessionId": session }))
        .await;
    while changes.changed().await.is_ok() {
        let message = changes.borrow_and_update().clone();
        say(json!({ "kind": "report", "message": message })).await;
    }
    say(json!({ "kind": "end" })).await;
}

#[cfg(test)]
mod tests;
