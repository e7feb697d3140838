//! `read`: a text with line numbers, or an image.

use super::{Tool, ToolContext, ToolOutput, target};
use crate::documents::{self, Image, LoadError, Loaded, Snapshot, Target};
use crate::event::ToolKind;
use crate::limits;
use crate::permission::Granted;
use assent_base::clip;
use assent_base::path::DocumentUri;
use assent_base::policy::ResolvedCall;
use assent_base::tool::{Content, Definition, Effects, Reads};
use async_trait::async_trait;
use base64::Engine;
use ropey::Rope;
use serde_json::{Map, Value};
use std::fmt::Write;
use std::sync::Arc;

pub(super) struct Read(pub(super) Arc<Definition>);

#[async_trait]
impl Tool for Read {
    fn definition(&self) -> &Arc<Definition> {
        &self.0
    }

    fn kind(&self) -> ToolKind {
        ToolKind::Read
    }

    fn title(&self, call: &ResolvedCall) -> String {
        match (target::number(&call.arguments, "offset"), target::number(&call.arguments, "limit")) {
            (None | Some(0), None) => format!("Read {}", call.subject),
            (offset, None) => format!("Read {} from line {}", call.subject, offset.unwrap_or(0) + 1),
            (offset, Some(limit)) => {
                let first = offset.unwrap_or(0) + 1;
                format!("Read {}, lines {first} to {}", call.subject, first.saturating_add(limit) - 1)
            }
        }
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        ctx: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        match target::target(ctx, target::text(&arguments, "filePath")).await? {
            Target::Path(path) => Ok(target::reading("read", call_id, path, arguments, ctx)),
            Target::Document(uri) => {
                let effects = Effects { reads: Reads::Project, ..Effects::default() };
                let call = target::pure("read", call_id, arguments);
                Ok(ResolvedCall { subject: uri.as_str().to_owned(), effects, ..call })
            }
        }
    }

    async fn run(&self, granted: Granted, ctx: &ToolContext) -> ToolOutput {
        let call = granted.call();
        let offset = target::number(&call.arguments, "offset").unwrap_or(0);
        let limit = target::number(&call.arguments, "limit").unwrap_or(u64::MAX);
        lines(call, Lines { offset, limit, named: Named::Offset }, ctx).await
    }
}

/// Which lines of a text.
pub(super) struct Lines {
    /// How many are skipped.
    pub(super) offset: u64,
    /// How many are shown at most.
    pub(super) limit: u64,
    pub(super) named: Named,
}

/// By which argument the model says where it goes on.
#[derive(Clone, Copy)]
pub(super) enum Named {
    /// `offset`, lines to skip.
    Offset,
    /// `startLine`, from 1.
    StartLine,
    /// By none: it gets the beginning.
    Nothing,
}

impl Named {
    /// What to do for the rest, `next` lines having been shown.
    fn go_on(self, next: usize) -> String {
        match self {
            Self::Offset => format!("Go on with offset {next}."),
            Self::StartLine => format!("Go on with startLine {}.", next + 1),
            Self::Nothing => "For the rest use a tool that reads a part of a file.".to_owned(),
        }
    }

    /// What is wrong where the lines begin behind the last of `total`.
    fn behind(self, offset: usize, total: usize) -> String {
        match self {
            Self::StartLine => {
                format!("line {} is behind the last. Give a startLine up to {total}.", offset + 1)
            }
            Self::Offset | Self::Nothing => {
                format!("offset {offset} is behind the last. Give an offset below {total}.")
            }
        }
    }
}

/// What the file of a call holds: lines of its text, which then counts as read, or its image.
pub(super) async fn lines(call: &ResolvedCall, lines: Lines, ctx: &ToolContext) -> ToolOutput {
    let (documents, editor, session) = (&ctx.documents, &*ctx.editor, &ctx.session);
    let loaded = match call.paths.first() {
        Some((_, path)) => documents::load_any(documents, editor, session, &path.absolute).await,
        None => {
            let uri = DocumentUri::new(&call.subject);
            documents::load_uri(documents, editor, session, &uri).await.map(Loaded::Text)
        }
    };
    match loaded {
        Ok(Loaded::Text(snapshot)) => {
            let shown = show(&snapshot.text, &lines, &call.subject);
            note(ctx, &snapshot, &shown);
            shown
        }
        Ok(Loaded::Image(image)) => show_image(&image, &call.subject),
        Err(error @ LoadError::NotFound(_)) => {
            ToolOutput::error(format!("{error} Use glob to find it, or ls to see what is there."))
        }
        Err(error) => ToolOutput::error(error.to_string()),
    }
}

/// An offset behind the end shows nothing, so nothing was read.
fn note(ctx: &ToolContext, snapshot: &Snapshot, shown: &ToolOutput) {
    if !shown.is_error {
        ctx.seen.note(snapshot);
    }
}

fn show(text: &Rope, lines: &Lines, name: &str) -> ToolOutput {
    if text.len_bytes() == 0 {
        return ToolOutput::text(format!("{name} is empty (0 bytes)."));
    }
    let total = text.len_lines() - usize::from(text.char(text.len_chars() - 1) == '\n');
    let offset = usize::try_from(lines.offset).unwrap_or(usize::MAX);
    if offset >= total {
        let count = if total == 1 { "1 line".to_owned() } else { format!("{total} lines") };
        let behind = lines.named.behind(offset, total);
        return ToolOutput::error(format!("Nothing to show: {name} has {count}, and {behind}"));
    }
    let limit = usize::try_from(lines.limit).unwrap_or(usize::MAX).min(limits::READ_LINES);
    let mut out = String::new();
    let mut next = offset;
    for line in text.lines_at(offset).take(limit.min(total - offset)) {
        let number = next + 1;
        let line = one_line(&line.to_string());
        if next > offset && out.len() + line.len() > limits::RESULT_BYTES - 1024 {
            break;
        }
        // Writing to a string can't fail.
        let _ = writeln!(out, "{number:>6}\t{line}");
        next += 1;
    }
    if next < total {
        let _ = write!(out, "[Lines {} to {next} of {total}. {}]", offset + 1, lines.named.go_on(next));
    }
    ToolOutput::text(out)
}

fn one_line(line: &str) -> String {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    let (mut shown, cut) = clip::clip_line(line, limits::LINE_CHARS);
    if cut {
        let _ = write!(shown, " [cut: the line has {} characters]", line.chars().count());
    }
    shown
}

fn show_image(image: &Image, name: &str) -> ToolOutput {
    if image.bytes.len() > limits::IMAGE_BYTES {
        return ToolOutput::error(format!(
            "{name} is an image of {} bytes; more than {} can't be shown.",
            image.bytes.len(),
            limits::IMAGE_BYTES
        ));
    }
    let data = base64::engine::general_purpose::STANDARD.encode(&image.bytes);
    let heading = format!("{name} ({}, {} bytes)", image.media_type, image.bytes.len());
    let image = Content::Image { media_type: image.media_type.to_owned(), data };
    ToolOutput { content: vec![Content::Text(heading), image], is_error: false, summary: None }
}
