//! Streams of the three providers as they really come: split anywhere, ended anyhow.

use crate::scene::Scene;
use assent_tests::client::Turn;
use assent_tests::model_server::{Dialect, Reply, Stop, raw};
use assent_tests::{answer, text};
use serde_json::{Value, json};

fn scene(dialect: Dialect) -> Scene {
    Scene::with_settings(&[("a", "AAA\n"), ("b", "BBB\n")], dialect, "")
}

/// Chat Completions chunks, one an entry, in one stream without anything else.
fn chunks(chunks: &[&str]) -> Vec<u8> {
    chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect::<String>().into_bytes()
}

/// One turn with these replies; the turn and what the model was asked last.
fn turn(scene: &mut Scene, replies: Vec<Reply>) -> Turn {
    for reply in replies {
        scene.model.reply(reply);
    }
    scene.prompt("go on")
}

#[test]
fn events_are_put_together_from_any_pieces() {
    let one = b": keepalive\r\n\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"\xE5\x8C".to_vec();
    let two = b"\x97\"}}]}\r".to_vec();
    let three = b"\n\r\nevent: ping\r\n\r\ndata: \r\n\r\ndata: {\"choices\":[{\"delta\":\r\ndata: {\"content\":\"!\"}}]}\r\n\r\ndata: [DONE]\r\n\r\n".to_vec();
    for single in [false, true] {
        let mut scene = scene(Dialect::Chat);
        let reply = if single { answer().byte_by_byte() } else { answer() };
        let reply = reply.raw(one.clone()).raw(two.clone()).raw(three.clone()).close();
        let turn = turn(&mut scene, vec![reply]);
        assert_eq!((turn.text().as_str(), turn.stop_reason.as_str()), ("北!", "end_turn"), "single {single}");
        assert!(!turn.updates.iter().any(|update| update.to_string().contains("rror")), "{:?}", turn.updates);
    }
}

#[test]
fn every_dialect_streams_words_and_calls() {
    for dialect in Dialect::ALL {
        let mut scene = scene(dialect);
        let reply = answer()
            .byte_by_byte()
            .text("Let me ")
            .text("see. ")
            .call("c1", "read", json!({ "filePath": "a" }))
            .call("c2", "read", json!({ "filePath": "b" }));
        let turn = turn(&mut scene, vec![reply, text("Grün.")]);
        assert_eq!(turn.text().trim(), "Let me see. Grün.", "{dialect:?}");
        let request = scene.last_request();
        assert!(request.result("c1").contains("AAA") && request.result("c2").contains("BBB"), "{dialect:?}");
        assert!(turn.statuses().iter().all(|(_, status)| status == "completed"), "{dialect:?}");
    }
}

