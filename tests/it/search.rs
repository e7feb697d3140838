//! `glob` and `grep`: what they see, what they leave out, and how they say that there is nothing.

use crate::scene::Scene;
use serde_json::json;

#[track_caller]
fn check(scene: &mut Scene, tool: &str, arguments: serde_json::Value, has: &[&str], lacks: &[&str]) {
    let outcome = scene.call(tool, arguments.clone());
    assert!(!outcome.failed, "{tool} {arguments}: {}", outcome.text);
    for needle in has {
        assert!(outcome.text.contains(needle), "{tool} {arguments}: {needle:?} is not in {}", outcome.text);
    }
    for needle in lacks {
        assert!(!outcome.text.contains(needle), "{tool} {arguments}: {needle:?} is in {}", outcome.text);
    }
}

#[test]
fn hidden_and_ignored_files_are_left_out_unless_named() {
    let mut scene = Scene::new(&[
        (".gitignore", "out/\n"),
        ("out/a.js", "token\n"),
        ("src/a.js", "token\n"),
        (".github/ci.yml", "token\n"),
    ]);
    std::fs::create_dir(scene.ws.path(".git")).unwrap();
    scene.client.allows_all = true;
    check(&mut scene, "glob", json!({ "pattern": ".github/*.yml" }), &[".github/ci.yml"], &[]);
    check(&mut scene, "glob", json!({ "pattern": "**/*.js" }), &["src/a.js"], &["out/a.js"]);
    let grep = json!({ "pattern": "token", "include": "*.js" });
    check(&mut scene, "grep", grep, &["src/a.js"], &["out/a.js", "ci.yml"]);
}

#[test]
fn an_error_no_match_and_an_option_are_three_things() {
    let mut scene = Scene::new(&[("a.txt", "a --> b\nid=42\n"), ("x.sh", "touch pwned\n")]);
    let outcome = scene.call("grep", json!({ "pattern": "(" }));
    assert!(outcome.failed && !outcome.text.is_empty(), "{}", outcome.text);
    check(&mut scene, "grep", json!({ "pattern": "zzz_absent" }), &[], &["a.txt"]);
    let outcome = scene.call("grep", json!({ "pattern": "(?<=id=)\\d+" }));
    let named = outcome.failed && outcome.text.contains("look");
    assert!(named || outcome.text.contains("42"), "{}", outcome.text);
    check(&mut scene, "grep", json!({ "pattern": "-->" }), &["a.txt"], &[]);
    check(&mut scene, "grep", json!({ "pattern": "--pre=./x.sh" }), &[], &["a.txt"]);
    assert!(!scene.ws.exists("pwned"));
}

#[test]
fn odd_bytes_are_shown_as_such_and_binaries_are_not_pasted() {
    let mut scene = Scene::new(&[("ok.txt", "find me\n")]);
    scene.ws.write("gbk.txt", b"find me \xD6\xD0\xCE\xC4\n").write("bin.dat", b"\0\x01secretfind me\n");
    check(&mut scene, "grep", json!({ "pattern": "find me" }), &["ok.txt", "gbk.txt"], &["secretfind"]);
}

#[cfg(unix)]
#[test]
fn links_do_not_loop_and_brackets_are_names() {
    let mut scene = Scene::new(&[
        ("d/x.txt", "x"),
        ("app/[id]/page.tsx", "p"),
        ("app/i/page.tsx", "p"),
        ("g/a.ts", "hit"),
        ("g/b.tsx", "hit"),
        ("g/c.js", "hit"),
    ]);
    scene.ws.link("d/loop", "..");
    let outcome = scene.call("glob", json!({ "pattern": "**/*.txt" }));
    assert_eq!(outcome.text.matches("x.txt").count(), 1, "{}", outcome.text);
    let brackets = json!({ "pattern": "*.tsx", "path": "app/[id]" });
    check(&mut scene, "glob", brackets, &["[id]/page.tsx"], &["app/i/"]);
    let include = json!({ "pattern": "hit", "include": "*.{ts,tsx}" });
    check(&mut scene, "grep", include, &["a.ts", "b.tsx"], &["c.js"]);
}
