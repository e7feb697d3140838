//! Replies, written once and rendered in whichever wire format the request came in.

use crate::Gate;
use serde_json::Value;

/// A piece of an answer.
#[derive(Clone)]
pub(super) enum Part {
    Text(String),
    Thinking { text: String, signature: String },
    Redacted { data: String },
    Call { id: String, name: String, arguments: String },
}

/// Why the model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// `stop`, or `tool_calls` where there are some, as the provider would say.
    Natural,
    /// Cut by the output limit.
    Length,
    /// Refused.
    Refusal,
}

/// What the server does next.
#[derive(Clone)]
pub(super) enum Step {
    Part(Part),
    /// Bytes as they are.
    Raw(Vec<u8>),
    Hold(Gate),
    /// The provider's finishing events.
    Finish,
    /// The rest of the events until now in single bytes, a write each.
    ByteByByte,
    /// Half of the bytes of this text's event, then the connection breaks.
    Half(String),
    /// The connection breaks: the body is not even ended.
    Cut,
    /// The body ends in order, without the finishing events.
    Close,
    /// Nothing more comes, and the connection stays open.
    Stall,
}

/// One reply of the server: built from left to right, in the order the bytes flow.
#[derive(Clone)]
pub struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    /// A body that is no stream; the error body of the dialect where it is `None` and the status
    /// is no success.
    pub(super) message: Option<String>,
    pub(super) steps: Vec<Step>,
    pub(super) stop: Stop,
    pub(super) usage: (u64, u64, u64),
}

/// An empty answer to build on.
pub fn answer() -> Reply {
    Reply {
        status: 200,
        headers: vec![("content-type".into(), "text/event-stream".into())],
        message: None,
        steps: Vec::new(),
        stop: Stop::Natural,
        usage: (10, 0, 5),
    }
}

/// A whole answer of words.
pub fn text(words: &str) -> Reply {
    answer().text(words).finish()
}

/// A whole answer of one call whose arguments are not JSON.
pub fn broken_call(id: &str, name: &str, arguments: &str) -> Reply {
    answer().call_text(id, name, arguments).finish()
}

/// An answer of exactly these bytes.
pub fn raw(bytes: impl Into<Vec<u8>>) -> Reply {
    answer().raw(bytes).close()
}

/// An HTTP error in the dialect's own form, such as `error(429, "slow down").header("retry-after", "7")`.
pub fn error(status: u16, message: &str) -> Reply {
    Reply {
        status,
        headers: vec![("content-type".into(), "application/json".into())],
        message: Some(message.to_owned()),
        ..answer()
    }
}

impl Reply {
    fn step(mut self, step: Step) -> Self {
        assert!(!self.ended(), "nothing can follow the end of a reply");
        self.steps.push(step);
        self
    }

    fn ended(&self) -> bool {
        matches!(self.steps.last(), Some(Step::Half(_) | Step::Cut | Step::Close | Step::Stall))
    }

    /// Words, as one delta. Several in a row are one block.
    pub fn text(self, words: &str) -> Self {
        self.step(Step::Part(Part::Text(words.to_owned())))
    }

    /// Thinking, with what the provider signs or encrypts it with.
    pub fn thinking(self, words: &str, signature: &str) -> Self {
        self.step(Step::Part(Part::Thinking { text: words.to_owned(), signature: signature.to_owned() }))
    }

    /// Thinking that only the provider can read.
    pub fn redacted(self, data: &str) -> Self {
        self.step(Step::Part(Part::Redacted { data: data.to_owned() }))
    }

    /// A tool call.
    pub fn call(self, id: &str, name: &str, arguments: Value) -> Self {
        self.call_text(id, name, &arguments.to_string())
    }

    /// A tool call with its arguments as the model spelled them.
    pub fn call_text(self, id: &str, name: &str, arguments: &str) -> Self {
        self.step(Step::Part(Part::Call {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments: arguments.to_owned(),
        }))
    }

    /// Exactly these bytes.
    pub fn raw(self, bytes: impl Into<Vec<u8>>) -> Self {
        self.step(Step::Raw(bytes.into()))
    }

    /// Wait until the test opens the gate.
    pub fn hold(self, gate: &Gate) -> Self {
        self.step(Step::Hold(gate.clone()))
    }

    /// From here on every byte is a write of its own.
    pub fn byte_by_byte(self) -> Self {
        self.step(Step::ByteByByte)
    }

    /// The provider's finishing events. Added at the end where nothing else ends the reply.
    pub fn finish(self) -> Self {
        self.step(Step::Finish)
    }

    /// Half of an event with these words, then the connection breaks.
    pub fn half(self, words: &str) -> Self {
        self.step(Step::Half(words.to_owned()))
    }

    /// The connection breaks.
    pub fn cut(self) -> Self {
        self.step(Step::Cut)
    }

    /// The body ends in order, but without the finishing events.
    pub fn close(self) -> Self {
        self.step(Step::Close)
    }

    /// Nothing more comes and the connection stays open.
    pub fn stall(self) -> Self {
        self.step(Step::Stall)
    }

    /// Why the model stopped.
    pub fn stopped(mut self, stop: Stop) -> Self {
        self.stop = stop;
        self
    }

    /// Tokens: of the prompt, of it from the cache, of the answer.
    pub fn usage(mut self, input: u64, cached: u64, output: u64) -> Self {
        self.usage = (input, cached, output);
        self
    }

    /// One more header.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// How many calls it makes.
    pub fn calls(&self) -> usize {
        self.steps.iter().filter(|step| matches!(step, Step::Part(Part::Call { .. }))).count()
    }

    /// The steps with the end that is due.
    pub(super) fn complete_steps(&self) -> Vec<Step> {
        let mut steps = self.steps.clone();
        if !self.ended() && !steps.iter().any(|step| matches!(step, Step::Finish)) {
            steps.push(Step::Finish);
        }
        steps
    }
}
