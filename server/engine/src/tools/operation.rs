//! The tools whose file names one of our own file operations: what the tools that ship do, held to
//! the scope that the file says. A path elsewhere is a failed result, so that the class of such a
//! tool is the class of every call of it.

mod bytes;
mod mode;
mod replace;

use super::needs::Needs;
use super::search;
use super::{Tool, ToolContext, ToolOutput, change, edit, grep, ls, read, target, write};
use crate::event::ToolKind;
use crate::permission::Granted;
use assent_base::clip;
use assent_base::path::{PathClass, ResolvedPath};
use assent_base::policy::{Access, ResolvedCall};
use assent_base::tool::{BuiltInHandler, BuiltInKind, Definition, Scope};
use async_trait::async_trait;
use read::{Lines, Named};
use serde_json::{Map, Value};
use std::sync::Arc;

/// One such tool.
pub(super) struct Operation {
    definition: Arc<Definition>,
    handler: BuiltInHandler,
    needs: Needs,
}

impl Operation {
    pub(super) fn new(definition: Arc<Definition>, handler: BuiltInHandler, needs: Needs) -> Self {
        Self { definition, handler, needs }
    }

    /// A call that touches one path, with the class of the tool.
    fn one(
        &self,
        call_id: &str,
        access: Access,
        path: ResolvedPath,
        arguments: Map<String, Value>,
        ctx: &ToolContext,
    ) -> ResolvedCall {
        ResolvedCall {
            subject: target::shown(ctx, &path.canonical),
            effects: self.definition.effects,
            paths: vec![(access, path)],
            ..target::pure(&self.definition.name, call_id, arguments)
        }
    }

    /// The path of a call, which must lie in the tool's scope.
    async fn path(&self, arguments: &Map<String, Value>, ctx: &ToolContext) -> Result<ResolvedPath, String> {
        let path = target::path(ctx, target::text(arguments, "path")).await?;
        let lies = scope(path.class);
        match self.handler.scope {
            Some(wanted) if wanted != lies => Err(format!(
                "{} is not for this path: `{}` {}, and this tool takes only what {}. Use another tool for it, \
                 or tell the user what you need.",
                self.definition.name,
                path.given,
                words(lies),
                words(wanted)
            )),
            _ => Ok(path),
        }
    }

    /// A search through all workspace folders.
    async fn search(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        ctx: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        let query = self.query(&arguments)?;
        let call = search::resolve(&self.definition.name, call_id, arguments, ctx).await?;
        let reads = call.effects.reads.max(self.definition.effects.reads);
        let call =
            ResolvedCall { effects: assent_base::tool::Effects { reads, ..self.definition.effects }, ..call };
        match self.handler.kind {
            BuiltInKind::ReplaceInProject => replace::resolve(call, query, ctx).await,
            _ => Ok(call),
        }
    }

    fn query(&self, arguments: &Map<String, Value>) -> Result<grep::Query, String> {
        let include = grep::include(arguments)?;
        let BuiltInHandler { include_hidden, include_ignored, .. } = self.handler;
        if !include_hidden && include.as_ref().is_some_and(|names| names.hidden) {
            return Err(format!(
                "{} does not look into what begins with a dot; leave that out of include.",
                self.definition.name
            ));
        }
        let pattern = target::text(arguments, "pattern").to_owned();
        Ok(grep::Query { pattern, include, hidden: include_hidden, ignored: include_ignored })
    }
}

/// The scope that a path lies in.
fn scope(class: PathClass) -> Scope {
    match class {
        PathClass::Project => Scope::Project,
        PathClass::Dot => Scope::ProjectDot,
        PathClass::Ignored => Scope::ProjectIgnore,
        PathClass::External => Scope::External,
    }
}

/// What lies in a scope, to stand behind "it".
fn words(scope: Scope) -> &'static str {
    match scope {
        Scope::Project => "is in the project, neither hidden nor ignored",
        Scope::ProjectDot => "has a name that begins with a dot, or lies below one",
        Scope::ProjectIgnore => "is excluded by ignore rules",
        Scope::External => "lies outside the workspace folders",
    }
}

#[async_trait]
impl Tool for Operation {
    fn definition(&self) -> &Arc<Definition> {
        &self.definition
    }

    fn kind(&self) -> ToolKind {
        use BuiltInKind::*;
        match self.handler.kind {
            ListDirectory | ReadFile | ReadFileBytes | ReadFileLines => ToolKind::Read,
            FindInProject => ToolKind::Search,
            CreateFile | EditFile | ReplaceInProject => ToolKind::Edit,
            DeleteFile => ToolKind::Delete,
            ChmodFile => ToolKind::Other,
        }
    }

    fn edits_one(&self) -> bool {
        matches!(self.handler.kind, BuiltInKind::CreateFile | BuiltInKind::EditFile)
    }

    fn missing(&self) -> Option<String> {
        self.needs.program().err().map(str::to_owned)
    }

