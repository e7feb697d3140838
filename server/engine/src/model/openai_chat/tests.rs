use super::*;
use crate::event::Usage;
use crate::model::Stop;
use crate::model::spec::{Api, Dialect, ThinkingBack};
use crate::model::testing::{
    Reply, Server, call, events, image, request, result, run, spec, status, stream, stream_of, surroundings,
    text, thinking, user, words,
};
use assent_base::chat::{Message, Part};
use assent_base::tool::{Arguments, Call, CallResult, Content};
use serde_json::{Value, json};

fn text_content(text: &str) -> Content {
    Content::Text(text.to_owned())
}

async fn answer_to(reply: Reply) -> (Result<Answer, ModelError>, Vec<Delta>) {
    let server = Server::start(vec![reply]).await;
    let model =
        OpenAiChat::new(spec(Api::OpenaiChat, &server.url), surroundings(&[("TEST_KEY", "sk-secret")]));
    run(&model, &request(vec![user("hi")])).await
}

fn content(text: &str) -> Value {
    json!({ "choices": [{ "delta": { "content": text } }] })
}

fn finish(reason: &str) -> Value {
    json!({ "choices": [{ "delta": {}, "finish_reason": reason }] })
}

fn calls(deltas: Value) -> Value {
    json!({ "choices": [{ "delta": { "tool_calls": deltas } }] })
}

/// The calls of an answer made of these deltas, as (id, name, arguments).
async fn calls_of(deltas: &[Value], reason: &str) -> Vec<Call> {
    let mut data: Vec<Value> = deltas.iter().map(|delta| calls(json!([delta]))).collect();
    data.push(finish(reason));
    let parts = answer_to(events(&data)).await.0.unwrap().parts;
    parts.into_iter().filter_map(|part| if let Part::Call(call) = part { Some(call) } else { None }).collect()
}

fn object(call: &Call) -> Value {
    match &call.arguments {
        Arguments::Object(object) => Value::Object(object.clone()),
        Arguments::Invalid { reason, .. } => panic!("{reason}"),
    }
}

/// The messages that are sent for a conversation.
async fn sent(dialect: Dialect, messages: Vec<Message>) -> Value {
    let server = Server::start(vec![stream("data: [DONE]\n\n")]).await;
    let spec = ModelSpec { dialect, ..spec(Api::OpenaiChat, &server.url) };
    let model = OpenAiChat::new(spec, surroundings(&[("TEST_KEY", "k")]));
    run(&model, &request(messages)).await.0.unwrap();
    server.seen()[0].body["messages"].clone()
}

#[tokio::test]
async fn v1_event_framing() {
    let writes = [
        b": keepalive\r\n\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"\xE5\x8C".to_vec(),
        b"\x97\"}}]}\r".to_vec(),
        b"\n\r\nevent: ping\r\n\r\ndata: \r\n\r\ndata: {\"choices\":[{\"delta\":\r\ndata: {\"content\":\"!\"}}]}\r\n\r\ndata: [DONE]\r\n\r\n".to_vec(),
    ];
    let bytes = writes.concat().into_iter().map(|byte| vec![byte]).collect();
    for writes in [writes.to_vec(), bytes] {
        let (answer, deltas) = answer_to(stream_of(writes)).await;
        assert_eq!(answer.unwrap(), Answer { parts: vec![text("北!")], stop: Stop::End, usage: None });
        assert_eq!(words(&deltas), "北!");
    }
}

#[tokio::test]
async fn v2_complete_with_usage() {
    let usage = json!({ "choices": [], "usage": { "prompt_tokens": 10, "completion_tokens": 3, "prompt_tokens_details": { "cached_tokens": 8 } } });
    let body =
        format!("data: {}\n\ndata: {}\n\ndata: {usage}\n\ndata: [DONE]\n\n", content("a"), finish("stop"));
    let answer = answer_to(stream(&body)).await.0.unwrap();
    assert_eq!(
        answer,
        Answer {
            parts: vec![text("a")],
            stop: Stop::End,
            usage: Some(Usage { input: 10, cached: 8, output: 3 })
        }
    );
}

#[tokio::test]
async fn v2_done_without_a_finish_reason_is_complete() {
    let body = format!("data: {}\n\ndata: [DONE]", content("a"));
    assert_eq!(answer_to(stream(&body)).await.0.unwrap().parts, [text("a")]);
}

