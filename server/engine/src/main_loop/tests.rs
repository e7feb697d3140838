//! The loop with a scripted model, and an editor that says when its client is too far behind.

use super::*;
use crate::editor::{Abilities, DocumentEdit, Editor, UserQuestion};
use crate::event::{Event, EventKind, StopReason};
use async_trait::async_trait;
use parking_lot::Mutex;
use tokio::sync::{Notify, Semaphore};

/// Notes what it is told; a turn needs a permit for each step.
struct Behind {
    told: Mutex<Vec<EventKind>>,
    permits: Semaphore,
    asked: Notify,
}

#[async_trait]
impl Editor for Behind {
    fn abilities(&self) -> Abilities {
        Abilities::default()
    }
    fn notify(&self, event: Event) {
        self.told.lock().push(event.kind);
    }
    async fn keep_pace(&self) {
        self.asked.notify_one();
        self.permits.acquire().await.unwrap().forget();
    }
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
}

impl Behind {
    fn said(&self, words: &str) -> bool {
        let told = self.told.lock();
        let texts = told.iter().filter_map(|kind| match kind {
            EventKind::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<String>().contains(words)
    }
}

/// A model that says a word in each of two steps, with a call between them.
fn start_with_script(folder: &std::path::Path, editor: Arc<Behind>) -> Handle {
    let script = folder.join("script.json");
    let answers = serde_json::json!({ "answers": [
        [{ "say": "One." }, { "call": "ls", "with": { "path": "." } }],
        [{ "say": "Two." }],
    ] });
    std::fs::write(&script, answers.to_string()).unwrap();
    let model = format!("scripted/{}", script.display());
    start(Setup {
        editor,
        encoding: assent_base::text::PositionEncoding::Utf8,
        folders: vec![folder.to_owned()],
        environment: Environment {
            config: folder.join("config"),
            state: folder.join("state"),
            tools: folder.join("tools"),
            home: None,
            own_binary: None,
            variable: Arc::new(|_| None),
        },
        restricted: false,
        settings: serde_json::Value::Null,
        model: Some(model),
        mode: None,
        approve: false,
        explain: None,
    })
}

#[tokio::test]
async fn a_turn_takes_no_step_while_the_client_is_too_far_behind() {
    let folder = tempfile::tempdir().unwrap();
    let editor =
        Arc::new(Behind { told: Mutex::default(), permits: Semaphore::new(0), asked: Notify::new() });
    let handle = start_with_script(folder.path(), Arc::clone(&editor));
    let session = handle.new_session(None).await.unwrap().id;
    let turn = handle.prompt(session.clone(), vec![PromptBlock::Text("go".into())]);
    tokio::pin!(turn);
    for (before, next) in [("", "One."), ("One.", "Two.")] {
        tokio::select! {
            ended = &mut turn => panic!("nobody let it go on: {ended:?}"),
            () = editor.asked.notified() => {}
        }
        assert!(editor.said(before) && !editor.said(next));
        editor.permits.add_permits(1);
    }
    assert_eq!(turn.await.unwrap().stop, StopReason::EndTurn);
    assert!(editor.said("Two."));

    let turn = handle.prompt(session.clone(), vec![PromptBlock::Text("again".into())]);
    tokio::pin!(turn);
    tokio::select! {
        ended = &mut turn => panic!("nobody let it go on: {ended:?}"),
        () = editor.asked.notified() => {}
    }
    handle.cancel(session).await;
    assert_eq!(turn.await.unwrap().stop, StopReason::Cancelled, "a cancel does not wait for the client");
    handle.shutdown().await;
}
