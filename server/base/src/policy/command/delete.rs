//! Deletes that nobody means: the root, the home, the workspace, the repository's history.
//! Refused in any spelling, whatever the rules say.

use super::wrappers::name;
use crate::path::normal;
use std::path::{Component, Path, PathBuf};

/// What must not be deleted as a whole.
#[derive(Debug, Clone, Copy)]
pub(in crate::policy) struct Precious<'a> {
    /// The workspace folders.
    pub roots: &'a [PathBuf],
    /// The user's home.
    pub home: Option<&'a Path>,
    /// Where relative paths start; `None` after a change of directory that can't be followed.
    pub directory: Option<&'a Path>,
}

/// What a recursive `rm` would take away that nobody means to, in words.
pub(in crate::policy) fn catastrophe(argv: &[String], precious: Precious<'_>) -> Option<String> {
    let (program, rest) = argv.split_first()?;
    if name(program) != "rm" {
        return None;
    }
    let end = rest.iter().position(|word| word == "--").unwrap_or(rest.len());
    let (before, after) = rest.split_at(end);
    let recursive = before.iter().any(|word| match word.strip_prefix("--") {
        Some(long) => !long.is_empty() && "recursive".starts_with(long),
        None => word.starts_with('-') && word.contains(['r', 'R']),
    });
    if !recursive {
        return None;
    }
    let operands = before.iter().filter(|word| !word.starts_with('-') || word.len() == 1);
    operands.chain(after.iter().skip(1)).find_map(|target| loss(target, precious))
}

fn loss(target: &str, precious: Precious<'_>) -> Option<String> {
    let target = target.replace("${HOME}", "$HOME");
    if let Some(rest) = target.strip_prefix("$HOME").or_else(|| target.strip_prefix('~')) {
        // After `~` may come a user's name, whose home is no less of a loss.
        let inside = rest.split_once('/').map_or("", |(_, inside)| inside);
        let named = target.starts_with('~') || rest.is_empty() || rest.starts_with('/');
        return (named && depth(inside) == 0).then(|| "a home directory".to_owned());
    }
    let whole = match (Path::new(&target).is_absolute(), precious.directory) {
        (true, _) => PathBuf::from(&target),
        (false, Some(directory)) => directory.join(&target),
        (false, None) => return last_is_git(Path::new(&target)).then(|| "a repository's history".to_owned()),
    };
    let place = normal(&without_globs(&whole));
    if place.parent().is_none() {
        return Some("the root of the file system".to_owned());
    }
    if precious.home.is_some_and(|home| home.starts_with(&place)) {
        return Some("the home directory".to_owned());
    }
    if precious.roots.iter().any(|root| root.starts_with(&place)) {
        return Some("the whole workspace".to_owned());
    }
    last_is_git(&place).then(|| "a repository's history".to_owned())
}

/// How many real parts a relative path has after `.`, `..` and globs are gone; 0 also for one
/// that leads out.
fn depth(inside: &str) -> usize {
    let mut depth = 0_usize;
    for part in inside.split('/') {
        match part {
            "" | "." => {}
            ".." if depth == 0 => return 0,
            ".." => depth -= 1,
            part if is_everything(part) => {}
            _ => depth += 1,
        }
    }
    depth
}

/// The folder whose whole content a path such as `x/*` means.
fn without_globs(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    while let Some(Component::Normal(last)) = path.components().next_back() {
        if !is_everything(&last.to_string_lossy()) {
            break;
        }
        path.pop();
    }
    path
}

/// `*`, `.*`, `?*`, `{*,.*}` and their like: globs that leave nothing out.
fn is_everything(part: &str) -> bool {
    part.contains(['*', '?']) && part.chars().all(|c| "*?.{},[]!^".contains(c))
}

fn last_is_git(path: &Path) -> bool {
    without_globs(path)
        .file_name()
        .is_some_and(|name| name.to_string_lossy().trim_end_matches(['.', ' ']).eq_ignore_ascii_case(".git"))
}
