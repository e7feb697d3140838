use super::*;
use crate::conversation::peer::Dialect;
use assent_engine::event::{StopReason, ToolCallState, ToolKind};

fn event(kind: EventKind) -> Event {
    Event { session: SessionId("s1".into()), kind }
}

fn running(title: &str) -> EventKind {
    EventKind::ToolCall(ToolCallState {
        summary: None,
        call_id: "c1".into(),
        tool: "read".into(),
        title: title.into(),
        kind: ToolKind::Read,
        status: CallStatus::Running,
        arguments: Value::Null,
        locations: Vec::new(),
        content: Vec::new(),
        diffs: Vec::new(),
    })
}

#[tokio::test]
async fn a_turn_begins_reports_and_ends() {
    let (peer, mut outbox) = Peer::new(Dialect::Lsp);
    let progress = Progress::new(peer.clone());
    progress.note(&event(EventKind::TurnStarted));
    let create = outbox.next().await.unwrap();
    let token = create["params"]["token"].clone();
    assert_eq!(progress.session(&token), Some(SessionId("s1".into())));
    assert_eq!(progress.session(&json!("other")), None);

    peer.answered(&create["id"], Ok(Value::Null));
    let begin = outbox.next().await.unwrap();
    assert_eq!(
        begin["params"],
        json!({ "token": token, "value": { "kind": "begin", "title": "Assent", "cancellable": true,
                                           "message": "Thinking", "sessionId": "s1" } })
    );
    progress.note(&event(running("Read a.rs")));
    let report = outbox.next().await.unwrap();
    assert_eq!(report["params"]["value"], json!({ "kind": "report", "message": "Read a.rs" }));
    progress.note(&event(EventKind::TurnEnded(StopReason::EndTurn)));
    assert_eq!(outbox.next().await.unwrap()["params"]["value"], json!({ "kind": "end" }));
    assert_eq!(progress.session(&token), None);
}
