use super::*;
use assent_base::path::{PathClass, Places};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

struct Workspace {
    _dir: TempDir,
    root: PathBuf,
    roots: Vec<PathBuf>,
}

fn workspace() -> Workspace {
    let dir = TempDir::new().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let app = root.join("app");
    fs::create_dir_all(app.join("src")).unwrap();
    fs::create_dir_all(app.join("out/deep")).unwrap();
    fs::write(app.join(".gitignore"), "out/\n*.log\n").unwrap();
    fs::write(root.join("s"), "secret").unwrap();
    Workspace { _dir: dir, roots: vec![app], root }
}

impl Workspace {
    fn resolve(&self, given: &str) -> Result<assent_base::path::ResolvedPath, String> {
        resolve_path(Places { roots: &self.roots, own: &[] }, given)
    }
    fn class(&self, given: &str) -> PathClass {
        self.resolve(given).unwrap().class
    }
}

#[test]
fn classes_follow_the_ignore_rules() {
    let ws = workspace();
    for (given, class) in [
        ("src/a.rs", PathClass::Project),
        (".", PathClass::Project),
        ("out", PathClass::Ignored),
        ("out/deep/a.js", PathClass::Ignored),
        ("src/new/x.log", PathClass::Ignored),
        (".github/ci.yml", PathClass::Dot),
        ("../s", PathClass::External),
        ("src/../../s", PathClass::External),
        ("../app-old/k", PathClass::External),
    ] {
        assert_eq!(ws.class(given), class, "{given}");
        let absolute = ws.roots[0].join(given);
        assert_eq!(ws.class(absolute.to_str().unwrap()), class, "{given}");
    }
    assert!(ws.resolve(".git/config").unwrap().protected.is_some());
}

#[cfg(unix)]
#[test]
fn c7_a_path_is_judged_after_its_links() {
    let ws = workspace();
    let app = &ws.roots[0];
    std::os::unix::fs::symlink(ws.root.join("s"), app.join("link")).unwrap();
    std::os::unix::fs::symlink(ws.root.join("s2"), app.join("new")).unwrap();
    std::os::unix::fs::symlink("src", app.join("inside")).unwrap();
    assert_eq!(ws.class("link"), PathClass::External);
    assert_eq!(ws.class("new"), PathClass::External, "a link to nothing leads outside all the same");
    assert_eq!(ws.class("sub/n.txt"), PathClass::Project);
    let inside = ws.resolve("inside/a.rs").unwrap();
    assert_eq!((inside.class, inside.canonical), (PathClass::Project, app.join("src/a.rs")));
    assert!(!ws.root.join("s2").exists());
}

#[test]
fn l6_without_a_folder_a_relative_path_is_an_error() {
    let nowhere = Places { roots: &[], own: &[] };
    assert!(resolve_path(nowhere, "a.txt").unwrap_err().contains("no workspace folder"));
    assert_eq!(resolve_path(nowhere, "/ws/a.txt").unwrap().class, PathClass::External);
    assert!(resolve_path(nowhere, "").is_err());
}

#[test]
fn l6_an_untitled_document_is_a_target_of_its_own() {
    let ws = workspace();
    let mut documents = OpenDocuments::new();
    documents.opened(DocumentUri::new("untitled:Untitled-1"), "text".into(), 1, "x".into());
    let places = Places { roots: &ws.roots, own: &[] };
    let target = resolve_target(places, &documents.reader(), "untitled:Untitled-1").unwrap();
    assert_eq!(target, Target::Document(DocumentUri::new("untitled:Untitled-1")));
    let file = resolve_target(places, &documents.reader(), "src/a.rs").unwrap();
    assert_eq!(file.uri(), DocumentUri::from_path(&ws.roots[0].join("src/a.rs")));
}
