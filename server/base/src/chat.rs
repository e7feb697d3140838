//! The transcript.

use crate::tool::{Call, CallResult, Content};
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
