//! `ls`: a folder as a tree, as many levels as fit.

use super::search::{self, Names};
use super::{Tool, ToolContext, ToolOutput, target};
use crate::documents;
use crate::event::ToolKind;
use crate::limits;
use crate::permission::Granted;
use assent_base::policy::ResolvedCall;
use assent_base::tool::Definition;
use async_trait::async_trait;
use serde_json::{Map, Value};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A tree deeper than this is not helpful at once.
const LEVELS: usize = 6;

pub(super) struct Ls(pub(super) Arc<Definition>);

#[async_trait]
impl Tool for Ls {
    fn definition(&self) -> &Arc<Definition> {
        &self.0
    }

    fn kind(&self) -> ToolKind {
        ToolKind::Read
    }

    fn title(&self, call: &ResolvedCall) -> String {
        format!("List {}", call.subject)
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        ctx: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        search::resolve("ls", call_id, arguments, ctx).await
    }

    async fn run(&self, granted: Granted, ctx: &ToolContext) -> ToolOutput {
        let call = granted.call();
        let ignored = call.arguments.get("ignore").and_then(Value::as_array).into_iter().flatten();
        let ignored: Vec<String> = ignored.filter_map(Value::as_str).map(str::to_owned).collect();
        let (roots, ctx) = (search::roots(call), ctx.clone());
        let worked =
            target::blocking(move || list_all(&roots, &ignored, &ctx)).await.and_then(|listed| listed);
        worked.map_or_else(ToolOutput::error, ToolOutput::text)
    }
}

/// The trees of these folders, without what the patterns name.
pub(super) fn list_all(roots: &[PathBuf], ignored: &[String], ctx: &ToolContext) -> Result<String, String> {
    let ignored: Vec<Names> = ignored.iter().map(|pattern| Names::new(pattern)).collect::<Result<_, _>>()?;
    let lists: Vec<String> = roots.iter().map(|root| list(root, &ignored, ctx)).collect::<Result<_, _>>()?;
    Ok(lists.join("\n\n"))
}

fn list(root: &Path, ignored: &[Names], ctx: &ToolContext) -> Result<String, String> {
    let shown = search::named(ctx, root);
    if let Some(missing) = search::missing(root, ctx) {
        return Err(missing);
    }
    if !root.is_dir() {
        return Err(format!("{shown} is a file. Use read to see it."));
    }
    // One level more as long as all of it fits; the first is shown in any case.
    let mut best = level(root, ignored, 1);
    let mut deeper = false;
    for depth in 2..=LEVELS {
        let next = level(root, ignored, depth);
        deeper = next.len() > best.len();
        if !deeper || next.len() > limits::LS_ENTRIES {
            break;
        }
        best = next;
    }
    let mut text = format!("{}/", root.display());
    for (path, is_folder) in best.iter().take(limits::LS_ENTRIES) {
        let depth = path.components().count();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Writing to a string can't fail.
        let _ = write!(text, "\n{}{name}{}", "  ".repeat(depth), if *is_folder { "/" } else { "" });
    }
    if best.len() > limits::LS_ENTRIES {
        let _ = write!(text, "\n[{} of {} entries shown.]", limits::LS_ENTRIES, best.len());
    } else if deeper {
        text.push_str("\n[What lies deeper is not shown. List a subfolder, or use glob.]");
    } else if best.is_empty() {
        text.push_str("\n(empty)");
    }
    Ok(text)
}

/// The entries of so many levels, by path. Hidden names are shown, hidden folders not entered.
fn level(root: &Path, ignored: &[Names], depth: usize) -> Vec<(PathBuf, bool)> {
    let hidden = |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    let mut walk = documents::walk(root);
    let mut found: Vec<(PathBuf, bool)> = walk
        .max_depth(Some(depth))
        .build()
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let relative = entry.path().strip_prefix(root).ok()?.to_owned();
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let below_hidden = relative.parent().is_some_and(|parent| parent.ancestors().any(hidden));
            let left_out = relative
                .ancestors()
                .any(|part| !part.as_os_str().is_empty() && ignored.iter().any(|names| names.matches(part)));
            let shown = !relative.as_os_str().is_empty() && !below_hidden && !left_out;
            shown.then_some((relative, is_folder))
        })
        .collect();
    found.sort();
    found
}
