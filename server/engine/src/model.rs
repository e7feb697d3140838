//! The model port. An adapter turns a [`Request`] into its provider's wire format and the stream
//! that comes back into [`Delta`]s; wire types stay inside the adapters.

use crate::event::Usage;
use assent_base::chat::{Message, Part};
use assent_base::tool::Definition;
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// An answer, put together from its stream.
mod answer;
/// Anthropic's Messages.
mod anthropic;
/// The arguments of a call, from the wire and back to it.
mod arguments;
/// Which models there are, and which one is meant.
pub mod catalogue;
/// One HTTP exchange with a provider.
mod endpoint;
/// What went wrong, put into words.
mod failure;
/// Call ids as each wire format takes them.
mod ids;
/// Where keys come from, beside the environment.
pub mod keys;
/// OpenAI's Chat Completions, and the many servers that speak it.
mod openai_chat;
/// OpenAI's Responses.
mod openai_responses;
/// Tries a request again where that may help.
pub mod retry;
/// Plays a script instead of asking a model.
pub mod scripted;
/// A key that cannot be printed.
mod secret;
/// What a model is: where it lives, what it can, what its server wants said differently.
pub mod spec;
/// The events of a streamed answer.
mod sse;
/// Time, environment and chance, as parameters.
pub mod surroundings;
/// A provider on a loopback socket that sends exactly the bytes it is told to.
#[cfg(test)]
mod testing;
/// Calls that a model wrote as text.
mod text_calls;

/// One request to a model. The prefix (system, tools, earlier messages) is the same from request
/// to request, so that the provider's cache holds.
#[derive(Debug, Clone)]
pub struct Request {
    /// The system prompt.
    pub system: Arc<str>,
    /// The tools offered, in a fixed order.
    pub tools: Arc<[Arc<Definition>]>,
    /// The conversation: valid, every call with its result. Shared, so that a request copies no text.
    pub messages: Vec<Arc<Message>>,
    /// Upper bound of the answer in tokens, where one is set.
    pub max_output: Option<u32>,
    /// Thought level (`low`, `medium`, `high`), where the model has one.
    pub effort: Option<String>,
    /// Names the conversation for the provider's cache.
    pub cache_key: String,
}

impl Request {
    /// The conversation, message by message.
    pub fn conversation(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.messages.iter().map(Arc::as_ref)
    }
}

/// A piece of the answer as it comes.
#[derive(Debug, Clone, PartialEq)]
pub enum Delta {
    /// Words.
    Text(String),
    /// Thinking.
    Reasoning(String),
    /// A call began; its arguments follow in the finished answer.
    CallStarted {
        /// The call's id.
        id: String,
        /// The tool's name.
        name: String,
    },
    /// The request will be tried again; what streamed so far of this answer is void.
    Retry {
        /// After this pause.
        after: Duration,
        /// Why, for the user.
        reason: String,
    },
}

/// Why the model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Done, or waits for the results of its calls.
    End,
    /// Cut by the output limit. A call that was cut is `Arguments::Invalid`.
    OutputLimit,
    /// Refused.
    Refusal,
}

/// A finished answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Its parts, in order; never an empty text.
    pub parts: Vec<Part>,
    /// Why it stopped.
    pub stop: Stop,
    /// Tokens, where the provider says.
    pub usage: Option<Usage>,
}

/// Why there is no answer. Each text says what happened, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// May work if tried again (network, 429, 5xx, a stream that broke).
    #[error("{message}")]
    Transient {
        /// For the user.
        message: String,
        /// The pause the server asked for.
        retry_after: Option<Duration>,
    },
    /// The conversation is too long for the model.
    #[error("{0}")]
    ContextTooLong(String),
    /// The key is missing or refused.
    #[error("{0}")]
    Unauthorized(String),
    /// Will not work if tried again.
    #[error("{0}")]
    Fatal(String),
}

/// A model behind a provider's wire format.
#[async_trait]
pub trait Model: Send + Sync {
    /// `provider/model`, as the user chooses it.
    fn name(&self) -> &str;
    /// The context window in tokens, where known.
    fn window(&self) -> Option<u64>;
    /// Whether images may be sent.
    fn takes_images(&self) -> bool;
    /// Run one request. Deltas go into the channel in order, the answer is the return value.
    /// Dropping the future cancels the request and closes its connection.
    async fn run(&self, request: &Request, deltas: &mpsc::Sender<Delta>) -> Result<Answer, ModelError>;
}
