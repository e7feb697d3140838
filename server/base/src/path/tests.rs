use super::*;

fn roots(paths: &[&str]) -> Vec<PathBuf> {
    paths.iter().map(PathBuf::from).collect()
}

#[test]
fn l6_which_document_is_it() {
    let same = |a: &str, b: &str| assert_eq!(DocumentUri::new(a), DocumentUri::new(b), "{a} {b}");
    same("file:///c%3A/Dev/My%20App/a.ts", "file:///C:/Dev/My%20App/a.ts");
    same("file:///ws/%5Bid%5D/a.ts", "file:///ws/%5bid%5d/a.ts");
    same("file:///ws/%5Bid%5D/a.ts", "file:///ws/[id]/a.ts");
    same("file:///ws/a%2Bb.ts", "file:///ws/a+b.ts");
    same("FILE:///ws/a", "file://localhost/ws/a");
    same("file:///ws/%C3%A9", "file:///ws/é");
    assert_ne!(DocumentUri::new("file:///ws/a"), DocumentUri::new("file:///ws/A"));
    assert_ne!(DocumentUri::new("untitled:a"), DocumentUri::new("untitled:A"));
    assert_eq!(DocumentUri::new("file:///c%3A/x").as_str(), "file:///c%3A/x");
}

#[cfg(unix)]
#[test]
fn l6_the_path_of_a_document() {
    let path = |uri: &str| DocumentUri::new(uri).to_path();
    assert_eq!(path("file:///ws/a+b.ts"), Some("/ws/a+b.ts".into()));
    assert_eq!(path("file:///ws/100%25.txt"), Some("/ws/100%.txt".into()));
    assert_eq!(path("file:///ws/100%.txt"), Some("/ws/100%.txt".into()));
    assert_eq!(path("file:/ws/a"), Some("/ws/a".into()));
    assert_eq!(path("file:///ws/%252e%252e/k"), Some("/ws/%2e%2e/k".into()), "decoded once");
    for path in ["/ws/a b.ts", "/ws/é[1].ts", "/ws/100%.txt", "/ws/a?b#c", "/ws/a+b", "/ws/a\\b"] {
        let uri = DocumentUri::from_path(Path::new(path));
        assert_eq!(uri.to_path(), Some(path.into()), "{uri:?}");
    }
}

#[test]
fn c14_other_spellings_have_no_path() {
    for uri in [
        "untitled:Untitled-1",
        "vscode-remote://h/ws/a",
        "file://host/x",
        "file:////h/s",
        "file:///W/%2e%2e/O/s",
        "file:///W/../O/s",
        "file:///W/a%2fb",
        "file:///W/a%00",
        "file:",
        "file:a",
        "/ws/a",
        "",
        "file:///ws/a?x",
        "file:\\\\h\\s",
    ] {
        assert_eq!(DocumentUri::new(uri).to_path(), None, "{uri}");
    }
    for given in [
        "\\\\h\\s",
        "\\\\?\\C:\\x",
        "\\??\\C:\\x",
        "//h/s",
        "file://host/x",
        "a\0b",
        "",
        "file:///w/%2e%2e/x",
    ] {
        assert!(absolute(Some(Path::new("/ws")), given).is_err(), "{given}");
    }
    for name in ["CON", "nul.txt", "COM1", "a.txt:x", "LPT9.log"] {
        assert!(lexical::is_device(std::path::Component::Normal(name.as_ref())), "{name}");
    }
    assert!(!lexical::is_device(std::path::Component::Normal("console.rs".as_ref())));
}

#[cfg(unix)]
#[test]
fn c01_absolute_paths_are_lexically_normal() {
    let at = |given: &str| absolute(Some(Path::new("/ws/app")), given).map(|p| p.display().to_string());
    assert_eq!(at("a/./b").as_deref(), Ok("/ws/app/a/b"));
    assert_eq!(at("../s").as_deref(), Ok("/ws/s"));
    assert_eq!(at("a/../../O/s").as_deref(), Ok("/ws/O/s"));
    assert_eq!(at("/ws/./../O").as_deref(), Ok("/O"));
    assert_eq!(at("../../../../..").as_deref(), Ok("/"));
    assert_eq!(at("file:///ws/x%20y").as_deref(), Ok("/ws/x y"));
    assert_eq!(at("~notes.txt").as_deref(), Ok("/ws/app/~notes.txt"));
    assert_eq!(at("~/x"), Err(PathProblem::Home("~/x".into())));
    assert_eq!(absolute(None, "a"), Err(PathProblem::NoFolder("a".into())));
    assert_eq!(absolute(None, "/a/b"), Ok("/a/b".into()));
}

