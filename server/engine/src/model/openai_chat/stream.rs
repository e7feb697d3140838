//! The streamed answer. Servers differ in what they leave out: the index of a call, its id, the
//! finish reason, `[DONE]`. What is accepted is written down in the tests.

use crate::event::Usage;
use crate::model::answer::{Assembly, Decoder};
use crate::model::failure::{Complaint, Trouble};
use crate::model::spec::Api;
use crate::model::{Answer, Request, Stop};
use assent_base::chat::ReasoningBlock;
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    usage: Option<WireUsage>,
    x_groq: Option<GroqExtra>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    /// Absent in servers' last chunks.
    delta: Option<ChoiceDelta>,
    /// From servers that answer in one piece.
    message: Option<ChoiceDelta>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct ChoiceDelta {
    content: Option<WireText>,
    refusal: Option<String>,
    reasoning_content: Option<String>,
    reasoning: Option<String>,
    reasoning_details: Option<Vec<Map<String, Value>>>,
    tool_calls: Option<Vec<CallDelta>>,
}

/// Mistral sends lists of typed pieces where its models think.
#[derive(Deserialize)]
#[serde(untagged)]
enum WireText {
    Plain(String),
    Pieces(Vec<TextPiece>),
}

#[derive(Deserialize)]
struct TextPiece {
    text: Option<String>,
    thinking: Option<Vec<TextPiece>>,
}

#[derive(Deserialize)]
struct CallDelta {
    index: Option<u64>,
    id: Option<String>,
    function: Option<FunctionDelta>,
    /// Google keeps the signature of its thinking here and wants it back.
    extra_content: Option<Value>,
}

#[derive(Deserialize)]
struct FunctionDelta {
    name: Option<String>,
    arguments: Option<Value>,
}

#[derive(Deserialize)]
struct GroqExtra {
    usage: Option<WireUsage>,
}

#[derive(Deserialize)]
struct WireUsage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_tokens_details: Option<PromptDetails>,
    prompt_cache_hit_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct PromptDetails {
    cached_tokens: Option<u64>,
}

/// Reads one streamed answer.
pub(super) struct ChatDecoder {
    provider: String,
    assembly: Assembly,
    calls: Vec<OpenCall>,
    thought: Thought,
    stop: Option<Stop>,
    usage: Option<Usage>,
    done: bool,
}

struct OpenCall {
    index: Option<u64>,
    id: String,
    place: usize,
}

/// What has to be kept of the thinking besides its text.
#[derive(Default)]
struct Thought {
    place: Option<usize>,
    field: Option<&'static str>,
    details: Vec<Map<String, Value>>,
    call_extras: Map<String, Value>,
}

impl ChatDecoder {
    pub(super) fn new(provider: &str, request: &Request) -> Self {
        Self {
            provider: provider.to_owned(),
            assembly: Assembly::new(request),
            calls: Vec::new(),
            thought: Thought::default(),
            stop: None,
            usage: None,
            done: false,
        }
    }

    fn choice(&mut self, choice: Choice) -> Result<(), Trouble> {
        if let Some(delta) = choice.delta.or(choice.message) {
            self.delta(delta);
        }
        match choice.finish_reason.as_deref() {
            None | Some("") => {}
            Some("length") => self.stop = Some(Stop::OutputLimit),
            Some("content_filter") => self.stop = Some(Stop::Refusal),
            Some("error") => {
                let message = "the answer ended with an error".to_owned();
                return Err(Trouble::Said(Complaint {
                    code: "server_error".to_owned(),
                    message,
                    ..Complaint::default()
                }));
            }
            // A refusal's own reason is `stop`.
            Some(_) => self.stop = Some(self.stop.unwrap_or(Stop::End)),
        }
        Ok(())
    }

    fn delta(&mut self, delta: ChoiceDelta) {
        // OpenRouter sends the same thinking as text and as details; other servers one of the two.
        match (delta.reasoning_content, delta.reasoning) {
            (Some(text), _) => self.think("reasoning_content", &text),
            (None, Some(text)) => self.think("reasoning", &text),
            (None, None) => {}
        }
        for detail in delta.reasoning_details.unwrap_or_default() {
            self.detail(detail);
        }
        match delta.content {
            Some(WireText::Plain(text)) => self.assembly.text(&text),
            Some(WireText::Pieces(pieces)) => self.pieces(pieces),
            None => {}
        }
        if let Some(refusal) = delta.refusal.filter(|refusal| !refusal.is_empty()) {
            self.assembly.text(&refusal);
            self.stop = Some(Stop::Refusal);
        }
        for call in delta.tool_calls.unwrap_or_default() {
            self.call(call);
        }
    }

    fn pieces(&mut self, pieces: Vec<TextPiece>) {
        for piece in pieces {
            for thought in piece.thinking.into_iter().flatten() {
                self.assembly.reasoning(thought.text.as_deref().unwrap_or_default());
            }
            self.assembly.text(piece.text.as_deref().unwrap_or_default());
        }
    }

