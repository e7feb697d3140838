//! The transcript: the only way to hold a conversation. Whatever happens to a turn, what it gives
//! out is valid for every provider: each call has exactly one result, directly behind it, and no
//! text is empty.

use crate::tool::{Call, CallResult, Content, Origin};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// One part of an assistant's message, in the order it came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Part {
    /// Words for the user.
    Text(String),
    /// Thinking.
    Reasoning(Reasoning),
    /// A tool call.
    Call(Call),
}

/// Thinking, kept so that it can go back to the provider exactly as it came.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reasoning {
    /// What may be shown; empty when the provider hides it.
    pub text: String,
    /// The provider's own block, sent back only over the same wire format.
    pub block: Option<ReasoningBlock>,
}

/// A provider's own form of a piece of thinking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReasoningBlock {
    /// The wire format it belongs to: `anthropic`, `openai-responses`, `openai-chat`.
    pub api: String,
    /// The block as it came (signature, encrypted content, …).
    pub value: Value,
}

/// One message of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Message {
    /// The user's.
    User(Vec<Content>),
    /// The model's.
    Assistant(Vec<Part>),
    /// Results of the calls of the assistant message before it, in the calls' order.
    Results(Vec<CallResult>),
}

/// One step of a conversation, as it stands in a session's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Record {
    /// The user said something.
    User(Vec<Content>),
    /// The model said something.
    Assistant(Vec<Part>),
    /// A call has its result.
    Result(CallResult),
}

/// What is told to a model where a result has nothing in it.
const NO_OUTPUT: &str = "(no output)";
/// What stands for a result that never came, where nobody said why.
const NO_RESULT: &str = "There is no result: it is unknown whether this call ran.";

/// A conversation.
#[derive(Debug, Clone, Default)]
pub struct Transcript {
    messages: Vec<Arc<Message>>,
    /// Calls of the last answer, in order, each with its result once it is there.
    open: Vec<(Call, Option<CallResult>)>,
}

impl Transcript {
    /// Add one step. One that does not fit (a result without its call) changes nothing.
    pub fn apply(&mut self, record: Record) {
        match record {
            Record::User(content) => {
                self.close();
                let content = without_blanks(content);
                if !content.is_empty() {
                    self.messages.push(Arc::new(Message::User(content)));
                }
            }
            Record::Assistant(parts) => {
                self.close();
                self.assistant(parts);
            }
            Record::Result(result) => self.result(result),
        }
    }

    /// Calls that have no result yet, in order.
    pub fn open_calls(&self) -> Vec<Call> {
        self.open.iter().filter(|(_, result)| result.is_none()).map(|(call, _)| call.clone()).collect()
    }

    /// The records that give every open call a result with these words, marked as failed.
    pub fn closing(&self, words: &str) -> Vec<Record> {
        self.open_calls().iter().map(|call| Record::Result(failed(call, words))).collect()
    }

    /// The conversation as a provider takes it. Calls that are still open get a result that says
    /// that nothing is known of them.
    pub fn messages(&self) -> Vec<Arc<Message>> {
        let mut messages = self.messages.clone();
        messages.extend(self.results().map(Arc::new));
        messages
    }

    /// How many prompts of the user's there are; they count from 0.
    pub fn prompts(&self) -> usize {
        self.messages.iter().filter(|message| matches!(&***message, Message::User(_))).count()
    }

    /// The last prompt in the user's own words, as far as it is words.
    pub fn last_prompt(&self) -> Option<String> {
        let said = self.messages.iter().rev().find_map(|message| match &**message {
            Message::User(content) => Some(content),
            Message::Assistant(_) | Message::Results(_) => None,
        });
        said?.iter().find_map(|piece| match piece {
            Content::Text(text) | Content::Expanded { of: Origin::Command(text), .. } => Some(text.clone()),
            Content::Expanded { .. } | Content::Image { .. } => None,
        })
    }

    /// Take out a prompt and all that came after it. A prompt that is not there changes nothing.
    pub fn rewind(&mut self, prompt: usize) {
        let mut prompts =
            self.messages.iter().enumerate().filter(|(_, message)| matches!(&***message, Message::User(_)));
        if let Some((at, _)) = prompts.nth(prompt) {
            self.messages.truncate(at);
            self.open.clear();
        }
    }

    /// Whether nothing was said yet.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    fn assistant(&mut self, parts: Vec<Part>) {
        let mut taken = BTreeSet::new();
        let mut parts: Vec<Part> = parts
            .into_iter()
            .filter(|part| !matches!(part, Part::Text(text) if text.trim().is_empty()))
            .map(|part| match part {
                Part::Call(call) => Part::Call(distinct(call, &mut taken)),
                part => part,
            })
            .collect();
        // Thinking that nothing followed was cut off, and some providers refuse it.
        while parts.pop_if(|part| matches!(part, Part::Reasoning(_))).is_some() {}
        if parts.is_empty() {
            return;
        }
        let calls = parts.iter().filter_map(|part| match part {
            Part::Call(call) => Some((call.clone(), None)),
            Part::Text(_) | Part::Reasoning(_) => None,
        });
        self.open = calls.collect();
        self.messages.push(Arc::new(Message::Assistant(parts)));
    }

    fn result(&mut self, mut result: CallResult) {
        let waiting = self.open.iter_mut().find(|(call, got)| call.id == result.call_id && got.is_none());
        if let Some((_, got)) = waiting {
            result.content = without_blanks(result.content);
            if result.content.is_empty() {
                result.content.push(Content::Text(NO_OUTPUT.into()));
            }
            *got = Some(result);
        }
    }

    fn close(&mut self) {
        if let Some(results) = self.results() {
            self.messages.push(Arc::new(results));
            self.open.clear();
        }
    }

    fn results(&self) -> Option<Message> {
        let results =
            self.open.iter().map(|(call, got)| got.clone().unwrap_or_else(|| failed(call, NO_RESULT)));
        (!self.open.is_empty()).then(|| Message::Results(results.collect()))
    }
}

fn failed(call: &Call, words: &str) -> CallResult {
    CallResult { call_id: call.id.clone(), content: vec![Content::Text(words.into())], is_error: true }
}

/// Two calls of one answer with one id would share a result.
fn distinct(mut call: Call, taken: &mut BTreeSet<String>) -> Call {
    let mut id = call.id.clone();
    let mut nth = 2;
    while id.is_empty() || !taken.insert(id.clone()) {
        id = format!("{}_{nth}", call.id);
        nth += 1;
    }
    call.id = id;
    call
}

fn without_blanks(content: Vec<Content>) -> Vec<Content> {
    content
        .into_iter()
        .filter(|piece| !matches!(piece, Content::Text(text) if text.trim().is_empty()))
        .collect()
}

#[cfg(test)]
mod tests;
