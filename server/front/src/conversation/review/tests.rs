use super::*;
use assent_base::path::DocumentUri;

fn hunk(id: &str, status: HunkStatus, range: std::ops::Range<usize>, old: &str, new: &str) -> Hunk {
    Hunk { id: id.into(), status, range, old_text: old.into(), new_text: new.into(), changed: None }
}

fn review(hunks: Vec<Hunk>) -> Review {
    Review {
        id: "r1".into(),
        session: "s1".into(),
        call_id: "c1".into(),
        files: vec![FileReview {
            uri: DocumentUri::new("file:///ws/a.txt"),
            version: Some(7),
            change: Change::Edit,
            text: Rope::from_str("a🙂b\nsame\nc\n"),
            hunks,
        }],
    }
}

#[test]
fn the_whole_state_in_the_clients_columns() {
    let review = review(vec![
        hunk("h1", HunkStatus::Applying, 0..7, "a🙂b\n", "x\n"),
        hunk("h2", HunkStatus::Rejected, 12..14, "c\n", ""),
    ]);
    assert_eq!(
        json!(state(&review, PositionEncoding::Utf16)),
        json!({
            "reviewId": "r1", "sessionId": "s1", "toolCallId": "c1", "status": "open",
            "files": [{ "uri": "file:///ws/a.txt", "version": 7, "change": "edit", "hunks": [
                { "id": "h1", "status": "pending", "oldText": "a🙂b\n", "newText": "x\n",
                  "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 1, "character": 0 } } },
                { "id": "h2", "status": "rejected", "oldText": "c\n", "newText": "",
                  "range": { "start": { "line": 2, "character": 0 }, "end": { "line": 3, "character": 0 } } },
            ] }],
        })
    );
}

#[test]
fn columns_in_three_encodings() {
    let text = Rope::from_str("x\na🙂b");
    let column = |encoding| position(&text, 7, encoding).character;
    assert_eq!(column(PositionEncoding::Utf8), 5);
    assert_eq!(column(PositionEncoding::Utf16), 3);
    assert_eq!(column(PositionEncoding::Utf32), 2);
    assert_eq!(position(&text, 99, PositionEncoding::Utf16), Position { line: 1, character: 4 });
}

#[test]
fn closed_once_nothing_waits() {
    let review = review(vec![hunk("h1", HunkStatus::Accepted, 0..2, "a", "x")]);
    assert_eq!(state(&review, PositionEncoding::Utf8).status, ReviewStatus::Closed);
}

#[test]
fn a_permission_shows_the_file_before_and_after() {
    let review = review(vec![
        hunk("h1", HunkStatus::Pending, 0..7, "a🙂b\n", "longer than before\n"),
        hunk("h2", HunkStatus::Rejected, 7..12, "same\n", "no\n"),
        hunk("h3", HunkStatus::Pending, 12..14, "c\n", ""),
    ]);
    let request = json!(request(&review, &review.files[0]));
    assert_eq!(
        request["toolCall"]["content"],
        json!([{ "type": "diff", "path": "/ws/a.txt", "oldText": "a🙂b\nsame\nc\n",
                 "newText": "longer than before\nsame\n" }])
    );
}

#[test]
fn a_hunk_on_its_way_is_accepted_once_the_text_has_it() {
    let on_its_way = |old: &str, new: &str| {
        let review = review(vec![hunk("h1", HunkStatus::Applying, 12..14, old, new)]);
        state(&review, PositionEncoding::Utf16).files[0].hunks[0].status
    };
    assert_eq!(on_its_way("c\n", "C\n"), WireStatus::Pending);
    assert_eq!(on_its_way("C\n", "c\n"), WireStatus::Accepted);
}