    fn think(&mut self, field: &'static str, text: &str) {
        if text.is_empty() {
            return;
        }
        let place = self.thought_place();
        self.assembly.more_reasoning(place, text);
        self.thought.field = Some(field);
    }

    /// All thinking of one answer goes back in one field, so it is one piece.
    fn thought_place(&mut self) -> usize {
        *self.thought.place.get_or_insert_with(|| self.assembly.start_reasoning())
    }

    /// Details come in fragments: those of one index and type are one.
    fn detail(&mut self, detail: Map<String, Value>) {
        self.thought_place();
        let same = self.thought.details.last_mut().filter(|last| {
            ["type", "index"].iter().all(|key| last.get(*key) == detail.get(*key))
                && detail.get("type").is_some_and(|kind| kind != "reasoning.encrypted")
        });
        let Some(last) = same else {
            self.thought.details.push(detail);
            return;
        };
        for (key, value) in detail {
            match (last.get_mut(&key), value) {
                (_, Value::Null) => {}
                (Some(Value::String(text)), Value::String(more)) if key == "text" || key == "summary" => {
                    text.push_str(&more)
                }
                (_, value) => {
                    last.insert(key, value);
                }
            }
        }
    }

    fn call(&mut self, delta: CallDelta) {
        let id = delta.id.unwrap_or_default();
        let (name, arguments) = match delta.function {
            Some(function) => (function.name.unwrap_or_default(), function.arguments),
            None => (String::new(), None),
        };
        let place = match self.find_call(delta.index, &id, &name) {
            Some(place) => place,
            None => {
                let place = self.assembly.start_call(&id, &name);
                self.calls.push(OpenCall { index: delta.index, id, place });
                place
            }
        };
        self.assembly.name_call(place, &name);
        match arguments {
            Some(Value::String(piece)) => self.assembly.more_arguments(place, &piece),
            Some(Value::Null) | None => {}
            Some(whole) => self.assembly.set_arguments(place, &whole.to_string()),
        }
        if let Some(extra) = delta.extra_content.filter(|extra| !extra.is_null()) {
            self.thought_place();
            if let Some(id) = self.assembly.call_id(place) {
                self.thought.call_extras.insert(id.to_owned(), extra);
            }
        }
    }

    /// The open call that a delta continues; `None` where it begins one.
    ///
    /// An id decides, if there is one: some servers give every call index 0 or none. Without an id
    /// the index decides, and without both the delta continues the last call; but a name after
    /// complete arguments is always a new call.
    fn find_call(&self, index: Option<u64>, id: &str, name: &str) -> Option<usize> {
        let same_index = |call: &&OpenCall| index.is_none() || call.index.is_none() || call.index == index;
        if !id.is_empty() && self.calls.iter().any(|call| !call.id.is_empty()) {
            return self
                .calls
                .iter()
                .rev()
                .filter(same_index)
                .find(|call| call.id == id)
                .map(|call| call.place);
        }
        let open = self.calls.iter().rev().find(same_index)?;
        let (open_name, arguments) = self.assembly.call(open.place)?;
        let complete = !open_name.is_empty() && serde_json::from_str::<Value>(arguments).is_ok();
        (name.is_empty() || !complete).then_some(open.place)
    }

    fn block(&self) -> Option<ReasoningBlock> {
        let mut value = Map::from_iter([("provider".to_owned(), json!(self.provider))]);
        if let Some(field) = self.thought.field {
            value.insert("field".to_owned(), json!(field));
        }
        if !self.thought.details.is_empty() {
            value.insert("details".to_owned(), json!(self.thought.details));
        }
        if !self.thought.call_extras.is_empty() {
            value.insert("callExtras".to_owned(), json!(self.thought.call_extras));
        }
        (value.len() > 1)
            .then(|| ReasoningBlock { api: Api::OpenaiChat.as_str().to_owned(), value: Value::Object(value) })
    }
}

impl Decoder for ChatDecoder {
    fn event(&mut self, data: &str) -> Result<(), Trouble> {
        if data.trim() == "[DONE]" {
            self.done = true;
            return Ok(());
        }
        let chunk: Chunk = serde_json::from_str(data)
            .map_err(|error| Trouble::Nonsense(format!("{error} in {data:.200}")))?;
        if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
            return Err(Trouble::Said(Complaint::from_value(&json!({ "error": error }))));
        }
        for choice in chunk.choices.into_iter().flatten().take(1) {
            self.choice(choice)?;
        }
        if let Some(usage) = chunk.usage.or(chunk.x_groq.and_then(|extra| extra.usage)) {
            self.usage = Some(Usage {
                input: usage.prompt_tokens.unwrap_or_default(),
                cached: usage
                    .prompt_tokens_details
                    .and_then(|details| details.cached_tokens)
                    .or(usage.prompt_cache_hit_tokens)
                    .unwrap_or_default(),
                output: usage.completion_tokens.unwrap_or_default(),
            });
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
        if let (Some(place), Some(block)) = (self.thought.place, self.block()) {
            self.assembly.set_block(place, block);
        }
        self.assembly.finish(self.stop.unwrap_or(Stop::End), self.usage)
    }
}
