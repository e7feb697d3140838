//! Which document, and where a path lies.
//!
//! No IO here: whoever resolves links on the disk (`engine`) hands the canonical path in, and
//! gets back what the gate needs to know about it. A path is judged by its components, never by
//! its text, so that `/ws-evil` is not inside `/ws`.

mod class;
mod lexical;
mod protected;
mod uri;

#[cfg(test)]
mod tests;

pub use class::{classify, display};
pub use lexical::{PathProblem, absolute, normal};
pub use protected::{MASKED, is_env_with_values, protected};
pub use uri::DocumentUri;

use std::path::{Path, PathBuf};

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

/// What a path is judged against. All canonical.
#[derive(Debug, Clone, Copy)]
pub struct Places<'a> {
    /// The workspace folders.
    pub roots: &'a [PathBuf],
    /// Our own config and state folders: writing there asks every time.
    pub own: &'a [PathBuf],
}

impl ResolvedPath {
    /// Judges a path. The class follows from where the links lead; a name is protected if the
    /// path as given or the place it leads to falls under one.
    pub fn judge(
        places: Places<'_>,
        given: &str,
        absolute: PathBuf,
        canonical: PathBuf,
        ignored: bool,
    ) -> Self {
        let name = |path: &Path| {
            let inside = class::relative(places.roots, path).unwrap_or(path);
            protected::owned(path, places.own).or_else(|| protected(inside, &[]))
        };
        let protected = name(&canonical).or_else(|| name(&absolute));
        let class = classify(places.roots, &canonical, ignored);
        Self { given: given.to_owned(), absolute, canonical, class, protected }
    }
}
