//! The request, borrowed from the conversation.

use crate::model::ids::{IdRule, WireIds, wire_name};
use crate::model::spec::{Api, ModelSpec, Thinking};
use crate::model::{Request, arguments};
use assent_base::chat::{Message, Part};
use assent_base::tool::{Arguments, CallResult, Content, Definition};
use serde::Serialize;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The answer's limit where none is known.
const MAX_TOKENS: u32 = 8_192;
/// What an answer keeps beside the thinking.
const BESIDE_THINKING: u32 = 4_096;

#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Block<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    messages: Vec<WireMessage<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<WireThinking>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'a>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum WireThinking {
    Enabled { budget_tokens: u32 },
    Adaptive,
}

#[derive(Serialize)]
struct OutputConfig<'a> {
    effort: &'a str,
}

#[derive(Serialize)]
struct WireTool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

/// The prefix up to here is worth keeping.
#[derive(Serialize, Clone, Copy)]
#[serde(tag = "type", rename_all = "lowercase")]
enum CacheControl {
    Ephemeral,
}

#[derive(Serialize)]
struct WireMessage<'a> {
    role: Role,
    content: Vec<Block<'a>>,
}

#[derive(Serialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Role {
    User,
    Assistant,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Block<'a> {
    /// Thinking as it came.
    Kept(&'a Value),
    Own {
        #[serde(flatten)]
        kind: Kind<'a>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cache_control: Option<CacheControl>,
    },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Kind<'a> {
    Text {
        text: &'a str,
    },
    Image {
        source: ImageSource<'a>,
    },
    ToolUse {
        id: String,
        name: String,
        input: Cow<'a, Map<String, Value>>,
    },
    ToolResult {
        tool_use_id: String,
        content: Vec<Kind<'a>>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
}

#[derive(Serialize)]
struct ImageSource<'a> {
    r#type: &'static str,
    media_type: &'a str,
    data: &'a str,
}

impl Body<'_> {
    /// Whether thinking is asked for by a number of tokens.
    pub(super) fn thinks_by_budget(&self) -> bool {
        matches!(self.thinking, Some(WireThinking::Enabled { .. }))
    }
}

/// The whole request.
pub(super) fn body<'a>(spec: &'a ModelSpec, request: &'a Request) -> Body<'a> {
    let most = spec.max_output.unwrap_or(MAX_TOKENS);
    let max_tokens = request.max_output.map_or(most, |limit| limit.min(spec.max_output.unwrap_or(u32::MAX)));
    let effort = request.effort.as_deref().filter(|_| may_think(spec, request));
    let (thinking, output_config) = thinking(spec, effort, max_tokens);
    let mut system = Vec::new();
    if !request.system.trim().is_empty() {
        system.push(Block::of(Kind::Text { text: &request.system }));
    }
    let mut body = Body {
        model: &spec.model,
        max_tokens,
        system,
        tools: request.tools.iter().map(|tool| wire_tool(tool)).collect(),
        messages: messages(spec, request),
        stream: true,
        thinking,
        output_config,
    };
    mark_cache(&mut body);
    body
}

/// A loop of calls that began without thinking has to go on so, by the rules of models that think by
/// budget: its first call was the user's own, or came from another model.
fn may_think(spec: &ModelSpec, request: &Request) -> bool {
    if spec.thinking != Some(Thinking::Budget) {
        return true;
    }
    let since_words = request.conversation().collect::<Vec<_>>();
    let mut since_words =
        since_words.into_iter().rev().take_while(|message| !matches!(message, Message::User(_)));
    let first = since_words.by_ref().filter_map(|message| match message {
        Message::Assistant(parts) => Some(parts),
        _ => None,
    });
    first.last().is_none_or(|parts| matches!(parts.first(), Some(Part::Reasoning(_))))
}

fn thinking<'a>(
    spec: &ModelSpec,
    effort: Option<&'a str>,
    max_tokens: u32,
) -> (Option<WireThinking>, Option<OutputConfig<'a>>) {
    let Some(effort) = effort else { return (None, None) };
    match spec.thinking {
        Some(Thinking::None | Thinking::Effort) => (None, None),
        Some(Thinking::Adaptive) | None => (Some(WireThinking::Adaptive), Some(OutputConfig { effort })),
        Some(Thinking::Budget) => {
            let wanted = match effort {
                "low" | "minimal" => 4_096,
                "medium" => 12_288,
                _ => 28_672,
            };
            let budget_tokens = wanted.min(max_tokens.saturating_sub(BESIDE_THINKING));
            // The API's own lower bound.
            ((budget_tokens >= 1_024).then_some(WireThinking::Enabled { budget_tokens }), None)
        }
    }
}

