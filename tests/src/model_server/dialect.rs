//! The three wire formats: which one a path means, how a request of it reads, how an answer of
//! it is written.

mod anthropic;
mod chat;
mod responses;

use super::reply::{Part, Stop};
use super::request::{Item, OfferedTool};
use serde_json::{Value, json};

/// A provider's wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// OpenAI Chat Completions.
    Chat,
    /// OpenAI Responses.
    Responses,
    /// Anthropic Messages.
    Anthropic,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Chat, Self::Responses, Self::Anthropic];

    /// The name that `api:` in `assent.yaml` gives it.
    pub fn api(self) -> &'static str {
        match self {
            Self::Chat => "openai-chat",
            Self::Responses => "openai-responses",
            Self::Anthropic => "anthropic",
        }
    }

    pub(super) fn of_path(path: &str) -> Option<Self> {
        match path.split('?').next() {
            Some("/v1/chat/completions") => Some(Self::Chat),
            Some("/v1/responses") => Some(Self::Responses),
            Some("/v1/messages") => Some(Self::Anthropic),
            _ => None,
        }
    }

    pub(super) fn read(self, body: &Value) -> (String, Vec<OfferedTool>, Vec<Item>) {
        match self {
            Self::Chat => chat::read(body),
            Self::Responses => responses::read(body),
            Self::Anthropic => anthropic::read(body),
        }
    }

    /// The body of an HTTP error.
    pub(super) fn error(self, status: u16, message: &str) -> Value {
        let kind = match status {
            400 => "invalid_request_error",
            401 => "authentication_error",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            _ => "api_error",
        };
        match self {
            Self::Anthropic => json!({ "type": "error", "error": { "type": kind, "message": message } }),
            Self::Chat | Self::Responses => {
                json!({ "error": { "message": message, "type": kind, "param": null, "code": null } })
            }
        }
    }
}

/// Writes one answer in one dialect.
pub(super) enum Renderer {
    Chat(chat::Writer),
    Responses(responses::Writer),
    Anthropic(anthropic::Writer),
}

impl Renderer {
    pub(super) fn new(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Chat => Self::Chat(chat::Writer::default()),
            Dialect::Responses => Self::Responses(responses::Writer::default()),
            Dialect::Anthropic => Self::Anthropic(anthropic::Writer::default()),
        }
    }

    pub(super) fn part(&mut self, part: &Part) -> Vec<u8> {
        let mut events = Events::default();
        match self {
            Self::Chat(writer) => writer.part(part, &mut events),
            Self::Responses(writer) => writer.part(part, &mut events),
            Self::Anthropic(writer) => writer.part(part, &mut events),
        }
        events.0
    }

    pub(super) fn finish(&mut self, stop: Stop, usage: (u64, u64, u64)) -> Vec<u8> {
        let mut events = Events::default();
        match self {
            Self::Chat(writer) => writer.finish(stop, usage, &mut events),
            Self::Responses(writer) => writer.finish(stop, usage, &mut events),
            Self::Anthropic(writer) => writer.finish(stop, usage, &mut events),
        }
        events.0
    }
}

/// Server-sent events being written.
#[derive(Default)]
struct Events(Vec<u8>);

impl Events {
    /// An event without a name.
    fn data(&mut self, data: &str) {
        self.0.extend_from_slice(format!("data: {data}\n\n").as_bytes());
    }

    /// An event that is named as the `type` of its data.
    fn named(&mut self, data: &Value) {
        let name = data["type"].as_str().unwrap_or_default();
        self.0.extend_from_slice(format!("event: {name}\n").as_bytes());
        self.data(&data.to_string());
    }
}

/// Cut where a character ends, so that arguments arrive in two pieces as from a real model.
fn halves(text: &str) -> [&str; 2] {
    let mut middle = text.len() / 2;
    while !text.is_char_boundary(middle) {
        middle += 1;
    }
    let (first, second) = text.split_at(middle);
    [first, second]
}
