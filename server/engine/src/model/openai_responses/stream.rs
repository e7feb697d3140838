//! The streamed answer. Each thing may be told up to four times (deltas, the end of a part, the
//! end of an item, the whole response); what counts is that each is taken once.

use crate::event::Usage;
use crate::model::answer::{Assembly, Decoder};
use crate::model::failure::{Complaint, Trouble};
use crate::model::spec::Api;
use crate::model::{Answer, Request, Stop};
use assent_base::chat::ReasoningBlock;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;

#[derive(Deserialize)]
struct Event {
    r#type: String,
    output_index: Option<u64>,
    /// Text in all events that count here.
    delta: Option<Value>,
    item: Option<Value>,
    response: Option<Response>,
    error: Option<Value>,
    code: Option<Value>,
    message: Option<String>,
}

#[derive(Deserialize)]
struct Response {
    output: Option<Vec<Value>>,
    error: Option<Value>,
    incomplete_details: Option<IncompleteDetails>,
    usage: Option<WireUsage>,
}

#[derive(Deserialize)]
struct IncompleteDetails {
    reason: Option<String>,
}

#[derive(Deserialize)]
struct WireUsage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    input_tokens_details: Option<InputDetails>,
}

#[derive(Deserialize)]
struct InputDetails {
    cached_tokens: Option<u64>,
}

/// Reads one streamed answer.
pub(super) struct ResponsesDecoder {
    assembly: Assembly,
    items: HashMap<u64, OpenItem>,
    refused: bool,
    stop: Option<Stop>,
    usage: Option<Usage>,
}

/// What is known of one output item.
#[derive(Default)]
struct OpenItem {
    /// The words or the thinking that came so far.
    streamed: String,
    /// Where its call or its thinking stands in the answer.
    place: Option<usize>,
    done: bool,
}

impl ResponsesDecoder {
    pub(super) fn new(request: &Request) -> Self {
        Self {
            assembly: Assembly::new(request),
            items: HashMap::new(),
            refused: false,
            stop: None,
            usage: None,
        }
    }

    fn item(&mut self, index: u64) -> &mut OpenItem {
        self.items.entry(index).or_default()
    }

    fn start_item(&mut self, index: u64, item: &Value) {
        let field = |name| item.get(name).and_then(Value::as_str).unwrap_or_default();
        match field("type") {
            "function_call" => {
                self.call_place(index, field("call_id"), field("name"));
            }
            "reasoning" => {
                self.thinking_place(index);
            }
            _ => {}
        }
    }

    fn call_place(&mut self, index: u64, id: &str, name: &str) -> usize {
        if let Some(place) = self.item(index).place {
            return place;
        }
        let place = self.assembly.start_call(id, name);
        self.item(index).place = Some(place);
        place
    }

    fn thinking_place(&mut self, index: u64) -> usize {
        if let Some(place) = self.item(index).place {
            return place;
        }
        let place = self.assembly.start_reasoning();
        self.item(index).place = Some(place);
        place
    }

    fn say(&mut self, index: u64, words: &str) {
        self.item(index).streamed.push_str(words);
        self.assembly.text(words);
    }

    fn think(&mut self, index: u64, words: &str) {
        let place = self.thinking_place(index);
        self.item(index).streamed.push_str(words);
        self.assembly.more_reasoning(place, words);
    }

    /// Takes a whole item: what of it did not stream before is added, the rest is known.
    fn end_item(&mut self, index: u64, item: &Value) {
        if std::mem::replace(&mut self.item(index).done, true) {
            return;
        }
        let field = |name| item.get(name).and_then(Value::as_str).unwrap_or_default();
        match field("type") {
            "message" => {
                let whole = texts_of(item.get("content"));
                self.refused |= item
                    .get("content")
                    .and_then(Value::as_array)
                    .is_some_and(|parts| parts.iter().any(is_refusal));
                let rest = rest_of(&self.item(index).streamed, &whole).to_owned();
                self.say(index, &rest);
            }
            "function_call" => {
                let place = self.call_place(index, field("call_id"), field("name"));
                self.assembly.name_call(place, field("name"));
                self.assembly.set_arguments(place, field("arguments"));
            }
            "reasoning" => self.end_thinking(index, item),
            _ => {}
        }
    }

