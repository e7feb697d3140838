//! Inside or outside, and how a path is shown.

use super::PathClass;
use std::path::{Component, Path, PathBuf};

/// File systems of the kernel: outside, even where `/` itself is the workspace.
const KERNEL: [&str; 3] = ["/proc", "/sys", "/dev"];

/// Where a canonical path lies. `ignored` says whether ignore rules exclude it.
///
/// `roots` must be canonical too. Containment goes by component, never by text.
pub fn classify(roots: &[PathBuf], canonical: &Path, ignored: bool) -> PathClass {
    if KERNEL.iter().any(|kernel| canonical.starts_with(kernel)) {
        return PathClass::External;
    }
    let Some(inside) = relative(roots, canonical) else { return PathClass::External };
    if ignored {
        return PathClass::Ignored;
    }
    let hidden = inside.components().any(|component| match component {
        Component::Normal(name) => name.as_encoded_bytes().starts_with(b"."),
        _ => false,
    });
    if hidden { PathClass::Dot } else { PathClass::Project }
}

/// How a path is shown and what policy rules match: relative to its workspace folder, with `/`
/// between the parts and `.` for the folder itself; whole where it lies outside.
pub fn display(roots: &[PathBuf], path: &Path) -> String {
    match relative(roots, path) {
        Some(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
        Some(inside) => slashes(inside),
        None => slashes(path),
    }
}

/// The path relative to the innermost root that holds it.
pub(super) fn relative<'a>(roots: &[PathBuf], path: &'a Path) -> Option<&'a Path> {
    roots
        .iter()
        .filter_map(|root| path.strip_prefix(root).ok())
        .min_by_key(|inside| inside.components().count())
}

fn slashes(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}
