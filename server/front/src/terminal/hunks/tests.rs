use super::*;
use assent_base::review::HunkStatus;
use ropey::Rope;

fn file(text: &str, change: Change) -> FileReview {
    let uri = DocumentUri::from_path(Path::new("/ws/src/a.py"));
    FileReview { uri, version: None, change, text: Rope::from_str(text), hunks: Vec::new() }
}

fn change(text: &str, old: &str, new: &str) -> String {
    let start = text.find(old).unwrap();
    let hunk = Hunk {
        id: "h1".into(),
        status: HunkStatus::Pending,
        range: start..start + old.len(),
        old_text: old.into(),
        new_text: new.into(),
        changed: None,
    };
    super::hunk(&file(text, Change::Edit), &hunk, Style::PLAIN)
}

#[test]
fn a_hunk_has_three_lines_around_it() {
    assert_eq!(
        change("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "5\n", "five\nfive and a half\n"),
        "@@ -5,1 +5,2 @@\n 2\n 3\n 4\n-5\n+five\n+five and a half\n 6\n 7\n 8\n"
    );
}

#[test]
fn the_edges_of_a_file_are_edges() {
    assert_eq!(change("a\r\nb", "b", "B"), "@@ -2,1 +2,1 @@\n a\n-b (no line end)\n+B (no line end)\n");
    assert_eq!(change("a\nb\n", "a\n", ""), "@@ -1,1 +1,0 @@\n-a\n b\n");
    assert_eq!(change("", "", "new\n"), "@@ -1,0 +1,1 @@\n+new\n");
}

#[test]
fn what_hides_is_seen() {
    let drawn = change("x = 1\n", "x = 1\n", "x = 1 \u{202e}#\u{1b}[2K\n");
    assert!(!drawn.contains('\u{202e}') && !drawn.contains('\u{1b}'), "{drawn:?}");
    assert!(drawn.contains("202E") || drawn.contains("202e"), "{drawn:?}");
}

#[test]
fn a_heading_names_the_file_from_the_folder() {
    assert_eq!(heading(&file("", Change::Create), Path::new("/ws")), "Create src/a.py");
    let to = DocumentUri::from_path(Path::new("/elsewhere/b.py"));
    assert_eq!(
        heading(&file("", Change::Rename { to }), Path::new("/ws")),
        "Rename src/a.py to /elsewhere/b.py"
    );
}
