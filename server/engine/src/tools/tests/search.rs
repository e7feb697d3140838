use super::*;
use std::time::{Duration, SystemTime};

#[tokio::test]
async fn s1_hidden_and_ignored() {
    let world = World::new();
    fs::create_dir(world.path(".git")).unwrap();
    world.put(".gitignore", "out/\n");
    for file in ["out/a.js", "src/a.js", ".github/ci.yml"] {
        world.put(file, "token\n");
    }
    assert_eq!(world.ok("glob", json!({"pattern": ".github/*.yml"})).await, ".github/ci.yml");
    assert_eq!(world.ok("glob", json!({"pattern": "**/*.js"})).await, "src/a.js");
    let found = world.ok("grep", json!({"pattern": "token", "include": "*.js"})).await;
    assert_eq!(found, "1 matching line in 1 file\n\nsrc/a.js\n     1\ttoken\n");
    let found = world.ok("grep", json!({"pattern": "token", "include": ".github/*"})).await;
    assert!(found.contains(".github/ci.yml"), "{found}");
}

#[tokio::test]
async fn s1_ignore_files_count_without_git_and_from_above() {
    let world = World::new();
    world.put(".gitignore", "*.log\n");
    world.put("sub/a.log", "token\n");
    world.put("sub/a.txt", "token\n");
    assert_eq!(world.ok("glob", json!({"pattern": "*", "path": "sub"})).await, "sub/a.txt");
}

#[tokio::test]
async fn s2_error_no_match_and_option_are_three_things() {
    let world = World::new();
    world.put("f", "id=42\na --> b\n");
    world.put("x.sh", "touch pwned\n");
    assert!(world.err("grep", json!({"pattern": "("})).await.contains("unclosed group"));
    assert_eq!(world.ok("grep", json!({"pattern": "zzz_absent"})).await, "No matches for zzz_absent");
    assert!(world.err("grep", json!({"pattern": r"(?<=id=)\d+"})).await.contains("Look-around"));
    assert!(world.err("grep", json!({"pattern": "b\\nc"})).await.contains("line by line"));
    assert!(world.ok("grep", json!({"pattern": "-->"})).await.starts_with("1 matching line"));
    assert!(world.ok("grep", json!({"pattern": "--pre=./x.sh"})).await.starts_with("No matches"));
    assert!(!world.path("pwned").exists());
}

#[tokio::test]
async fn s3_bytes_that_are_no_text() {
    let world = World::new();
    world.put("ok.txt", "find me\n");
    world.put("gbk.txt", b"find me \xD6\xD0\xCE\xC4\n");
    world.put("bin.dat", b"\0find me");
    world.put("late.dat", b"find me\n\0");
    let found = world.ok("grep", json!({"pattern": "find me"})).await;
    assert!(found.starts_with("2 matching lines in 2 files"), "{found}");
    assert!(found.contains("ok.txt") && found.contains("gbk.txt") && found.contains('\u{FFFD}'), "{found}");
}

#[cfg(unix)]
#[tokio::test]
async fn s4_links_are_not_followed() {
    let world = World::new();
    world.put("d/x.txt", "x\n");
    fs::write(world.dir.path().join("secret.txt"), "x\n").unwrap();
    std::os::unix::fs::symlink("..", world.path("d/loop")).unwrap();
    std::os::unix::fs::symlink(world.dir.path(), world.path("d/out")).unwrap();
    assert_eq!(world.ok("glob", json!({"pattern": "**/*.txt"})).await, "d/x.txt");
    assert!(world.ok("grep", json!({"pattern": "x"})).await.starts_with("1 matching line"));
}

#[tokio::test]
async fn s4_brackets_and_braces() {
    let world = World::new();
    world.put("app/[id]/page.tsx", "x\n");
    world.put("app/i/page.tsx", "x\n");
    let found = world.ok("glob", json!({"pattern": "*.tsx", "path": "app/[id]"})).await;
    assert_eq!(found, "app/[id]/page.tsx");
    for file in ["a.ts", "b.tsx", "c.js"] {
        world.put(&format!("w/{file}"), "x\n");
    }
    let found = world.ok("grep", json!({"pattern": "x", "path": "w", "include": "*.{ts,tsx}"})).await;
    assert!(found.starts_with("2 matching lines in 2 files") && !found.contains("c.js"), "{found}");
    assert_eq!(world.ok("glob", json!({"pattern": "w/*.j?"})).await, "w/c.js");
    assert_eq!(world.ok("glob", json!({"pattern": "*/x"})).await, "No files match */x.");
    let absolute = format!("{}/w/*.js", world.ctx.folders[0].display());
    assert_eq!(world.ok("glob", json!({"pattern": absolute})).await, "w/c.js");
    world.err("glob", json!({"pattern": "[", "path": "."})).await;
    world.err("glob", json!({"pattern": "../*"})).await;
    world.err("glob", json!({"pattern": "*", "path": "nowhere"})).await;
}

