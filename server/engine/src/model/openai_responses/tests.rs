use super::*;
use crate::event::Usage;
use crate::model::Stop;
use crate::model::spec::{Api, Thinking};
use crate::model::testing::{
    Reply, Server, call, events, image, request, result, run, spec, surroundings, text, thinking, user, words,
};
use assent_base::chat::{Message, Part};
use assent_base::tool::{Arguments, CallResult, Content};
use serde_json::{Value, json};

async fn answer_to(reply: Reply) -> (Result<Answer, ModelError>, Vec<Delta>) {
    let server = Server::start(vec![reply]).await;
    let model =
        OpenAiResponses::new(spec(Api::OpenaiResponses, &server.url), surroundings(&[("TEST_KEY", "k")]));
    run(&model, &request(vec![user("hi")])).await
}

fn added(index: u64, item: Value) -> Value {
    json!({ "type": "response.output_item.added", "output_index": index, "item": item })
}

fn done(index: u64, item: Value) -> Value {
    json!({ "type": "response.output_item.done", "output_index": index, "item": item })
}

fn delta(kind: &str, index: u64, delta: &str) -> Value {
    json!({ "type": format!("response.{kind}.delta"), "output_index": index, "delta": delta })
}

fn completed() -> Value {
    json!({ "type": "response.completed", "response": { "usage": { "input_tokens": 9, "input_tokens_details": { "cached_tokens": 4 }, "output_tokens": 2 } } })
}

