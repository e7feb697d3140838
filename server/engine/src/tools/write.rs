//! `write`: a whole document, new or replaced.

use super::{Proposal, Tool, ToolContext, ToolOutput, change, target};
use crate::documents::{LoadError, Snapshot};
use crate::event::ToolKind;
use crate::permission::Granted;
use assent_base::path::DocumentUri;
use assent_base::policy::ResolvedCall;
use assent_base::review::Change;
use assent_base::text::{LineEnd, to_line_end};
use assent_base::tool::Definition;
use async_trait::async_trait;
use ropey::Rope;
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;

pub(super) struct Write(pub(super) Arc<Definition>);

#[async_trait]
impl Tool for Write {
    fn definition(&self) -> &Arc<Definition> {
        &self.0
    }

    fn kind(&self) -> ToolKind {
        ToolKind::Edit
    }

    fn title(&self, call: &ResolvedCall) -> String {
        creation(call).unwrap_or_else(|| format!("Write {}", call.subject))
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        ctx: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        change::resolve("write", call_id, arguments, ctx).await
    }

    async fn run(&self, granted: Granted, ctx: &ToolContext) -> ToolOutput {
        let call = granted.call();
        let content = target::text(&call.arguments, "content");
        match (change::load(call, ctx).await, call.paths.first()) {
            (Ok(snapshot), _) => replace(&granted, &snapshot, content, ctx).await,
            (Err(LoadError::NotFound(_)), Some((_, path))) => {
                create(&granted, &path.absolute, content, ctx).await
            }
            (Err(error), _) => ToolOutput::error(error.to_string()),
        }
    }
}

/// Propose a file that is not there.
pub(super) async fn create(granted: &Granted, path: &Path, content: &str, ctx: &ToolContext) -> ToolOutput {
    let proposal = Proposal {
        uri: DocumentUri::from_path(path),
        change: Change::Create,
        old: Rope::new(),
        version: None,
        new_text: content.to_owned(),
        place: change::place(granted),
    };
    ctx.reviewer.review(granted, vec![proposal]).await
}

async fn replace(granted: &Granted, snapshot: &Snapshot, content: &str, ctx: &ToolContext) -> ToolOutput {
    let subject = &granted.call().subject;
    let new_text = in_the_files_style(content, snapshot);
    if snapshot.text == *new_text {
        return ToolOutput::text(format!("{subject} already has exactly this content; nothing was changed."));
    }
    // In an empty document there is nothing to lose.
    if snapshot.text.len_bytes() > 0
        && let Err(problem) = ctx.seen.check_write(snapshot)
    {
        return ToolOutput::error(format!("{subject}: {problem}"));
    }
    change::propose(granted, snapshot, new_text, ctx).await
}

/// Models write `\n` and no byte order mark, whatever the file has.
fn in_the_files_style(content: &str, snapshot: &Snapshot) -> String {
    let content = if snapshot.format.bom { content.trim_start_matches('\u{FEFF}') } else { content };
    match snapshot.format.line_end {
        LineEnd::CrLf if !content.contains("\r\n") => to_line_end(content, LineEnd::CrLf).into_owned(),
        LineEnd::CrLf | LineEnd::Lf => content.to_owned(),
    }
}

/// What making the file of a call makes; `None` where it is there.
pub(super) fn creation(call: &ResolvedCall) -> Option<String> {
    let path = call.paths.first().map(|(_, path)| path.canonical.as_path());
    Some(match path.filter(|path| !path.exists()).map(missing_folders)? {
        0 => format!("Create {}", call.subject),
        1 => format!("Create {} and its folder", call.subject),
        count => format!("Create {} and its {count} missing folders", call.subject),
    })
}

fn missing_folders(path: &Path) -> usize {
    path.ancestors().skip(1).take_while(|folder| !folder.exists()).count()
}
