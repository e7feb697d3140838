use super::*;
use serde_json::{Value, json};
use std::io::{Read, Write};

/// Send a body as a client would and give the raw answer.
fn post(server: &ModelServer, path: &str, body: &Value) -> String {
    let mut stream = std::net::TcpStream::connect(server.address).unwrap();
    let body = body.to_string();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nauthorization: Bearer {KEY}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn chat(messages: Value) -> Value {
    json!({ "model": "m", "stream": true, "messages": messages })
}

fn problems(server: ModelServer) -> String {
    let message = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| drop(server)));
    message.err().and_then(|message| message.downcast_ref::<String>().cloned()).unwrap_or_default()
}

#[test]
fn one_script_serves_three_dialects() {
    let server = ModelServer::start();
    for (path, key) in
        [("/v1/chat/completions", "messages"), ("/v1/responses", "input"), ("/v1/messages", "messages")]
    {
        server.expect("hi", answer().text("wel").text("come").call("c1", "ls", json!({ "path": "." })));
        let body = json!({ "model": "m", "stream": true, key: [{ "role": "user", "content": "hi" }] });
        let answer = post(&server, path, &body);
        for needle in ["\"wel\"", "\"come\"", "c1", "ls"] {
            assert!(answer.contains(needle), "{needle} is not in {answer}");
        }
    }
    assert_eq!(server.requests().len(), 3);
    assert_eq!(server.requests()[1].dialect, Dialect::Responses);
}

#[test]
fn a_surprise_is_answered_with_the_difference_and_fails_the_test() {
    let server = ModelServer::start();
    server.expect("one thing", text("fine"));
    let answer =
        post(&server, "/v1/chat/completions", &chat(json!([{ "role": "user", "content": "another" }])));
    assert!(answer.contains("500") && answer.contains("one thing") && answer.contains("another"), "{answer}");
    let message = problems(server);
    assert!(message.contains("surprise") && message.contains("never asked for"), "{message}");
}

#[test]
fn a_call_without_a_result_is_a_problem() {
    let call = json!({ "id": "c1", "type": "function", "function": { "name": "ls", "arguments": "{}" } });
    let assistant = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
    let result = json!({ "role": "tool", "tool_call_id": "c1", "content": "a" });
    let user = json!({ "role": "user", "content": "go" });
    let cases = [
        (json!([user, assistant, result]), ""),
        (json!([user, assistant, user]), "without a result"),
        (json!([user, assistant]), "without a result at the end"),
        (json!([user, result]), "no call before it has"),
        (json!([user, assistant, result, result]), "no call before it has"),
    ];
    for (messages, expected) in cases {
        let server = ModelServer::start();
        server.reply(text("ok"));
        post(&server, "/v1/chat/completions", &chat(messages.clone()));
        let message = problems(server);
        assert!(
            message.contains(expected) && message.is_empty() == expected.is_empty(),
            "{messages}: {message}"
        );
    }
}

#[test]
fn empty_texts_secrets_and_changed_prefixes_are_problems() {
    let user = |text: &str| json!({ "role": "user", "content": text });
    let said = |text: &str| json!({ "role": "assistant", "content": text });
    let cases = [
        (json!([user("a"), said(""), user("b")]), "empty text"),
        (json!([user(KEY)]), "key stands in the body"),
        (json!([user("a"), said("x"), user("b")]), "does not continue it"),
    ];
    for (messages, expected) in cases {
        let server = ModelServer::start();
        server.reply(text("ok")).reply(text("ok"));
        post(&server, "/v1/chat/completions", &chat(json!([user("a"), said("y"), user("z")])));
        post(&server, "/v1/chat/completions", &chat(messages.clone()));
        let message = problems(server);
        assert!(message.contains(expected), "{messages}: {message}");
    }
}

#[test]
fn a_gate_holds_the_stream_and_a_hang_up_is_seen() {
    let server = ModelServer::start();
    let gate = crate::Gate::new();
    server.reply(answer().text("before").hold(&gate).text("after"));
    let body = chat(json!([{ "role": "user", "content": "hi" }]));
    let answer = std::thread::scope(|scope| {
        let client = scope.spawn(|| post(&server, "/v1/chat/completions", &body));
        gate.wait_reached();
        assert!(!client.is_finished());
        gate.open();
        client.join().unwrap()
    });
    assert!(answer.contains("after") && answer.ends_with("0\r\n\r\n"));

    server.reply(super::answer().text("never ends").stall());
    let mut stream = std::net::TcpStream::connect(server.address).unwrap();
    let body = body.to_string();
    write!(
        stream,
        "POST /v1/chat/completions HTTP/1.1\r\nx: {KEY}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    server.wait_for_request(2);
    drop(stream);
    server.wait_for_hang_up(2);
}

#[test]
fn a_cut_reply_ends_without_its_last_chunk() {
    let server = ModelServer::start();
    let body = chat(json!([{ "role": "user", "content": "hi" }]));
    for (reply, ends) in [(answer().half("words"), false), (answer().text("words").close(), true)] {
        server.reply(reply);
        let answer = post(&server, "/v1/chat/completions", &body);
        assert_eq!(answer.ends_with("0\r\n\r\n"), ends, "{answer}");
        assert!(!answer.contains("[DONE]"));
    }
    server.reply(error(429, "slow down").header("retry-after", "7"));
    let answer = post(&server, "/v1/chat/completions", &body);
    assert!(answer.starts_with("HTTP/1.1 429") && answer.contains("retry-after: 7"), "{answer}");
}
