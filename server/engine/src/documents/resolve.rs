//! From what a model wrote to the one path that is judged and opened.

use super::{DocumentsReader, ignored};
use assent_base::path::{self, DocumentUri, Places, ResolvedPath};

/// What a tool call names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A path, whether there is a file or not.
    Path(ResolvedPath),
    /// An open document that is no file, such as `untitled:Untitled-1`.
    Document(DocumentUri),
}

impl Target {
    /// The document's identity.
    pub fn uri(&self) -> DocumentUri {
        match self {
            Self::Path(path) => DocumentUri::from_path(&path.absolute),
            Self::Document(uri) => uri.clone(),
        }
    }

    /// The path, where it is one.
    pub fn path(&self) -> Option<&ResolvedPath> {
        match self {
            Self::Path(path) => Some(path),
            Self::Document(_) => None,
        }
    }
}

/// Resolve what a model wrote: an open document's URI, a `file:` URI, or a path.
pub fn resolve_target(places: Places<'_>, reader: &DocumentsReader, given: &str) -> Result<Target, String> {
    let uri = DocumentUri::new(given);
    if uri.to_path().is_none() && reader.get(&uri).is_some() {
        return Ok(Target::Document(uri));
    }
    resolve_path(places, given).map(Target::Path)
}

/// Resolve a path; a relative one lies in the first folder. Looks at the disk (links, ignore
/// files), so it belongs off the async threads. An error is for the model.
pub fn resolve_path(places: Places<'_>, given: &str) -> Result<ResolvedPath, String> {
    // `..` goes before links are followed: the path that is judged is the one that is opened.
    let absolute = path::absolute(places.roots.first().map(|folder| folder.as_path()), given)
        .map_err(|problem| format!("The path can't be used: {problem}."))?;
    let canonical = soft_canonicalize::soft_canonicalize(&absolute)
        .map_err(|error| format!("The path {given} can't be resolved: {error}."))?;
    let folder = places
        .roots
        .iter()
        .filter(|root| canonical.starts_with(root))
        .max_by_key(|root| root.components().count());
    let ignored = folder.is_some_and(|folder| ignored::is_ignored(folder, &canonical));
    Ok(ResolvedPath::judge(places, given, absolute, canonical, ignored))
}

/// Where a path really is, links followed; also of a file that does not exist yet.
pub async fn real_path(path: &std::path::Path) -> Option<std::path::PathBuf> {
    let path = path.to_owned();
    tokio::task::spawn_blocking(move || soft_canonicalize::soft_canonicalize(path).ok()).await.ok().flatten()
}
