//! Plays a script instead of asking a model, for the demo and the tests. Whatever it says begins
//! with [`MARK`], so that nobody takes it for a model.
//!
//! A script is a JSON file:
//!
//! ```json
//! { "answers": [
//!     [ { "say": "Let me look at the tests.", "pace": 30 },
//!       { "call": "read", "with": { "filePath": "{folder}/src/lib.rs" } } ],
//!     [ { "expect": "fn add" },
//!       { "think": "A minus where a plus belongs." },
//!       { "pause": 400 },
//!       { "say": "Found it." } ] ] }
//! ```
//!
//! Each answer is a list of steps, played in order:
//!
//! - `say`: words; with `pace` they come one word at a time, that many milliseconds apart.
//! - `think`: thinking.
//! - `call`: a tool's name, `with` its arguments (absent means none).
//! - `pause`: milliseconds of silence.
//! - `hang`: `true`; silence until the turn is cancelled.
//! - `stop`: `output-limit` or `refusal`; how the answer ends, if not by itself.
//! - `expect`: a text that the results just before this answer must hold; if it does not, the
//!   request fails and says so.
//!
//! `{folder}` in words, arguments and expectations is the workspace folder. Which answer is played
//! follows from the conversation (the number of answers in it), not from a counter: the script goes
//! on where it was after a restart, and a request that is repeated gets the same answer.

mod script;

pub use script::Script;

use crate::model::{Answer, Delta, Model, ModelError, Request, Stop};
use assent_base::chat::{Message, Part, Reasoning};
use assent_base::tool::{Arguments, Call, Content};
use async_trait::async_trait;
use script::{Ending, Step};
use serde_json::{Map, Value};
use std::path::Path;
use std::time::Duration;
use tokio::sync::mpsc;

/// What every answer's words begin with.
pub const MARK: &str = "[scripted model] ";

/// A model that follows a script.
pub struct Scripted {
    name: String,
    script: Script,
    folder: String,
}

impl Scripted {
    /// Plays `script` in `folder`.
    pub fn new(script: Script, folder: &Path) -> Self {
        Self { name: "scripted/script".to_owned(), script, folder: folder.to_string_lossy().into_owned() }
    }

    /// Plays the script file at `path`.
    pub fn open(path: &Path, folder: &Path) -> Result<Self, ModelError> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            ModelError::Fatal(format!("The script {} cannot be read: {error}.", path.display()))
        })?;
        let script = Script::parse(&text)
            .map_err(|error| ModelError::Fatal(format!("The script {} is wrong: {error}", path.display())))?;
        Ok(Self { name: format!("scripted/{}", path.display()), ..Self::new(script, folder) })
    }

    fn fill(&self, text: &str) -> String {
        text.replace("{folder}", &self.folder)
    }

    fn fill_value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.fill(text)),
            Value::Array(items) => items.iter().map(|item| self.fill_value(item)).collect(),
            Value::Object(fields) => Value::Object(self.fill_fields(fields)),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    fn fill_fields(&self, fields: &Map<String, Value>) -> Map<String, Value> {
        fields.iter().map(|(key, value)| (key.clone(), self.fill_value(value))).collect()
    }
}

#[async_trait]
impl Model for Scripted {
    fn name(&self) -> &str {
        &self.name
    }

    fn window(&self) -> Option<u64> {
        None
    }

    fn takes_images(&self) -> bool {
        true
    }

    async fn run(&self, request: &Request, deltas: &mpsc::Sender<Delta>) -> Result<Answer, ModelError> {
        let turn = request.conversation().filter(|message| matches!(message, Message::Assistant(_))).count();
        let mut player = Player { model: self, request, deltas, turn, parts: Vec::new(), marked: false };
        let Some(steps) = self.script.answers.get(turn) else {
            player.say("The script is over.", None).await;
            return Ok(Answer { parts: player.parts, stop: Stop::End, usage: None });
        };
        let mut stop = Stop::End;
        for step in steps {
            match step {
                Step::Say { say, pace } => player.say(&self.fill(say), *pace).await,
                Step::Think { think } => player.think(&self.fill(think)).await,
                Step::Call { call, with } => player.call(call, self.fill_fields(with)).await,
                Step::Pause { pause } => tokio::time::sleep(Duration::from_millis(*pause)).await,
                Step::Hang { hang: true } => std::future::pending().await,
                Step::Hang { hang: false } => {}
                Step::Stop { stop: Ending::OutputLimit } => stop = Stop::OutputLimit,
                Step::Stop { stop: Ending::Refusal } => stop = Stop::Refusal,
                Step::Expect { expect } => player.expect(&self.fill(expect))?,
            }
        }
        Ok(Answer { parts: player.parts, stop, usage: None })
    }
}

/// One answer being played.
struct Player<'a> {
    model: &'a Scripted,
    request: &'a Request,
    deltas: &'a mpsc::Sender<Delta>,
    turn: usize,
    parts: Vec<Part>,
    marked: bool,
}

impl Player<'_> {
    async fn send(&self, delta: Delta) {
        // Whoever stopped listening still gets the answer.
        let _ = self.deltas.send(delta).await;
    }

    async fn say(&mut self, words: &str, pace: Option<u64>) {
        let mark = if std::mem::replace(&mut self.marked, true) { "" } else { MARK };
        let text = format!("{mark}{words}");
        for piece in text.split_inclusive(' ') {
            self.send(Delta::Text(piece.to_owned())).await;
            if let Some(pace) = pace {
                tokio::time::sleep(Duration::from_millis(pace)).await;
            }
        }
        match self.parts.last_mut() {
            Some(Part::Text(last)) => last.push_str(&text),
            _ => self.parts.push(Part::Text(text)),
        }
    }

    async fn think(&mut self, words: &str) {
        self.send(Delta::Reasoning(words.to_owned())).await;
        self.parts.push(Part::Reasoning(Reasoning { text: words.to_owned(), block: None }));
    }

    async fn call(&mut self, tool: &str, arguments: Map<String, Value>) {
        let id = format!("scripted-{}-{}", self.turn, self.parts.len());
        self.send(Delta::CallStarted { id: id.clone(), name: tool.to_owned() }).await;
        self.parts.push(Part::Call(Call {
            id,
            name: tool.to_owned(),
            arguments: Arguments::Object(arguments),
        }));
    }

    fn expect(&self, wanted: &str) -> Result<(), ModelError> {
        let results = self.request.conversation().rev().find_map(|message| match message {
            Message::Results(results) => Some(results),
            Message::User(_) | Message::Assistant(_) => None,
        });
        let pieces = results.into_iter().flatten().flat_map(|result| &result.content);
        let texts: Vec<&str> = pieces.filter_map(Content::text).collect();
        if texts.iter().any(|text| text.contains(wanted)) {
            return Ok(());
        }
        let got = texts.join("\n");
        Err(ModelError::Fatal(format!(
            "{MARK}answer {} of {} expects `{wanted}` in the last results, which are: {got:.600}",
            self.turn + 1,
            self.model.name
        )))
    }
}

#[cfg(test)]
mod tests;
