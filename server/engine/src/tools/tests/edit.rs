use super::*;

/// A closed file with these bytes, read, edited; the bytes after it.
async fn edited(bytes: &[u8], old: &str, new: &str) -> Result<Vec<u8>, String> {
    let world = World::new();
    world.put("f", bytes);
    world.read("f").await;
    let output = world.run("edit", json!({"filePath": "f", "oldString": old, "newString": new})).await;
    if output.is_error {
        assert_eq!(world.bytes("f"), bytes, "an edit that fails changes nothing");
        return Err(text_of(&output));
    }
    Ok(world.bytes("f"))
}

async fn check(before: &[u8], old: &str, new: &str, after: &[u8]) {
    let result = edited(before, old, new).await.unwrap();
    assert_eq!(String::from_utf8_lossy(&result), String::from_utf8_lossy(after));
}

#[tokio::test]
async fn e1_line_ends_stay() {
    check(
        b"one\r\ntwo\r\nthree\r\n",
        "two\n",
        "two\ntwo and a half\n",
        b"one\r\ntwo\r\ntwo and a half\r\nthree\r\n",
    )
    .await;
    check(b"a=1\r\nb=2\nc=3\r\n", "c=3", "c=30", b"a=1\r\nb=2\nc=30\r\n").await;
}

#[tokio::test]
async fn e2_start_and_end_stay() {
    check(b"\xEF\xBB\xBFk;v\n1;2\n", "k;v", "key;val", b"\xEF\xBB\xBFkey;val\n1;2\n").await;
    check(b"x=1", "1", "2", b"x=2").await;
    check(b"p\nq\nr\n", "r\n", "", b"p\nq\n").await;
    check(b"p\nq", "q", "", b"p\n").await;
    let world = World::new();
    world.put("f", b"\xEF\xBB\xBFk;v\n");
    assert!(!world.read("f").await.contains('\u{FEFF}'));
}

#[tokio::test]
async fn e3_old_and_new_are_plain_text() {
    let odd = "$& $1 $$ ${x} $' $` %1 %% \\1 &amp; &lt;";
    check(b"cost: TOTAL\n", "TOTAL", odd, format!("cost: {odd}\n").as_bytes()).await;
    check(b"f(x) = [a-z]+ (y)? ^$ .* {2}\n", "[a-z]+ (y)? ^$ .* {2}", "ok", b"f(x) = ok\n").await;
    for all in [true, false] {
        let world = World::new();
        world.put("f", "cost: TOTAL\n");
        world.read("f").await;
        let edits = json!([{"oldString": "TOTAL", "newString": odd, "replaceAll": all}]);
        world.ok("multiedit", json!({"filePath": "f", "edits": edits})).await;
        assert_eq!(world.bytes("f"), format!("cost: {odd}\n").as_bytes());
    }
}

#[tokio::test]
async fn e4_almost_is_not_a_match() {
    check("msg = 'hi'\n".as_bytes(), "'hi'", "‘hi’", "msg = ‘hi’\n".as_bytes()).await;
    assert!(edited("msg = “ok”\n".as_bytes(), "\"ok\"", "x").await.is_err());
    let error = edited(b"first\nsecond\n", "2: second", "2: SECOND").await.unwrap_err();
    assert!(error.contains("second"), "the nearest place is shown: {error}");
    check(b"1: first\n2: second\n", "2: second", "2: SECOND", b"1: first\n2: SECOND\n").await;
    let text = b"fn a() {\n    one();\n}\nfn b() {\n    two();\n}\n";
    assert!(edited(text, "fn b() {\n    three();\n    four();\n}", "fn b() {}").await.is_err());
}

#[tokio::test]
async fn e5_odd_arguments() {
    assert!(edited(b"a\n", "", "x").await.is_err());
    assert!(edited(b"a\n", "a", "a").await.is_err());
    assert!(edited(b"ab ab\n", "ab", "c").await.unwrap_err().contains("2 times"));
    for (before, old, new, after) in [("aaaa\n", "aa", "b", "bb\n"), ("x,x\n", "x", "xx", "xx,xx\n")] {
        let world = World::new();
        world.put("f", before);
        world.read("f").await;
        let call = json!({"filePath": "f", "oldString": old, "newString": new, "replaceAll": true});
        assert!(world.ok("edit", call).await.contains("2 places"));
        assert_eq!(world.bytes("f"), after.as_bytes());
    }
}

#[tokio::test]
async fn e6_other_encodings() {
    check(b"# caf\xE9\nn = 1\n", "n = 1", "n = 2", b"# caf\xE9\nn = 2\n").await;
    let utf16 = b"\xFF\xFEn\0=\x001\0\n\0";
    assert_eq!(edited(utf16, "1", "2").await.unwrap(), b"\xFF\xFEn\0=\x002\0\n\0");
    let world = World::new();
    world.put("f", utf16);
    assert_eq!(world.read("f").await, "     1\tn=1\n");
    let error = edited(b"# caf\xE9\nn = 1\n", "n = 1", "n = \u{4E2D}").await.unwrap_err();
    assert!(error.contains("encoding"), "{error}");
}

