//! OpenAI Chat Completions.

use super::super::reply::{Part, Stop};
use super::super::request::{Item, OfferedTool, content};
use super::{Events, halves};
use serde_json::{Value, json};

pub(super) fn read(body: &Value) -> (String, Vec<OfferedTool>, Vec<Item>) {
    let mut system = String::new();
    let mut items = Vec::new();
    for message in body["messages"].as_array().into_iter().flatten() {
        let (text, images) = content(&message["content"]);
        match message["role"].as_str().unwrap_or_default() {
            "system" | "developer" => system.push_str(&text),
            "user" => items.push(Item::User { text, images }),
            "tool" => items.push(Item::Result {
                id: message["tool_call_id"].as_str().unwrap_or_default().to_owned(),
                text,
                images,
                is_error: false,
            }),
            _ => assistant(message, text, &mut items),
        }
    }
    let tools = body["tools"].as_array().into_iter().flatten().map(|tool| OfferedTool {
        name: tool["function"]["name"].as_str().unwrap_or_default().to_owned(),
        description: tool["function"]["description"].as_str().unwrap_or_default().to_owned(),
        parameters: tool["function"]["parameters"].clone(),
    });
    (system, tools.collect(), items)
}

fn assistant(message: &Value, text: String, items: &mut Vec<Item>) {
    let reasoning = ["reasoning_content", "reasoning", "reasoning_details"];
    if let Some(block) = reasoning.iter().find_map(|name| message.get(*name)) {
        items.push(Item::Reasoning { block: block.clone() });
    }
    let calls = message["tool_calls"].as_array().cloned().unwrap_or_default();
    // An assistant message that has neither words nor calls shows up as an empty text.
    if !text.is_empty() || calls.is_empty() {
        items.push(Item::Assistant { text });
    }
    for call in &calls {
        items.push(Item::Call {
            id: call["id"].as_str().unwrap_or_default().to_owned(),
            name: call["function"]["name"].as_str().unwrap_or_default().to_owned(),
            arguments: call["function"]["arguments"].as_str().unwrap_or_default().to_owned(),
        });
    }
}

#[derive(Default)]
pub(crate) struct Writer {
    started: bool,
    calls: usize,
}

impl Writer {
    fn delta(&mut self, delta: Value, events: &mut Events) {
        if !std::mem::replace(&mut self.started, true) {
            chunk(json!({ "role": "assistant", "content": "" }), Value::Null, events);
        }
        chunk(delta, Value::Null, events);
    }

    pub(super) fn part(&mut self, part: &Part, events: &mut Events) {
        match part {
            Part::Text(text) => self.delta(json!({ "content": text }), events),
            Part::Thinking { text, .. } => self.delta(json!({ "reasoning_content": text }), events),
            // There is no such thing here.
            Part::Redacted { .. } => {}
            Part::Call { id, name, arguments } => {
                let index = self.calls;
                self.calls += 1;
                let function = json!({ "name": name, "arguments": "" });
                let call = json!({ "index": index, "id": id, "type": "function", "function": function });
                self.delta(json!({ "tool_calls": [call] }), events);
                for piece in halves(arguments) {
                    let call = json!({ "index": index, "function": { "arguments": piece } });
                    self.delta(json!({ "tool_calls": [call] }), events);
                }
            }
        }
    }

    pub(super) fn finish(&mut self, stop: Stop, usage: (u64, u64, u64), events: &mut Events) {
        let reason = match stop {
            Stop::Natural if self.calls > 0 => "tool_calls",
            Stop::Natural => "stop",
            Stop::Length => "length",
            Stop::Refusal => "content_filter",
        };
        if !std::mem::replace(&mut self.started, true) {
            chunk(json!({ "role": "assistant", "content": "" }), Value::Null, events);
        }
        chunk(json!({}), json!(reason), events);
        let (input, cached, output) = usage;
        let usage = json!({ "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output,
            "prompt_tokens_details": { "cached_tokens": cached } });
        events.data(
            &json!({ "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1,
            "model": "test-model", "choices": [], "usage": usage })
            .to_string(),
        );
        events.data("[DONE]");
    }
}

fn chunk(delta: Value, finish_reason: Value, events: &mut Events) {
    let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish_reason });
    events.data(
        &json!({ "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1,
            "model": "test-model", "choices": [choice] })
        .to_string(),
    );
}
