//! What a search found, bounded in memory and in what is shown.

use super::search;
use crate::limits;
use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkFinish, SinkMatch};
use parking_lot::Mutex;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

/// Characters of a long line that are shown before its match.
const BEFORE_MATCH: usize = 200;

/// The matches of one file, as the searcher reports them.
pub(super) struct FileMatches<'a> {
    path: PathBuf,
    matcher: &'a RegexMatcher,
    lines: Vec<(u64, String)>,
    count: usize,
    binary: bool,
}

impl<'a> FileMatches<'a> {
    pub(super) fn new(path: &Path, matcher: &'a RegexMatcher) -> Self {
        Self { path: path.to_owned(), matcher, lines: Vec::new(), count: 0, binary: false }
    }
}

impl Sink for FileMatches<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, matched: &SinkMatch<'_>) -> Result<bool, io::Error> {
        self.count += 1;
        if self.lines.len() < limits::GREP_LINES {
            let line = excerpt(matched.bytes(), self.matcher);
            self.lines.push((matched.line_number().unwrap_or_default(), line));
        }
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, finished: &SinkFinish) -> Result<(), io::Error> {
        self.binary = finished.binary_byte_offset().is_some();
        Ok(())
    }
}

/// A line, cut around its match where it is long.
fn excerpt(line: &[u8], matcher: &RegexMatcher) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let whole = String::from_utf8_lossy(line);
    // A quick bound first: counting the characters of every line would cost more than the search.
    if whole.len() <= limits::LINE_CHARS || whole.chars().count() <= limits::LINE_CHARS {
        return whole.into_owned();
    }
    let at = matcher.find(line).ok().flatten().map_or(0, |found| found.start());
    let before = String::from_utf8_lossy(&line[..at]);
    let start = before.char_indices().nth_back(BEFORE_MATCH - 1).map_or(0, |(at, _)| at);
    let rest = String::from_utf8_lossy(&line[at..]);
    let after = limits::LINE_CHARS - BEFORE_MATCH;
    let end = rest.char_indices().nth(after).map_or(rest.len(), |(at, _)| at);
    format!(
        "{}{}{}{} [cut: the line has {} bytes]",
        if start > 0 { "…" } else { "" },
        &before[start..],
        &rest[..end],
        if end < rest.len() { "…" } else { "" },
        line.len()
    )
}

struct File {
    path: PathBuf,
    time: SystemTime,
    lines: Vec<(u64, String)>,
    count: usize,
}

/// All files with matches so far.
#[derive(Default)]
pub(super) struct Found {
    files: Mutex<Vec<File>>,
    bytes: AtomicUsize,
    unreadable: Mutex<Vec<String>>,
}

impl Found {
    /// Take a file's matches; `time` is asked for only if there are any.
    pub(super) fn add(&self, matches: FileMatches<'_>, time: impl FnOnce() -> SystemTime) {
        if matches.binary || matches.count == 0 {
            return;
        }
        let bytes: usize = matches.lines.iter().map(|(_, line)| line.len()).sum();
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        let FileMatches { path, lines, count, .. } = matches;
        self.files.lock().push(File { path, time: time(), lines, count });
    }

    /// A file was left out, for this reason.
    pub(super) fn unreadable(&self, reason: String) {
        self.unreadable.lock().push(reason);
    }

    /// Whether so much was found that the search ends.
    pub(super) fn is_full(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) > limits::GREP_BYTES
    }

    /// The files with a match, by name.
    pub(super) fn files(self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = self.files.into_inner().into_iter().map(|file| file.path).collect();
        files.sort();
        files
    }

    /// The result in words.
    pub(super) fn told(self, pattern: &str, shown: impl Fn(&Path) -> String) -> String {
        let full = self.is_full();
        let mut files = self.files.into_inner();
        search::newest_first(&mut files, |file| (file.time, &file.path));
        let total: usize = files.iter().map(|file| file.count).sum();
        let mut text = match total {
            0 => format!("No matches for {pattern}"),
            1 => "1 matching line in 1 file\n".to_owned(),
            _ if files.len() == 1 => format!("{total} matching lines in 1 file\n"),
            _ => format!("{total} matching lines in {} files, newest first\n", files.len()),
        };
        let listed = list(&files, &mut text, shown);
        if full {
            text.push_str(
                "\n[The search was stopped: too much was found. Narrow the pattern, path or include.]",
            );
        } else if listed < total {
            // Writing to a string can't fail.
            let _ = write!(text, "\n[{listed} of {total} lines shown. Narrow the pattern, path or include.]");
        }
        let unreadable = self.unreadable.into_inner();
        if let Some(first) = unreadable.first() {
            let _ = write!(text, "\n[{} files were left out, the first: {first}]", unreadable.len());
        }
        text
    }
}

/// Adds files and lines as far as they fit; gives how many lines that were.
fn list(files: &[File], text: &mut String, shown: impl Fn(&Path) -> String) -> usize {
    let mut listed = 0;
    for file in files {
        for (nth, (number, line)) in file.lines.iter().enumerate() {
            if listed == limits::GREP_LINES || text.len() + line.len() > limits::RESULT_BYTES - 1024 {
                return listed;
            }
            if nth == 0 {
                let _ = writeln!(text, "\n{}", shown(&file.path));
            }
            listed += 1;
            let _ = writeln!(text, "{number:>6}\t{line}");
        }
    }
    listed
}

#[cfg(test)]
mod tests;
