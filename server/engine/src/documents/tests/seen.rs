use super::*;

fn snapshot(text: &str) -> std::sync::Arc<Snapshot> {
    let uri = DocumentUri::new("file:///ws/a.txt");
    let mut documents = OpenDocuments::new();
    documents.opened(uri.clone(), "text".into(), 1, text.into());
    documents.reader().get(&uri).unwrap()
}

#[test]
fn u2_nothing_is_written_over_a_text_that_was_not_seen() {
    let seen = Seen::default();
    let read = snapshot("a\nb\n");
    assert_eq!(seen.check_write(&read), Err(SeenError::NotRead));
    assert_eq!(seen.check_edit(&read, true), Err(SeenError::NotRead));
    seen.note(&read);
    assert_eq!((seen.check_write(&read), seen.check_edit(&read, false)), (Ok(()), Ok(())));

    let changed = snapshot("a\nb\nc\n");
    assert_eq!(seen.check_write(&changed), Err(SeenError::Changed));
    assert_eq!(seen.check_edit(&changed, true), Ok(()), "the part it quotes is as it saw it");
    assert_eq!(seen.check_edit(&changed, false), Err(SeenError::Changed));
}

#[test]
fn its_own_edit_is_known_but_what_came_between_is_not() {
    let (seen, read) = (Seen::default(), snapshot("a\n"));
    seen.note(&read);
    seen.note_own(&read.uri, &read.text, &Rope::from("b\n"));
    assert_eq!(seen.check_write(&snapshot("b\n")), Ok(()));
    // The user typed before the next edit went in.
    seen.note_own(&read.uri, &Rope::from("b\nuser\n"), &Rope::from("c\nuser\n"));
    assert_eq!(seen.check_write(&snapshot("c\nuser\n")), Err(SeenError::Changed));
    assert_eq!(seen.check_edit(&snapshot("c\nuser\n"), true), Ok(()));
}

#[test]
fn a_file_it_made_is_known() {
    let (seen, made) = (Seen::default(), snapshot("new\n"));
    seen.note_own(&made.uri, &Rope::new(), &made.text);
    assert_eq!(seen.check_write(&made), Ok(()));
}