    fn title(&self, call: &ResolvedCall) -> String {
        let subject = &call.subject;
        let number = |name| target::number(&call.arguments, name).unwrap_or_default();
        let pattern = || {
            let pattern = target::text(&call.arguments, "pattern").lines().next().unwrap_or_default();
            clip::clip_line(pattern, 80).0
        };
        match self.handler.kind {
            BuiltInKind::ListDirectory => format!("List {subject}"),
            BuiltInKind::ReadFile => format!("Read {subject}"),
            BuiltInKind::ReadFileBytes => {
                format!("Read {subject}, {} bytes from {}", number("length"), number("offset"))
            }
            BuiltInKind::ReadFileLines => {
                format!("Read {subject}, lines {} to {}", number("startLine"), number("endLine"))
            }
            BuiltInKind::FindInProject => format!("Search {}", pattern()),
            BuiltInKind::CreateFile => write::creation(call).unwrap_or_else(|| format!("Create {subject}")),
            BuiltInKind::EditFile => format!("Edit {subject}"),
            BuiltInKind::DeleteFile => format!("Delete {subject}"),
            BuiltInKind::ChmodFile => format!("Change the mode of {subject}"),
            BuiltInKind::ReplaceInProject => {
                format!("Replace {} in {} files", pattern(), call.paths.len())
            }
        }
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        ctx: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        if let Err(reason) = self.needs.program() {
            return Err(format!("{} can't be used: {reason}.", self.definition.name));
        }
        use BuiltInKind::*;
        let access = match self.handler.kind {
            FindInProject | ReplaceInProject => return self.search(call_id, arguments, ctx).await,
            ListDirectory | ReadFile | ReadFileBytes | ReadFileLines => Access::Read,
            CreateFile | EditFile => Access::Write,
            DeleteFile => Access::Delete,
            ChmodFile => Access::Mode,
        };
        let path = self.path(&arguments, ctx).await?;
        let call = self.one(call_id, access, path, arguments, ctx);
        match access {
            Access::Mode => mode::resolve(call).await,
            _ => Ok(call),
        }
    }

    async fn run(&self, granted: Granted, ctx: &ToolContext) -> ToolOutput {
        let call = granted.call();
        let (arguments, Some((_, path))) = (&call.arguments, call.paths.first()) else {
            return ToolOutput::error("The call holds no path; nothing was done.");
        };
        match self.handler.kind {
            BuiltInKind::ListDirectory => list(path, ctx).await,
            BuiltInKind::ReadFile => {
                read::lines(call, Lines { offset: 0, limit: u64::MAX, named: Named::Nothing }, ctx).await
            }
            BuiltInKind::ReadFileLines => match range(arguments) {
                Ok(lines) => read::lines(call, lines, ctx).await,
                Err(words) => ToolOutput::error(words),
            },
            BuiltInKind::ReadFileBytes => bytes::read(call, path, ctx).await,
            BuiltInKind::FindInProject => match self.query(arguments) {
                Ok(query) => grep::run(search::roots(call), query, ctx).await,
                Err(words) => ToolOutput::error(words),
            },
            BuiltInKind::CreateFile => create(&granted, path, ctx).await,
            BuiltInKind::EditFile => {
                let (old, new) = (target::text(arguments, "oldString"), target::text(arguments, "newString"));
                edit::replace(&granted, old, new, ctx).await
            }
            BuiltInKind::DeleteFile => delete(&granted, path, ctx).await,
            BuiltInKind::ChmodFile => mode::change(call, path).await,
            BuiltInKind::ReplaceInProject => replace::run(&granted, ctx).await,
        }
    }
}

async fn list(path: &ResolvedPath, ctx: &ToolContext) -> ToolOutput {
    let (roots, ctx) = ([path.canonical.clone()], ctx.clone());
    let listed = target::blocking(move || ls::list_all(&roots, &[], &ctx)).await.and_then(|listed| listed);
    listed.map_or_else(ToolOutput::error, ToolOutput::text)
}

/// `startLine` to `endLine`, from 1, both included.
fn range(arguments: &Map<String, Value>) -> Result<Lines, String> {
    let line = |name: &str| target::number(arguments, name).filter(|line| *line > 0);
    match (line("startLine"), line("endLine")) {
        (Some(first), Some(last)) if first <= last => {
            Ok(Lines { offset: first - 1, limit: last - first + 1, named: Named::StartLine })
        }
        (Some(_), Some(_)) => Err("endLine lies before startLine. Give the last line to show.".into()),
        _ => Err("startLine and endLine are whole numbers from 1.".into()),
    }
}

async fn create(granted: &Granted, path: &ResolvedPath, ctx: &ToolContext) -> ToolOutput {
    let open = ctx.documents.get(&assent_base::path::DocumentUri::from_path(&path.absolute)).is_some();
    if open || tokio::fs::symlink_metadata(&path.absolute).await.is_ok() {
        return ToolOutput::error(format!(
            "{} exists already, and this tool makes new files only. Read it and edit it instead.",
            granted.call().subject
        ));
    }
    write::create(granted, &path.absolute, target::text(&granted.call().arguments, "content"), ctx).await
}

async fn delete(granted: &Granted, path: &ResolvedPath, ctx: &ToolContext) -> ToolOutput {
    let link = tokio::fs::symlink_metadata(&path.absolute).await.is_ok_and(|data| data.is_symlink());
    if link {
        return ToolOutput::error(format!(
            "{} is a link to {}: it would go, and not the file. Name the file itself, or ask the user.",
            path.given,
            path.canonical.display()
        ));
    }
    change::propose_deletion(granted, ctx).await
}
