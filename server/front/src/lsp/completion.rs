//! Completion where the user writes to the agent: slash commands at the start of a line, files
//! behind an `@`.

use crate::protocol::{Position, Range};
use assent_base::text::PositionEncoding;
use assent_engine::commands::{self, SlashCommand};
use assent_engine::documents;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Files offered at once; typing on narrows them down.
const FILES: usize = 100;
/// Files looked at; in a larger project the rest is not offered.
const FILES_SEEN: usize = 50_000;

/// A completion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// What takes the place of what was typed.
    pub text: String,
    /// What it is.
    pub kind: CompletionKind,
    /// A word about it.
    pub detail: Option<String>,
    /// What was typed, so that the client's own filter keeps it.
    pub typed: String,
    /// Its place in the list.
    pub rank: usize,
    /// What it replaces.
    pub replaces: Range,
}

/// What a completion is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompletionKind {
    /// A slash command.
    Command,
    /// A file.
    File,
    /// A field of a tool file, or a value of one.
    Field,
}

/// What is being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Typed {
    /// What is wanted.
    pub kind: CompletionKind,
    /// As typed, with its first character.
    pub text: String,
    /// Where it stands.
    pub range: Range,
}

/// What is being typed at the end of `before`, the cursor's line up to the cursor. Prose only: in
/// code an `@` and a `/` mean something else.
pub fn typed(
    uri: &str,
    language: &str,
    before: &str,
    cursor: Position,
    encoding: PositionEncoding,
) -> Option<Typed> {
    let prose =
        !uri.starts_with("file:") || matches!(language, "markdown" | "plaintext" | "text" | "gitcommit");
    if !prose {
        return None;
    }
    let text = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let kind = match text.chars().next()? {
        '/' if before.trim_start() == text => CompletionKind::Command,
        '@' => CompletionKind::File,
        _ => return None,
    };
    let width = match encoding {
        PositionEncoding::Utf8 => text.len(),
        PositionEncoding::Utf16 => text.encode_utf16().count(),
        PositionEncoding::Utf32 => text.chars().count(),
    };
    let character = cursor.character.saturating_sub(u32::try_from(width).ok()?);
    let range = Range { start: Position { line: cursor.line, character }, end: cursor };
    Some(Typed { kind, text: text.to_owned(), range })
}

/// The slash commands that begin as typed.
pub fn command_completions(typed: &Typed, of_tools: Vec<SlashCommand>) -> Vec<Completion> {
    let wanted = typed.text.trim_start_matches('/');
    let all = commands::shipped().into_iter().chain(of_tools);
    all.filter(|command| command.name.starts_with(wanted))
        .enumerate()
        .map(|(rank, command)| {
            completion(typed, format!("/{}", command.name), Some(command.description), rank)
        })
        .collect()
}

/// The files that fit what was typed, those that are open first. Dropping the future ends the walk.
pub async fn file_completions(typed: &Typed, folders: Vec<PathBuf>, open: Vec<PathBuf>) -> Vec<Completion> {
    let stop = StopOnDrop(Arc::default());
    let (stopped, wanted) = (stop.0.clone(), typed.text.trim_start_matches('@').to_lowercase());
    let walk = tokio::task::spawn_blocking(move || files(&folders, &open, &wanted, &stopped));
    let found = walk.await.unwrap_or_default();
    found
        .into_iter()
        .enumerate()
        .map(|(rank, name)| completion(typed, format!("@{name}"), None, rank))
        .collect()
}

fn completion(typed: &Typed, text: String, detail: Option<String>, rank: usize) -> Completion {
    Completion { text, kind: typed.kind, detail, typed: typed.text.clone(), rank, replaces: typed.range }
}

struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn files(folders: &[PathBuf], open: &[PathBuf], wanted: &str, stopped: &AtomicBool) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |path: &Path, is_open: bool| {
        let Some(name) = shown(folders, path) else { return };
        if let Some(fit) = fit(&name, wanted) {
            found.push((!is_open, fit, name.len(), name));
        }
    };
    open.iter().for_each(|path| add(path, true));
    let walked = folders.iter().flat_map(|folder| documents::walk(folder).build()).filter_map(Result::ok);
    for entry in walked.take(FILES_SEEN) {
        if stopped.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let in_git = entry.path().components().any(|part| part.as_os_str() == ".git");
        let is_open = open.iter().any(|path| path == entry.path());
        if !in_git && !is_open && entry.file_type().is_some_and(|kind| kind.is_file()) {
            add(entry.path(), false);
        }
    }
    found.sort();
    found.into_iter().take(FILES).map(|(.., name)| name).collect()
}

/// A path as a tool would take it: relative to the first folder, else absolute.
fn shown(folders: &[PathBuf], path: &Path) -> Option<String> {
    let first = folders.first()?;
    let name = path.strip_prefix(first).unwrap_or(path).to_str()?;
    // Such a name could not be told apart from the words behind it.
    (!name.contains(char::is_whitespace)).then(|| name.to_owned())
}

/// How well a name fits, less is better: its file name begins so, its path does, or has it somewhere.
fn fit(name: &str, wanted: &str) -> Option<u8> {
    let name = name.to_lowercase();
    let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
    match () {
        () if file.starts_with(wanted) => Some(0),
        () if name.starts_with(wanted) => Some(1),
        () if name.contains(wanted) => Some(2),
        () => None,
    }
}

#[cfg(test)]
mod tests;
