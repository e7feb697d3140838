use super::*;

const TEXT: &str = "{\n  \"schema\": {},\n  \"wri\n}\n";

#[test]
fn fields_and_values_are_offered_where_they_stand() {
    let text = Rope::from_str(TEXT);
    let found = completions(&text, Position { line: 2, character: 6 }, PositionEncoding::Utf16);
    let [writes] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((writes.text.as_str(), writes.typed.as_str()), ("\"writes\"", "\"wri"));
    assert_eq!((writes.replaces.start.line, writes.replaces.start.character), (2, 2));
    assert_eq!(writes.replaces.end.character, 6);
}

#[test]
fn a_field_is_explained_under_the_pointer() {
    let text = Rope::from_str(TEXT);
    let (words, range) = about(&text, Position { line: 1, character: 4 }, PositionEncoding::Utf16).unwrap();
    assert!(words.starts_with("`schema`: What the model is given"), "{words}");
    assert_eq!((range.start.character, range.end.character), (2, 10));
    assert!(about(&text, Position { line: 0, character: 0 }, PositionEncoding::Utf16).is_none());
}