#[tokio::test]
async fn v2_a_closed_connection_is_no_answer() {
    let (answer, deltas) = answer_to(events(&[content("half")])).await;
    assert!(matches!(answer, Err(ModelError::Transient { .. })), "{answer:?}");
    assert_eq!(words(&deltas), "half");

    let whole_call =
        calls(json!([{ "index": 0, "id": "c1", "function": { "name": "read", "arguments": "{}" } }]));
    assert!(matches!(answer_to(events(&[whole_call])).await.0, Err(ModelError::Transient { .. })));
}

#[tokio::test]
async fn an_error_within_the_stream_ends_it() {
    let error = json!({ "error": { "message": "busy", "code": 503 } });
    let (answer, _) = answer_to(events(&[content("a"), error])).await;
    assert!(
        matches!(&answer, Err(ModelError::Transient { message, .. }) if message.contains("busy")),
        "{answer:?}"
    );
}

#[tokio::test]
async fn nonsense_is_said_to_be_nonsense() {
    let (answer, _) = answer_to(stream("data: {oops\n\ndata: [DONE]\n\n")).await;
    assert!(answer.unwrap_err().to_string().contains("cannot be read"));
    let (answer, _) = answer_to(status(
        200,
        "content-type: application/json\r\n",
        r#"{"error":{"message":"no such model","code":404}}"#,
    ))
    .await;
    assert!(answer.unwrap_err().to_string().contains("no such model"));
}

