//! The streamed answer: blocks that open, grow and close by their index.

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
#[serde(tag = "type", rename_all = "snake_case")]
enum Event {
    MessageStart {
        message: StartedMessage,
    },
    ContentBlockStart {
        index: u64,
        content_block: Value,
    },
    ContentBlockDelta {
        index: u64,
        delta: BlockDelta,
    },
    ContentBlockStop {
        index: u64,
    },
    MessageDelta {
        delta: MessageChange,
        usage: Option<WireUsage>,
    },
    MessageStop,
    Error {
        error: Value,
    },
    /// `ping`, and what may come in later versions.
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct StartedMessage {
    usage: Option<WireUsage>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum BlockDelta {
    TextDelta {
        text: String,
    },
    ThinkingDelta {
        thinking: String,
    },
    SignatureDelta {
        signature: String,
    },
    InputJsonDelta {
        partial_json: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct MessageChange {
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
struct WireUsage {
    input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}

/// Reads one streamed answer.
pub(super) struct MessagesDecoder {
    assembly: Assembly,
    open: HashMap<u64, OpenBlock>,
    counts: Counts,
    stop: Option<Stop>,
    done: bool,
}

enum OpenBlock {
    Text,
    Thinking { place: usize, signature: String },
    Call { place: usize },
}

/// Token counts; a later event may correct an earlier one.
#[derive(Default)]
struct Counts {
    fresh: u64,
    read: u64,
    written: u64,
    output: u64,
    known: bool,
}

impl Counts {
    fn take(&mut self, usage: &WireUsage) {
        let set = |count: &mut u64, new: Option<u64>| *count = new.unwrap_or(*count);
        set(&mut self.fresh, usage.input_tokens);
        set(&mut self.read, usage.cache_read_input_tokens);
        set(&mut self.written, usage.cache_creation_input_tokens);
        set(&mut self.output, usage.output_tokens);
        self.known = true;
    }

    fn usage(&self) -> Option<Usage> {
        let usage =
            Usage { input: self.fresh + self.read + self.written, cached: self.read, output: self.output };
        self.known.then_some(usage)
    }
}

impl MessagesDecoder {
    pub(super) fn new(request: &Request) -> Self {
        Self {
            assembly: Assembly::new(request),
            open: HashMap::new(),
            counts: Counts::default(),
            stop: None,
            done: false,
        }
    }

    fn start_block(&mut self, index: u64, block: &Value) {
        let field = |name| block.get(name).and_then(Value::as_str).unwrap_or_default();
        let open = match field("type") {
            "text" => {
                self.assembly.text(field("text"));
                OpenBlock::Text
            }
            "thinking" => {
                let place = self.assembly.start_reasoning();
                self.assembly.more_reasoning(place, field("thinking"));
                OpenBlock::Thinking { place, signature: field("signature").to_owned() }
            }
            "redacted_thinking" => {
                let place = self.assembly.start_reasoning();
                self.assembly.set_block(place, kept(block.clone()));
                return;
            }
            "tool_use" => {
                let place = self.assembly.start_call(field("id"), field("name"));
                // Some servers send the whole input here, and no deltas.
                if let Some(input) = block
                    .get("input")
                    .filter(|input| input.as_object().is_some_and(|input| !input.is_empty()))
                {
                    self.assembly.set_arguments(place, &input.to_string());
                }
                OpenBlock::Call { place }
            }
            _ => return,
        };
        self.open.insert(index, open);
    }

    fn grow_block(&mut self, index: u64, delta: BlockDelta) {
        match (self.open.get_mut(&index), delta) {
            (Some(OpenBlock::Text), BlockDelta::TextDelta { text }) => self.assembly.text(&text),
            (Some(OpenBlock::Thinking { place, .. }), BlockDelta::ThinkingDelta { thinking }) => {
                self.assembly.more_reasoning(*place, &thinking);
            }
            (Some(OpenBlock::Thinking { signature, .. }), BlockDelta::SignatureDelta { signature: more }) => {
                signature.push_str(&more)
            }
            (Some(OpenBlock::Call { place }), BlockDelta::InputJsonDelta { partial_json }) => {
                self.assembly.more_arguments(*place, &partial_json);
            }
            // A delta that does not fit its block belongs to a kind of block that is not known here.
            (_, _) => {}
        }
    }

    fn end_block(&mut self, index: u64) {
        // Thinking without a signature is refused when it comes back, so it is only kept as text.
        if let Some(OpenBlock::Thinking { place, signature }) = self.open.remove(&index)
            && !signature.is_empty()
        {
            let thinking = self.assembly.reasoning_text(place);
            let block = kept(json!({ "type": "thinking", "thinking": thinking, "signature": signature }));
            self.assembly.set_block(place, block);
        }
    }
}

fn kept(value: Value) -> ReasoningBlock {
    ReasoningBlock { api: Api::Anthropic.as_str().to_owned(), value }
}

impl Decoder for MessagesDecoder {
    fn event(&mut self, data: &str) -> Result<(), Trouble> {
        let event = serde_json::from_str(data)
            .map_err(|error| Trouble::Nonsense(format!("{error} in {data:.200}")))?;
        match event {
            Event::MessageStart { message } => {
                if let Some(usage) = &message.usage {
                    self.counts.take(usage);
                }
            }
            Event::ContentBlockStart { index, content_block } => self.start_block(index, &content_block),
            Event::ContentBlockDelta { index, delta } => self.grow_block(index, delta),
            Event::ContentBlockStop { index } => self.end_block(index),
            Event::MessageDelta { delta, usage } => {
                if let Some(usage) = &usage {
                    self.counts.take(usage);
                }
                if let Some(reason) = delta.stop_reason {
                    self.stop = Some(match reason.as_str() {
                        "max_tokens" | "model_context_window_exceeded" => Stop::OutputLimit,
                        "refusal" => Stop::Refusal,
                        _ => Stop::End,
                    });
                }
            }
            Event::MessageStop => self.done = true,
            Event::Error { error } => {
                return Err(Trouble::Said(Complaint::from_value(&json!({ "error": error }))));
            }
            Event::Other => {}
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn is_complete(&self) -> bool {
        self.done || self.stop.is_some()
    }

    fn assembly(&mut self) -> &mut Assembly {
        &mut self.assembly
    }

    fn finish(mut self) -> Answer {
        let unclosed: Vec<u64> = self.open.keys().copied().collect();
        for index in unclosed {
            self.end_block(index);
        }
        self.assembly.finish(self.stop.unwrap_or(Stop::End), self.counts.usage())
    }
}
