//! Rules that outlive a session: those of one workspace and those for good, each a file in the
//! state folder. The files are looked at whenever a call would be asked about, so that what was
//! revoked in one window counts no more in any other.

use crate::private;
use assent_base::policy::{Memory, Remembered, Span};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// A rule as it lies on the disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    #[serde(flatten)]
    pub(super) rule: Remembered,
    /// The day it was saved.
    pub(super) since: String,
}

/// One of the files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Book {
    /// The workspace that it holds in; none: everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) workspace: Option<PathBuf>,
    pub(super) rules: Vec<Kept>,
}

/// The books of one gate.
pub(super) struct Saved {
    state: PathBuf,
    workspace: Option<PathBuf>,
    last: Arc<Mutex<Option<Seen>>>,
}

/// What the files said when they were read last, and how to tell that they say the same still.
struct Seen {
    stamps: [Stamp; 2],
    rules: Vec<(Remembered, Span)>,
}

type Stamp = Option<(SystemTime, u64)>;

impl Saved {
    pub(super) fn new(state: &Path, workspace: Option<&PathBuf>) -> Self {
        Self { state: state.to_owned(), workspace: workspace.cloned(), last: Arc::default() }
    }

    /// The rules as they stand, added to what is remembered already.
    pub(super) async fn add_to(&self, memory: &mut Memory) {
        let (state, workspace, last) = (self.state.clone(), self.workspace.clone(), Arc::clone(&self.last));
        let rules = tokio::task::spawn_blocking(move || rules(&state, workspace.as_deref(), &last)).await;
        // Where they can't be read there are none: the user is asked again.
        for (rule, span) in rules.unwrap_or_default() {
            memory.remember(rule, span);
        }
    }

    /// Saves a rule, on the disk before it counts.
    pub(super) async fn save(&self, rule: Remembered, span: Span) -> io::Result<()> {
        let (state, workspace) = (self.state.clone(), self.workspace.clone());
        let workspace = match span {
            Span::Always => None,
            Span::Session | Span::Workspace => Some(
                workspace.ok_or_else(|| io::Error::other("no folder is open that it could be kept for"))?,
            ),
        };
        let since = jiff::ZonedDateTime::now().date().to_string();
        let saving = move || {
            change(&state, workspace.as_deref(), |book| {
                if !book.rules.iter().any(|kept| kept.rule == rule) {
                    book.rules.push(Kept { rule, since });
                }
            })
        };
        tokio::task::spawn_blocking(saving)
            .await
            .unwrap_or_else(|_| Err(io::Error::other("the writer failed")))
    }
}

fn rules(state: &Path, workspace: Option<&Path>, last: &Mutex<Option<Seen>>) -> Vec<(Remembered, Span)> {
    let files = [workspace.map(|folder| file(state, Some(folder))), Some(file(state, None))];
    let stamp = |file: &Option<PathBuf>| {
        let data = fs::metadata(file.as_ref()?).ok()?;
        Some((data.modified().ok()?, data.len()))
    };
    let stamps = [stamp(&files[0]), stamp(&files[1])];
    let mut last = last.lock();
    if let Some(seen) = last.as_ref().filter(|seen| seen.stamps == stamps) {
        return seen.rules.clone();
    }
    let spans = [Span::Workspace, Span::Always];
    let read = files.iter().zip(spans).filter_map(|(file, span)| Some((read(file.as_ref()?), span)));
    let rules: Vec<_> =
        read.flat_map(|(book, span)| book.rules.into_iter().map(move |kept| (kept.rule, span))).collect();
    *last = Some(Seen { stamps, rules: rules.clone() });
    rules
}

/// Where the rules of a workspace are, or those for good.
fn file(state: &Path, workspace: Option<&Path>) -> PathBuf {
    let name = workspace.map_or_else(
        || "always".to_owned(),
        |folder| {
            let digest = Sha256::digest(folder.as_os_str().as_encoded_bytes());
            digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
        },
    );
    state.join("rules").join(format!("{name}.json"))
}

/// A file as it stands. One that can't be read gives no rule: the user is asked again.
fn read(file: &Path) -> Book {
    let opened = private::open(file).and_then(|mut opened| {
        let mut bytes = Vec::new();
        opened.read_to_end(&mut bytes).map(|_| bytes)
    });
    let read = match opened {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(io::Error::from),
        Err(problem) if problem.kind() == io::ErrorKind::NotFound => return Book::default(),
        Err(problem) => Err(problem),
    };
    read.unwrap_or_else(|problem| {
        tracing::warn!(%problem, file = %file.display(), "remembered rules can't be read and do not count");
        Book::default()
    })
}

/// Every book there is.
pub(super) fn all(state: &Path) -> Vec<Book> {
    let files = fs::read_dir(state.join("rules")).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<_> =
        files.filter(|file| file.extension().is_some_and(|extension| extension == "json")).collect();
    files.sort();
    files.iter().map(|file| read(file)).collect()
}

/// Changes one book, with nobody else in it.
pub(super) fn change(
    state: &Path,
    workspace: Option<&Path>,
    change: impl FnOnce(&mut Book),
) -> io::Result<()> {
    let folder = state.join("rules");
    private::private_folder(&folder)?;
    let lock = File::options().create(true).append(true).open(folder.join("lock"))?;
    lock.lock()?;
    let file = file(state, workspace);
    let mut book = read(&file);
    book.workspace = workspace.map(Path::to_owned);
    change(&mut book);
    private::replace(&file, &serde_json::to_vec_pretty(&book)?)
}
