//! `replaceInProject`: one replacement through all files with a match, as one review. Which files
//! those are is found out before the gate is asked, so that rules about paths hold for each.

use super::super::{Proposal, ToolContext, ToolOutput, change, grep, search, target};
use crate::documents;
use crate::limits;
use crate::permission::Granted;
use assent_base::find::Pattern;
use assent_base::path::PathClass;
use assent_base::policy::{Access, ResolvedCall};
use assent_base::tool::Content;

/// The files with a match take the place of the folders that are searched.
pub(super) async fn resolve(
    call: ResolvedCall,
    query: grep::Query,
    ctx: &ToolContext,
) -> Result<ResolvedCall, String> {
    Pattern::new(&query.pattern)?;
    let (roots, searching) = (search::roots(&call), ctx.clone());
    let pattern = query.pattern.clone();
    let files = target::blocking(move || grep::files(&roots, &query, &searching)).await??;
    if files.len() > limits::REPLACE_FILES {
        return Err(format!(
            "{} files match, more than the {} that can be reviewed at once. Narrow the pattern or include.",
            files.len(),
            limits::REPLACE_FILES
        ));
    }
    let mut paths = Vec::with_capacity(files.len());
    for file in files {
        let path = target::path(ctx, &file.to_string_lossy()).await?;
        if path.class == PathClass::Project {
            paths.push((Access::Write, path));
        }
    }
    let subject = match paths.as_slice() {
        [] => return Err(format!("No matches for {pattern}: there is nothing to replace.")),
        [(_, only)] => target::shown(ctx, &only.canonical),
        several => format!("{} files", several.len()),
    };
    Ok(ResolvedCall { subject, paths, ..call })
}

pub(super) async fn run(granted: &Granted, ctx: &ToolContext) -> ToolOutput {
    let call = granted.call();
    let pattern = match Pattern::new(target::text(&call.arguments, "pattern")) {
        Ok(pattern) => pattern,
        Err(words) => return ToolOutput::error(words),
    };
    let replacement = target::text(&call.arguments, "replacement");
    let mut proposals: Vec<Proposal> = Vec::new();
    let mut left = Vec::new();
    for (_, path) in &call.paths {
        let loaded = documents::load(&ctx.documents, &*ctx.editor, &ctx.session, &path.absolute).await;
        let snapshot = match loaded {
            Ok(snapshot) => snapshot,
            Err(problem) => {
                left.push(problem.to_string());
                continue;
            }
        };
        let Some((new_text, _)) = pattern.replace(&snapshot.text.to_string(), replacement) else { continue };
        match change::proposal(&snapshot, new_text, Some(path.canonical.clone())) {
            Ok(proposal) => proposals.push(proposal),
            Err(problem) => left.push(format!("{}: {problem}.", target::shown(ctx, &path.canonical))),
        }
    }
    if proposals.is_empty() {
        let why = left.first().map(|first| format!(" {first}")).unwrap_or_default();
        return ToolOutput::error(format!("Nothing would change, so nothing was changed.{why}"));
    }
    let mut output = ctx.reviewer.review(granted, proposals).await;
    if !left.is_empty() {
        output.content.push(Content::Text(format!("Left out: {}", left.join(" "))));
    }
    output
}
