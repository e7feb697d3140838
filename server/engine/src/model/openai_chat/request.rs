//! The request, borrowed from the conversation.

use crate::model::ids::{IdRule, WireIds, wire_name};
use crate::model::spec::{Api, Dialect, ModelSpec, Thinking, ThinkingBack};
use crate::model::{Request, arguments};
use assent_base::chat::{Message, Part, Reasoning};
use assent_base::tool::{Call, CallResult, Content, Definition};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    messages: Vec<WireMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<ReasoningOptions<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<&'a str>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct ReasoningOptions<'a> {
    effort: &'a str,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum WireMessage<'a> {
    System {
        content: &'a str,
    },
    User {
        content: UserContent<'a>,
    },
    Assistant {
        content: Option<Cow<'a, str>>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<WireCall<'a>>,
        /// The provider's own fields for thinking.
        #[serde(flatten)]
        thinking: Map<String, Value>,
    },
    Tool {
        tool_call_id: String,
        content: Cow<'a, str>,
    },
}

/// Plain text where possible: some local servers know no other form.
#[derive(Serialize)]
#[serde(untagged)]
enum UserContent<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<ContentPart<'a>>),
}

#[derive(Serialize, Clone)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ContentPart<'a> {
    Text { text: Cow<'a, str> },
    ImageUrl { image_url: ImageUrl },
}

#[derive(Serialize, Clone)]
struct ImageUrl {
    url: String,
}

#[derive(Serialize)]
struct WireCall<'a> {
    id: String,
    r#type: &'static str,
    function: WireFunctionCall,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<&'a Value>,
}

#[derive(Serialize)]
struct WireFunctionCall {
    name: String,
    arguments: String,
}

#[derive(Serialize)]
struct WireTool<'a> {
    r#type: &'static str,
    function: WireFunction<'a>,
}

#[derive(Serialize)]
struct WireFunction<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    strict: bool,
}

/// The whole request.
pub(super) fn body<'a>(spec: &'a ModelSpec, request: &'a Request) -> Body<'a> {
    let dialect = &spec.dialect;
    let effort = request.effort.as_deref().filter(|_| spec.thinking != Some(Thinking::None));
    let limit = request.max_output.map(|limit| limit.min(spec.max_output.unwrap_or(u32::MAX)));
    Body {
        model: &spec.model,
        messages: messages(spec, request),
        tools: request.tools.iter().map(|tool| wire_tool(tool, dialect)).collect(),
        stream: true,
        stream_options: dialect.usage_option.then_some(StreamOptions { include_usage: true }),
        max_tokens: limit.filter(|_| !dialect.max_completion_tokens),
        max_completion_tokens: limit.filter(|_| dialect.max_completion_tokens),
        reasoning_effort: effort.filter(|_| !dialect.reasoning_object),
        reasoning: effort.filter(|_| dialect.reasoning_object).map(|effort| ReasoningOptions { effort }),
        prompt_cache_key: Some(request.cache_key.as_str()).filter(|key| dialect.cache_key && !key.is_empty()),
    }
}

fn wire_tool<'a>(tool: &'a Definition, dialect: &Dialect) -> WireTool<'a> {
    WireTool {
        r#type: "function",
        function: WireFunction {
            name: &tool.name,
            description: &tool.description,
            parameters: &tool.parameters,
            strict: tool.strict && dialect.strict,
        },
    }
}

fn messages<'a>(spec: &'a ModelSpec, request: &'a Request) -> Vec<WireMessage<'a>> {
    let rule = if spec.dialect.nine_character_ids { IdRule::Nine } else { IdRule::Chat };
    let ids = WireIds::new(rule, request.conversation());
    let mut writer = Writer { spec, ids, messages: Vec::new() };
    if !request.system.trim().is_empty() {
        writer.messages.push(WireMessage::System { content: &request.system });
    }
    for message in request.conversation() {
        match message {
            Message::User(content) => {
                writer.user(content.iter().filter_map(|piece| content_part(piece, spec.images)).collect())
            }
            Message::Assistant(parts) => writer.assistant(parts),
            Message::Results(results) => writer.results(results),
        }
    }
    writer.messages
}

struct Writer<'a> {
    spec: &'a ModelSpec,
    ids: WireIds<'a>,
    messages: Vec<WireMessage<'a>>,
}

impl<'a> Writer<'a> {
    /// One user message. Joined to the one before only where it must be: a message that grows
    /// from request to request is none that a cache knows.
    fn user(&mut self, parts: Vec<ContentPart<'a>>) {
        if parts.is_empty() {
            return;
        }
        match self.messages.last_mut() {
            Some(WireMessage::User { content }) if self.spec.dialect.alternating => content.append(parts),
            Some(WireMessage::Tool { .. }) if self.spec.dialect.assistant_after_tool => {
                self.messages.push(WireMessage::Assistant {
                    content: Some(Cow::Borrowed("I have the results.")),
                    tool_calls: Vec::new(),
                    thinking: Map::new(),
                });
                self.messages.push(WireMessage::User { content: UserContent::of(parts) });
            }
            _ => self.messages.push(WireMessage::User { content: UserContent::of(parts) }),
        }
    }