#[tokio::test]
async fn the_newest_come_first_and_the_rest_is_counted() {
    let world = World::new();
    for n in 0..250_u64 {
        let name = format!("f{n:03}");
        world.put(&name, "x\n");
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(n);
        fs::File::options().write(true).open(world.path(&name)).unwrap().set_modified(time).unwrap();
    }
    let found = world.ok("glob", json!({"pattern": "f*"})).await;
    assert!(found.starts_with("f249\nf248\n") && found.contains("[200 of 250 files shown"), "{found}");
    let found = world.ok("grep", json!({"pattern": "x"})).await;
    assert!(found.starts_with("250 matching lines in 250 files, newest first\n\nf249\n"));
    assert!(found.contains("[200 of 250 lines shown"), "{found}");
}

#[tokio::test]
async fn open_documents_are_searched_as_they_stand() {
    let world = World::new();
    world.put("f", "disk\n");
    let (uri, unsaved) =
        (DocumentUri::from_path(&world.path("f")), DocumentUri::from_path(&world.path("sub/new.txt")));
    world.open(&uri, "disk\n");
    world.type_in(&uri, 2, "typed\n");
    world.open(&unsaved, "typed too\n");
    assert!(world.ok("grep", json!({"pattern": "disk"})).await.starts_with("No matches"));
    let found = world.ok("grep", json!({"pattern": "typed"})).await;
    assert!(found.contains("\nf\n     1\ttyped\n") && found.contains("sub/new.txt"), "{found}");
    assert!(world.ok("grep", json!({"pattern": "typed", "path": "f"})).await.starts_with("1 matching"));
}

#[tokio::test]
async fn a_pattern_knows_windows_line_ends() {
    let world = World::new();
    world.put("f", "one;\r\ntwo;\r\n");
    let found = world.ok("grep", json!({"pattern": ";$"})).await;
    assert!(found.contains("     1\tone;\n     2\ttwo;\n"), "{found:?}");
}

#[tokio::test]
async fn ls_shows_as_many_levels_as_fit() {
    let world = World::new();
    world.put("src/deep/a.rs", "");
    world.put("Cargo.toml", "");
    world.put(".github/workflows/ci.yml", "");
    world.put(".gitignore", "out\n");
    world.put("out/x", "");
    let root = world.ctx.folders[0].display().to_string();
    let tree = format!("{root}/\n  .github/\n  .gitignore\n  Cargo.toml\n  src/\n    deep/\n      a.rs");
    assert_eq!(world.ok("ls", json!({})).await, tree);
    let part = world.ok("ls", json!({"path": "src", "ignore": ["*.rs"]})).await;
    assert_eq!(part, format!("{root}/src/\n  deep/"));
    for n in 0..500 {
        world.put(&format!("src/many/f{n}"), "");
    }
    let cut = world.ok("ls", json!({})).await;
    assert!(cut.contains("  src/\n    deep/\n    many/\n[What lies deeper"), "{cut}");
    assert!(world.ok("ls", json!({"path": "src/many"})).await.contains("[400 of 500 entries shown.]"));
    assert!(world.err("ls", json!({"path": "Cargo.toml"})).await.contains("Use read"));
    world.err("ls", json!({"path": "nowhere"})).await;
}

#[tokio::test]
async fn several_folders_are_searched_and_told_apart() {
    let mut world = World::new();
    world.put("src/a.rs", "token\n");
    let second = world.dir.path().canonicalize().unwrap().join("second");
    fs::create_dir_all(second.join("src")).unwrap();
    fs::write(second.join("src/a.rs"), "token\n").unwrap();
    world.ctx.folders = Arc::new([world.path(""), second.clone()]);
    let other = second.join("src/a.rs").display().to_string();
    let found = world.ok("glob", json!({"pattern": "*.rs"})).await;
    assert!(
        found.lines().any(|line| line == "src/a.rs") && found.lines().any(|line| line == other),
        "{found}"
    );
    let found = world.ok("grep", json!({"pattern": "token"})).await;
    assert!(found.contains("\nsrc/a.rs\n") && found.contains(&format!("\n{other}\n")), "{found}");
    world.err("glob", json!({"pattern": "/etc/*"})).await;
}
