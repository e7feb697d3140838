//! `grep`: lines by regular expression, files newest first. Library code, no process: a pattern
//! is never an option of a program.

mod found;
mod matcher;

use super::search::{self, Names};
use super::{Tool, ToolContext, ToolOutput, target};
use crate::documents;
use crate::event::ToolKind;
use crate::limits;
use crate::permission::Granted;
use assent_base::policy::ResolvedCall;
use assent_base::secret;
use assent_base::tool::{Definition, Reads};
use async_trait::async_trait;
use found::{FileMatches, Found};
use grep_matcher::LineTerminator;
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use ignore::WalkState;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

pub(super) struct Grep(pub(super) Arc<Definition>);

#[async_trait]
impl Tool for Grep {
    fn definition(&self) -> &Arc<Definition> {
        &self.0
    }

    fn kind(&self) -> ToolKind {
        ToolKind::Search
    }

    fn title(&self, call: &ResolvedCall) -> String {
        let pattern = target::text(&call.arguments, "pattern");
        let (shown, _) = assent_base::clip::clip_line(pattern.lines().next().unwrap_or_default(), 80);
        match (call.subject.as_str(), target::text(&call.arguments, "include")) {
            (".", "") => format!("Search {shown}"),
            (".", include) => format!("Search {shown} in {include}"),
            (path, "") => format!("Search {shown} in {path}"),
            (path, include) => format!("Search {shown} in {path}, {include}"),
        }
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        ctx: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        let hidden = include(&arguments)?.is_some_and(|names| names.hidden);
        let mut call = search::resolve("grep", call_id, arguments, ctx).await?;
        if hidden {
            // Unlike a list of names, this shows what the files hold.
            call.effects.reads = call.effects.reads.max(Reads::ProjectDot);
        }
        Ok(call)
    }

    async fn run(&self, granted: Granted, ctx: &ToolContext) -> ToolOutput {
        let call = granted.call();
        let include = match include(&call.arguments) {
            Ok(include) => include,
            Err(words) => return ToolOutput::error(words),
        };
        let hidden = include.as_ref().is_some_and(|names| names.hidden);
        let pattern = target::text(&call.arguments, "pattern").to_owned();
        let query = Query { pattern, include, hidden, ignored: false };
        run(search::roots(call), query, ctx).await
    }
}

/// What is searched for.
pub(super) struct Query {
    /// The regular expression.
    pub(super) pattern: String,
    /// Only in files of these names.
    pub(super) include: Option<Names>,
    /// Also in what begins with a dot; never in `.git`.
    pub(super) hidden: bool,
    /// Also in what ignore rules exclude.
    pub(super) ignored: bool,
}

/// Search below these folders and tell what was found.
pub(super) async fn run(roots: Vec<PathBuf>, query: Query, ctx: &ToolContext) -> ToolOutput {
    let ctx = ctx.clone();
    let worked = target::blocking(move || {
        let search = Search::new(&query, &ctx)?;
        search.below(&roots)?;
        Ok(search.found.told(&query.pattern, |path| search::named(&ctx, path)))
    });
    worked.await.and_then(|told| told).map_or_else(ToolOutput::error, ToolOutput::text)
}

/// The files with a match below these folders, by name. Blocks.
pub(super) fn files(roots: &[PathBuf], query: &Query, ctx: &ToolContext) -> Result<Vec<PathBuf>, String> {
    let search = Search::new(query, ctx)?;
    search.below(roots)?;
    if search.found.is_full() {
        return Err("Too much was found. Narrow the pattern or include.".into());
    }
    Ok(search.found.files())
}

/// The names that `include` means.
pub(super) fn include(arguments: &Map<String, Value>) -> Result<Option<Names>, String> {
    match target::text(arguments, "include") {
        "" => Ok(None),
        pattern => Names::new(pattern).map(Some),
    }
}

struct Search<'a> {
    matcher: RegexMatcher,
    query: &'a Query,
    /// Texts of the open documents by canonical path; what they hold counts, not the disk.
    buffers: HashMap<PathBuf, Arc<documents::Snapshot>>,
    found: Found,
    ctx: &'a ToolContext,
}

