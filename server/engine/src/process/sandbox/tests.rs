use super::guarded::{Guarded, find, grants};
use super::*;
use std::fs;
use tempfile::TempDir;

/// A folder with these files, canonical.
fn tree(files: &[&str]) -> (TempDir, PathBuf) {
    let dir = TempDir::new().unwrap();
    let root = dir.path().canonicalize().unwrap().join("ws");
    for file in files {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    (dir, root)
}

fn below(root: &Path, paths: impl IntoIterator<Item = PathBuf>) -> Vec<String> {
    let mut names: Vec<_> = paths
        .into_iter()
        .map(|path| path.strip_prefix(root).unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

const FILES: [&str; 9] = [
    ".git/hooks/x",
    ".GitHub/workflows/ci.yml",
    ".vscode/settings.json",
    "assent.yaml",
    "src/a/.envrc",
    "src/a/b.rs",
    "src/c/d.rs",
    "node_modules/x/.vscode/y",
    "target/.git/z",
];

#[test]
fn what_is_protected_is_found_at_any_depth() {
    let (_dir, root) = tree(&FILES);
    fs::write(root.join("target/CACHEDIR.TAG"), "").unwrap();
    let found =
        find(&[root.clone()], &[root.clone()], &[root.join("src/state"), PathBuf::from("/elsewhere")]);
    let wanted = [".GitHub/workflows", ".git", ".vscode", "assent.yaml", "src/a/.envrc", "src/state"];
    assert_eq!(below(&root, found.existing), wanted);
    assert_eq!(below(&root, found.missing), [".assent", ".idea"]);
}

#[cfg(unix)]
#[test]
fn links_and_work_trees_are_followed_where_they_stay_writable() {
    let (dir, root) = tree(&["store/HEAD", "real/x"]);
    fs::write(root.join(".git"), "gitdir: store\n").unwrap();
    std::os::unix::fs::symlink("real", root.join(".vscode")).unwrap();
    std::os::unix::fs::symlink(dir.path(), root.join(".idea")).unwrap();
    assert_eq!(below(&root, find(&[root.clone()], &[], &[]).existing), [".git", "real", "store"]);
}

#[cfg(unix)]
#[test]
fn rights_are_given_around_what_is_guarded() {
    let (_dir, root) = tree(&FILES);
    std::os::unix::fs::symlink("/", root.join("link")).unwrap();
    let guarded = Guarded {
        existing: [".git", "src/a/.envrc"].map(|name| root.join(name)).into(),
        missing: Vec::new(),
    };
    let wanted = [".GitHub", ".vscode", "assent.yaml", "node_modules", "src/a/b.rs", "src/c", "target"];
    assert_eq!(below(&root, grants(&[root.clone()], &guarded)), wanted);
    assert_eq!(grants(&[root.clone()], &Guarded::default()), [root]);
}

#[test]
fn placeholders_are_shared_and_go_while_they_are_empty() {
    let (_dir, root) = tree(&["x"]);
    let (masks, mask, other) = (Masks::default(), root.join(".vscode"), root.join(".idea"));
    let first = masks.hold(&[mask.clone(), other.clone()]);
    let second = masks.hold(&[]);
    drop(first);
    assert!(mask.is_dir(), "a command still needs it");
    fs::write(other.join("settings.json"), "{}").unwrap();
    drop(second);
    assert!(!mask.exists() && other.join("settings.json").exists());
}

#[test]
fn the_profile_for_macos_takes_back_what_is_protected() {
    let profile = Profile {
        kind: Kind::SandboxExec,
        network: false,
        writable: vec!["/ws".into()],
        workspace: Vec::new(),
        own: Vec::new(),
        scratch: "/tmp/s".into(),
    };
    let guarded = Guarded { existing: [PathBuf::from("/ws/a/.git")].into(), missing: Vec::new() };
    let rules = seatbelt::rules(&profile, &guarded);
    let at = |rule: &str| rules.find(rule).unwrap_or_else(|| panic!("{rule} in {rules}"));
    assert!(at("(allow file-write* (subpath \"/ws\"))") < at("(deny file-write* (subpath \"/ws/a/.git\"))"));
    at("(deny file-write-unlink (literal \"/ws/a\"))");
    at("(deny network*)");
}
