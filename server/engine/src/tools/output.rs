//! The output rule: what is too long for the model is kept whole in a file of the session, and
//! the model gets head, tail, size and path.

use super::{ToolContext, ToolOutput};
use crate::{limits, private};
use assent_base::clip;
use assent_base::tool::Content;
use std::path::PathBuf;

/// What a tool that bounds itself may add around it: headings, a word on what is missing.
const FRAME_LINES: usize = 100;
const FRAME_BYTES: usize = 2 * 1024;

/// Applies the rule to a tool's result, and sees to it that it is not empty.
pub async fn finish(mut output: ToolOutput, ctx: &ToolContext) -> ToolOutput {
    let mut content = Vec::with_capacity(output.content.len());
    for piece in std::mem::take(&mut output.content) {
        match piece {
            Content::Text(text) if text.trim().is_empty() => {}
            Content::Text(text) => content.push(Content::Text(within_bounds(text, ctx).await)),
            other @ (Content::Image { .. } | Content::Expanded { .. }) => content.push(other),
        }
    }
    if content.is_empty() {
        content.push(Content::Text("(no output)".into()));
    }
    ToolOutput { content, ..output }
}

async fn within_bounds(text: String, ctx: &ToolContext) -> String {
    let fits = text.len() <= limits::RESULT_BYTES + FRAME_BYTES
        && text.lines().count() <= limits::RESULT_LINES + FRAME_LINES;
    if fits {
        return text;
    }
    let clipped = clip::clip(&text, limits::RESULT_BYTES, limits::RESULT_LINES);
    let path = spill_path(ctx, "output");
    match private::keep_private(path.clone(), text).await {
        Ok(()) => {
            format!(
                "{}\n{}",
                clipped.shown.trim_end(),
                clip::whole_is_at(&clipped, &path.display().to_string())
            )
        }
        Err(error) => format!(
            "{}\n[the whole output, {} bytes, could not be kept: {error}]",
            clipped.shown, clipped.total_bytes
        ),
    }
}

/// A new file of the session for a long output.
pub(super) fn spill_path(ctx: &ToolContext, kind: &str) -> PathBuf {
    ctx.spill.join(format!("{kind}-{}.txt", uuid::Uuid::now_v7().simple()))
}
