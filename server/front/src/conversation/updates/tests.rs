use super::*;
use assent_base::policy::Mode;
use assent_engine::event::{Diff, StopReason, Usage};
use serde_json::Value;

fn updates(events: impl IntoIterator<Item = EventKind>) -> Value {
    let mut updates = Updates::default();
    let session = SessionId("s1".into());
    let said: Vec<_> =
        events.into_iter().flat_map(|kind| updates.of(&Event { session: session.clone(), kind })).collect();
    json!(said)
}

fn call(status: CallStatus, content: Vec<Content>) -> EventKind {
    EventKind::ToolCall(ToolCallState {
        summary: None,
        call_id: "c1".into(),
        tool: "bash".into(),
        title: "Run `ls`".into(),
        kind: ToolKind::Execute,
        status,
        arguments: json!({ "command": "ls" }),
        locations: vec![("/ws/a.rs".into(), Some(3))],
        content,
        diffs: Vec::new(),
    })
}

#[test]
fn words_thoughts_and_notices() {
    assert_eq!(
        updates([
            EventKind::UserMessage { prompt: 3, content: vec![Content::Text("hi".into())] },
            EventKind::Reasoning("hm".into()),
            EventKind::Text("hello".into()),
            EventKind::Notice { level: Level::Warning, text: "cut".into() },
        ]),
        json!([
            { "sessionUpdate": "user_message_chunk", "content": { "type": "text", "text": "hi" },
              "_meta": { "assent": { "prompt": 3 } } },
            { "sessionUpdate": "agent_thought_chunk", "content": { "type": "text", "text": "hm" } },
            { "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": "hello" } },
            { "sessionUpdate": "agent_message_chunk", "content": { "type": "text", "text": "cut" },
              "_meta": { "assent": { "notice": "warning" } } },
        ])
    );
}

/// A loaded session does not pour into the chat what the model was given.
#[test]
fn what_was_expanded_for_the_model_is_shown_as_the_user_knows_it() {
    let expanded = |of| Content::Expanded { text: "for the model".into(), of };
    let document = |lines| expanded(Origin::Document { uri: "file:///ws/a.rs".into(), lines });
    let content = vec![
        expanded(Origin::Command("/explain".into())),
        document(None),
        document(Some((10, 20))),
        expanded(Origin::Note),
    ];
    let meta = json!({ "assent": { "prompt": 0 } });
    let chunk = |content| json!({ "sessionUpdate": "user_message_chunk", "content": content, "_meta": meta });
    assert_eq!(
        updates([EventKind::UserMessage { prompt: 0, content }]),
        json!([
            chunk(json!({ "type": "text", "text": "/explain" })),
            chunk(json!({ "type": "resource_link", "name": "/ws/a.rs", "uri": "file:///ws/a.rs" })),
            chunk(
                json!({ "type": "resource_link", "name": "/ws/a.rs:10-20", "uri": "file:///ws/a.rs#L10-20" })
            ),
        ])
    );
}

#[test]
fn a_call_is_announced_once_and_then_updated() {
    let output = |text: &str| EventKind::ToolOutput { call_id: "c1".into(), text: text.into() };
    assert_eq!(
        updates([
            call(CallStatus::Pending, Vec::new()),
            call(CallStatus::Running, Vec::new()),
            output("a\n"),
            output("b\n"),
            call(CallStatus::Completed, vec![Content::Text("a\nb\n".into())]),
        ]),
        json!([
            { "sessionUpdate": "tool_call", "toolCallId": "c1", "name": "bash", "title": "Run `ls`", "kind": "execute",
              "locations": [{ "path": "/ws/a.rs", "line": 3 }], "rawInput": { "command": "ls" } },
            { "sessionUpdate": "tool_call_update", "toolCallId": "c1", "title": "Run `ls`", "kind": "execute",
              "status": "in_progress", "locations": [{ "path": "/ws/a.rs", "line": 3 }],
              "rawInput": { "command": "ls" } },
            { "sessionUpdate": "tool_call_update", "toolCallId": "c1",
              "content": [{ "type": "content", "content": { "type": "text", "text": "a\n" } }] },
            { "sessionUpdate": "tool_call_update", "toolCallId": "c1",
              "content": [{ "type": "content", "content": { "type": "text", "text": "a\nb\n" } }] },
            { "sessionUpdate": "tool_call_update", "toolCallId": "c1", "title": "Run `ls`", "kind": "execute",
              "status": "completed", "locations": [{ "path": "/ws/a.rs", "line": 3 }],
              "content": [{ "type": "content", "content": { "type": "text", "text": "a\nb\n" } }],
              "rawInput": { "command": "ls" } },
        ])
    );
}

#[test]
fn diffs_come_before_the_words_of_a_result() {
    let EventKind::ToolCall(mut state) = call(CallStatus::Completed, vec![Content::Text("done".into())])
    else {
        unreachable!("made by `call`")
    };
    state.diffs = vec![
        Diff { path: "/ws/a".into(), old_text: Some("x".into()), new_text: "y".into() },
        Diff { path: "/ws/new".into(), old_text: None, new_text: "z".into() },
    ];
    assert_eq!(
        updates([EventKind::ToolCall(state)])[0]["content"],
        json!([
            { "type": "diff", "path": "/ws/a", "oldText": "x", "newText": "y" },
            { "type": "diff", "path": "/ws/new", "newText": "z" },
            { "type": "content", "content": { "type": "text", "text": "done" } },
        ])
    );
}

#[test]
fn long_output_shows_its_end() {
    let mut said = Updates::default();
    let session = SessionId("s1".into());
    said.of(&Event { session: session.clone(), kind: call(CallStatus::Running, Vec::new()) });
    let text = format!("{}end", "é".repeat(OUTPUT_BYTES));
    let update = said.of(&Event { session, kind: EventKind::ToolOutput { call_id: "c1".into(), text } });
    let update = json!(update);
    let shown = update[0]["content"][0]["content"]["text"].as_str().unwrap();
    assert!(shown.ends_with("éend") && shown.len() <= OUTPUT_BYTES, "{} bytes", shown.len());
}

#[test]
fn the_rest() {
    let usage = UsageReport {
        last: Usage { input: 10, cached: 4, output: 2 },
        total: Usage { input: 30, cached: 4, output: 5 },
        window: Some(1000),
    };
    let todo = Todo {
        id: "1".into(),
        content: "look".into(),
        status: "in_progress".into(),
        priority: "high".into(),
    };
    assert_eq!(
        updates([
            EventKind::TurnStarted,
            EventKind::Plan(vec![todo]),
            EventKind::ModeChanged(Mode::AcceptEdits),
            EventKind::Title("t".into()),
            EventKind::Usage(usage),
            EventKind::ConfigChanged,
            EventKind::TurnEnded(StopReason::EndTurn),
        ]),
        json!([
            { "sessionUpdate": "plan",
              "entries": [{ "content": "look", "priority": "high", "status": "in_progress" }] },
            { "sessionUpdate": "current_mode_update", "currentModeId": "accept-edits" },
            { "sessionUpdate": "session_info_update", "title": "t" },
            { "sessionUpdate": "usage_update", "used": 12, "size": 1000, "_meta": { "assent": {
                "last": { "input": 10, "cached": 4, "output": 2 },
                "total": { "input": 30, "cached": 4, "output": 5 } } } },
        ])
    );
}
