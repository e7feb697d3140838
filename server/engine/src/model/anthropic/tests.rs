use super::*;
use crate::event::Usage;
use crate::model::Stop;
use crate::model::spec::{Api, Thinking};
use crate::model::testing::{
    Reply, Server, call, events, image, request, result, run, spec, status, surroundings, text, thinking,
    user, words,
};
use assent_base::chat::{Message, Part};
use assent_base::tool::{Arguments, CallResult};
use serde_json::{Value, json};

fn model(url: &str) -> Anthropic {
    Anthropic::new(spec(Api::Anthropic, url), surroundings(&[("TEST_KEY", "sk-secret")]))
}

async fn answer_to(reply: Reply) -> (Result<Answer, ModelError>, Vec<Delta>) {
    let server = Server::start(vec![reply]).await;
    run(&model(&server.url), &request(vec![user("hi")])).await
}

fn open(index: u64, block: Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn grow(index: u64, delta: Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn close(index: u64) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

fn end(reason: &str) -> [Value; 2] {
    [
        json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": { "output_tokens": 20 } }),
        json!({ "type": "message_stop" }),
    ]
}

fn words_block(index: u64, words: &str) -> [Value; 3] {
    [
        open(index, json!({ "type": "text", "text": "" })),
        grow(index, json!({ "type": "text_delta", "text": words })),
        close(index),
    ]
}

/// The request that is sent for a conversation.
async fn sent(spec: ModelSpec, request: &Request) -> Value {
    let server = Server::start(vec![events(&end("end_turn"))]).await;
    let spec = ModelSpec { base_url: server.url.clone(), ..spec };
    run(&Anthropic::new(spec, surroundings(&[("TEST_KEY", "k")])), request).await.0.unwrap();
    server.seen()[0].body.clone()
}

async fn messages(messages: Vec<Message>) -> Value {
    let mut body = sent(spec(Api::Anthropic, ""), &request(messages)).await;
    strip_marks(&mut body);
    body["messages"].take()
}

fn strip_marks(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.shift_remove("cache_control");
            fields.values_mut().for_each(strip_marks);
        }
        Value::Array(items) => items.iter_mut().for_each(strip_marks),
        _ => {}
    }
}

#[tokio::test]
async fn words_calls_and_usage() {
    let start = json!({ "type": "message_start", "message": { "id": "m", "role": "assistant", "content": [],
        "usage": { "input_tokens": 5, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 10, "output_tokens": 1 } } });
    let data = [
        vec![start, json!({ "type": "ping" }), json!({ "type": "from_the_future", "x": 1 })],
        words_block(0, "Reading.").to_vec(),
        vec![
            open(1, json!({ "type": "tool_use", "id": "t1", "name": "read", "input": {} })),
            open(2, json!({ "type": "tool_use", "id": "t2", "name": "read", "input": { "filePath": "b" } })),
            grow(1, json!({ "type": "input_json_delta", "partial_json": "" })),
            grow(1, json!({ "type": "input_json_delta", "partial_json": "{\"filePath\":" })),
            grow(1, json!({ "type": "input_json_delta", "partial_json": " \"a\"}" })),
            close(1),
            close(2),
            open(3, json!({ "type": "tool_use", "id": "t3", "name": "todoread", "input": {} })),
            close(3),
        ],
        end("tool_use").to_vec(),
    ];
    let (answer, deltas) = answer_to(events(&data.concat())).await;
    assert_eq!(
        answer.unwrap(),
        Answer {
            parts: vec![
                text("Reading."),
                call("t1", "read", json!({ "filePath": "a" })),
                call("t2", "read", json!({ "filePath": "b" })),
                call("t3", "todoread", json!({})),
            ],
            stop: Stop::End,
            usage: Some(Usage { input: 115, cached: 100, output: 20 }),
        }
    );
    assert_eq!(words(&deltas), "Reading.");
    assert_eq!(deltas[1], Delta::CallStarted { id: "t1".to_owned(), name: "read".to_owned() });
}

#[tokio::test]
async fn v2_an_error_in_the_stream_is_no_answer() {
    let error = json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } });
    let (answer, deltas) = answer_to(events(&[words_block(0, "half").to_vec(), vec![error]].concat())).await;
    assert!(
        matches!(&answer, Err(ModelError::Transient { message, .. }) if message.contains("Overloaded")),
        "{answer:?}"
    );
    assert_eq!(words(&deltas), "half");
}

