//! From what the model wrote to an absolute path, without touching the disk.

use super::DocumentUri;
use std::path::{Component, Path, PathBuf};

/// Why a path can't be used. The text is for the model: what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathProblem {
    /// Nothing was given.
    #[error("the path is empty; give a path relative to the workspace folder")]
    Empty,
    /// A NUL character.
    #[error("the path contains a NUL character")]
    Nul,
    /// `~` is the shell's, not ours.
    #[error(
        "`~` is not expanded in `{0}`; give the path relative to the workspace folder, or the whole absolute path"
    )]
    Home(String),
    /// A relative path, and no folder it could be relative to.
    #[error("`{0}` is relative, but no workspace folder is open; give an absolute path")]
    NoFolder(String),
    /// A path on another machine.
    #[error("`{0}` names another machine or a device namespace; only local files can be used")]
    Remote(String),
    /// A URI that is not a local file's.
    #[error("`{0}` is not the URI of a local file; give a path")]
    NotAFile(String),
    /// A name that Windows reserves for devices, or an alternate stream.
    #[error("`{0}` names a device, not a file")]
    Device(String),
}

/// The absolute, lexically normal path that `given` stands for: `.` and `..` are resolved by
/// text, so that what is judged is what is opened. `folder` is where relative paths start.
pub fn absolute(folder: Option<&Path>, given: &str) -> Result<PathBuf, PathProblem> {
    let owned = || given.to_owned();
    if given.is_empty() {
        return Err(PathProblem::Empty);
    }
    if given.contains('\0') {
        return Err(PathProblem::Nul);
    }
    if given == "~" || given.starts_with("~/") || given.starts_with("~\\") {
        return Err(PathProblem::Home(owned()));
    }
    if ["\\\\", "//", "\\??\\"].iter().any(|start| given.starts_with(start)) {
        return Err(PathProblem::Remote(owned()));
    }
    let path = if given.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:")) {
        DocumentUri::new(given).to_path().ok_or_else(|| PathProblem::NotAFile(owned()))?
    } else {
        PathBuf::from(given)
    };
    let whole = match (path.is_absolute(), folder) {
        (true, _) => path,
        (false, Some(folder)) => folder.join(path),
        (false, None) => return Err(PathProblem::NoFolder(owned())),
    };
    let normal = normal(&whole);
    if cfg!(windows) && normal.components().any(is_device) {
        return Err(PathProblem::Device(owned()));
    }
    Ok(normal)
}

/// Resolves `.` and `..` by text; `..` at the root stays at the root.
pub fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

/// Whether Windows would open a device (`NUL.txt`) or an alternate stream (`a.txt:x`) instead.
pub(super) fn is_device(component: Component<'_>) -> bool {
    let Component::Normal(name) = component else { return false };
    let name = name.to_string_lossy();
    if name.contains(':') {
        return true;
    }
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    match stem.as_str() {
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" => true,
        _ => {
            let numbered = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
            numbered.is_some_and(|n| n.len() == 1 && n.starts_with(|c: char| c.is_ascii_digit()))
        }
    }
}