    fn assistant(&mut self, parts: &'a [Part]) {
        let texts: Vec<&str> =
            parts.iter().filter_map(text_of).filter(|text| !text.trim().is_empty()).collect();
        let content = match texts.as_slice() {
            [] => None,
            [text] => Some(Cow::Borrowed(*text)),
            several => Some(Cow::Owned(several.join("\n\n"))),
        };
        let blocks: Vec<&Value> =
            parts.iter().filter_map(|part| self.own_block(part)).map(|(_, block)| block).collect();
        let calls = parts.iter().filter_map(|part| match part {
            Part::Call(call) => Some(self.wire_call(call, &blocks)),
            Part::Text(_) | Part::Reasoning(_) => None,
        });
        let tool_calls: Vec<WireCall<'a>> = calls.collect();
        // A message of thinking alone says nothing to the server.
        if content.is_none() && tool_calls.is_empty() {
            return;
        }
        let goes_back = match self.spec.dialect.thinking_back {
            ThinkingBack::None => false,
            ThinkingBack::Calls => !tool_calls.is_empty(),
            ThinkingBack::All => true,
        };
        let thinking = if goes_back { self.thinking(parts) } else { Map::new() };
        self.messages.push(WireMessage::Assistant { content, tool_calls, thinking });
    }

    /// Thinking that this same provider wrote.
    fn own_block(&self, part: &'a Part) -> Option<(&'a Reasoning, &'a Value)> {
        let Part::Reasoning(reasoning) = part else { return None };
        let block = reasoning.block.as_ref().filter(|block| block.api == Api::OpenaiChat.as_str())?;
        let own = block.value.get("provider").and_then(Value::as_str) == Some(self.spec.provider.as_str());
        own.then_some((reasoning, &block.value))
    }

    /// The fields for thinking, under the names by which it came.
    fn thinking(&self, parts: &'a [Part]) -> Map<String, Value> {
        let mut fields = Map::new();
        if self.spec.dialect.thinking_back == ThinkingBack::Calls {
            fields.insert("reasoning_content".to_owned(), json!(""));
        }
        for (reasoning, block) in parts.iter().filter_map(|part| self.own_block(part)) {
            if let Some(Value::String(field)) = block.get("field") {
                let text = fields.get(field).and_then(Value::as_str).unwrap_or_default();
                let joined = format!("{text}{}", reasoning.text);
                fields.insert(field.clone(), Value::String(joined));
            }
            if let Some(Value::Array(details)) = block.get("details") {
                let all = fields.entry("reasoning_details").or_insert_with(|| json!([]));
                if let Value::Array(all) = all {
                    all.extend(details.iter().cloned());
                }
            }
        }
        fields
    }

    fn wire_call(&self, call: &'a Call, blocks: &[&'a Value]) -> WireCall<'a> {
        WireCall {
            id: self.ids.get(&call.id).to_owned(),
            r#type: "function",
            function: WireFunctionCall {
                name: wire_name(&call.name),
                arguments: arguments::to_text(&call.arguments),
            },
            extra_content: blocks.iter().find_map(|block| block.get("callExtras")?.get(&call.id)),
        }
    }

    /// The results, and behind all of them one user message with their images: a tool's message
    /// may only hold text.
    fn results(&mut self, results: &'a [CallResult]) {
        let mut images = Vec::new();
        for result in results {
            let (found, texts): (Vec<_>, Vec<_>) = result
                .content
                .iter()
                .filter_map(|piece| content_part(piece, self.spec.images))
                .partition(|part| matches!(part, ContentPart::ImageUrl { .. }));
            let mut text = join(texts);
            if text.trim().is_empty() {
                text = Cow::Borrowed(if found.is_empty() { "(no output)" } else { "(the image follows)" });
            }
            images.extend(found);
            self.messages.push(WireMessage::Tool {
                tool_call_id: self.ids.get(&result.call_id).to_owned(),
                content: text,
            });
        }
        if !images.is_empty() {
            images.insert(
                0,
                ContentPart::Text {
                    text: Cow::Borrowed("The images that the tools returned, in the order of the calls:"),
                },
            );
            self.user(images);
        }
    }
}

impl<'a> UserContent<'a> {
    fn of(parts: Vec<ContentPart<'a>>) -> Self {
        if parts.iter().all(|part| matches!(part, ContentPart::Text { .. })) {
            Self::Text(join(parts))
        } else {
            Self::Parts(parts)
        }
    }

    fn append(&mut self, more: Vec<ContentPart<'a>>) {
        let mut parts = match std::mem::replace(self, Self::Parts(Vec::new())) {
            Self::Text(text) => vec![ContentPart::Text { text }],
            Self::Parts(parts) => parts,
        };
        parts.extend(more);
        *self = Self::of(parts);
    }
}

fn join(parts: Vec<ContentPart<'_>>) -> Cow<'_, str> {
    let mut texts = parts.into_iter().filter_map(|part| match part {
        ContentPart::Text { text } => Some(text),
        ContentPart::ImageUrl { .. } => None,
    });
    let Some(mut all) = texts.next() else { return Cow::Borrowed("") };
    for text in texts {
        let all = all.to_mut();
        all.push_str("\n\n");
        all.push_str(&text);
    }
    all
}

/// A piece of content; nothing for blank text, which some providers refuse.
fn content_part(piece: &Content, images: bool) -> Option<ContentPart<'_>> {
    match piece {
        Content::Text(text) | Content::Expanded { text, .. } => {
            (!text.trim().is_empty()).then_some(ContentPart::Text { text: Cow::Borrowed(text) })
        }
        Content::Image { media_type, data } if images => Some(ContentPart::ImageUrl {
            image_url: ImageUrl { url: format!("data:{media_type};base64,{data}") },
        }),
        Content::Image { .. } => {
            Some(ContentPart::Text { text: Cow::Borrowed("(an image that this model cannot see)") })
        }
    }
}

fn text_of(part: &Part) -> Option<&str> {
    match part {
        Part::Text(text) => Some(text),
        Part::Reasoning(_) | Part::Call(_) => None,
    }
}