#[tokio::test]
async fn v2_a_closed_connection_is_no_answer() {
    let call = [open(0, json!({ "type": "tool_use", "id": "t1", "name": "read", "input": {} })), close(0)];
    assert!(matches!(answer_to(events(&call)).await.0, Err(ModelError::Transient { .. })));
}

#[tokio::test]
async fn v4_a_cut_call_is_not_run() {
    for (piece, reason) in [
        ("{\"filePath\":\"/ws/a\",\"content\":\"li", "max_tokens"),
        ("{\"filePath\":\"/ws/a\",\"content\":\"li", "tool_use"),
        ("", "max_tokens"),
    ] {
        let data = [
            vec![
                open(0, json!({ "type": "tool_use", "id": "t1", "name": "write", "input": {} })),
                grow(0, json!({ "type": "input_json_delta", "partial_json": piece })),
            ],
            end(reason).to_vec(),
        ];
        let answer = answer_to(events(&data.concat())).await.0.unwrap();
        assert!(
            matches!(&answer.parts[..], [Part::Call(call)] if matches!(&call.arguments, Arguments::Invalid { reason, .. } if reason.contains("cut off")))
        );
    }
}

#[tokio::test]
async fn stops_are_told_apart() {
    for (reason, stop) in [
        ("end_turn", Stop::End),
        ("max_tokens", Stop::OutputLimit),
        ("refusal", Stop::Refusal),
        ("stop_sequence", Stop::End),
    ] {
        assert_eq!(answer_to(events(&end(reason))).await.0.unwrap().stop, stop);
    }
}

#[tokio::test]
async fn v7_blank_text_is_left_out_and_results_stand_first() {
    let mut interrupted = result("t2", "interrupted");
    interrupted.is_error = true;
    let history = vec![
        user("go"),
        Message::Assistant(vec![text(""), call("t1", "read", json!({})), call("t2", "read", json!({}))]),
        Message::Results(vec![result("t1", ""), interrupted]),
        user("stop"),
        Message::Assistant(vec![thinking(
            "lost",
            Api::Anthropic,
            json!({ "type": "thinking", "thinking": "lost", "signature": "S" }),
        )]),
        user(" "),
        user("go on"),
    ];
    assert_eq!(
        messages(history).await,
        json!([
            { "role": "user", "content": [{ "type": "text", "text": "go" }] },
            { "role": "assistant", "content": [
                { "type": "tool_use", "id": "t1", "name": "read", "input": {} },
                { "type": "tool_use", "id": "t2", "name": "read", "input": {} },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "t1", "content": [{ "type": "text", "text": "(no output)" }] },
                { "type": "tool_result", "tool_use_id": "t2", "content": [{ "type": "text", "text": "interrupted" }], "is_error": true },
                { "type": "text", "text": "stop" },
            ] },
            { "role": "user", "content": [{ "type": "text", "text": "go on" }] },
        ])
    );
}

#[tokio::test]
async fn v8_thinking_goes_back_as_it_came() {
    let data = [
        vec![
            open(0, json!({ "type": "thinking", "thinking": "", "signature": "" })),
            grow(0, json!({ "type": "thinking_delta", "thinking": "pl" })),
            grow(0, json!({ "type": "thinking_delta", "thinking": "an" })),
            grow(0, json!({ "type": "signature_delta", "signature": "SIG1" })),
            close(0),
            open(1, json!({ "type": "redacted_thinking", "data": "RD" })),
            close(1),
        ],
        words_block(2, "ok").to_vec(),
        vec![open(3, json!({ "type": "tool_use", "id": "t1", "name": "read", "input": {} })), close(3)],
        end("tool_use").to_vec(),
    ];
    let (answer, deltas) = answer_to(events(&data.concat())).await;
    assert_eq!(deltas[..2], [Delta::Reasoning("pl".to_owned()), Delta::Reasoning("an".to_owned())]);
    let history = vec![
        user("go"),
        Message::Assistant(answer.unwrap().parts),
        Message::Results(vec![result("t1", "x")]),
    ];
    assert_eq!(
        messages(history).await[1]["content"],
        json!([
            { "type": "thinking", "thinking": "plan", "signature": "SIG1" },
            { "type": "redacted_thinking", "data": "RD" },
            { "type": "text", "text": "ok" },
            { "type": "tool_use", "id": "t1", "name": "read", "input": {} },
        ])
    );
}

