use super::*;

fn at(uri: &str, language: &str, before: &str) -> Option<(CompletionKind, String, u32)> {
    let character = u32::try_from(before.encode_utf16().count()).unwrap();
    let cursor = Position { line: 4, character };
    typed(uri, language, before, cursor, PositionEncoding::Utf16)
        .map(|typed| (typed.kind, typed.text, typed.range.start.character))
}

#[test]
fn commands_begin_a_line_and_files_follow_an_at() {
    let chat = |before| at("assent://chat/1", "markdown", before);
    assert_eq!(chat("/"), Some((CompletionKind::Command, "/".into(), 0)));
    assert_eq!(chat("  /ex"), Some((CompletionKind::Command, "/ex".into(), 2)));
    assert_eq!(chat("🙂 look at @src/a"), Some((CompletionKind::File, "@src/a".into(), 11)));
    for nothing in ["", "and/or", "a /fix", "mail@example", "/fix it"] {
        assert_eq!(chat(nothing), None, "{nothing}");
    }
}

#[test]
fn code_is_left_alone() {
    assert_eq!(at("file:///a.ts", "typescript", "@"), None);
    assert_eq!(at("file:///a.c", "c", "/"), None);
    assert!(at("file:///notes.md", "markdown", "@").is_some());
}

fn typed_file(text: &str) -> Typed {
    let start = Position { line: 0, character: 0 };
    Typed { kind: CompletionKind::File, text: text.into(), range: Range { start, end: start } }
}

#[test]
fn commands_that_begin_as_typed() {
    let go_test =
        SlashCommand { name: "go-test".into(), hint: "[arguments]".into(), description: "Runs it".into() };
    let names = |text: &str| {
        let found = command_completions(
            &Typed { kind: CompletionKind::Command, ..typed_file(text) },
            vec![go_test.clone()],
        );
        found.into_iter().map(|found| found.text).collect::<Vec<_>>()
    };
    assert_eq!(names("/").len(), commands::shipped().len() + 1);
    assert_eq!(names("/f"), ["/fix"]);
    assert_eq!(names("/go"), ["/go-test"]);
    assert_eq!(names("/x"), Vec::<String>::new());
}

#[tokio::test]
async fn files_open_ones_first_then_by_fit() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    for name in ["src/main.rs", "src/lib.rs", "domain.txt", "target/main.o", ".git/main", "with space main"] {
        let path = root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }
    std::fs::write(root.join(".gitignore"), "target\n").unwrap();
    let names = async |text: &str, open: Vec<PathBuf>| {
        let found = file_completions(&typed_file(text), vec![root.clone()], open).await;
        found.into_iter().map(|found| found.text).collect::<Vec<_>>()
    };
    assert_eq!(names("@main", Vec::new()).await, ["@src/main.rs", "@domain.txt"]);
    assert_eq!(names("@src/", Vec::new()).await, ["@src/lib.rs", "@src/main.rs"]);
    let open = vec![root.join("src/main.rs")];
    assert_eq!(names("@src/", open).await, ["@src/main.rs", "@src/lib.rs"]);
}
