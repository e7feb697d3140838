//! What is known of one model before the first request: plain data, from the catalogue and from
//! the user's configuration.

use serde::Deserialize;

/// The wire formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Api {
    /// OpenAI's Chat Completions.
    OpenaiChat,
    /// OpenAI's Responses.
    OpenaiResponses,
    /// Anthropic's Messages.
    Anthropic,
}

impl Api {
    /// Its name in configuration and in the transcript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenaiChat => "openai-chat",
            Self::OpenaiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
        }
    }
}

/// How a model is asked to think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Thinking {
    /// It does not think.
    None,
    /// By a level (`low`, `medium`, `high`).
    Effort,
    /// By a number of tokens (Anthropic's older models).
    Budget,
    /// By itself, led by a level (Anthropic's newer models).
    Adaptive,
}

/// Which thinking of earlier messages a Chat Completions server wants to see again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThinkingBack {
    /// None; some servers refuse a message that has it.
    None,
    /// That of every message that called a tool, even where it is empty.
    Calls,
    /// All of it. A server that wants less drops the rest itself, and its cache holds.
    #[default]
    All,
}

/// Where Chat Completions servers differ.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Dialect {
    /// Takes `stream_options.include_usage`.
    pub usage_option: bool,
    /// Takes `prompt_cache_key`.
    pub cache_key: bool,
    /// Wants `max_completion_tokens` instead of `max_tokens`.
    pub max_completion_tokens: bool,
    /// Knows strict schemas.
    pub strict: bool,
    /// Call ids must be nine letters or digits.
    pub nine_character_ids: bool,
    /// Refuses a user message right after a tool's.
    pub assistant_after_tool: bool,
    /// Has chat templates that refuse two user messages in a row.
    pub alternating: bool,
    /// Takes the thought level as `reasoning.effort` instead of `reasoning_effort`.
    pub reasoning_object: bool,
    /// Which thinking goes back.
    pub thinking_back: ThinkingBack,
}

/// One model at one provider.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSpec {
    /// The provider's name.
    pub provider: String,
    /// The model's name there.
    pub model: String,
    /// The wire format.
    pub api: Api,
    /// Where requests go, without the format's own path.
    pub base_url: String,
    /// Environment variables that may hold the key, in order.
    pub key_names: Vec<String>,
    /// Whether a request without a key is pointless.
    pub key_required: bool,
    /// A command that answers with the key.
    pub key_command: Option<Vec<String>>,
    /// Whether a call written as text is taken as a call.
    pub text_calls: bool,
    /// The context window in tokens.
    pub window: Option<u64>,
    /// The most tokens that one answer may have.
    pub max_output: Option<u32>,
    /// Whether images may be sent.
    pub images: bool,
    /// How it thinks, where known.
    pub thinking: Option<Thinking>,
    /// Its server's ways.
    pub dialect: Dialect,
}

impl ModelSpec {
    /// `provider/model`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.provider, self.model)
    }
}