#[test]
fn a_stream_without_a_finish_reason_but_done_is_complete() {
    let mut scene = scene(Dialect::Chat);
    let bytes = chunks(&[r#"{"choices":[{"delta":{"content":"fine"}}]}"#, "[DONE]"]);
    let turn = turn(&mut scene, vec![raw(bytes)]);
    assert_eq!((turn.text().as_str(), turn.stop_reason.as_str()), ("fine", "end_turn"));
}

#[test]
fn usage_is_recorded() {
    let mut scene = scene(Dialect::Chat);
    let turn = turn(&mut scene, vec![text("fine").usage(1234, 1000, 56)]);
    let told = turn
        .updates
        .iter()
        .any(|update| update.to_string().contains("1290") || update.to_string().contains("1234"));
    assert!(told, "{:?}", turn.updates);
}

#[test]
fn a_broken_answer_is_retried_and_its_call_is_not_run() {
    for dialect in Dialect::ALL {
        for closed in [false, true] {
            let mut scene = scene(dialect);
            let broken = answer().text("half of ").call("c1", "read", json!({ "filePath": "a" }));
            let broken = if closed { broken.close() } else { broken.cut() };
            let turn = turn(&mut scene, vec![broken, text("All of it.")]);
            assert_eq!(turn.stop_reason, "end_turn", "{dialect:?} {closed}");
            assert!(turn.text().ends_with("All of it."), "{dialect:?}: {}", turn.text());
            let ran = turn.statuses().iter().any(|(_, status)| status == "completed");
            assert!(!ran, "{dialect:?}: a call of a broken answer was run");
            // The next request goes on with the finished answer alone.
            turn_again(&mut scene);
            let history = scene.last_request().body.to_string();
            assert!(!history.contains("half of"), "{dialect:?}: {history}");
        }
    }
}

fn turn_again(scene: &mut Scene) {
    scene.model.reply(text("Yes."));
    scene.prompt("still there?");
}

#[test]
fn an_event_cut_in_the_middle_is_retried() {
    for dialect in Dialect::ALL {
        let mut scene = scene(dialect);
        let turn = turn(&mut scene, vec![answer().text("one ").half("two and a half"), text("Whole.")]);
        assert!(turn.text().ends_with("Whole."), "{dialect:?}: {}", turn.text());
    }
}

#[test]
fn an_error_event_in_the_stream_is_a_failure() {
    let event = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    let mut scene = scene(Dialect::Anthropic);
    let turn = turn(&mut scene, vec![answer().text("some words").raw(event).close(), text("Better.")]);
    assert!(turn.text().ends_with("Better."), "{}", turn.text());
    turn_again(&mut scene);
    assert!(!scene.last_request().body.to_string().contains("some words"));
}

#[test]
fn the_output_limit_is_reported() {
    for dialect in Dialect::ALL {
        let mut scene = scene(dialect);
        let turn = turn(&mut scene, vec![answer().text("so far").stopped(Stop::Length)]);
        assert_eq!(turn.stop_reason, "max_tokens", "{dialect:?}");
        assert!(turn.text().contains("so far"));
    }
}

fn tool_call(delta: Value) -> String {
    json!({ "choices": [{ "delta": { "tool_calls": [delta] } }] }).to_string()
}

#[test]
fn deltas_find_their_calls() {
    let call = |index: Value, id: Value, arguments: &str| {
        let mut delta = json!({ "type": "function", "function": { "arguments": arguments } });
        if !index.is_null() {
            delta["index"] = index;
        }
        if !id.is_null() {
            delta["id"] = id;
            delta["function"]["name"] = json!("read");
        }
        tool_call(delta)
    };
    let (a, b) = (r#"{"filePath":"a"}"#, r#"{"filePath":"b"}"#);
    let cases: [Vec<String>; 3] = [
        vec![call(json!(0), json!("c1"), a), call(json!(0), json!("c2"), b)],
        vec![call(Value::Null, json!("c1"), a), call(Value::Null, json!("c2"), b)],
        vec![
            call(json!(0), json!("c1"), &a[..4]),
            call(json!(1), json!("c2"), &b[..4]),
            call(json!(0), Value::Null, &a[4..]),
            call(json!(1), Value::Null, &b[4..]),
        ],
    ];
    for mut deltas in cases {
        let shown = deltas.clone();
        deltas.push(r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#.to_owned());
        deltas.push("[DONE]".to_owned());
        let deltas: Vec<&str> = deltas.iter().map(String::as_str).collect();
        let mut scene = scene(Dialect::Chat);
        turn(&mut scene, vec![raw(chunks(&deltas)), text("Done.")]);
        let request = scene.last_request();
        assert!(request.result("c1").contains("AAA") && request.result("c2").contains("BBB"), "{shown:?}");
    }
}

#[test]
fn a_call_without_an_id_gets_one() {
    let delta = json!({ "index": 0, "function": { "name": "read", "arguments": "{\"filePath\":\"a\"}" } });
    let bytes = chunks(&[&tool_call(delta), "[DONE]"]);
    let mut scene = scene(Dialect::Chat);
    turn(&mut scene, vec![raw(bytes), text("Done.")]);
    // That call and result agree, the model server checks on every request.
    assert!(scene.last_request().news().contains("AAA"));
}

#[test]
fn arguments_that_are_no_object_are_answered_not_run() {
    for dialect in Dialect::ALL {
        let mut scene = scene(dialect);
        scene.client.accepts_all = true;
        let replies = vec![
            answer().call_text("c1", "todoread", ""),
            answer().call_text("c2", "read", ""),
            answer().call_text("c3", "read", "{\"filePath\": /ws/a}"),
            answer()
                .call_text("c4", "write", "{\"filePath\":\"new\",\"content\":\"line 1\\nli")
                .stopped(Stop::Length),
            answer().call_text("c5", "write", "{\"filePath\":\"new\",\"content\":\"line 1\\nli"),
            text("Done."),
        ];
        let turn = turn(&mut scene, replies);
        let failed = |id: &str| turn.statuses().iter().any(|(call, status)| call == id && status == "failed");
        assert!(!failed("c1"), "{dialect:?}: an empty text is an empty object");
        for id in ["c2", "c3", "c4", "c5"] {
            assert!(failed(id), "{dialect:?}: {id}");
        }
        let request = scene.last_request();
        assert!(request.result("c4").contains("cut"), "{dialect:?}: {}", request.result("c4"));
        assert!(!scene.ws.exists("new"), "{dialect:?}");
    }
}

#[test]
fn an_array_in_a_string_is_taken_as_the_array() {
    let mut scene = scene(Dialect::Chat);
    scene.client.accepts_all = true;
    let edits = json!([{ "oldString": "AAA", "newString": "xxx" }]).to_string();
    let outcomes = scene.calls(&[
        ("read", json!({ "filePath": "a" })),
        ("multiedit", json!({ "filePath": "a", "edits": edits })),
    ]);
    assert!(!outcomes[1].failed, "{}", outcomes[1].text);
    assert_eq!(scene.ws.read("a"), "xxx\n");
}

#[test]
fn responses_items_count_once() {
    let event = |value: Value| format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap());
    let item = json!({ "id": "m", "type": "message", "role": "assistant", "status": "completed",
        "content": [{ "type": "output_text", "text": "Grün", "annotations": [] }] });
    let done = event(json!({ "type": "response.output_item.done", "output_index": 0, "item": item }));
    let completed =
        event(json!({ "type": "response.completed", "response": { "id": "r", "status": "completed",
        "output": [item], "usage": { "input_tokens": 1, "output_tokens": 1, "total_tokens": 2 } } }));
    let mut scene = scene(Dialect::Responses);
    let turn = turn(&mut scene, vec![raw(done + &completed)]);
    assert_eq!(turn.text(), "Grün");
    turn_again(&mut scene);
    assert_eq!(scene.last_request().body.to_string().matches("Grün").count(), 1);
}

#[test]
fn an_answer_of_nonsense_is_tried_again() {
    for nonsense in [raw("data: {\"choices\":\n\n"), raw("")] {
        let mut scene = scene(Dialect::Chat);
        assert_eq!(turn(&mut scene, vec![nonsense, text("Sense.")]).text(), "Sense.");
    }
}

#[test]
fn a_provider_that_answers_nothing_but_nonsense_is_reported_and_the_session_lives() {
    let mut scene = scene(Dialect::Chat);
    for _ in 0..5 {
        scene.model.reply(raw("<html>It works!</html>"));
    }
    scene.client.patience = std::time::Duration::from_secs(60);
    let id = scene.start("go");
    let response = scene.client.expect_response(id);
    let session = scene.session.clone();
    let updates = scene.client.claim_all_updates(&session);
    let said = format!("{response:?} {updates:?}");
    assert!(said.contains("127.0.0.1") || said.contains("mock"), "it says where: {said}");
    scene.model.forget_queue().reply(text("Back."));
    assert_eq!(scene.prompt("again").text(), "Back.");
}
