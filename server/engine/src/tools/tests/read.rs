use super::*;

#[tokio::test]
async fn r1_nothing_there() {
    let world = World::new();
    world.put("five", "a\nb\nc\nd\ne\n");
    let past = world.err("read", json!({"filePath": "five", "offset": 100})).await;
    assert!(past.contains("5 lines") && !past.contains("empty") && !past.contains('\t'), "{past}");
    world.put("empty.bin", "");
    assert_eq!(world.read("empty.bin").await, "empty.bin is empty (0 bytes).");
    world.put("dir/x", "");
    assert!(world.err("read", json!({"filePath": "dir"})).await.contains("Use ls"));
    assert!(world.err("read", json!({"filePath": "gone"})).await.contains("does not exist"));
    assert!(world.err("read", json!({"filePath": "five/x"})).await.contains("does not exist"));
    #[cfg(unix)]
    {
        let fifo = world.path("fifo");
        rustix::fs::mkfifoat(rustix::fs::CWD, &fifo, rustix::fs::Mode::RWXU).unwrap();
        assert!(world.err("read", json!({"filePath": "fifo"})).await.contains("not a regular file"));
    }
}

#[tokio::test]
async fn r2_images_by_their_bytes() {
    let world = World::new();
    world.put("shot.png", b"\xFF\xD8\xFF\xE0\0\0");
    let output = world.run("read", json!({"filePath": "shot.png"})).await;
    assert!(!output.is_error);
    let image = Content::Image { media_type: "image/jpeg".into(), data: "/9j/4AAA".into() };
    assert_eq!(output.content[1], image);
    world.put("icon.png", "{\"ok\":true}");
    assert_eq!(world.read("icon.png").await, "     1\t{\"ok\":true}\n");
}

#[tokio::test]
async fn r3_only_a_newline_ends_a_line() {
    let world = World::new();
    world.put("f", "a\nb\u{C}c\nd\u{2028}e\u{B}f\u{85}g\nneedle\n");
    assert!(world.read("f").await.contains("     4\tneedle\n"));
    let found = world.ok("grep", json!({"pattern": "^needle$"})).await;
    assert!(found.contains("     4\tneedle\n"), "{found:?}");
}

#[tokio::test]
async fn r4_long_lines_are_cut_between_characters() {
    let world = World::new();
    world.put("f", format!("{}🙂🙂\n", "x".repeat(1_999)));
    let shown = world.read("f").await;
    assert!(shown.contains("x🙂…") && shown.contains("cut: the line has 2001 characters"), "{shown}");

    world.put("long", format!("{0}NEEDLE{0}", "a".repeat(2_000_000)));
    let found = world.ok("grep", json!({"pattern": "NEEDLE", "path": "long"})).await;
    assert!(found.len() < 10_000 && found.contains("NEEDLE") && found.contains("     1\t"), "{found}");
    world.read("long").await;
    world.ok("edit", json!({"filePath": "long", "oldString": "NEEDLE", "newString": "PIN"})).await;
    assert_eq!(world.bytes("long").len(), 4_000_003);
}

#[tokio::test]
async fn a_long_file_is_shown_in_parts() {
    let world = World::new();
    let text: String = (1..=4_500).map(|n| format!("line {n}\n")).collect();
    world.put("f", &text);
    let first = world.read("f").await;
    assert!(first.ends_with("  2000\tline 2000\n[Lines 1 to 2000 of 4500. Go on with offset 2000.]"));
    let part = world.ok("read", json!({"filePath": "f", "offset": 4_498, "limit": 10})).await;
    assert_eq!(part, "  4499\tline 4499\n  4500\tline 4500\n");
    world.put("wide", format!("{}\n", "y".repeat(1_000)).repeat(200));
    let wide = world.read("wide").await;
    assert!(
        wide.len() < crate::limits::RESULT_BYTES && wide.contains("Go on with offset"),
        "no file is made"
    );
    assert!(!world.ctx.spill.exists());
}
