//! Which document, and where a path lies.
//!
//! No IO here: whoever resolves links on the disk (`engine`) hands the canonical path in.

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The identity of a document. Two spellings of one URI (case of the drive, percent-encoding)
/// are one `DocumentUri`; the spelling the client used first is kept for talking back.
#[derive(Debug, Clone)]
pub struct DocumentUri {
    /// The normalised form, compared and hashed.
    key: Arc<str>,
    /// The client's own spelling.
    spelling: Arc<str>,
}

impl PartialEq for DocumentUri {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}
impl Eq for DocumentUri {}
impl std::hash::Hash for DocumentUri {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}
impl PartialOrd for DocumentUri {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for DocumentUri {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

impl DocumentUri {
    /// A URI as a client spelled it. Never fails: what is no URI is its own identity.
    pub fn new(spelling: &str) -> Self {
        Self { key: Arc::from(spelling), spelling: Arc::from(spelling) }
    }

    /// The URI of an absolute path.
    pub fn from_path(path: &Path) -> Self {
        match url::Url::from_file_path(path) {
            Ok(url) => Self::new(url.as_str()),
            Err(()) => Self::new(&path.to_string_lossy()),
        }
    }

    /// The client's own spelling, for messages to that client.
    pub fn as_str(&self) -> &str {
        &self.spelling
    }

    /// The path of a `file:` URI without an authority; `None` for `untitled:` and all others.
    pub fn to_path(&self) -> Option<PathBuf> {
        url::Url::parse(&self.key)
            .ok()
            .filter(|url| url.scheme() == "file")
            .and_then(|url| url.to_file_path().ok())
    }
}

/// Where a path lies, judged after links are resolved (`tools.md`, scopes).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PathClass {
    /// Inside a workspace folder, neither hidden nor ignored.
    Project,
    /// Inside, with a component that begins with a dot.
    Dot,
    /// Inside, excluded by ignore rules.
    Ignored,
    /// Outside every workspace folder.
    External,
}

/// A path as a tool call names it, resolved once before it is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedPath {
    /// What the model wrote.
    pub given: String,
    /// Absolute, lexically normal, links not followed.
    pub absolute: PathBuf,
    /// Absolute with every link resolved (also of parents of a file that does not exist yet).
    pub canonical: PathBuf,
    /// Where it lies.
    pub class: PathClass,
    /// The protected name it falls under (`.git/`, `assent.yaml`, …), if any.
    pub protected: Option<String>,
}
