//! What `ls`, `glob` and `grep` share: where they search, which names a pattern means, and the
//! order of what they found.

use super::{ToolContext, target};
use assent_base::path::{self, ResolvedPath};
use assent_base::policy::{Access, ResolvedCall};
use assent_base::tool::{Effects, Reads};
use globset::{GlobBuilder, GlobMatcher};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A glob as a model means it: without a slash it is about file names wherever they are.
#[derive(Debug, Clone)]
pub(super) struct Names {
    matcher: GlobMatcher,
    by_name: bool,
    /// Whether a component of it begins with a dot, so that hidden files are meant too.
    pub(super) hidden: bool,
}

impl Names {
    pub(super) fn new(pattern: &str) -> Result<Self, String> {
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        if pattern.split('/').any(|part| part == "..") {
            return Err(format!("The pattern {pattern} leads out of the folder; give the folder as path."));
        }
        if Path::new(pattern).is_absolute() {
            return Err(format!(
                "The pattern {pattern} is absolute. Give the folder as path, and a pattern below it."
            ));
        }
        let matcher = GlobBuilder::new(pattern)
            .literal_separator(true)
            .build()
            .map_err(|error| format!("The pattern can't be used: {error}."))?
            .compile_matcher();
        let hidden = pattern.split(['/', '{', ',']).any(|part| part.starts_with('.'));
        Ok(Self { matcher, by_name: !pattern.contains('/'), hidden })
    }

    /// Whether a path, relative to the folder searched, is meant.
    pub(super) fn matches(&self, relative: &Path) -> bool {
        match relative.file_name() {
            Some(name) if self.by_name => self.matcher.is_match(name),
            _ => self.matcher.is_match(relative),
        }
    }
}

/// A call that searches below `path`, or below every workspace folder where it is left out.
pub(super) async fn resolve(
    tool: &str,
    call_id: &str,
    arguments: Map<String, Value>,
    ctx: &ToolContext,
) -> Result<ResolvedCall, String> {
    let given = target::text(&arguments, "path");
    let mut roots = Vec::new();
    if given.is_empty() {
        for folder in ctx.folders.iter() {
            roots.push(target::path(ctx, &folder.to_string_lossy()).await?);
        }
        if roots.is_empty() {
            return Err("No workspace folder is open. Give the folder as path, absolute.".into());
        }
    } else {
        roots.push(target::path(ctx, given).await?);
    }
    let reads = roots.iter().map(|root| target::reads(root.class)).max().unwrap_or(Reads::Project);
    Ok(ResolvedCall {
        call_id: call_id.to_owned(),
        tool: tool.to_owned(),
        subject: target::shown(ctx, &roots[0].canonical),
        effects: Effects { reads, ..Effects::default() },
        paths: roots.into_iter().map(|root| (Access::Read, root)).collect(),
        command: None,
        arguments,
        program: None,
        notes: Vec::new(),
        unsandboxed: false,
    })
}

/// The folders a call searches. What was judged is what is searched: links are resolved.
pub(super) fn roots(call: &ResolvedCall) -> Vec<PathBuf> {
    call.paths.iter().map(|(_, path): &(Access, ResolvedPath)| path.canonical.clone()).collect()
}

/// What was found, newest first; what is equally new, by name.
pub(super) fn newest_first<T>(found: &mut [T], of: impl Fn(&T) -> (SystemTime, &Path)) {
    found.sort_by(|a, b| {
        let ((a_time, a_path), (b_time, b_path)) = (of(a), of(b));
        b_time.cmp(&a_time).then_with(|| a_path.cmp(b_path))
    });
}

/// When a file was changed last; what can't say so is old.
pub(super) fn modified(path: &Path) -> SystemTime {
    std::fs::metadata(path).and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// How a found path is named, so that the model can give it back: relative only in the folder in
/// which relative paths are resolved.
pub(super) fn named(ctx: &ToolContext, path: &Path) -> String {
    path::display(ctx.folders.get(..1).unwrap_or_default(), path)
}

/// Says what is wrong with a folder to search.
pub(super) fn missing(root: &Path, ctx: &ToolContext) -> Option<String> {
    (!root.exists()).then(|| format!("{} does not exist.", named(ctx, root)))
}

#[cfg(test)]
mod tests;