#[cfg(unix)]
#[tokio::test]
async fn e7_a_link_stays_a_link() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    world.put("bin/go.sh", "echo 1\n");
    fs::set_permissions(world.path("bin/go.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    std::os::unix::fs::symlink("bin/go.sh", world.path("go.sh")).unwrap();
    world.read("go.sh").await;
    world.ok("edit", json!({"filePath": "go.sh", "oldString": "echo 1", "newString": "echo 2"})).await;
    assert!(fs::symlink_metadata(world.path("go.sh")).unwrap().is_symlink());
    assert_eq!(world.bytes("bin/go.sh"), b"echo 2\n");
    assert_eq!(fs::metadata(world.path("bin/go.sh")).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(names(&world.path("bin")), ["go.sh"]);
}

#[tokio::test]
async fn e8_multiedit_is_in_order_and_all_or_nothing() {
    let text = "let a = 1;\nlet b = 2;\n";
    let (first, second) = (json!({"oldString": "a = 1", "newString": "total = 1"}), "total = 1");
    let good = json!([first, {"oldString": second, "newString": "total = 10"}]);
    let bad = json!([{"oldString": "a = 1", "newString": "a = 5"}, {"oldString": "zzz", "newString": "y"}]);
    let world = World::new();
    world.put("f", text);
    world.read("f").await;
    let error = world.err("multiedit", json!({"filePath": "f", "edits": bad})).await;
    assert!(error.contains("Edit 2 of 2"), "{error}");
    assert_eq!(world.bytes("f"), text.as_bytes());
    world.ok("multiedit", json!({"file_path": "f", "edits": good.to_string()})).await;
    assert_eq!(world.bytes("f"), b"let total = 10;\nlet b = 2;\n");
}

#[tokio::test]
async fn u1_a_dirty_buffer_is_the_file() {
    let world = World::new();
    world.put("f", "v=1\n");
    let uri = DocumentUri::from_path(&world.path("f"));
    world.open(&uri, "v=1\n");
    world.type_in(&uri, 2, "v=2\n");
    assert_eq!(world.read("f").await, "     1\tv=2\n");
    world.ok("edit", json!({"filePath": "f", "oldString": "v=2", "newString": "v=3"})).await;
    let proposals = world.state.proposals.lock().clone();
    assert_eq!(proposals.len(), 1);
    assert_eq!((proposals[0].version, proposals[0].new_text.as_str()), (Some(2), "v=3\n"));
    assert_eq!(world.bytes("f"), b"v=1\n");
    world.err("edit", json!({"filePath": "f", "oldString": "v=1", "newString": "v=9"})).await;
}

#[tokio::test]
async fn u2_nothing_is_lost_to_a_stale_view() {
    let world = World::new();
    world.put("f", "a\nb\n");
    assert!(world.err("write", json!({"filePath": "f", "content": "x"})).await.contains("not been read"));
    assert!(
        world
            .err("edit", json!({"filePath": "f", "oldString": "a", "newString": "A"}))
            .await
            .contains("read")
    );
    world.read("f").await;
    world.put("f", "a\nb\nc\n");
    assert!(world.err("write", json!({"filePath": "f", "content": "A\nb\n"})).await.contains("changed"));
    assert_eq!(world.bytes("f"), b"a\nb\nc\n");
    world.ok("edit", json!({"filePath": "f", "oldString": "a", "newString": "A"})).await;
    assert_eq!(world.bytes("f"), b"A\nb\nc\n");
    world.err("write", json!({"filePath": "f", "content": "x"})).await;
    world.read("f").await;
    world.ok("write", json!({"filePath": "f", "content": "x\n"})).await;
    world.ok("write", json!({"filePath": "f", "content": "y\n"})).await;
    assert_eq!(world.bytes("f"), b"y\n");
}

#[tokio::test]
async fn u2_two_edits_of_one_turn() {
    let world = World::new();
    for open in [false, true] {
        world.put("f", "red\ngreen\nblue\n");
        let uri = DocumentUri::from_path(&world.path("f"));
        if open {
            world.open(&uri, "red\ngreen\nblue\n");
        }
        world.read("f").await;
        for (old, new) in [("red", "RED"), ("blue", "BLUE")] {
            world.ok("edit", json!({"filePath": "f", "oldString": old, "newString": new})).await;
        }
        let after = match world.ctx.documents.get(&uri) {
            Some(snapshot) => snapshot.text.to_string().into_bytes(),
            None => world.bytes("f"),
        };
        assert_eq!(after, b"RED\ngreen\nBLUE\n");
    }
}

#[tokio::test]
async fn write_makes_files_and_keeps_their_style() {
    let world = World::new();
    world.ok("write", json!({"filePath": "new/deep/a.txt", "content": "x\n"})).await;
    assert_eq!(world.bytes("new/deep/a.txt"), b"x\n");
    assert_eq!(world.state.proposals.lock()[0].change, Change::Create);
    world.ok("write", json!({"filePath": "new/deep/a.txt", "content": "y\n"})).await;

    world.put("crlf", "\u{FEFF}a\r\nb\r\n");
    world.read("crlf").await;
    world.ok("write", json!({"filePath": "crlf", "content": "a\nc\n"})).await;
    assert_eq!(world.bytes("crlf"), "\u{FEFF}a\r\nc\r\n".as_bytes());

    let count = world.state.proposals.lock().len();
    assert!(
        world
            .ok("write", json!({"filePath": "crlf", "content": "a\nc\n"}))
            .await
            .contains("nothing was changed")
    );
    assert_eq!(world.state.proposals.lock().len(), count);
    world.err("edit", json!({"filePath": "gone", "oldString": "a", "newString": "b"})).await;
    world.err("write", json!({"filePath": "new", "content": "a"})).await;
}

#[tokio::test]
async fn l6_an_untitled_document_is_edited_under_its_own_name() {
    let world = World::new();
    let uri = DocumentUri::new("untitled:Untitled-1");
    world.open(&uri, "draft\n");
    assert_eq!(world.read("untitled:Untitled-1").await, "     1\tdraft\n");
    let call = json!({"filePath": "untitled:Untitled-1", "oldString": "draft", "newString": "done"});
    world.ok("edit", call).await;
    assert_eq!(world.state.proposals.lock()[0].uri, uri);
    assert_eq!(names(&world.ctx.folders[0]), Vec::<String>::new());
}