#[tokio::test]
async fn v3_same_index_but_two_ids_are_two_calls() {
    for index in [json!(0), Value::Null] {
        let delta = |id: &str, path: &str| json!({ "index": index, "id": id, "function": { "name": "read", "arguments": format!(r#"{{"filePath":"{path}"}}"#) } });
        let calls = calls_of(&[delta("c1", "/ws/a"), delta("c2", "/ws/b")], "tool_calls").await;
        let found: Vec<_> = calls.iter().map(|call| (call.id.as_str(), object(call))).collect();
        assert_eq!(
            found,
            [("c1", json!({ "filePath": "/ws/a" })), ("c2", json!({ "filePath": "/ws/b" }))],
            "{index}"
        );
    }
}

#[tokio::test]
async fn v3_interleaved_fragments_go_by_index() {
    let calls = calls_of(
        &[
            json!({ "index": 0, "id": "c1", "function": { "name": "read", "arguments": "{\"a" } }),
            json!({ "index": 1, "id": "c2", "function": { "name": "read", "arguments": "{\"b" } }),
            json!({ "index": 0, "function": { "arguments": "\":1}" } }),
            json!({ "index": 1, "function": { "arguments": "\":2}" } }),
        ],
        "tool_calls",
    )
    .await;
    assert_eq!(calls.iter().map(object).collect::<Vec<_>>(), [json!({ "a": 1 }), json!({ "b": 2 })]);
}

#[tokio::test]
async fn v3_a_call_without_an_id_gets_one() {
    let data = [
        calls(json!([{ "index": 0, "function": { "name": "read", "arguments": "{}" } }])),
        finish("tool_calls"),
    ];
    let (answer, deltas) = answer_to(events(&data)).await;
    let Part::Call(call) = &answer.unwrap().parts[0] else { panic!() };
    assert!(!call.id.is_empty());
    assert_eq!(deltas, [Delta::CallStarted { id: call.id.clone(), name: "read".to_owned() }]);
}

#[tokio::test]
async fn calls_that_repeat_id_and_name_with_every_fragment_are_one() {
    let delta =
        |piece: &str| json!({ "index": 0, "id": "c1", "function": { "name": "read", "arguments": piece } });
    let calls = calls_of(&[delta("{\"a"), delta("\":1}")], "tool_calls").await;
    assert_eq!(calls.iter().map(object).collect::<Vec<_>>(), [json!({ "a": 1 })]);
}

#[tokio::test]
async fn whole_calls_without_ids_are_told_apart() {
    let delta = json!({ "index": 0, "id": "", "function": { "name": "read", "arguments": { "a": 1 } } });
    let calls = calls_of(&[delta.clone(), delta], "stop").await;
    assert_eq!(calls.len(), 2);
    assert_ne!(calls[0].id, calls[1].id);
}

#[tokio::test]
async fn an_id_that_the_conversation_has_already_is_replaced() {
    let data = [
        calls(json!([{ "index": 0, "id": "call_0", "function": { "name": "read", "arguments": "{}" } }])),
        finish("tool_calls"),
    ];
    let server = Server::start(vec![events(&data)]).await;
    let model = OpenAiChat::new(spec(Api::OpenaiChat, &server.url), surroundings(&[("TEST_KEY", "k")]));
    let history = vec![
        user("a"),
        Message::Assistant(vec![call("call_0", "read", json!({}))]),
        Message::Results(vec![result("call_0", "x")]),
    ];
    let answer = run(&model, &request(history)).await.0.unwrap();
    let Part::Call(call) = &answer.parts[0] else { panic!() };
    assert_ne!(call.id, "call_0");
}

#[tokio::test]
async fn v4_a_cut_call_is_not_run_whatever_the_finish_reason() {
    let cut = json!({ "index": 0, "id": "c1", "function": { "name": "write", "arguments": "{\"filePath\":\"/ws/a\",\"content\":\"line 1\\nli" } });
    let bare = json!({ "index": 0, "id": "c1", "function": { "name": "write", "arguments": "" } });
    for (delta, reason) in [(&cut, "length"), (&cut, "tool_calls"), (&cut, "stop"), (&bare, "length")] {
        let calls = calls_of(std::slice::from_ref(delta), reason).await;
        assert!(
            matches!(&calls[0].arguments, Arguments::Invalid { reason, .. } if reason.contains("cut off")),
            "{reason}"
        );
    }
}

#[tokio::test]
async fn v4_invalid_arguments_go_back_as_an_object() {
    let broken = Call {
        id: "c1".to_owned(),
        name: "read".to_owned(),
        arguments: Arguments::Invalid { text: "{\"filePath\": /ws/a}".to_owned(), reason: "no".to_owned() },
    };
    let messages = sent(
        Dialect::default(),
        vec![
            user("a"),
            Message::Assistant(vec![Part::Call(broken)]),
            Message::Results(vec![result("c1", "bad")]),
        ],
    )
    .await;
    let arguments = messages[2]["tool_calls"][0]["function"]["arguments"].as_str().unwrap();
    assert!(serde_json::from_str::<Value>(arguments).unwrap().is_object());
    assert_eq!(messages[3], json!({ "role": "tool", "tool_call_id": "c1", "content": "bad" }));
}

#[tokio::test]
async fn v6_a_busy_server_says_when_to_come_back() {
    let (answer, _) =
        answer_to(status(429, "retry-after: Tue, 03 Nov 2026 10:00:12 GMT\r\n", "slow down")).await;
    let Err(ModelError::Transient { retry_after, message }) = answer else { panic!("{answer:?}") };
    assert_eq!(retry_after, Some(std::time::Duration::from_secs(12)));
    assert!(message.contains("test (127.0.0.1:") && message.contains("slow down"), "{message}");
}

#[tokio::test]
async fn a_missing_or_refused_key_says_what_to_set() {
    let model = OpenAiChat::new(spec(Api::OpenaiChat, "http://127.0.0.1:1/v1"), surroundings(&[]));
    let error = run(&model, &request(vec![user("hi")])).await.0.unwrap_err();
    assert!(matches!(&error, ModelError::Unauthorized(text) if text.contains("TEST_KEY")), "{error:?}");

    let error =
        answer_to(status(401, "", r#"{"error":{"message":"bad key sk-secret"}}"#)).await.0.unwrap_err();
    assert!(
        matches!(&error, ModelError::Unauthorized(text) if text.contains("TEST_KEY") && !text.contains("sk-secret")),
        "{error:?}"
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_network_error() {
    let model =
        OpenAiChat::new(spec(Api::OpenaiChat, "http://127.0.0.1:1/v1"), surroundings(&[("TEST_KEY", "k")]));
    let error = run(&model, &request(vec![user("hi")])).await.0.unwrap_err();
    assert!(
        matches!(&error, ModelError::Transient { message, .. } if message.contains("127.0.0.1:1")),
        "{error:?}"
    );
}

#[tokio::test]
async fn v7_results_stand_behind_their_calls_and_blank_text_is_left_out() {
    let history = vec![
        user("go"),
        Message::Assistant(vec![text(" "), call("t1", "read", json!({})), call("t2", "read", json!({}))]),
        Message::Results(vec![result("t1", ""), result("t2", "interrupted")]),
        user("stop"),
        Message::Assistant(vec![thinking(
            "only",
            Api::OpenaiChat,
            json!({ "provider": "test", "field": "reasoning" }),
        )]),
        user("go on"),
    ];
    let messages = sent(Dialect::default(), history).await;
    assert_eq!(
        messages,
        json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "go" },
            { "role": "assistant", "content": null, "tool_calls": [
                { "id": "t1", "type": "function", "function": { "name": "read", "arguments": "{}" } },
                { "id": "t2", "type": "function", "function": { "name": "read", "arguments": "{}" } },
            ] },
            { "role": "tool", "tool_call_id": "t1", "content": "(no output)" },
            { "role": "tool", "tool_call_id": "t2", "content": "interrupted" },
            { "role": "user", "content": "stop" },
            { "role": "user", "content": "go on" },
        ])
    );
}

#[tokio::test]
async fn a_server_with_strict_templates_gets_one_user_message() {
    let history = vec![user("stop"), Message::User(vec![text_content("go on"), image("AAAA")])];
    let messages = sent(Dialect { alternating: true, ..Dialect::default() }, history).await;
    assert_eq!(messages.as_array().unwrap().len(), 2);
    assert_eq!(messages[1]["content"][0]["text"], "stop");
    assert_eq!(messages[1]["content"][1]["text"], "go on");
}

#[tokio::test]
async fn a_server_that_wants_an_assistant_behind_tools_gets_one() {
    let history = vec![
        user("go"),
        Message::Assistant(vec![call("a|b", "read", json!({}))]),
        Message::Results(vec![result("a|b", "x")]),
        user("stop"),
    ];
    let messages =
        sent(Dialect { assistant_after_tool: true, nine_character_ids: true, ..Dialect::default() }, history)
            .await;
    let roles: Vec<&str> =
        messages.as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "assistant", "user"]);
    let id = messages[3]["tool_call_id"].as_str().unwrap();
    assert_eq!(messages[2]["tool_calls"][0]["id"], id);
    assert!(id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "V10: {id}");
}

#[tokio::test]
async fn v8_thinking_goes_back_where_the_server_wants_it() {
    let data = [
        json!({ "choices": [{ "delta": { "reasoning_content": "pl" } }] }),
        json!({ "choices": [{ "delta": { "reasoning_content": "an" } }] }),
        calls(json!([{ "index": 0, "id": "c1", "function": { "name": "read", "arguments": "{}" } }])),
        finish("tool_calls"),
    ];
    let (answer, deltas) = answer_to(events(&data)).await;
    assert_eq!(deltas[..2], [Delta::Reasoning("pl".to_owned()), Delta::Reasoning("an".to_owned())]);
    let parts = answer.unwrap().parts;
    let history = vec![
        user("old"),
        Message::Assistant(vec![
            text("said"),
            thinking("x", Api::OpenaiChat, json!({ "provider": "test", "field": "reasoning_content" })),
        ]),
        user("new"),
        Message::Assistant(parts),
        Message::Results(vec![result("c1", "x")]),
    ];
    for (back, old, new) in [
        (ThinkingBack::None, Value::Null, Value::Null),
        (ThinkingBack::Calls, Value::Null, json!("plan")),
        (ThinkingBack::All, json!("x"), json!("plan")),
    ] {
        let messages = sent(Dialect { thinking_back: back, ..Dialect::default() }, history.clone()).await;
        assert_eq!(
            (&messages[2]["reasoning_content"], &messages[4]["reasoning_content"]),
            (&old, &new),
            "{back:?}"
        );
    }
    let foreign = vec![
        user("a"),
        Message::Assistant(vec![
            thinking("x", Api::OpenaiChat, json!({ "provider": "other", "field": "reasoning" })),
            text("b"),
        ]),
    ];
    let messages = sent(Dialect { thinking_back: ThinkingBack::All, ..Dialect::default() }, foreign).await;
    assert_eq!(messages[2], json!({ "role": "assistant", "content": "b" }));
}

#[tokio::test]
async fn v8_details_and_signatures_go_back_as_they_came() {
    let data = [
        json!({ "choices": [{ "delta": { "reasoning": "pl", "reasoning_details": [{ "type": "reasoning.text", "index": 0, "text": "pl" }] } }] }),
        json!({ "choices": [{ "delta": { "reasoning": "an", "reasoning_details": [{ "type": "reasoning.text", "index": 0, "text": "an", "signature": "S" }] } }] }),
        calls(
            json!([{ "index": 0, "id": "c1", "function": { "name": "read", "arguments": "{}" }, "extra_content": { "google": { "thought_signature": "G" } } }]),
        ),
        finish("tool_calls"),
    ];
    let parts = answer_to(events(&data)).await.0.unwrap().parts;
    let history = vec![user("a"), Message::Assistant(parts), Message::Results(vec![result("c1", "x")])];
    let messages = sent(Dialect { thinking_back: ThinkingBack::All, ..Dialect::default() }, history).await;
    assert_eq!(messages[2]["reasoning"], "plan");
    assert_eq!(
        messages[2]["reasoning_details"],
        json!([{ "type": "reasoning.text", "index": 0, "text": "plan", "signature": "S" }])
    );
    assert_eq!(messages[2]["tool_calls"][0]["extra_content"]["google"]["thought_signature"], "G");
}

#[tokio::test]
async fn v9_images_of_parallel_tools_stand_in_one_message_behind_them() {
    let picture = |id: &str, data: &str| CallResult {
        call_id: id.to_owned(),
        content: vec![image(data)],
        is_error: false,
    };
    let history = vec![
        user("look"),
        Message::Assistant(vec![call("c1", "read", json!({})), call("c2", "read", json!({}))]),
        Message::Results(vec![picture("c1", "AAAA"), picture("c2", "BBBB")]),
    ];
    let messages = sent(Dialect::default(), history).await;
    let roles: Vec<&str> =
        messages.as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "tool", "user"]);
    let urls: Vec<&str> = messages[5]["content"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|part| part["image_url"]["url"].as_str())
        .collect();
    assert_eq!(urls, ["data:image/png;base64,AAAA", "data:image/png;base64,BBBB"]);
}

#[tokio::test]
async fn a_model_that_sees_no_images_is_told() {
    let server = Server::start(vec![stream("data: [DONE]\n\n")]).await;
    let spec = ModelSpec { images: false, ..spec(Api::OpenaiChat, &server.url) };
    let model = OpenAiChat::new(spec, surroundings(&[("TEST_KEY", "k")]));
    run(&model, &request(vec![Message::User(vec![image("AAAA")])])).await.0.unwrap();
    assert_eq!(server.seen()[0].body["messages"][1]["content"], "(an image that this model cannot see)");
}

#[tokio::test]
async fn the_request_holds_what_the_server_takes() {
    let server = Server::start(vec![stream("data: [DONE]\n\n")]).await;
    let dialect = Dialect {
        usage_option: true,
        cache_key: true,
        max_completion_tokens: true,
        reasoning_object: true,
        ..Dialect::default()
    };
    let spec = ModelSpec { dialect, max_output: Some(500), ..spec(Api::OpenaiChat, &server.url) };
    let model = OpenAiChat::new(spec, surroundings(&[("TEST_KEY", "sk-secret")]));
    let request =
        Request { effort: Some("high".to_owned()), max_output: Some(900), ..request(vec![user("hi")]) };
    run(&model, &request).await.0.unwrap();
    let seen = &server.seen()[0];
    assert!(
        seen.head.starts_with("post /v1/chat/completions http/1.1")
            && seen.head.contains("authorization: bearer sk-secret"),
        "{}",
        seen.head
    );
    assert_eq!(
        seen.body,
        json!({
            "model": "model",
            "messages": [{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "hi" }],
            "tools": [
                { "type": "function", "function": { "name": "read", "description": "Does read.", "parameters": { "type": "object", "properties": { "filePath": { "type": "string" } } } } },
                { "type": "function", "function": { "name": "write", "description": "Does write.", "parameters": { "type": "object", "properties": { "filePath": { "type": "string" } } } } },
            ],
            "stream": true,
            "stream_options": { "include_usage": true },
            "max_completion_tokens": 500,
            "reasoning": { "effort": "high" },
            "prompt_cache_key": "session",
        })
    );
}

#[tokio::test]
async fn a_refusal_and_a_limit_are_told_apart() {
    let refusal = json!({ "choices": [{ "delta": { "refusal": "No." } }] });
    let answer = answer_to(events(&[refusal, finish("stop")])).await.0.unwrap();
    assert_eq!((answer.stop, answer.parts), (Stop::Refusal, vec![text("No.")]));
    assert_eq!(answer_to(events(&[content("a"), finish("length")])).await.0.unwrap().stop, Stop::OutputLimit);
}

#[tokio::test]
async fn a_cancel_closes_the_connection_at_once() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let closed = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        assert_ne!(socket.read(&mut [0; 16_384]).await.unwrap(), 0, "the request came");
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
        socket.write_all(format!("{head}data: {}\n\n", content("a")).as_bytes()).await.unwrap();
        // Ends when the client has gone, and not before.
        while !matches!(socket.read(&mut [0; 4096]).await, Ok(0) | Err(_)) {}
    });
    let model = OpenAiChat::new(spec(Api::OpenaiChat, &url), surroundings(&[("TEST_KEY", "k")]));
    let (request, (sender, mut receiver)) = (request(vec![user("hi")]), mpsc::channel(8));
    tokio::select! {
        answer = model.run(&request, &sender) => panic!("{answer:?}"),
        delta = receiver.recv() => assert_eq!(delta, Some(Delta::Text("a".to_owned()))),
    }
    closed.await.unwrap();
}