fn wire_tool(tool: &Definition) -> WireTool<'_> {
    WireTool {
        name: &tool.name,
        description: &tool.description,
        input_schema: &tool.parameters,
        cache_control: None,
    }
}

/// Marks what is worth keeping, four places at most: the tools, the system prompt, and the last
/// two user messages. The one before the last is the last of the request before this one, so its
/// prefix is what the cache holds already.
fn mark_cache(body: &mut Body<'_>) {
    if let Some(tool) = body.tools.last_mut() {
        tool.cache_control = Some(CacheControl::Ephemeral);
    }
    let of_users = body.messages.iter_mut().rev().filter(|message| message.role == Role::User).take(2);
    let last_blocks = of_users.filter_map(|message| message.content.last_mut());
    for block in last_blocks.chain(body.system.last_mut()) {
        if let Block::Own { cache_control, .. } = block {
            *cache_control = Some(CacheControl::Ephemeral);
        }
    }
}

impl<'a> Block<'a> {
    fn of(kind: Kind<'a>) -> Self {
        Self::Own { kind, cache_control: None }
    }
}

/// The conversation. Results and the user's next words are one message, results first; two
/// messages of the user stay two, which the API takes, so that a message never changes once sent.
fn messages<'a>(spec: &ModelSpec, request: &'a Request) -> Vec<WireMessage<'a>> {
    let ids = WireIds::new(IdRule::Anthropic, request.conversation());
    let mut messages: Vec<WireMessage<'a>> = Vec::new();
    let mut after_words = false;
    for message in request.conversation() {
        let is_words = matches!(message, Message::User(_));
        let (role, content) = match message {
            Message::User(content) => (
                Role::User,
                content.iter().filter_map(|piece| content_kind(piece, spec.images)).map(Block::of).collect(),
            ),
            Message::Assistant(parts) => (Role::Assistant, assistant_blocks(parts, &ids)),
            Message::Results(results) => (
                Role::User,
                results.iter().map(|result| result_block(result, spec, &ids)).collect::<Vec<_>>(),
            ),
        };
        if content.is_empty() {
            continue;
        }
        match messages.last_mut() {
            Some(last) if last.role == role && !(is_words && after_words) => last.content.extend(content),
            _ => messages.push(WireMessage { role, content }),
        }
        after_words = is_words;
    }
    messages
}

fn assistant_blocks<'a>(parts: &'a [Part], ids: &WireIds<'_>) -> Vec<Block<'a>> {
    let says_something = |part: &Part| match part {
        Part::Text(text) => !text.trim().is_empty(),
        Part::Call(_) => true,
        Part::Reasoning(_) => false,
    };
    // Thinking that led to nothing (a turn cut short) may not end a message.
    let end = parts.iter().rposition(says_something).map_or(0, |last| last + 1);
    let blocks = parts[..end].iter().filter_map(|part| match part {
        Part::Text(text) => (!text.trim().is_empty()).then(|| Block::of(Kind::Text { text })),
        Part::Reasoning(reasoning) => {
            let block = reasoning.block.as_ref().filter(|block| block.api == Api::Anthropic.as_str());
            block.map(|block| Block::Kept(&block.value))
        }
        Part::Call(call) => Some(Block::of(Kind::ToolUse {
            id: ids.get(&call.id).to_owned(),
            name: wire_name(&call.name),
            input: match &call.arguments {
                Arguments::Object(object) => Cow::Borrowed(object),
                invalid @ Arguments::Invalid { .. } => Cow::Owned(arguments::to_object(invalid)),
            },
        })),
    });
    blocks.collect()
}

fn result_block<'a>(result: &'a CallResult, spec: &ModelSpec, ids: &WireIds<'_>) -> Block<'a> {
    let mut content: Vec<Kind<'a>> =
        result.content.iter().filter_map(|piece| content_kind(piece, spec.images)).collect();
    if content.is_empty() {
        content.push(Kind::Text { text: "(no output)" });
    }
    Block::of(Kind::ToolResult {
        tool_use_id: ids.get(&result.call_id).to_owned(),
        content,
        is_error: result.is_error,
    })
}

/// A piece of content; nothing for blank text, which the API refuses.
fn content_kind(piece: &Content, images: bool) -> Option<Kind<'_>> {
    match piece {
        Content::Text(text) | Content::Expanded { text, .. } => {
            (!text.trim().is_empty()).then_some(Kind::Text { text })
        }
        Content::Image { media_type, data } if images => {
            Some(Kind::Image { source: ImageSource { r#type: "base64", media_type, data } })
        }
        Content::Image { .. } => Some(Kind::Text { text: "(an image that this model cannot see)" }),
    }
}
