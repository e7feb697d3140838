use super::{Encoding, path_of};
use serde_json::json;

#[test]
fn positions_and_offsets_agree_in_both_encodings() {
    let text = "a🙂é\r\nb\n\nlast";
    for encoding in [Encoding::Utf8, Encoding::Utf16] {
        for (offset, _) in text.char_indices().filter(|(_, character)| *character != '\n') {
            let position = encoding.position(text, offset);
            assert_eq!(encoding.offset(text, &position), offset, "{encoding:?} {position}");
        }
    }
    assert_eq!(Encoding::Utf16.position(text, 5), json!({ "line": 0, "character": 3 }));
    assert_eq!(Encoding::Utf8.position(text, 5), json!({ "line": 0, "character": 5 }));
}

#[test]
fn positions_past_an_end_mean_the_end() {
    let text = "foo\r\nbar\n";
    let offset = |line: u32, character: u32| {
        Encoding::Utf16.offset(text, &json!({ "line": line, "character": character }))
    };
    assert_eq!(offset(0, 99), 3);
    assert_eq!(offset(1, 99), 8);
    assert_eq!(offset(2, 0), 9);
    assert_eq!(offset(99, 0), 9);
}

#[test]
fn uris_name_paths() {
    let path = std::path::Path::new("/a b/[id]/100%.txt");
    assert_eq!(path_of(&crate::workspace::uri(path)).as_deref(), Some(path));
    assert_eq!(path_of("untitled:Untitled-1"), None);
}
