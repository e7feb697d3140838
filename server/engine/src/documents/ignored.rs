//! Ignore rules, read by the same code that walks: what `grep` skips is what the gate calls
//! ignored.

use ignore::WalkBuilder;
use std::path::Path;

/// A walk below `root` that obeys ignore files, also those above `root` and outside of git
/// repositories, and never follows a link. Hidden files are in it.
pub fn walk(root: &Path) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder.hidden(false).require_git(false).follow_links(false);
    builder
}

/// Whether ignore rules exclude a path below `folder`.
pub fn is_ignored(folder: &Path, path: &Path) -> bool {
    let Ok(relative) = path.strip_prefix(folder) else { return false };
    let Some(mut matcher) = walk(folder).build_matchers().pop() else { return false };
    matcher.matched(relative, path.is_dir()).is_ignore()
}
