//! What `edit`, `multiedit` and `write` share: the call that changes one document, and the
//! proposal that goes to the review. No tool writes by itself.

use super::{Proposal, ToolContext, ToolOutput, target};
use crate::documents::{self, LoadError, Snapshot, Target};
use crate::permission::Granted;
use assent_base::find::{How, Located};
use assent_base::path::DocumentUri;
use assent_base::policy::{Access, ResolvedCall};
use assent_base::review::Change;
use assent_base::secret;
use assent_base::text;
use assent_base::tool::{Content, Effects, Reads, Writes};
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::sync::Arc;

/// A call that reads and changes the document `filePath`.
pub(super) async fn resolve(
    tool: &str,
    call_id: &str,
    arguments: Map<String, Value>,
    ctx: &ToolContext,
) -> Result<ResolvedCall, String> {
    let target = target::target(ctx, target::text(&arguments, "filePath")).await?;
    no_placeholder(&arguments)?;
    let call = target::pure(tool, call_id, arguments);
    Ok(match target {
        Target::Path(path) => ResolvedCall {
            subject: target::shown(ctx, &path.canonical),
            effects: Effects {
                reads: target::reads(path.class),
                writes: target::writes(path.class),
                ..Effects::default()
            },
            paths: vec![(Access::Write, path)],
            ..call
        },
        Target::Document(uri) => ResolvedCall {
            subject: uri.as_str().to_owned(),
            effects: Effects { reads: Reads::Project, writes: Writes::Project, ..Effects::default() },
            ..call
        },
    })
}

/// What stands for a secret must not be written in its place.
pub(super) fn no_placeholder(arguments: &Map<String, Value>) -> Result<(), String> {
    fn has_one(value: &Value) -> bool {
        match value {
            Value::String(text) => secret::has_placeholder(text),
            Value::Array(values) => values.iter().any(has_one),
            Value::Object(fields) => fields.values().any(has_one),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    if !arguments.values().any(has_one) {
        return Ok(());
    }
    Err(format!(
        "The text holds `{}…]`, which stands for a secret that was kept from you and would be lost. Use edit on the \
         lines around it, without those that hold it.",
        secret::PLACEHOLDER
    ))
}

/// The document of a call, as it stands now.
pub(super) async fn load(call: &ResolvedCall, ctx: &ToolContext) -> Result<Arc<Snapshot>, LoadError> {
    match call.paths.first() {
        Some((_, path)) => documents::load(&ctx.documents, &*ctx.editor, &ctx.session, &path.absolute).await,
        None => {
            let uri = DocumentUri::new(&call.subject);
            documents::load_uri(&ctx.documents, &*ctx.editor, &ctx.session, &uri).await
        }
    }
}

/// The document of a call that edits it: it must exist and have been read.
pub(super) async fn load_to_edit(
    call: &ResolvedCall,
    ctx: &ToolContext,
) -> Result<Arc<Snapshot>, ToolOutput> {
    let snapshot = load(call, ctx).await.map_err(|error| match error {
        LoadError::NotFound(_) => ToolOutput::error(format!("{error} To create it use write.")),
        _ => ToolOutput::error(error.to_string()),
    })?;
    ctx.seen
        .check_edit(&snapshot, true)
        .map_err(|problem| ToolOutput::error(format!("{}: {problem}", call.subject)))?;
    Ok(snapshot)
}

/// Propose what was located, and say how it was found.
pub(super) async fn propose_located(
    granted: &Granted,
    snapshot: &Snapshot,
    old: &str,
    located: &Located,
    ctx: &ToolContext,
) -> ToolOutput {
    if let Err(problem) = ctx.seen.check_edit(snapshot, located.how == How::Exact) {
        return ToolOutput::error(format!("{}: {problem}", granted.call().subject));
    }
    let new_text = match located.edits.apply(old) {
        Ok(new_text) if new_text != old => new_text,
        Ok(_) => return ToolOutput::error("The edit would leave the text as it is; nothing was changed."),
        Err(error) => return ToolOutput::error(format!("The edit can't be made: {error}.")),
    };
    let mut output = propose(granted, snapshot, new_text, ctx).await;
    let found = match (located.count, located.how) {
        (1, How::Exact) => return output,
        (1, how) => format!("The text was found{}.", tolerance(how)),
        (count, how) => format!("{count} places were found{}.", tolerance(how)),
    };
    output.content.insert(0, Content::Text(found));
    output
}

/// Propose a new text for an existing document.
pub(super) async fn propose(
    granted: &Granted,
    snapshot: &Snapshot,
    new_text: String,
    ctx: &ToolContext,
) -> ToolOutput {
    match proposal(snapshot, new_text, place(granted)) {
        Ok(proposal) => ctx.reviewer.review(granted, vec![proposal]).await,
        Err(problem) => {
            ToolOutput::error(format!("{}: {problem}. Nothing was changed.", granted.call().subject))
        }
    }
}

/// A new text for a document, unless its encoding has no way to write it.
pub(super) fn proposal(
    snapshot: &Snapshot,
    new_text: String,
    place: Option<PathBuf>,
) -> Result<Proposal, String> {
    // Of an open document the editor knows the encoding, and nobody else.
    if !snapshot.is_open() {
        text::encode(&new_text, &snapshot.format).map_err(|problem| problem.to_string())?;
    }
    Ok(Proposal {
        uri: snapshot.uri.clone(),
        change: Change::Edit,
        old: snapshot.text.clone(),
        version: snapshot.version,
        new_text,
        place,
    })
}

/// Propose that the document of a call goes. It must have been read, so that nothing goes unseen.
pub(super) async fn propose_deletion(granted: &Granted, ctx: &ToolContext) -> ToolOutput {
    let call = granted.call();
    let snapshot = match load_to_edit(call, ctx).await {
        Ok(snapshot) => snapshot,
        Err(output) => return output,
    };
    let proposal = Proposal {
        uri: snapshot.uri.clone(),
        change: Change::Delete,
        old: snapshot.text.clone(),
        version: snapshot.version,
        new_text: String::new(),
        place: place(granted),
    };
    ctx.reviewer.review(granted, vec![proposal]).await
}

/// Where the call was judged to write.
pub(super) fn place(granted: &Granted) -> Option<PathBuf> {
    granted.call().paths.first().map(|(_, path)| path.canonical.clone())
}

fn tolerance(how: How) -> &'static str {
    match how {
        How::Exact => "",
        How::LineEnds => ", but for its line ends",
        How::TrailingBlanks => ", but for blanks at line ends",
        How::Indentation => ", but for its indentation",
    }
}