#[tokio::test]
async fn v8_foreign_thinking_stays_away() {
    let history = vec![
        user("go"),
        Message::Assistant(vec![thinking("x", Api::OpenaiChat, json!({})), text("ok")]),
        user("on"),
    ];
    assert_eq!(messages(history).await[1]["content"], json!([{ "type": "text", "text": "ok" }]));
}

#[tokio::test]
async fn images_stand_inside_their_results() {
    let picture = CallResult { call_id: "t1".to_owned(), content: vec![image("AAAA")], is_error: false };
    let history = vec![
        user("look"),
        Message::Assistant(vec![call("t1", "read", json!({}))]),
        Message::Results(vec![picture]),
    ];
    let source = json!({ "type": "base64", "media_type": "image/png", "data": "AAAA" });
    assert_eq!(
        messages(history).await[2]["content"],
        json!([{ "type": "tool_result", "tool_use_id": "t1", "content": [{ "type": "image", "source": source }] }])
    );
}

#[tokio::test]
async fn v10_ids_and_arguments_that_the_api_refuses_are_mended() {
    let id = format!("call|{}", "x".repeat(89));
    let Part::Call(mut broken) = call(&id, "read", json!({})) else { panic!() };
    broken.arguments = Arguments::Invalid { text: "{\"a".to_owned(), reason: "cut".to_owned() };
    let messages = messages(vec![
        user("go"),
        Message::Assistant(vec![Part::Call(broken)]),
        Message::Results(vec![result(&id, "x")]),
    ])
    .await;
    let sent = messages[1]["content"][0]["id"].as_str().unwrap();
    assert!(sent.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'), "{sent}");
    assert_eq!(messages[2]["content"][0]["tool_use_id"], sent);
    assert!(messages[1]["content"][0]["input"].is_object());
}

#[tokio::test]
async fn the_cache_is_marked_at_four_places() {
    let history = vec![
        user("one"),
        Message::Assistant(vec![call("t1", "read", json!({}))]),
        Message::Results(vec![result("t1", "x")]),
        Message::Assistant(vec![text("two")]),
        user("three"),
    ];
    let body = sent(spec(Api::Anthropic, ""), &request(history)).await;
    let mark = json!({ "type": "ephemeral" });
    for place in ["/tools/1", "/system/0", "/messages/2/content/0", "/messages/4/content/0"] {
        assert_eq!(body.pointer(place).unwrap()["cache_control"], mark, "{place}");
    }
    assert_eq!(body.to_string().matches("cache_control").count(), 4);
}

#[tokio::test]
async fn thinking_is_asked_for_in_the_models_way() {
    let ask = |style, effort: Option<&str>| {
        let spec = ModelSpec { thinking: style, max_output: Some(16_000), ..spec(Api::Anthropic, "") };
        let request = Request { effort: effort.map(str::to_owned), ..request(vec![user("hi")]) };
        async move {
            let body = sent(spec, &request).await;
            (body["max_tokens"].clone(), body["thinking"].clone(), body["output_config"].clone())
        }
    };
    assert_eq!(ask(None, None).await, (json!(16_000), Value::Null, Value::Null));
    assert_eq!(
        ask(Some(Thinking::Adaptive), Some("high")).await,
        (json!(16_000), json!({ "type": "adaptive" }), json!({ "effort": "high" }))
    );
    assert_eq!(
        ask(Some(Thinking::Budget), Some("high")).await,
        (json!(16_000), json!({ "type": "enabled", "budget_tokens": 11_904 }), Value::Null)
    );
    assert_eq!(ask(Some(Thinking::None), Some("high")).await, (json!(16_000), Value::Null, Value::Null));
}

#[tokio::test]
async fn the_head_holds_key_and_version() {
    let server = Server::start(vec![events(&end("end_turn"))]).await;
    run(&model(&server.url), &request(vec![user("hi")])).await.0.unwrap();
    let head = &server.seen()[0].head;
    assert!(head.starts_with("post /v1/messages "), "the base's own /v1 is not doubled: {head}");
    assert!(
        head.contains("x-api-key: sk-secret")
            && head.contains("anthropic-version: 2023-06-01")
            && !head.contains("authorization")
    );
}

#[tokio::test]
async fn an_error_answer_is_put_into_words() {
    let body =
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 > 8"}}"#;
    assert!(matches!(answer_to(status(400, "", body)).await.0, Err(ModelError::ContextTooLong(_))));
    let body = r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#;
    assert!(
        matches!(answer_to(status(401, "", body)).await.0, Err(ModelError::Unauthorized(text)) if text.contains("TEST_KEY"))
    );
}
