//! Anthropic Messages.

use super::super::reply::{Part, Stop};
use super::super::request::{Item, OfferedTool, content};
use super::{Events, halves};
use serde_json::{Value, json};

pub(super) fn read(body: &Value) -> (String, Vec<OfferedTool>, Vec<Item>) {
    let mut items = Vec::new();
    for message in body["messages"].as_array().into_iter().flatten() {
        let role = message["role"].as_str().unwrap_or_default();
        let as_block = [json!({ "type": "text", "text": message["content"] })];
        let blocks = message["content"].as_array().map_or(&as_block[..], Vec::as_slice);
        if role == "assistant" {
            items.extend(blocks.iter().map(assistant));
        } else {
            user(blocks, &mut items);
        }
    }
    let tools = body["tools"].as_array().into_iter().flatten().map(|tool| OfferedTool {
        name: tool["name"].as_str().unwrap_or_default().to_owned(),
        description: tool["description"].as_str().unwrap_or_default().to_owned(),
        parameters: tool["input_schema"].clone(),
    });
    (content(&body["system"]).0, tools.collect(), items)
}

fn assistant(block: &Value) -> Item {
    match block["type"].as_str().unwrap_or_default() {
        "text" => Item::Assistant { text: block["text"].as_str().unwrap_or_default().to_owned() },
        "tool_use" => Item::Call {
            id: block["id"].as_str().unwrap_or_default().to_owned(),
            name: block["name"].as_str().unwrap_or_default().to_owned(),
            arguments: block["input"].to_string(),
        },
        _ => {
            let mut block = block.clone();
            if let Some(fields) = block.as_object_mut() {
                fields.remove("cache_control");
            }
            Item::Reasoning { block }
        }
    }
}

/// Results come first, then one item of all the rest, as the model reads them.
fn user(blocks: &[Value], items: &mut Vec<Item>) {
    let mut rest = Vec::new();
    for block in blocks {
        if block["type"] == "tool_result" {
            if !rest.is_empty() {
                // The provider refuses results behind anything else; pairing reports it.
                let (text, images) = content(&Value::Array(std::mem::take(&mut rest)));
                items.push(Item::User { text, images });
            }
            let (text, images) = content(&block["content"]);
            items.push(Item::Result {
                id: block["tool_use_id"].as_str().unwrap_or_default().to_owned(),
                text,
                images,
                is_error: block["is_error"] == true,
            });
        } else {
            rest.push(block.clone());
        }
    }
    if !rest.is_empty() {
        let (text, images) = content(&Value::Array(rest));
        items.push(Item::User { text, images });
    }
}

#[derive(Default)]
pub(crate) struct Writer {
    started: bool,
    index: usize,
    /// A text block is open and takes more words.
    in_text: bool,
    calls: usize,
}

impl Writer {
    fn start(&mut self, events: &mut Events) {
        if std::mem::replace(&mut self.started, true) {
            return;
        }
        events.named(&json!({ "type": "message_start", "message": { "id": "msg_1", "type": "message",
            "role": "assistant", "model": "test-model", "content": [], "stop_reason": null,
            "stop_sequence": null, "usage": { "input_tokens": 1, "output_tokens": 1 } } }));
    }

    fn open(&mut self, block: Value, events: &mut Events) {
        events.named(&json!({ "type": "content_block_start", "index": self.index, "content_block": block }));
    }

    fn delta(&mut self, delta: Value, events: &mut Events) {
        events.named(&json!({ "type": "content_block_delta", "index": self.index, "delta": delta }));
    }

    fn close(&mut self, events: &mut Events) {
        events.named(&json!({ "type": "content_block_stop", "index": self.index }));
        self.index += 1;
    }

    fn close_text(&mut self, events: &mut Events) {
        if std::mem::take(&mut self.in_text) {
            self.close(events);
        }
    }

    pub(super) fn part(&mut self, part: &Part, events: &mut Events) {
        self.start(events);
        if !matches!(part, Part::Text(_)) {
            self.close_text(events);
        }
        match part {
            Part::Text(text) => {
                if !std::mem::replace(&mut self.in_text, true) {
                    self.open(json!({ "type": "text", "text": "" }), events);
                }
                self.delta(json!({ "type": "text_delta", "text": text }), events);
            }
            Part::Thinking { text, signature } => {
                self.open(json!({ "type": "thinking", "thinking": "", "signature": "" }), events);
                self.delta(json!({ "type": "thinking_delta", "thinking": text }), events);
                self.delta(json!({ "type": "signature_delta", "signature": signature }), events);
                self.close(events);
            }
            Part::Redacted { data } => {
                self.open(json!({ "type": "redacted_thinking", "data": data }), events);
                self.close(events);
            }
            Part::Call { id, name, arguments } => {
                self.calls += 1;
                self.open(json!({ "type": "tool_use", "id": id, "name": name, "input": {} }), events);
                for piece in halves(arguments) {
                    self.delta(json!({ "type": "input_json_delta", "partial_json": piece }), events);
                }
                self.close(events);
            }
        }
    }

    pub(super) fn finish(&mut self, stop: Stop, usage: (u64, u64, u64), events: &mut Events) {
        self.start(events);
        self.close_text(events);
        let reason = match stop {
            Stop::Natural if self.calls > 0 => "tool_use",
            Stop::Natural => "end_turn",
            Stop::Length => "max_tokens",
            Stop::Refusal => "refusal",
        };
        let (input, cached, output) = usage;
        events.named(&json!({ "type": "message_delta",
            "delta": { "stop_reason": reason, "stop_sequence": null },
            "usage": { "input_tokens": input - cached, "cache_read_input_tokens": cached,
                "cache_creation_input_tokens": 0, "output_tokens": output } }));
        events.named(&json!({ "type": "message_stop" }));
    }
}
