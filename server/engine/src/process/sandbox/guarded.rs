//! What in a writable folder must stay as it is: the names that base calls protected, found on the
//! disk when a command starts, nearest first.

use crate::limits;
use assent_base::path::{MASKED, protected};
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

/// What was found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Guarded {
    /// Files and folders that are there.
    pub(super) existing: BTreeSet<PathBuf>,
    /// Folders that are not there and whose coming would make an editor run something.
    pub(super) missing: Vec<PathBuf>,
}

/// Looks through the writable folders, level by level, up to a number of folders. What tools have
/// put there (`node_modules`, folders with a `CACHEDIR.TAG`) is not looked into.
pub(super) fn find(roots: &[PathBuf], workspace: &[PathBuf], own: &[PathBuf]) -> Guarded {
    let mut guarded = only(roots, own);
    let mut folders: VecDeque<PathBuf> = roots.iter().cloned().collect();
    let mut looked_at = 0;
    while let Some(folder) = folders.pop_front() {
        looked_at += 1;
        if looked_at > limits::SANDBOX_FOLDERS || guarded.existing.len() > limits::SANDBOX_GUARDED {
            tracing::warn!(folder = %folder.display(), "too much to look through for protected names");
            break;
        }
        // At a writable folder itself only the names in it count, not the one it has.
        let parent = if roots.contains(&folder) { None } else { folder.file_name() };
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let named = parent.map_or_else(PathBuf::new, PathBuf::from).join(&name);
            let Ok(kind) = entry.file_type() else { continue };
            if protected(&named, &[]).is_some() {
                guard(&mut guarded.existing, roots, &path, kind.is_symlink());
            } else if kind.is_dir() && name != "node_modules" && !path.join("CACHEDIR.TAG").exists() {
                folders.push_back(path);
            }
        }
    }
    let missing = workspace.iter().flat_map(|root| MASKED.iter().map(|name| root.join(name)));
    guarded.missing = missing.filter(|path| path.symlink_metadata().is_err()).collect();
    guarded
}

/// Nothing but our own folders.
pub(super) fn only(roots: &[PathBuf], own: &[PathBuf]) -> Guarded {
    let existing = own.iter().filter(|own| below_any(roots, own)).cloned().collect();
    Guarded { existing, missing: Vec::new() }
}

/// The path, where it leads, and where the file `.git` of a work tree says the repository is.
fn guard(existing: &mut BTreeSet<PathBuf>, roots: &[PathBuf], path: &Path, is_link: bool) {
    if is_link {
        existing.extend(std::fs::canonicalize(path).ok().filter(|target| below_any(roots, target)));
        return;
    }
    existing.insert(path.to_owned());
    if path.file_name().is_some_and(|name| name == ".git")
        && let Ok(text) = std::fs::read_to_string(path)
        && let Some(named) = text.trim_end().strip_prefix("gitdir:")
    {
        let target = path.parent().unwrap_or(path).join(named.trim());
        existing.extend(std::fs::canonicalize(target).ok().filter(|target| below_any(roots, target)));
    }
}

fn below_any(roots: &[PathBuf], path: &Path) -> bool {
    roots.iter().any(|root| path.starts_with(root) && path != root)
}

/// What may be written where rights can only be given and not taken back: each folder that holds
/// nothing guarded as a whole, and of one that does, the entries that are there. So no new name
/// comes up beside a guarded one.
pub(super) fn grants(roots: &[PathBuf], guarded: &Guarded) -> Vec<PathBuf> {
    let mut grants = Vec::new();
    let mut folders: Vec<PathBuf> = roots.to_vec();
    while let Some(folder) = folders.pop() {
        if grants.len() >= limits::SANDBOX_GRANTS {
            break;
        }
        if guarded.existing.contains(&folder) {
            continue;
        }
        let guards = |path: &PathBuf| path.starts_with(&folder);
        let holds = guarded.existing.iter().any(guards) || guarded.missing.iter().any(guards);
        if !holds {
            grants.push(folder);
            continue;
        }
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            // A right on a link would be one on what it leads to.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() && !guarded.existing.contains(&entry.path()) => {
                    grants.push(entry.path());
                }
                _ => {}
            }
        }
    }
    grants.truncate(limits::SANDBOX_GRANTS);
    grants
}
