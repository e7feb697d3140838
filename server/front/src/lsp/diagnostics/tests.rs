use super::*;

fn problem(line: u32, column: u32) -> Problem {
    Problem { file: "f".into(), line, column, key: "policy.x".into(), message: "unknown".into() }
}

#[test]
fn a_problem_lies_where_the_reader_saw_it_in_the_clients_columns() {
    let text = Rope::from_str("a: 1\n😀b: 2  \nc\n");
    let range = |problem: &Problem, encoding| diagnostic(problem, WARNING, &text, encoding)["range"].clone();
    assert_eq!(
        range(&problem(2, 2), PositionEncoding::Utf16),
        json!({ "start": { "line": 1, "character": 2 }, "end": { "line": 1, "character": 6 } })
    );
    assert_eq!(
        range(&problem(2, 2), PositionEncoding::Utf8),
        json!({ "start": { "line": 1, "character": 4 }, "end": { "line": 1, "character": 8 } })
    );
    // A file that changed meanwhile may be shorter.
    assert_eq!(
        range(&problem(9, 9), PositionEncoding::Utf16),
        json!({ "start": { "line": 3, "character": 0 }, "end": { "line": 3, "character": 0 } })
    );
    let found = diagnostic(&problem(1, 1), ERROR, &text, PositionEncoding::Utf16);
    assert_eq!((&found["message"], &found["severity"]), (&json!("`policy.x`: unknown"), &json!(1)));
}

#[test]
fn only_files_of_settings_and_tools_concern_it() {
    for (uri, expected) in [
        ("file:///ws/assent.yaml", true),
        ("file:///ws/beeuni.yaml", true),
        ("file:///ws/my-assent.yaml", false),
        ("file:///ws/assent.yaml/x", false),
        ("file:///config/tools/a.json", true),
        ("file:///config/tools/a.md", false),
        ("file:///config/tools/sub/a.json", false),
        ("file:///ws/tools/a.json", false),
        ("file:///ws/.assent/tools/a.json", true),
    ] {
        assert_eq!(concerns(Path::new("/config/tools"), uri), expected, "{uri}");
    }
}
