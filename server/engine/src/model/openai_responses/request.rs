//! The request, borrowed from the conversation.

use crate::model::ids::{IdRule, WireIds, wire_name};
use crate::model::spec::{Api, ModelSpec, Thinking};
use crate::model::{Request, arguments};
use assent_base::chat::{Message, Part};
use assent_base::tool::{CallResult, Content, Definition};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

#[derive(Serialize)]
pub(super) struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    instructions: &'a str,
    input: Vec<Item<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<WireTool<'a>>,
    stream: bool,
    /// Nothing is kept on the server, so nothing may refer to what it keeps.
    store: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    include: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<ReasoningOptions<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<&'a str>,
}

#[derive(Serialize)]
struct ReasoningOptions<'a> {
    effort: &'a str,
    summary: &'static str,
}

#[derive(Serialize)]
struct WireTool<'a> {
    r#type: &'static str,
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
    /// Always said: the server's own default rewrites schemas.
    strict: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Item<'a> {
    /// Thinking as it came.
    Kept(&'a Value),
    Own(OwnItem<'a>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum OwnItem<'a> {
    Message { role: &'static str, content: Vec<Piece<'a>> },
    FunctionCall { call_id: String, name: String, arguments: String },
    FunctionCallOutput { call_id: String, output: Output<'a> },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Output<'a> {
    Text(&'a str),
    Pieces(Vec<Piece<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Piece<'a> {
    InputText { text: Cow<'a, str> },
    OutputText { text: Cow<'a, str> },
    InputImage { image_url: String },
}

/// The whole request.
pub(super) fn body<'a>(spec: &'a ModelSpec, request: &'a Request) -> Body<'a> {
    let thinks = spec.thinking != Some(Thinking::None);
    let effort = request.effort.as_deref().filter(|_| thinks);
    Body {
        model: &spec.model,
        instructions: request.system.trim(),
        input: input(spec, request),
        tools: request.tools.iter().map(|tool| wire_tool(tool)).collect(),
        stream: true,
        store: false,
        // A model that does not think refuses the question for its thoughts.
        include: if thinks { vec!["reasoning.encrypted_content"] } else { Vec::new() },
        reasoning: effort.map(|effort| ReasoningOptions { effort, summary: "auto" }),
        max_output_tokens: request.max_output.map(|limit| limit.min(spec.max_output.unwrap_or(u32::MAX))),
        prompt_cache_key: Some(request.cache_key.as_str()).filter(|key| !key.is_empty()),
    }
}

fn wire_tool(tool: &Definition) -> WireTool<'_> {
    WireTool {
        r#type: "function",
        name: &tool.name,
        description: &tool.description,
        parameters: &tool.parameters,
        strict: tool.strict,
    }
}

fn input<'a>(spec: &ModelSpec, request: &'a Request) -> Vec<Item<'a>> {
    let ids = WireIds::new(IdRule::Responses, request.conversation());
    let mut items = Vec::new();
    for message in request.conversation() {
        match message {
            Message::User(content) => {
                let content: Vec<Piece<'a>> =
                    content.iter().filter_map(|piece| wire_piece(piece, spec.images)).collect();
                if !content.is_empty() {
                    items.push(Item::Own(OwnItem::Message { role: "user", content }));
                }
            }
            Message::Assistant(parts) => items.extend(assistant_items(parts, &ids)),
            Message::Results(results) => {
                items.extend(results.iter().map(|result| result_item(result, spec, &ids)))
            }
        }
    }
    items
}

fn assistant_items<'a>(parts: &'a [Part], ids: &WireIds<'_>) -> Vec<Item<'a>> {
    let says_something = |part: &Part| match part {
        Part::Text(text) => !text.trim().is_empty(),
        Part::Call(_) => true,
        Part::Reasoning(_) => false,
    };
    // Thinking that nothing followed (a turn cut short) is refused.
    let end = parts.iter().rposition(says_something).map_or(0, |last| last + 1);
    let items = parts[..end].iter().filter_map(|part| match part {
        Part::Text(text) => says_something(part).then(|| {
            let content = vec![Piece::OutputText { text: Cow::Borrowed(text) }];
            Item::Own(OwnItem::Message { role: "assistant", content })
        }),
        Part::Reasoning(reasoning) => {
            let block = reasoning.block.as_ref().filter(|block| block.api == Api::OpenaiResponses.as_str());
            block.map(|block| Item::Kept(&block.value))
        }
        Part::Call(call) => Some(Item::Own(OwnItem::FunctionCall {
            call_id: ids.get(&call.id).to_owned(),
            name: wire_name(&call.name),
            arguments: arguments::to_text(&call.arguments),
        })),
    });
    items.collect()
}

fn result_item<'a>(result: &'a CallResult, spec: &ModelSpec, ids: &WireIds<'_>) -> Item<'a> {
    let output = match result.content.as_slice() {
        [Content::Text(text)] if !text.trim().is_empty() => Output::Text(text),
        content => {
            let pieces: Vec<Piece<'a>> =
                content.iter().filter_map(|piece| wire_piece(piece, spec.images)).collect();
            if pieces.is_empty() { Output::Text("(no output)") } else { Output::Pieces(pieces) }
        }
    };
    Item::Own(OwnItem::FunctionCallOutput { call_id: ids.get(&result.call_id).to_owned(), output })
}

fn wire_piece(piece: &Content, images: bool) -> Option<Piece<'_>> {
    match piece {
        Content::Text(text) | Content::Expanded { text, .. } => {
            (!text.trim().is_empty()).then_some(Piece::InputText { text: Cow::Borrowed(text) })
        }
        Content::Image { media_type, data } if images => {
            Some(Piece::InputImage { image_url: format!("data:{media_type};base64,{data}") })
        }
        Content::Image { .. } => {
            Some(Piece::InputText { text: Cow::Borrowed("(an image that this model cannot see)") })
        }
    }
}
