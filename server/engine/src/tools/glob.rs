//! `glob`: files by name, newest first.

use super::search::{self, Names};
use super::{Tool, ToolContext, ToolOutput, target};
use crate::documents;
use crate::event::ToolKind;
use crate::limits;
use crate::permission::Granted;
use assent_base::policy::ResolvedCall;
use assent_base::tool::Definition;
use async_trait::async_trait;
use ignore::{DirEntry, WalkState};
use parking_lot::Mutex;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

pub(super) struct Glob(pub(super) Arc<Definition>);

#[async_trait]
impl Tool for Glob {
    fn definition(&self) -> &Arc<Definition> {
        &self.0
    }

    fn kind(&self) -> ToolKind {
        ToolKind::Search
    }

    fn title(&self, call: &ResolvedCall) -> String {
        let pattern = target::text(&call.arguments, "pattern");
        match call.subject.as_str() {
            "." => format!("Find {pattern}"),
            folder => format!("Find {pattern} in {folder}"),
        }
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        ctx: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        search::resolve("glob", call_id, arguments, ctx).await
    }

    async fn run(&self, granted: Granted, ctx: &ToolContext) -> ToolOutput {
        let call = granted.call();
        let (roots, ctx) = (search::roots(call), ctx.clone());
        let pattern = target::text(&call.arguments, "pattern").to_owned();
        let worked = target::blocking(move || find(&roots, &pattern, &ctx)).await.and_then(|found| found);
        worked.map_or_else(ToolOutput::error, ToolOutput::text)
    }
}

fn find(roots: &[PathBuf], pattern: &str, ctx: &ToolContext) -> Result<String, String> {
    let mut found = Vec::new();
    for root in roots {
        if let Some(missing) = search::missing(root, ctx) {
            return Err(missing);
        }
        if !root.is_dir() {
            return Err(format!("{} is a file. Give a folder as path.", search::named(ctx, root)));
        }
        let names = Names::new(below(root, pattern))?;
        found.extend(files(root, &names, ctx));
    }
    search::newest_first(&mut found, |(path, time)| (*time, path));
    if found.is_empty() {
        return Ok(format!("No files match {pattern}."));
    }
    let mut lines: Vec<String> =
        found.iter().take(limits::GLOB_FILES).map(|(path, _)| search::named(ctx, path)).collect();
    if found.len() > limits::GLOB_FILES {
        lines.push(format!(
            "[{} of {} files shown, the newest. Narrow the pattern or give a path.]",
            limits::GLOB_FILES,
            found.len()
        ));
    }
    Ok(lines.join("\n"))
}

/// A pattern that begins with the folder itself is meant relative to it.
fn below<'a>(root: &Path, pattern: &'a str) -> &'a str {
    let Some(root) = root.to_str() else { return pattern };
    pattern.strip_prefix(root).map_or(pattern, |rest| rest.trim_start_matches('/'))
}

fn files(root: &Path, names: &Names, ctx: &ToolContext) -> Vec<(PathBuf, SystemTime)> {
    let found = Mutex::new(Vec::new());
    let walk = documents::walk(root).hidden(!names.hidden).build_parallel();
    walk.run(|| {
        Box::new(|entry| {
            if ctx.cancel.is_cancelled() {
                return WalkState::Quit;
            }
            if let Ok(entry) = entry
                && is_file(&entry)
                && entry.path().strip_prefix(root).is_ok_and(|relative| names.matches(relative))
            {
                let time = search::modified(entry.path());
                found.lock().push((entry.into_path(), time));
            }
            WalkState::Continue
        })
    });
    found.into_inner()
}

/// A link to a file is one; a link to a folder is neither listed nor followed.
fn is_file(entry: &DirEntry) -> bool {
    match entry.file_type() {
        Some(kind) if kind.is_symlink() => entry.path().is_file(),
        Some(kind) => kind.is_file(),
        None => false,
    }
}
