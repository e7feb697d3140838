//! Edits through the pipe, of closed and of open documents.

use crate::scene::{Outcome, Scene};
use serde_json::{Value, json};

/// Files, calls, and the file's bytes afterwards: the same whether the document is closed or
/// open. With `failing`, the last call fails.
#[track_caller]
fn check(before: &str, calls: &[(&str, Value)], after: &str) {
    for open in [false, true] {
        let (outcomes, scene) = run(before, calls, open);
        let failed: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.failed).collect();
        assert!(failed.is_empty(), "open {open}: {failed:?}");
        assert_eq!(scene.ws.read("f.txt"), after, "open {open}");
    }
}

/// The last call fails with a reason that contains a word, and nothing changes.
#[track_caller]
fn check_refused(before: &str, calls: &[(&str, Value)], reason: &str) {
    for open in [false, true] {
        let (outcomes, scene) = run(before, calls, open);
        let last = outcomes.last().unwrap();
        assert!(last.failed, "open {open}: {last:?}");
        assert!(last.text.contains(reason), "open {open}: {reason:?} is not in {}", last.text);
        assert_eq!(scene.ws.read("f.txt"), before, "open {open}");
        assert!(scene.client.edits.is_empty(), "open {open}: {:?}", scene.client.edits);
    }
}

#[track_caller]
fn run(before: &str, calls: &[(&str, Value)], open: bool) -> (Vec<Outcome>, Scene) {
    let mut scene = Scene::new(&[("f.txt", before)]);
    scene.client.accepts_all = true;
    let uri = open.then(|| scene.client.open("f.txt"));
    let mut all = vec![("read", json!({ "filePath": "f.txt" }))];
    all.extend(calls.iter().cloned());
    let mut outcomes = scene.calls(&all);
    outcomes.remove(0);
    if let Some(uri) = uri {
        let document = scene.client.document(&uri).clone();
        assert_eq!(document.text, scene.ws.read("f.txt"), "a clean document stays clean");
        assert!(!document.dirty);
    }
    (outcomes, scene)
}

fn edit(old: &str, new: &str) -> (&'static str, Value) {
    ("edit", json!({ "filePath": "f.txt", "oldString": old, "newString": new }))
}

fn edit_all(old: &str, new: &str) -> (&'static str, Value) {
    ("edit", json!({ "filePath": "f.txt", "oldString": old, "newString": new, "replaceAll": true }))
}

fn multiedit(edits: &[(&str, &str)]) -> (&'static str, Value) {
    let edits: Vec<Value> =
        edits.iter().map(|(old, new)| json!({ "oldString": old, "newString": new })).collect();
    ("multiedit", json!({ "filePath": "f.txt", "edits": edits }))
}

#[test]
fn line_ends_stay_as_they_are() {
    check(
        "one\r\ntwo\r\nthree\r\n",
        &[edit("two\n", "two\ntwo and a half\n")],
        "one\r\ntwo\r\ntwo and a half\r\nthree\r\n",
    );
    check("a=1\r\nb=2\r\nc=3\r\n", &[edit("c=3", "c=30")], "a=1\r\nb=2\r\nc=30\r\n");
}

#[test]
fn start_and_end_of_the_file_stay_as_they_are() {
    check("x=1", &[edit("x=1", "x=2")], "x=2");
    check("p\nq\nr\n", &[edit("r\n", "")], "p\nq\n");
    check("p\nq", &[edit("q", "")], "p\n");
}

#[test]
fn a_byte_order_mark_stays_and_is_not_shown() {
    let mut scene = Scene::new(&[]);
    scene.client.accepts_all = true;
    scene.ws.write("f.txt", b"\xEF\xBB\xBFk;v\n1;2\n");
    let outcomes = scene.calls(&[("read", json!({ "filePath": "f.txt" })), edit("k;v", "key;val")]);
    assert!(!outcomes[0].text.contains('\u{feff}'), "{}", outcomes[0].text);
    assert_eq!(scene.ws.bytes("f.txt"), b"\xEF\xBB\xBFkey;val\n1;2\n");
}

#[test]
fn old_and_new_strings_are_plain_text() {
    let odd = "$& $1 $$ ${x} $' $` %1 %% \\1 &amp; &lt;";
    check("cost: TOTAL\n", &[edit("TOTAL", odd)], &format!("cost: {odd}\n"));
    check("cost: TOTAL\n", &[edit_all("TOTAL", odd)], &format!("cost: {odd}\n"));
    check("cost: TOTAL\n", &[multiedit(&[("TOTAL", odd)])], &format!("cost: {odd}\n"));
    let pattern = "[a-z]+ (y)? ^$ .* {2}";
    check(&format!("f(x) = {pattern}\n"), &[edit(pattern, "ok")], "f(x) = ok\n");
}