fn message(words: &str) -> Value {
    json!({ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": words }] })
}

fn function_call(id: &str, arguments: &str) -> Value {
    json!({ "type": "function_call", "id": "fc1", "call_id": id, "name": "read", "arguments": arguments })
}

fn reasoning() -> Value {
    json!({ "type": "reasoning", "id": "rs1", "summary": [{ "type": "summary_text", "text": "plan" }], "encrypted_content": "ENC" })
}

async fn sent(spec: ModelSpec, request: &Request) -> Value {
    let server = Server::start(vec![events(&[completed()])]).await;
    let spec = ModelSpec { base_url: server.url.clone(), ..spec };
    run(&OpenAiResponses::new(spec, surroundings(&[("TEST_KEY", "k")])), request).await.0.unwrap();
    server.seen()[0].body.clone()
}

async fn input(messages: Vec<Message>) -> Value {
    sent(spec(Api::OpenaiResponses, ""), &request(messages)).await["input"].take()
}

#[tokio::test]
async fn v5_streamed_text_counts_once() {
    let data = [
        json!({ "type": "response.created", "response": { "output": [] } }),
        added(0, json!({ "type": "message", "content": [] })),
        delta("output_text", 0, "Gr"),
        delta("output_text", 0, "ün"),
        json!({ "type": "response.output_text.done", "output_index": 0, "text": "Grün" }),
        json!({ "type": "response.content_part.done", "output_index": 0, "part": { "type": "output_text", "text": "Grün" } }),
        done(0, message("Grün")),
        completed(),
    ];
    let (answer, deltas) = answer_to(events(&data)).await;
    assert_eq!(
        answer.unwrap(),
        Answer {
            parts: vec![text("Grün")],
            stop: Stop::End,
            usage: Some(Usage { input: 9, cached: 4, output: 2 })
        }
    );
    assert_eq!(words(&deltas), "Grün");
}

#[tokio::test]
async fn v5_an_item_that_only_ends_is_taken() {
    let (answer, deltas) = answer_to(events(&[done(0, message("Grün")), completed()])).await;
    assert_eq!((answer.unwrap().parts, words(&deltas)), (vec![text("Grün")], "Grün".to_owned()));

    let whole = json!({ "type": "response.completed", "response": { "output": [message("Grün"), function_call("c1", "{}")] } });
    let (answer, deltas) = answer_to(events(&[whole])).await;
    assert_eq!(answer.unwrap().parts, [text("Grün"), call("c1", "read", json!({}))]);
    assert_eq!(words(&deltas), "Grün");
}

#[tokio::test]
async fn v5_one_call_however_often_it_is_told() {
    let arguments = r#"{"filePath":"a"}"#;
    let data = [
        added(0, function_call("call_1", "")),
        delta("function_call_arguments", 0, "{\"filePath\""),
        delta("function_call_arguments", 0, ":\"a\"}"),
        json!({ "type": "response.function_call_arguments.done", "output_index": 0, "arguments": arguments }),
        done(0, function_call("call_1", arguments)),
        completed(),
    ];
    let (answer, deltas) = answer_to(events(&data)).await;
    assert_eq!(answer.unwrap().parts, [call("call_1", "read", json!({ "filePath": "a" }))]);
    assert_eq!(deltas, [Delta::CallStarted { id: "call_1".to_owned(), name: "read".to_owned() }]);
}

#[tokio::test]
async fn calls_side_by_side_go_by_their_items() {
    let data = [
        added(0, function_call("c1", "")),
        added(1, function_call("c2", "")),
        delta("function_call_arguments", 1, "{\"b\":"),
        delta("function_call_arguments", 0, "{\"a\":1}"),
        delta("function_call_arguments", 1, "2}"),
        completed(),
    ];
    let answer = answer_to(events(&data)).await.0.unwrap();
    assert_eq!(answer.parts, [call("c1", "read", json!({ "a": 1 })), call("c2", "read", json!({ "b": 2 }))]);
}

#[tokio::test]
async fn v2_a_cut_answer_is_said_to_be_cut() {
    let incomplete = json!({ "type": "response.incomplete", "response": { "incomplete_details": { "reason": "max_output_tokens" } } });
    let data = [added(0, function_call("c1", "")), delta("function_call_arguments", 0, "{\"a"), incomplete];
    let answer = answer_to(events(&data)).await.0.unwrap();
    assert_eq!(answer.stop, Stop::OutputLimit);
    assert!(
        matches!(&answer.parts[..], [Part::Call(call)] if matches!(call.arguments, Arguments::Invalid { .. }))
    );
}

#[tokio::test]
async fn v2_a_closed_connection_or_a_failure_is_no_answer() {
    let half = delta("output_text", 0, "half");
    assert!(matches!(answer_to(events(&[half.clone()])).await.0, Err(ModelError::Transient { .. })));
    for (code, is_transient) in
        [("server_error", true), ("rate_limit_exceeded", true), ("invalid_prompt", false)]
    {
        let failed =
            json!({ "type": "response.failed", "response": { "error": { "code": code, "message": "oh" } } });
        let error = answer_to(events(&[half.clone(), failed])).await.0.unwrap_err();
        assert_eq!(matches!(error, ModelError::Transient { .. }), is_transient, "{code}");
    }
    let error = json!({ "type": "error", "code": "context_length_exceeded", "message": "too much" });
    assert!(matches!(answer_to(events(&[error])).await.0, Err(ModelError::ContextTooLong(_))));
}

#[tokio::test]
async fn v8_thinking_goes_back_right_before_its_call() {
    let data = [
        added(0, json!({ "type": "reasoning", "id": "rs1", "summary": [] })),
        json!({ "type": "response.reasoning_summary_part.added", "output_index": 0, "summary_index": 0 }),
        delta("reasoning_summary_text", 0, "plan"),
        json!({ "type": "response.reasoning_summary_part.added", "output_index": 0, "summary_index": 1 }),
        delta("reasoning_summary_text", 0, "more"),
        done(0, reasoning()),
        added(1, function_call("call_1", "")),
        done(1, function_call("call_1", "{}")),
        completed(),
    ];
    let parts = answer_to(events(&data)).await.0.unwrap().parts;
    assert!(matches!(&parts[0], Part::Reasoning(reasoning) if reasoning.text == "plan\n\nmore"));
    let history = vec![user("go"), Message::Assistant(parts), Message::Results(vec![result("call_1", "x")])];
    assert_eq!(
        input(history).await,
        json!([
            { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "go" }] },
            reasoning(),
            { "type": "function_call", "call_id": "call_1", "name": "read", "arguments": "{}" },
            { "type": "function_call_output", "call_id": "call_1", "output": "x" },
        ])
    );
}

