use super::*;
use assent_base::text::{Position, PositionEncoding, PositionRange};

fn uri() -> DocumentUri {
    DocumentUri::new("file:///ws/a.txt")
}

fn change(range: Option<[u32; 4]>, text: &str) -> ContentChange {
    let range = range.map(|[a, b, c, d]| PositionRange {
        start: Position { line: a, character: b },
        end: Position { line: c, character: d },
    });
    ContentChange { range, text: text.into() }
}

fn after(text: &str, changes: &[ContentChange]) -> (String, Vec<Step>) {
    let mut documents = OpenDocuments::new();
    documents.opened(uri(), "text".into(), 1, text.into());
    let steps = documents.changed(&uri(), 2, changes, PositionEncoding::Utf16).unwrap();
    let snapshot = documents.reader().get(&uri()).unwrap();
    assert_eq!((snapshot.version, snapshot.dirty), (Some(2), true));
    (snapshot.text.to_string(), steps)
}

#[test]
fn l1_changes_of_one_notification_follow_each_other() {
    let (text, steps) =
        after("ab\ncd\n", &[change(Some([0, 0, 0, 0]), "X\n"), change(Some([1, 0, 1, 1]), "Z")]);
    assert_eq!(text, "X\nZb\ncd\n");
    assert_eq!(steps[0].new, steps[1].old);
    assert_eq!(steps[1].new, text);
    assert_eq!(after("abc", &[change(None, "q\n"), change(Some([0, 1, 0, 1]), "r")]).0, "qr\n");
}

#[test]
fn l1_positions_past_the_end_are_the_end() {
    let (text, _) =
        after("foo\nbar\n", &[change(Some([0, 1, 0, 99]), "!"), change(Some([99, 0, 99, 0]), "z")]);
    assert_eq!(text, "f!\nbar\nz");
}

#[test]
fn the_life_of_a_document() {
    let mut documents = OpenDocuments::new();
    let reader = documents.reader();
    let generation = reader.subscribe();
    let none = documents.changed(&uri(), 2, &[change(None, "x")], PositionEncoding::Utf16);
    assert!(none.is_none(), "it is not open");

    documents.opened(uri(), "text".into(), 0, "one".into());
    assert!(!reader.get(&uri()).unwrap().dirty && reader.unsaved().is_empty());
    documents.changed(&uri(), 0, &[change(None, "two")], PositionEncoding::Utf16).unwrap();
    assert_eq!(reader.unsaved().len(), 1);
    let before = reader.get(&uri()).unwrap();
    documents.saved(&uri());
    assert!(!reader.get(&uri()).unwrap().dirty && before.dirty, "a snapshot never changes");
    documents.closed(&uri());
    assert!(reader.get(&uri()).is_none() && reader.all().is_empty());
    assert!(generation.has_changed().unwrap());
}

#[tokio::test]
async fn a_task_waits_for_a_text_to_arrive() {
    let mut documents = OpenDocuments::new();
    documents.opened(uri(), "text".into(), 1, "one".into());
    let reader = documents.reader();
    let waiting = tokio::spawn(async move {
        let mut generation = reader.subscribe();
        while reader.get(&uri()).is_none_or(|snapshot| snapshot.text != "two") {
            generation.changed().await.unwrap();
        }
    });
    documents.changed(&uri(), 2, &[change(None, "two")], PositionEncoding::Utf16).unwrap();
    waiting.await.unwrap();
}
