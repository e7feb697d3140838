//! A prompt as ACP content blocks.

use super::peer::RpcError;
use crate::protocol::{ASSENT, Range};
use agent_client_protocol_schema::v1 as acp;
use assent_base::path::DocumentUri;
use assent_base::text::{Position, PositionRange};
use assent_engine::session::PromptBlock;

/// The blocks as the engine takes them.
pub fn blocks(prompt: Vec<acp::ContentBlock>) -> Result<Vec<PromptBlock>, RpcError> {
    prompt.into_iter().map(block).collect()
}

fn block(block: acp::ContentBlock) -> Result<PromptBlock, RpcError> {
    match block {
        acp::ContentBlock::Text(text) => Ok(PromptBlock::Text(text.text)),
        acp::ContentBlock::Image(image) => {
            Ok(PromptBlock::Image { media_type: image.mime_type, data: image.data })
        }
        acp::ContentBlock::ResourceLink(link) => Ok(document(&link.uri, link.meta.as_ref(), None)),
        acp::ContentBlock::Resource(resource) => match resource.resource {
            acp::EmbeddedResourceResource::TextResourceContents(contents) => {
                let meta = contents.meta.or(resource.meta);
                Ok(document(&contents.uri, meta.as_ref(), Some(contents.text)))
            }
            acp::EmbeddedResourceResource::BlobResourceContents(blob) => match blob.mime_type {
                Some(media_type) if media_type.starts_with("image/") => {
                    Ok(PromptBlock::Image { media_type, data: blob.blob })
                }
                _ => Err(unreadable(&format!("{} is binary", blob.uri))),
            },
            _ => Err(unreadable("an attached resource is of an unknown kind")),
        },
        acp::ContentBlock::Audio(_) => Err(unreadable("audio")),
        _ => Err(unreadable("a block of an unknown kind")),
    }
}

fn unreadable(what: &str) -> RpcError {
    RpcError::invalid_params(format!(
        "The prompt can't be sent: {what}. Text, images, and text documents can be attached."
    ))
}

/// A document, or a part of it: `_meta.assent.range` says which, or lines in the URI's fragment.
fn document(uri: &str, meta: Option<&acp::Meta>, text: Option<String>) -> PromptBlock {
    let (base, lines) = match uri.split_once('#') {
        Some((base, fragment)) => match lines(fragment) {
            Some(range) => (base, Some(range)),
            None => (uri, None),
        },
        None => (uri, None),
    };
    let range = meta.and_then(range).or(lines);
    PromptBlock::Document { uri: DocumentUri::new(base), range, text }
}

fn range(meta: &acp::Meta) -> Option<PositionRange> {
    let range = meta.get(ASSENT)?.get("range")?;
    serde_json::from_value::<Range>(range.clone()).ok().map(position_range)
}

/// A range of the wire as our own.
pub fn position_range(range: Range) -> PositionRange {
    let position =
        |position: crate::protocol::Position| Position { line: position.line, character: position.character };
    PositionRange { start: position(range.start), end: position(range.end) }
}

/// `L10`, `L10-20`, `L10-L20` and `L10:20`: lines from 1, the last one included.
fn lines(fragment: &str) -> Option<PositionRange> {
    let lines = fragment.strip_prefix('L')?;
    let (first, last) = match lines.split_once(['-', ':']) {
        Some((first, last)) => (first, last.strip_prefix('L').unwrap_or(last)),
        None => (lines, lines),
    };
    let (first, last) = (first.parse::<u32>().ok()?, last.parse::<u32>().ok()?);
    let start = Position { line: first.checked_sub(1)?, character: 0 };
    (last >= first).then_some(PositionRange { start, end: Position { line: last, character: 0 } })
}

#[cfg(test)]
mod tests;
