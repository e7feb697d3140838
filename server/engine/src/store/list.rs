//! The list of sessions, a page at a time. It is read from the logs themselves: their heads for
//! what never changes, and those of one page whole for the last title they were given.

use super::{Entry, Header, SessionSummary};
use crate::event::SessionId;
use crate::limits;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Duration, SystemTime};

/// One page of the session list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SessionPage {
    /// Its rows, newest first.
    pub rows: Vec<SessionSummary>,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<Cursor>,
}

/// A place in the session list: right behind a session as it stood when its page was made.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    updated: SystemTime,
    id: String,
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let since = self.updated.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        write!(f, "{}.{:09}.{}", since.as_secs(), since.subsec_nanos(), self.id)
    }
}

impl FromStr for Cursor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let mut parts = text.splitn(3, '.');
            let since = Duration::new(parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
            let updated = SystemTime::UNIX_EPOCH.checked_add(since)?;
            Some(Self { updated, id: parts.next()?.to_owned() })
        };
        parse().ok_or_else(|| {
            format!("`{text}` is no cursor of the session list. Leave it out to begin at the newest session.")
        })
    }
}

/// The sessions under a folder, or those of them that belong to one workspace folder.
pub(super) fn page(logs: &Path, only: Option<&Path>, after: Option<&Cursor>) -> SessionPage {
    let mut places: Vec<(Cursor, PathBuf)> =
        fs::read_dir(logs).into_iter().flatten().flatten().filter_map(|entry| place(&entry.path())).collect();
    places.sort_by(|a, b| b.0.cmp(&a.0));
    let mut page = SessionPage::default();
    let mut last = None;
    for (cursor, path) in places.into_iter().filter(|(cursor, _)| after.is_none_or(|after| cursor < after)) {
        let Some(row) = summary(&path, &cursor, only) else { continue };
        if page.rows.len() == limits::SESSIONS_LISTED {
            page.next = last;
            break;
        }
        page.rows.push(row);
        last = Some(cursor);
    }
    page
}

fn place(path: &Path) -> Option<(Cursor, PathBuf)> {
    if path.extension()? != "jsonl" {
        return None;
    }
    let updated = fs::metadata(path).ok()?.modified().ok()?;
    Some((Cursor { updated, id: path.file_stem()?.to_str()?.to_owned() }, path.to_owned()))
}

/// The row of a log. One that can't be read is left out.
fn summary(path: &Path, place: &Cursor, only: Option<&Path>) -> Option<SessionSummary> {
    let mut log = BufReader::new(File::open(path).ok()?);
    let mut line = Vec::new();
    log.by_ref().take(limits::SESSION_HEAD_BYTES).read_until(b'\n', &mut line).ok()?;
    let header: Header = serde_json::from_slice(&line).ok()?;
    if only.is_some() && header.folder.as_deref() != only {
        return None;
    }
    let updated = jiff::Timestamp::try_from(place.updated).ok()?.to_string();
    let title = last_title(&mut log).unwrap_or_default();
    Some(SessionSummary { id: SessionId(header.id.as_str().into()), folder: header.folder, title, updated })
}

fn last_title(log: &mut impl BufRead) -> Option<String> {
    /// How a line with an [`Entry::Title`] begins.
    const TITLE: &[u8] = br#"{"title":"#;
    let (mut title, mut line) = (None, Vec::new());
    while log.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        if line.starts_with(TITLE)
            && let Ok(Entry::Title(found)) = serde_json::from_slice(&line)
        {
            title = Some(found);
        }
        line.clear();
    }
    title
}