#[test]
fn curly_quotes_are_characters_of_their_own() {
    check("msg = 'hi'\n", &[edit("'hi'", "‘hi’")], "msg = ‘hi’\n");
    check_refused("msg = “ok”\n", &[edit("\"ok\"", "x")], "");
    check("1: first\n2: second\n", &[edit("2: second", "2: SECOND")], "1: first\n2: SECOND\n");
    let text = "fn a() {\n    one();\n}\nfn b() {\n    two();\n}\n";
    check_refused(text, &[edit("fn b() {\n    three();\n    four();\n}", "fn b() {}")], "");
}

#[test]
fn odd_arguments_are_refused_with_a_reason() {
    check_refused("text\n", &[edit("", "x")], "");
    check_refused("text\n", &[edit("text", "text")], "");
    check_refused("ab ab\n", &[edit("ab", "c")], "2");
    check("aaaa\n", &[edit_all("aa", "b")], "bb\n");
    check("x,x\n", &[edit_all("x", "xx")], "xx,xx\n");
}

#[test]
fn bytes_of_other_encodings_are_never_replaced() {
    let cases: [(&[u8], (&str, Value), &[u8]); 2] = [
        (b"# caf\xE9\nn = 1\n", edit("n = 1", "n = 2"), b"# caf\xE9\nn = 2\n"),
        (b"\xFF\xFEn\0=\x001\0\n\0", edit("1", "2"), b"\xFF\xFEn\0=\x002\0\n\0"),
    ];
    for (before, call, after) in cases {
        let mut scene = Scene::new(&[]);
        scene.client.accepts_all = true;
        scene.ws.write("f.txt", before);
        let outcomes = scene.calls(&[("read", json!({ "filePath": "f.txt" })), call]);
        assert!(!outcomes[0].text.contains('\0'), "{}", outcomes[0].text);
        let expected = if outcomes[1].failed { before } else { after };
        assert_eq!(scene.ws.bytes("f.txt"), expected, "{}", outcomes[1].text);
    }
}

#[cfg(unix)]
#[test]
fn the_file_object_stays_the_same() {
    use std::os::unix::fs::PermissionsExt;
    let mut scene = Scene::new(&[("bin/go.sh", "echo 1\n")]);
    scene.ws.mode("bin/go.sh", 0o755).link("go.sh", "bin/go.sh");
    scene.client.accepts_all = true;
    let outcomes = scene.calls(&[
        ("read", json!({ "filePath": "go.sh" })),
        ("edit", json!({ "filePath": "go.sh", "oldString": "echo 1", "newString": "echo 2" })),
    ]);
    assert!(!outcomes[1].failed, "{}", outcomes[1].text);
    assert_eq!(scene.ws.read("bin/go.sh"), "echo 2\n");
    assert_eq!(std::fs::read_link(scene.ws.path("go.sh")).unwrap().to_str(), Some("bin/go.sh"));
    let mode = std::fs::metadata(scene.ws.path("bin/go.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    let names = |folder: &str| std::fs::read_dir(scene.ws.path(folder)).unwrap().count();
    assert_eq!((names("."), names("bin")), (2, 1), "no temporary file is left");
}

#[test]
fn several_edits_go_in_together_or_not_at_all() {
    let before = "let a = 1;\nlet b = 2;\n";
    let chain = [("a = 1", "total = 1"), ("total = 1", "total = 10")];
    check(before, &[multiedit(&chain)], "let total = 10;\nlet b = 2;\n");
    check_refused(before, &[multiedit(&[("a = 1", "a = 5"), ("zzz", "y")])], "2");
}

#[test]
fn a_new_file_is_written_by_the_editor_and_saved() {
    let mut scene = Scene::new(&[]);
    scene.client.accepts_all = true;
    let outcome = scene.call("write", json!({ "filePath": "sub/new.txt", "content": "fresh\n" }));
    assert!(!outcome.failed, "{}", outcome.text);
    assert_eq!(scene.ws.read("sub/new.txt"), "fresh\n");
    assert!(!scene.client.is_open(&scene.ws.uri("sub/new.txt")), "it ends saved and closed");
}

#[test]
fn a_file_that_was_not_read_is_not_edited() {
    let mut scene = Scene::new(&[("f.txt", "a\n")]);
    scene.client.accepts_all = true;
    let outcomes =
        scene.calls(&[edit("a", "b"), ("write", json!({ "filePath": "f.txt", "content": "c\n" }))]);
    assert!(outcomes.iter().all(|outcome| outcome.failed && outcome.text.contains("read")), "{outcomes:?}");
    assert_eq!(scene.ws.read("f.txt"), "a\n");
}
