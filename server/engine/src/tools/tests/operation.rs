//! Tools of the user's own files that name one of our file operations.

use super::*;
use crate::tools::files::Found;
use assent_base::tool::{Reads, Writes, parse_tool_file};

/// A world with one such tool, `aTool`, of this type with these handler fields.
fn world(kind: &str, rest: &str) -> World {
    let parameters = match kind {
        "listDirectory" | "readFile" | "deleteFile" => &["path"][..],
        "readFileBytes" => &["path", "offset", "length"],
        "readFileLines" => &["path", "startLine", "endLine"],
        "findInProject" => &["pattern", "include"],
        "createFile" => &["path", "content"],
        "editFile" => &["path", "oldString", "newString", "replaceAll"],
        "chmodFile" => &["path", "mode"],
        _ => &["pattern", "replacement", "include"],
    };
    let properties: Map<String, Value> = parameters.iter().map(|name| ((*name).into(), json!({}))).collect();
    let text = json!({ "schema": { "type": "function", "function": { "name": "aTool", "description": "d",
        "parameters": { "type": "object", "properties": properties } } },
        "handler": serde_json::from_str::<Value>(&format!(r#"{{"type":"{kind}"{rest}}}"#)).unwrap() });
    let file = parse_tool_file("a_tool.json", &text.to_string()).unwrap();
    let found = Found { tools: vec![("a_tool.json".into(), Arc::new(file))], ..Found::default() };
    let mut world = World::new();
    world.registry = world.registry.with_files(&found, &world.ctx.processes, &world.ctx.folders);
    world.put(".gitignore", "out/\n");
    world.put("src/a.rs", "fn one() {}\nfn two() {}\nfn three() {}\n");
    world.put(".env", "one=1\n");
    world.put("out/b.js", "one\n");
    world
}

const PROJECT: &str = r#","scope":"project""#;

#[tokio::test]
async fn a_path_outside_the_scope_is_refused_in_words() {
    let outside = TempDir::new().unwrap();
    fs::write(outside.path().join("c"), "one\n").unwrap();
    let external = outside.path().join("c").display().to_string();
    let paths = [
        ("project", "src/a.rs", Reads::Project),
        ("project-dot", ".env", Reads::ProjectDot),
        ("project-ignore", "out/b.js", Reads::ProjectIgnore),
        ("external", external.as_str(), Reads::External),
    ];
    for (scope, path, reads) in paths {
        let world = world("readFile", &format!(r#","scope":"{scope}""#));
        let (_, call) = world.resolve("aTool", json!({ "path": path })).await.unwrap();
        assert_eq!(call.effects.reads, reads);
        assert!(world.ok("aTool", json!({ "path": path })).await.contains("one"));
        for (other, path, _) in paths.iter().filter(|(other, ..)| *other != scope) {
            let words = world.err("aTool", json!({ "path": path })).await;
            assert!(words.starts_with("aTool is not for this path: `"), "{scope} {other}: {words}");
        }
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_counts_where_it_leads() {
    let world = world("readFile", PROJECT);
    std::os::unix::fs::symlink(world.path(".env"), world.path("plain")).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", world.path("host")).unwrap();
    assert!(world.err("aTool", json!({ "path": "plain" })).await.contains("begins with a dot"));
    assert!(world.err("aTool", json!({ "path": "host" })).await.contains("outside the workspace"));
}

#[tokio::test]
async fn folders_are_listed_and_lines_and_bytes_read() {
    let list = world("listDirectory", PROJECT);
    assert!(list.ok("aTool", json!({ "path": "." })).await.contains("src/\n    a.rs"));
    let lines = world("readFileLines", PROJECT);
    let shown = lines.ok("aTool", json!({ "path": "src/a.rs", "startLine": 2, "endLine": 2 })).await;
    assert_eq!(shown, "     2\tfn two() {}\n[Lines 2 to 2 of 3. Go on with startLine 3.]");
    let behind = lines.err("aTool", json!({ "path": "src/a.rs", "startLine": 9, "endLine": 9 })).await;
    assert!(behind.contains("Give a startLine up to 3"), "{behind}");
    assert!(
        lines
            .err("aTool", json!({ "path": "src/a.rs", "startLine": 3, "endLine": 2 }))
            .await
            .contains("before")
    );

    let bytes = world("readFileBytes", PROJECT);
    let call = |offset: u64, length: u64| json!({ "path": "src/a.rs", "offset": offset, "length": length });
    assert_eq!(bytes.ok("aTool", call(3, 3)).await, "src/a.rs: bytes 3 to 6 of 38.\none");
    assert!(bytes.err("aTool", call(99, 3)).await.contains("behind the last"));
    bytes.put("src/raw", [0u8, 1, 0xff, b'a']);
    let dump = bytes.ok("aTool", json!({ "path": "src/raw", "offset": 0, "length": 99 })).await;
    assert!(dump.contains("00000000  00 01 ff 61 ") && dump.contains("...a"), "{dump}");
    bytes.put("src/large", vec![b'x'; 100_000]);
    let large = bytes.ok("aTool", json!({ "path": "src/large", "offset": 0, "length": 90_000 })).await;
    assert!(large.contains("go on with offset 8192") && large.len() < 9_000, "{}", large.len());
    let uri = DocumentUri::from_path(&bytes.path("src/a.rs"));
    bytes.open(&uri, "typed");
    assert!(bytes.ok("aTool", call(0, 9)).await.ends_with("\ntyped"), "an open document is its buffer");
}

#[tokio::test]
async fn a_search_goes_where_its_file_says() {
    for (rest, reads, hidden, ignored) in [
        ("", Reads::Project, false, false),
        (r#","includeHidden":true"#, Reads::ProjectDot, true, false),
        (r#","includeIgnored":true"#, Reads::ProjectIgnore, false, true),
        (r#","includeHidden":true,"includeIgnored":true"#, Reads::ProjectIgnore, true, true),
    ] {
        let world = world("findInProject", rest);
        world.put(".git/config", "one\n");
        let (_, call) = world.resolve("aTool", json!({ "pattern": "one" })).await.unwrap();
        assert_eq!(call.effects.reads, reads);
        let found = world.ok("aTool", json!({ "pattern": "one" })).await;
        assert!(found.contains("src/a.rs"), "{found}");
        assert_eq!(
            (found.contains(".env"), found.contains("out/b.js")),
            (hidden, ignored),
            "{rest}: {found}"
        );
        assert!(!found.contains(".git/config"), "{found}");
        let named = world.run("aTool", json!({ "pattern": "one", "include": ".env" })).await;
        assert_eq!(named.is_error, !hidden, "{rest}: {}", text_of(&named));
    }
}

#[tokio::test]
async fn files_are_created_edited_and_deleted_through_the_review() {
    let create = world("createFile", PROJECT);
    create.ok("aTool", json!({ "path": "src/new.rs", "content": "new\n" })).await;
    assert_eq!(create.bytes("src/new.rs"), b"new\n");
    assert!(
        create.err("aTool", json!({ "path": "src/a.rs", "content": "" })).await.contains("exists already")
    );

    let edit = world("editFile", PROJECT);
    let call = json!({ "path": "src/a.rs", "oldString": "two", "newString": "2" });
    assert!(edit.err("aTool", call.clone()).await.contains("has not been read"));
    edit.read("src/a.rs").await;
    edit.ok("aTool", call).await;
    assert_eq!(edit.bytes("src/a.rs"), b"fn one() {}\nfn 2() {}\nfn three() {}\n");

    let delete = world("deleteFile", PROJECT);
    let call = json!({ "path": "src/a.rs" });
    assert!(delete.err("aTool", call.clone()).await.contains("has not been read"));
    delete.read("src/a.rs").await;
    let (_, resolved) = delete.resolve("aTool", call.clone()).await.unwrap();
    assert_eq!((resolved.paths[0].0, resolved.effects.writes), (Access::Delete, Writes::Project));
    delete.ok("aTool", call).await;
    assert!(!delete.path("src/a.rs").exists());
}

#[cfg(unix)]
#[tokio::test]
async fn a_mode_is_changed_only_from_what_was_judged() {
    use std::os::unix::fs::PermissionsExt;
    let world = world("chmodFile", PROJECT);
    let mode = || fs::metadata(world.path("src/a.rs")).unwrap().permissions().mode() & 0o7777;
    let set = |mode| fs::set_permissions(world.path("src/a.rs"), fs::Permissions::from_mode(mode)).unwrap();
    set(0o644);
    let (tool, call) = world.resolve("aTool", json!({ "path": "src/a.rs", "mode": "755" })).await.unwrap();
    assert_eq!((call.subject.as_str(), call.paths[0].0), ("src/a.rs 0644 -> 0755", Access::Mode));
    let output = tool.run(Granted::for_tests(call.clone(), false), &world.ctx).await;
    assert_eq!((output.is_error, mode()), (false, 0o755));
    // It is 0755 by now: what was asked about was 0644.
    let output = tool.run(Granted::for_tests(call.clone(), false), &world.ctx).await;
    assert!(output.is_error && text_of(&output).contains("by now"), "{}", text_of(&output));
    set(0o644);
    fs::rename(world.path("src/a.rs"), world.path("moved")).unwrap();
    std::os::unix::fs::symlink(world.path("moved"), world.path("src/a.rs")).unwrap();
    let output = tool.run(Granted::for_tests(call, false), &world.ctx).await;
    assert!(output.is_error, "a link that was put there is not followed");
    assert_eq!(fs::metadata(world.path("moved")).unwrap().permissions().mode() & 0o777, 0o644);
    for (given, why) in
        [("4755", "only the nine bits"), ("u+x", "is no mode"), ("8", "is no mode"), ("", "is no mode")]
    {
        let words = world.err("aTool", json!({ "path": "moved", "mode": given })).await;
        assert!(words.contains(why), "{given}: {words}");
    }
    assert!(world.err("aTool", json!({ "path": "src", "mode": "755" })).await.contains("not a regular file"));
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_is_not_deleted_in_place_of_its_file() {
    let world = world("deleteFile", PROJECT);
    std::os::unix::fs::symlink(world.path("src/a.rs"), world.path("link")).unwrap();
    world.read("link").await;
    assert!(world.err("aTool", json!({ "path": "link" })).await.contains("is a link to"));
    assert!(world.path("link").exists());
}

#[tokio::test]
async fn a_replacement_is_one_review_of_all_files() {
    let world = world("replaceInProject", PROJECT);
    world.put("src/b.rs", "use one;\r\n");
    let (_, call) = world.resolve("aTool", json!({ "pattern": "one", "replacement": "1" })).await.unwrap();
    assert_eq!(
        (call.subject.as_str(), call.paths.len(), call.effects.writes),
        ("2 files", 2, Writes::Project)
    );
    world.ok("aTool", json!({ "pattern": r"\bo(n)e\b", "replacement": "${1}1" })).await;
    assert_eq!(world.bytes("src/b.rs"), b"use n1;\r\n");
    assert_eq!(world.bytes("src/a.rs"), b"fn n1() {}\nfn two() {}\nfn three() {}\n");
    assert_eq!((world.bytes(".env"), world.bytes("out/b.js")), (b"one=1\n".to_vec(), b"one\n".to_vec()));
    assert_eq!(world.state.proposals.lock().len(), 2);
    let call = json!({ "pattern": "nowhere", "replacement": "" });
    assert!(world.err("aTool", call).await.contains("No matches"));
    assert!(world.err("aTool", json!({ "pattern": "(", "replacement": "" })).await.contains("can't be used"));
    for nth in 0..101 {
        world.put(&format!("many/{nth}"), "needle\n");
    }
    let call = json!({ "pattern": "needle", "replacement": "" });
    assert!(world.err("aTool", call).await.contains("101 files match"));
}