    fn end_thinking(&mut self, index: u64, item: &Value) {
        let place = self.thinking_place(index);
        if self.item(index).streamed.is_empty() {
            let summary = texts_of(item.get("summary"));
            let words = if summary.is_empty() { texts_of(item.get("content")) } else { summary };
            self.think(index, &words);
        }
        // Without its encrypted content the server would look for the item in what it kept, and it
        // keeps nothing.
        if item.get("encrypted_content").and_then(Value::as_str).is_some_and(|content| !content.is_empty()) {
            let mut value = item.clone();
            if let Value::Object(fields) = &mut value {
                fields.shift_remove("status");
            }
            self.assembly
                .set_block(place, ReasoningBlock { api: Api::OpenaiResponses.as_str().to_owned(), value });
        }
    }

    fn end_response(&mut self, response: Response, stop: Stop) {
        // Servers that stream no items tell them here.
        if self.items.is_empty() {
            for (index, item) in (0..).zip(response.output.iter().flatten()) {
                self.end_item(index, item);
            }
        }
        let filtered = response
            .incomplete_details
            .and_then(|details| details.reason)
            .is_some_and(|reason| reason == "content_filter");
        self.stop = Some(if self.refused || filtered { Stop::Refusal } else { stop });
        self.usage = response.usage.map(|usage| Usage {
            input: usage.input_tokens.unwrap_or_default(),
            cached: usage.input_tokens_details.and_then(|details| details.cached_tokens).unwrap_or_default(),
            output: usage.output_tokens.unwrap_or_default(),
        });
    }
}

/// The texts of a list of parts, one after another.
fn texts_of(parts: Option<&Value>) -> String {
    let parts = parts.and_then(Value::as_array).into_iter().flatten();
    parts.filter_map(|part| part.get("text").or_else(|| part.get("refusal"))?.as_str()).collect()
}

fn is_refusal(part: &Value) -> bool {
    part.get("type").and_then(Value::as_str) == Some("refusal")
}

/// What of `whole` is not in `streamed` yet; nothing where the two differ, since what was shown
/// cannot be taken back.
fn rest_of<'a>(streamed: &str, whole: &'a str) -> &'a str {
    whole.strip_prefix(streamed).unwrap_or_default()
}

impl Decoder for ResponsesDecoder {
    fn event(&mut self, data: &str) -> Result<(), Trouble> {
        if data.trim() == "[DONE]" {
            return Ok(());
        }
        let event: Event = serde_json::from_str(data)
            .map_err(|error| Trouble::Nonsense(format!("{error} in {data:.200}")))?;
        let index = event.output_index.unwrap_or_default();
        let delta = event.delta.as_ref().and_then(Value::as_str).unwrap_or_default();
        match (event.r#type.as_str(), event.item, event.response) {
            ("response.output_item.added", Some(item), _) => self.start_item(index, &item),
            ("response.output_item.done", Some(item), _) => self.end_item(index, &item),
            ("response.output_text.delta", ..) => self.say(index, delta),
            ("response.refusal.delta", ..) => {
                self.refused = true;
                self.say(index, delta);
            }
            ("response.reasoning_summary_text.delta" | "response.reasoning_text.delta", ..) => {
                self.think(index, delta)
            }
            // Summaries are paragraphs.
            ("response.reasoning_summary_part.added", ..) if !self.item(index).streamed.is_empty() => {
                self.think(index, "\n\n")
            }
            ("response.function_call_arguments.delta", ..) => {
                let place = self.call_place(index, "", "");
                self.assembly.more_arguments(place, delta);
            }
            ("response.completed", _, Some(response)) => self.end_response(response, Stop::End),
            ("response.incomplete", _, Some(response)) => self.end_response(response, Stop::OutputLimit),
            ("response.failed", _, Some(response)) => {
                let error = response.error.unwrap_or_else(|| json!({ "message": "the response failed" }));
                return Err(Trouble::Said(Complaint::from_value(&json!({ "error": error }))));
            }
            ("error", ..) => {
                let error =
                    event.error.unwrap_or_else(|| json!({ "code": event.code, "message": event.message }));
                return Err(Trouble::Said(Complaint::from_value(&json!({ "error": error }))));
            }
            _ => {}
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.stop.is_some()
    }

    fn is_complete(&self) -> bool {
        self.stop.is_some()
    }

    fn assembly(&mut self) -> &mut Assembly {
        &mut self.assembly
    }

    fn finish(self) -> Answer {
        self.assembly.finish(self.stop.unwrap_or(Stop::End), self.usage)
    }
}
