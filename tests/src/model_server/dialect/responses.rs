//! OpenAI Responses.

use super::super::reply::{Part, Stop};
use super::super::request::{Item, OfferedTool, content};
use super::{Events, halves};
use serde_json::{Value, json};

pub(super) fn read(body: &Value) -> (String, Vec<OfferedTool>, Vec<Item>) {
    let mut system = body["instructions"].as_str().unwrap_or_default().to_owned();
    let mut items = Vec::new();
    for item in body["input"].as_array().into_iter().flatten() {
        let id = || item["call_id"].as_str().unwrap_or_default().to_owned();
        match item["type"].as_str().unwrap_or("message") {
            "message" => {
                let (text, images) = content(&item["content"]);
                match item["role"].as_str().unwrap_or_default() {
                    "system" | "developer" => system.push_str(&text),
                    "assistant" => items.push(Item::Assistant { text }),
                    _ => items.push(Item::User { text, images }),
                }
            }
            "function_call" => items.push(Item::Call {
                id: id(),
                name: item["name"].as_str().unwrap_or_default().to_owned(),
                arguments: item["arguments"].as_str().unwrap_or_default().to_owned(),
            }),
            "function_call_output" => {
                let (text, images) = content(&item["output"]);
                items.push(Item::Result { id: id(), text, images, is_error: false });
            }
            _ => items.push(Item::Reasoning { block: item.clone() }),
        }
    }
    let tools = body["tools"].as_array().into_iter().flatten().map(|tool| OfferedTool {
        name: tool["name"].as_str().unwrap_or_default().to_owned(),
        description: tool["description"].as_str().unwrap_or_default().to_owned(),
        parameters: tool["parameters"].clone(),
    });
    (system, tools.collect(), items)
}

#[derive(Default)]
pub(crate) struct Writer {
    started: bool,
    sequence: u64,
    /// The words of the message item that is open.
    words: Option<String>,
    output: Vec<Value>,
}

impl Writer {
    fn event(&mut self, mut event: Value, events: &mut Events) {
        event["sequence_number"] = json!(self.sequence);
        self.sequence += 1;
        events.named(&event);
    }

    fn start(&mut self, events: &mut Events) {
        if !std::mem::replace(&mut self.started, true) {
            let response =
                json!({ "id": "resp_1", "object": "response", "status": "in_progress", "output": [] });
            self.event(json!({ "type": "response.created", "response": response }), events);
        }
    }

    /// An event about the item that is being written.
    fn about(&mut self, kind: &str, item: &str, fields: Value, events: &mut Events) {
        let mut event =
            json!({ "type": format!("response.{kind}"), "item_id": item, "output_index": self.output.len() });
        for (name, value) in fields.as_object().into_iter().flatten() {
            event[name] = value.clone();
        }
        self.event(event, events);
    }

    fn added(&mut self, item: Value, events: &mut Events) {
        let event =
            json!({ "type": "response.output_item.added", "output_index": self.output.len(), "item": item });
        self.event(event, events);
    }

    fn done(&mut self, item: Value, events: &mut Events) {
        let event =
            json!({ "type": "response.output_item.done", "output_index": self.output.len(), "item": item });
        self.event(event, events);
        self.output.push(item);
    }

    fn words(&mut self, text: &str, events: &mut Events) {
        let id = format!("msg_{}", self.output.len());
        if self.words.is_none() {
            self.words = Some(String::new());
            self.added(
                json!({ "id": id, "type": "message", "role": "assistant", "status": "in_progress", "content": [] }),
                events,
            );
            let part = json!({ "type": "output_text", "text": "", "annotations": [] });
            self.about("content_part.added", &id, json!({ "content_index": 0, "part": part }), events);
        }
        if let Some(words) = &mut self.words {
            words.push_str(text);
        }
        self.about("output_text.delta", &id, json!({ "content_index": 0, "delta": text }), events);
    }

    fn close_words(&mut self, events: &mut Events) {
        let Some(words) = self.words.take() else { return };
        let id = format!("msg_{}", self.output.len());
        self.about("output_text.done", &id, json!({ "content_index": 0, "text": words }), events);
        let part = json!({ "type": "output_text", "text": words, "annotations": [] });
        self.about("content_part.done", &id, json!({ "content_index": 0, "part": part }), events);
        self.done(
            json!({ "id": id, "type": "message", "role": "assistant", "status": "completed", "content": [part] }),
            events,
        );
    }

    fn reasoning(&mut self, text: &str, encrypted: &str, events: &mut Events) {
        let id = format!("rs_{}", self.output.len() + 1);
        self.added(json!({ "id": id, "type": "reasoning", "summary": [] }), events);
        let mut summary = Vec::new();
        if !text.is_empty() {
            let part = json!({ "type": "summary_text", "text": text });
            let at = json!({ "summary_index": 0, "part": { "type": "summary_text", "text": "" } });
            self.about("reasoning_summary_part.added", &id, at, events);
            self.about(
                "reasoning_summary_text.delta",
                &id,
                json!({ "summary_index": 0, "delta": text }),
                events,
            );
            self.about(
                "reasoning_summary_text.done",
                &id,
                json!({ "summary_index": 0, "text": text }),
                events,
            );
            self.about(
                "reasoning_summary_part.done",
                &id,
                json!({ "summary_index": 0, "part": part }),
                events,
            );
            summary.push(part);
        }
        self.done(
            json!({ "id": id, "type": "reasoning", "summary": summary, "encrypted_content": encrypted }),
            events,
        );
    }

    pub(super) fn part(&mut self, part: &Part, events: &mut Events) {
        self.start(events);
        if !matches!(part, Part::Text(_)) {
            self.close_words(events);
        }
        match part {
            Part::Text(text) => self.words(text, events),
            Part::Thinking { text, signature } => self.reasoning(text, signature, events),
            Part::Redacted { data } => self.reasoning("", data, events),
            Part::Call { id: call_id, name, arguments } => {
                let id = format!("fc_{}", self.output.len() + 1);
                let call = |arguments: &str, status: &str| {
                    json!({ "id": id, "type": "function_call", "status": status, "call_id": call_id,
                        "name": name, "arguments": arguments })
                };
                self.added(call("", "in_progress"), events);
                for piece in halves(arguments) {
                    self.about("function_call_arguments.delta", &id, json!({ "delta": piece }), events);
                }
                self.about("function_call_arguments.done", &id, json!({ "arguments": arguments }), events);
                self.done(call(arguments, "completed"), events);
            }
        }
    }

    pub(super) fn finish(&mut self, stop: Stop, usage: (u64, u64, u64), events: &mut Events) {
        self.start(events);
        self.close_words(events);
        let (input, cached, output) = usage;
        let usage = json!({ "input_tokens": input, "input_tokens_details": { "cached_tokens": cached },
            "output_tokens": output, "output_tokens_details": { "reasoning_tokens": 0 },
            "total_tokens": input + output });
        let (status, details) = match stop {
            Stop::Natural => ("completed", Value::Null),
            Stop::Length => ("incomplete", json!({ "reason": "max_output_tokens" })),
            Stop::Refusal => ("incomplete", json!({ "reason": "content_filter" })),
        };
        let response = json!({ "id": "resp_1", "object": "response", "status": status, "error": null,
            "incomplete_details": details, "output": self.output, "usage": usage });
        self.event(json!({ "type": format!("response.{status}"), "response": response }), events);
    }
}
