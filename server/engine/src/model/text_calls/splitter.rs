//! Takes a text apart into words and written calls, as it grows. However the text is cut into
//! pieces, the outcome is the same.

use crate::limits;
use crate::model::arguments;
use assent_base::tool::Arguments;
use serde_json::{Map, Value};

/// A piece of a text.
#[derive(Debug, PartialEq)]
pub(super) enum Piece {
    /// Words.
    Text(String),
    /// A call.
    Call {
        name: String,
        arguments: Arguments,
        /// As it was written.
        raw: String,
    },
}

/// What may stand behind a fence that holds a call.
const FENCES: [&str; 4] = ["json", "tool_call", "tool_code", ""];
const FENCE: &str = "```";
const OPEN_TAG: &str = "<tool_call>";
const CLOSE_TAG: &str = "</tool_call>";

pub(super) struct Splitter<'a> {
    tools: &'a [&'a str],
    /// What is not decided yet. It begins at the start of a line, or `in_line` is set.
    pending: String,
    /// The rest of the line is text.
    in_line: bool,
    /// In a code fence that holds no call.
    in_fence: bool,
    /// The pending text is an object that is not closed: nothing is decided before a brace comes.
    awaits_brace: bool,
}

/// What the start of a line is.
enum Found {
    /// Not a call.
    Text,
    /// Too little to tell.
    Unclear { awaits_brace: bool },
    /// A call of this many bytes.
    Call { name: String, arguments: Arguments, length: usize },
}

/// What a text begins with.
enum Start<'a> {
    /// The mark, and this behind it.
    Yes(&'a str),
    /// The text is the beginning of the mark.
    Maybe,
    No,
}

impl<'a> Splitter<'a> {
    /// Knows the tools that were offered.
    pub(super) fn new(tools: &'a [&'a str]) -> Self {
        Self { tools, pending: String::new(), in_line: false, in_fence: false, awaits_brace: false }
    }

    /// Takes more text, gives what is decided.
    pub(super) fn feed(&mut self, text: &str) -> Vec<Piece> {
        self.pending.push_str(text);
        if self.awaits_brace && !text.contains('}') && self.pending.len() <= limits::TEXT_CALL_BYTES {
            return Vec::new();
        }
        self.decide(false)
    }

    /// The text ends here; everything is decided.
    pub(super) fn finish(&mut self) -> Vec<Piece> {
        let pieces = self.decide(true);
        (self.in_line, self.in_fence, self.awaits_brace) = (false, false, false);
        pieces
    }

    fn decide(&mut self, at_end: bool) -> Vec<Piece> {
        let mut pieces = Vec::new();
        self.awaits_brace = false;
        while !self.pending.is_empty() {
            if self.in_line {
                let end = self.pending.find('\n').map(|end| end + 1);
                self.in_line = end.is_none();
                self.take_text(end.unwrap_or(self.pending.len()), &mut pieces);
                continue;
            }
            match self.look(at_end) {
                Found::Call { name, arguments, length } => {
                    let rest = self.pending.split_off(length);
                    let raw = std::mem::replace(&mut self.pending, rest);
                    pieces.push(Piece::Call { name, arguments, raw });
                }
                Found::Unclear { awaits_brace }
                    if !at_end && self.pending.len() <= limits::TEXT_CALL_BYTES =>
                {
                    self.awaits_brace = awaits_brace;
                    break;
                }
                Found::Text | Found::Unclear { .. } => {
                    if self.pending.trim_start().starts_with(FENCE) {
                        self.in_fence = !self.in_fence;
                    }
                    self.in_line = true;
                }
            }
        }
        pieces
    }

    fn take_text(&mut self, length: usize, pieces: &mut Vec<Piece>) {
        let rest = self.pending.split_off(length);
        let text = std::mem::replace(&mut self.pending, rest);
        match pieces.last_mut() {
            Some(Piece::Text(last)) => last.push_str(&text),
            _ => pieces.push(Piece::Text(text)),
        }
    }

    /// What the pending text, at the start of a line, is.
    fn look(&self, at_end: bool) -> Found {
        let text = self.pending.trim_start();
        if text.is_empty() {
            return Found::Unclear { awaits_brace: false };
        }
        if self.in_fence {
            // Only the closing fence matters, and `decide` sees it.
            return if matches!(start(text, FENCE), Start::Maybe) {
                Found::Unclear { awaits_brace: false }
            } else {
                Found::Text
            };
        }
        let (body, close) = match (start(text, FENCE), start(text, OPEN_TAG)) {
            (Start::Yes(rest), _) => {
                let Some((info, body)) = rest.split_once('\n') else {
                    let may_become = FENCES.iter().any(|fence| fence.starts_with(rest.trim()));
                    return if may_become { Found::Unclear { awaits_brace: false } } else { Found::Text };
                };
                if !FENCES.contains(&info.trim()) {
                    return Found::Text;
                }
                (body, FENCE)
            }
            (_, Start::Yes(body)) => (body, CLOSE_TAG),
            (Start::Maybe, _) | (_, Start::Maybe) => return Found::Unclear { awaits_brace: false },
            (Start::No, Start::No) if text.starts_with('{') => (text, ""),
            (Start::No, Start::No) => return Found::Text,
        };
        self.look_at_object(body, close, at_end)
    }

    /// What an object that should be a call is; `close` must follow it, or the end of the text.
    fn look_at_object(&self, body: &str, close: &str, at_end: bool) -> Found {
        let body = body.trim_start();
        let Some(inner) = body.strip_prefix('{') else {
            return if body.is_empty() { Found::Unclear { awaits_brace: false } } else { Found::Text };
        };
        // The first key tells most other objects apart before they are complete.
        let keys = ["\"name\"", "\"arguments\"", "\"parameters\""].map(|key| start(inner.trim_start(), key));
        if keys.iter().all(|key| matches!(key, Start::No)) {
            return Found::Text;
        }
        let mut values = serde_json::Deserializer::from_str(body).into_iter::<Value>();
        let object = match values.next() {
            Some(Ok(Value::Object(object))) => object,
            Some(Err(error)) if error.is_eof() => return Found::Unclear { awaits_brace: true },
            Some(Ok(_) | Err(_)) | None => return Found::Text,
        };
        let behind = &body[values.byte_offset()..];
        let behind = if close.is_empty() { behind } else { behind.trim_start() };
        let rest = match start(behind, close) {
            Start::Yes(rest) => rest,
            Start::Maybe if at_end => "",
            Start::Maybe => return Found::Unclear { awaits_brace: false },
            Start::No => return Found::Text,
        };
        let length = self.pending.len() - rest.len();
        match self.call(object).filter(|_| length <= limits::TEXT_CALL_BYTES) {
            Some((name, arguments)) => Found::Call { name, arguments, length },
            None => Found::Text,
        }
    }

    fn call(&self, mut object: Map<String, Value>) -> Option<(String, Arguments)> {
        let Some(Value::String(name)) = object.remove("name") else { return None };
        let arguments = object.remove("arguments").or_else(|| object.remove("parameters"))?;
        let is_call = object.is_empty() && self.tools.contains(&name.as_str());
        is_call.then(|| (name, arguments::from_value(arguments)))
    }
}

fn start<'a>(text: &'a str, mark: &str) -> Start<'a> {
    match text.strip_prefix(mark) {
        Some(rest) => Start::Yes(rest),
        None if mark.starts_with(text) => Start::Maybe,
        None => Start::No,
    }
}