impl<'a> Search<'a> {
    fn new(query: &'a Query, ctx: &'a ToolContext) -> Result<Self, String> {
        let matcher = matcher::build(&query.pattern)?;
        Ok(Self { matcher, query, buffers: buffers(ctx), found: Found::default(), ctx })
    }

    fn below(&self, roots: &[PathBuf]) -> Result<(), String> {
        for root in roots {
            if let Some(missing) = search::missing(root, self.ctx) {
                return Err(missing);
            }
            if root.is_dir() {
                self.folder(root);
                self.unsaved_below(root);
            } else {
                self.file(&mut searcher(), root)?;
            }
        }
        Ok(())
    }

    fn folder(&self, root: &Path) {
        let mut walk = documents::walk(root);
        walk.hidden(!self.query.hidden).max_filesize(Some(limits::FILE_BYTES));
        walk.filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git");
        if self.query.ignored {
            walk.ignore(false).git_ignore(false).git_global(false).git_exclude(false);
        }
        walk.build_parallel().run(|| {
            let mut searcher = searcher();
            Box::new(move |entry| {
                if self.ctx.cancel.is_cancelled() || self.found.is_full() {
                    return WalkState::Quit;
                }
                if let Ok(entry) = entry
                    && entry.file_type().is_some_and(|kind| kind.is_file())
                    && self.is_included(root, entry.path())
                {
                    self.one_of_many(&mut searcher, entry.path());
                }
                WalkState::Continue
            })
        });
    }

    fn is_included(&self, root: &Path, path: &Path) -> bool {
        let include = self.query.include.as_ref();
        include.is_none_or(|names| path.strip_prefix(root).is_ok_and(|relative| names.matches(relative)))
    }

    /// A file that can't be read is no reason to fail the search; the result says so.
    fn one_of_many(&self, searcher: &mut Searcher, path: &Path) {
        if let Err(reason) = self.file(searcher, path) {
            self.found.unreadable(reason);
        }
    }

    /// One file, as its buffer has it where it is open.
    fn file(&self, searcher: &mut Searcher, path: &Path) -> Result<(), String> {
        if self.ctx.keep_secrets && secret::file_of_secrets(path).is_some() {
            let name = search::named(self.ctx, path);
            return Err(format!("{name} holds secrets, which are kept from you, and is not searched."));
        }
        let mut matches = FileMatches::new(path, &self.matcher);
        let searched = match self.buffers.get(path) {
            Some(snapshot) => {
                searcher.search_slice(&self.matcher, snapshot.text.to_string().as_bytes(), &mut matches)
            }
            None if path.is_file() => searcher.search_path(&self.matcher, path, &mut matches),
            None => return Err(format!("{} is not a regular file.", search::named(self.ctx, path))),
        };
        searched.map_err(|error| format!("{} can't be searched: {error}.", search::named(self.ctx, path)))?;
        self.found.add(matches, || match self.buffers.get(path).filter(|snapshot| snapshot.dirty) {
            // Being typed in now is as new as it gets.
            Some(_) => SystemTime::now(),
            None => search::modified(path),
        });
        Ok(())
    }

    /// Open documents that are on no disk yet.
    fn unsaved_below(&self, root: &Path) {
        for path in self.buffers.keys() {
            if path.starts_with(root) && !path.exists() && self.is_included(root, path) {
                self.one_of_many(&mut searcher(), path);
            }
        }
    }
}

fn buffers(ctx: &ToolContext) -> HashMap<PathBuf, Arc<documents::Snapshot>> {
    let with_path = |snapshot: Arc<documents::Snapshot>| {
        let path = soft_canonicalize::soft_canonicalize(snapshot.uri.to_path()?).ok()?;
        Some((path, snapshot))
    };
    ctx.documents.all().into_iter().filter_map(with_path).collect()
}

fn searcher() -> Searcher {
    SearcherBuilder::new()
        .binary_detection(BinaryDetection::quit(0))
        .line_terminator(LineTerminator::crlf())
        .line_number(true)
        .build()
}
