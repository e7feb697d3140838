//! What the tools share for their paths: resolution off the async threads, the class that a path
//! gives a call, and how a path is shown.

use super::ToolContext;
use crate::documents::{self, Target};
use assent_base::path::{self, PathClass, Places, ResolvedPath};
use assent_base::policy::{Access, ResolvedCall};
use assent_base::tool::{Effects, Reads, Writes};
use serde_json::{Map, Value};
use std::path::Path;

/// What a call names: a file, or an open document that is none.
pub(super) async fn target(ctx: &ToolContext, given: &str) -> Result<Target, String> {
    let (ctx, given) = (ctx.clone(), given.to_owned());
    blocking(move || {
        let places = Places { roots: &ctx.folders, own: &ctx.own };
        documents::resolve_target(places, &ctx.documents, &given)
    })
    .await?
}

/// The path a call reads.
pub(super) async fn path(ctx: &ToolContext, given: &str) -> Result<ResolvedPath, String> {
    let (ctx, given) = (ctx.clone(), given.to_owned());
    blocking(move || {
        let places = Places { roots: &ctx.folders, own: &ctx.own };
        documents::resolve_path(places, &given)
    })
    .await?
}

/// The class of reading a path of that class.
pub(super) fn reads(class: PathClass) -> Reads {
    match class {
        PathClass::Project => Reads::Project,
        PathClass::Dot => Reads::ProjectDot,
        PathClass::Ignored => Reads::ProjectIgnore,
        PathClass::External => Reads::External,
    }
}

/// The class of writing a path of that class.
pub(super) fn writes(class: PathClass) -> Writes {
    match class {
        PathClass::Project => Writes::Project,
        PathClass::Dot => Writes::ProjectDot,
        PathClass::Ignored => Writes::ProjectIgnore,
        PathClass::External => Writes::External,
    }
}

/// How a path is shown, and what rules match: relative to its workspace folder.
pub(super) fn shown(ctx: &ToolContext, path: &Path) -> String {
    path::display(&ctx.folders, path)
}

/// A call that reads one path.
pub(super) fn reading(
    tool: &str,
    call_id: &str,
    path: ResolvedPath,
    arguments: Map<String, Value>,
    ctx: &ToolContext,
) -> ResolvedCall {
    ResolvedCall {
        call_id: call_id.to_owned(),
        tool: tool.to_owned(),
        subject: shown(ctx, &path.canonical),
        effects: Effects { reads: reads(path.class), ..Effects::default() },
        paths: vec![(Access::Read, path)],
        command: None,
        arguments,
        program: None,
        notes: Vec::new(),
        unsandboxed: false,
    }
}

/// A call that touches nothing.
pub(super) fn pure(tool: &str, call_id: &str, arguments: Map<String, Value>) -> ResolvedCall {
    ResolvedCall {
        call_id: call_id.to_owned(),
        tool: tool.to_owned(),
        subject: tool.to_owned(),
        effects: Effects::default(),
        paths: Vec::new(),
        command: None,
        arguments,
        program: None,
        notes: Vec::new(),
        unsandboxed: false,
    }
}

/// A text argument; empty where it was left out.
pub(super) fn text<'a>(arguments: &'a Map<String, Value>, name: &str) -> &'a str {
    arguments.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// A whole number argument.
pub(super) fn number(arguments: &Map<String, Value>, name: &str) -> Option<u64> {
    arguments.get(name).and_then(Value::as_u64)
}

/// Work on the disk, off the async threads.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    let worked = tokio::task::spawn_blocking(work).await;
    worked.map_err(|error| format!("The tool failed by a fault of Assent's own: {error}."))
}