#[test]
fn c02_containment_goes_by_component() {
    let roots = roots(&["/a/ws"]);
    let class = |path: &str| classify(&roots, Path::new(path), false);
    assert_eq!(class("/a/ws/x"), PathClass::Project);
    assert_eq!(class("/a/ws"), PathClass::Project);
    assert_eq!(class("/a/ws-evil/x"), PathClass::External);
    assert_eq!(class("/a"), PathClass::External);
    assert_eq!(class("/a/ws/.hidden/x"), PathClass::Dot);
    assert_eq!(classify(&roots, Path::new("/a/ws/out/x"), true), PathClass::Ignored);
    assert_eq!(classify(&[PathBuf::from("/")], Path::new("/proc/1/environ"), false), PathClass::External);
    assert_eq!(classify(&[], Path::new("/a"), false), PathClass::External);
}

#[test]
fn a_path_is_shown_relative_to_its_innermost_folder() {
    let roots = roots(&["/ws", "/ws/inner"]);
    assert_eq!(display(&roots, Path::new("/ws/a/b.rs")), "a/b.rs");
    assert_eq!(display(&roots, Path::new("/ws/inner/b.rs")), "b.rs");
    assert_eq!(display(&roots, Path::new("/ws")), ".");
    assert_eq!(display(&roots, Path::new("/other/x")), "/other/x");
}

#[test]
fn c04_c08_c09_protected_names() {
    let name = |path: &str| protected(Path::new(path), &[]);
    for path in [
        ".GIT/Hooks/x",
        ".git",
        "sub/.git",
        ".VsCode/settings.json",
        "sub/.vscode/launch.json",
        "Agents.MD",
        ".ENV",
        ".env.local",
        ".idea/workspace.xml",
        ".github/workflows/ci.yml",
        ".GitHub/Workflows/ci.yml",
        ".github/copilot-instructions.md",
        ".assent/init.lua",
        "assent.yaml",
        "sub/Assent.YAML",
        "beeuni.yaml",
        ".envrc",
        ".bashrc",
        ".gitconfig",
        ".gitmodules",
        ".devcontainer/devcontainer.json",
        ".husky/pre-commit",
        "x.code-workspace",
        ".nvim.lua",
        ".exrc",
        ".lazy.lua",
        ".mcp.json",
        "CLAUDE.md",
        ".cursorrules",
        ".cursor/mcp.json",
        ".g\u{200c}it/config",
        ".git./config",
        "git~1/config",
        ".git /config",
        ".config/git/config",
    ] {
        assert!(name(path).is_some(), "{path}");
    }
    for path in [
        "src/main.rs",
        ".github/ISSUE_TEMPLATE/a.md",
        "git/x",
        ".env.example",
        "my.assent.yaml",
        "workflows/a",
    ] {
        assert_eq!(name(path), None, "{path}");
    }
    let own = roots(&["/home/u/.config/assent"]);
    assert!(protected(Path::new("/home/u/.config/assent/init.lua"), &own).is_some());
}

#[test]
fn c03_a_link_is_judged_by_both_its_ends() {
    let (roots, own) = (roots(&["/home/u/.config/git/ws"]), roots(&["/state"]));
    let places = Places { roots: &roots, own: &own };
    let judge = |absolute: &str, canonical: &str| {
        ResolvedPath::judge(places, "x", absolute.into(), canonical.into(), false)
    };
    let at = |inside: &str| format!("/home/u/.config/git/ws/{inside}");
    let plain = judge(&at("a.rs"), &at("a.rs"));
    assert_eq!((plain.class, plain.protected), (PathClass::Project, None));
    assert_eq!(judge(&at("notes.md"), "/O/secret").class, PathClass::External);
    assert!(judge(&at("s.json"), &at(".vscode/settings.json")).protected.is_some());
    assert!(judge(&at(".vscode/s.json"), &at("s.json")).protected.is_some());
    assert!(judge(&at("s"), "/state/trust").protected.is_some());
}