#[tokio::test]
async fn v8_thinking_that_led_nowhere_or_is_not_encrypted_stays_away() {
    let lost = vec![
        user("go"),
        Message::Assistant(vec![thinking("plan", Api::OpenaiResponses, reasoning())]),
        user("again"),
    ];
    assert_eq!(input(lost).await.as_array().unwrap().len(), 2);

    let data = [
        done(0, json!({ "type": "reasoning", "id": "rs1", "summary": [] })),
        done(1, message("ok")),
        completed(),
    ];
    let parts = answer_to(events(&data)).await.0.unwrap().parts;
    assert_eq!(parts, [text("ok")]);
}

#[tokio::test]
async fn v7_results_stand_behind_their_calls_and_blank_text_is_left_out() {
    let history = vec![
        user("go"),
        Message::Assistant(vec![text(" "), call("t1", "read", json!({})), call("t2", "read", json!({}))]),
        Message::Results(vec![result("t1", ""), result("t2", "interrupted")]),
        user("stop"),
    ];
    let types: Vec<(Value, Value)> = input(history).await.as_array().unwrap()[1..]
        .iter()
        .map(|item| (item["type"].clone(), item["output"].clone()))
        .collect();
    assert_eq!(
        types,
        [
            (json!("function_call"), Value::Null),
            (json!("function_call"), Value::Null),
            (json!("function_call_output"), json!("(no output)")),
            (json!("function_call_output"), json!("interrupted")),
            (json!("message"), Value::Null),
        ]
    );
}

#[tokio::test]
async fn images_stand_inside_their_results() {
    let content = vec![Content::Text("seen".to_owned()), image("AAAA")];
    let picture = CallResult { call_id: "t1".to_owned(), content, is_error: false };
    let history = vec![
        user("look"),
        Message::Assistant(vec![call("t1", "read", json!({}))]),
        Message::Results(vec![picture]),
    ];
    assert_eq!(
        input(history).await[2]["output"],
        json!([{ "type": "input_text", "text": "seen" }, { "type": "input_image", "image_url": "data:image/png;base64,AAAA" }])
    );
}

#[tokio::test]
async fn v10_a_long_id_is_cut_alike_on_call_and_result() {
    let id = format!("call|{}", "x".repeat(89));
    let items = input(vec![
        user("go"),
        Message::Assistant(vec![call(&id, "read", json!({}))]),
        Message::Results(vec![result(&id, "x")]),
    ])
    .await;
    let sent = items[1]["call_id"].as_str().unwrap();
    assert!(sent.len() <= 64 && !sent.contains('|'));
    assert_eq!(items[2]["call_id"], sent);
}

#[tokio::test]
async fn the_request_keeps_nothing_on_the_server() {
    let asked =
        Request { effort: Some("low".to_owned()), max_output: Some(100), ..request(vec![user("hi")]) };
    let mut body = sent(spec(Api::OpenaiResponses, ""), &asked).await;
    body["tools"].as_array_mut().unwrap().truncate(1);
    assert_eq!(
        body,
        json!({
            "model": "model",
            "instructions": "Be brief.",
            "input": [{ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "hi" }] }],
            "tools": [{ "type": "function", "name": "read", "description": "Does read.", "strict": false,
                "parameters": { "type": "object", "properties": { "filePath": { "type": "string" } } } }],
            "stream": true,
            "store": false,
            "include": ["reasoning.encrypted_content"],
            "reasoning": { "effort": "low", "summary": "auto" },
            "max_output_tokens": 100,
            "prompt_cache_key": "session",
        })
    );
    let plain = ModelSpec { thinking: Some(Thinking::None), ..spec(Api::OpenaiResponses, "") };
    let body = sent(plain, &asked).await;
    assert_eq!((body.get("include"), body.get("reasoning")), (None, None));
}

#[tokio::test]
async fn a_refusal_is_one() {
    let refusal = json!({ "type": "message", "content": [{ "type": "refusal", "refusal": "No." }] });
    let (answer, deltas) =
        answer_to(events(&[delta("refusal", 0, "No"), done(0, refusal), completed()])).await;
    let answer = answer.unwrap();
    assert_eq!(
        (answer.stop, answer.parts, words(&deltas)),
        (Stop::Refusal, vec![text("No.")], "No.".to_owned())
    );
}
