use super::*;
use proptest::prelude::*;
use ropey::Rope;

fn at(line: u32, character: u32) -> Position {
    Position { line, character }
}

fn between(start: Position, end: Position) -> Option<PositionRange> {
    Some(PositionRange { start, end })
}

fn change(text: &mut Rope, range: Option<PositionRange>, new: &str) {
    let before = text.to_string();
    let step = apply_change(text, range, new, PositionEncoding::Utf16);
    assert_eq!(step.apply(&before).unwrap(), text.to_string());
}

/// cases.md L1.
#[test]
fn several_changes_in_order_and_positions_past_the_end() {
    let mut text = Rope::from_str("ab\ncd\n");
    change(&mut text, between(at(0, 0), at(0, 0)), "X\n");
    change(&mut text, between(at(1, 0), at(1, 1)), "Z");
    assert_eq!(text, "X\nZb\ncd\n");

    let mut text = Rope::from_str("old\n");
    change(&mut text, None, "q\n");
    change(&mut text, between(at(0, 1), at(0, 1)), "r");
    assert_eq!(text, "qr\n");

    let mut text = Rope::from_str("foo\nbar\n");
    change(&mut text, between(at(0, 1), at(0, 99)), "!");
    assert_eq!(text, "f!\nbar\n");
    change(&mut text, between(at(99, 0), at(99, 0)), "z");
    assert_eq!(text, "f!\nbar\nz");
}

/// cases.md L3.
#[test]
fn utf_16_columns() {
    let text = Rope::from_str("a🙂é = \"x\"");
    let x = text.to_string().find('x').unwrap();
    assert_eq!(position(&text, x, PositionEncoding::Utf16), at(0, 8));
    assert_eq!(offset(&text, at(0, 8), PositionEncoding::Utf16), x);
    let smile = Rope::from_str("🙂");
    assert_eq!(position(&smile, 4, PositionEncoding::Utf16), at(0, 2));
    let mut text = Rope::from_str("a🙂b");
    change(&mut text, between(at(0, 2), at(0, 2)), "-");
    assert_eq!(text, "a-🙂b");
}

#[test]
fn past_a_crlf_line_is_before_its_line_end() {
    let text = Rope::from_str("ab\r\ncd\r\n");
    assert_eq!(offset(&text, at(0, 99), PositionEncoding::Utf16), 2);
    assert_eq!(offset(&text, at(0, 2), PositionEncoding::Utf16), 2);
    assert_eq!(offset(&text, at(1, 0), PositionEncoding::Utf16), 4);
}

#[test]
fn between_return_and_feed_is_a_place() {
    let mut text = Rope::from_str("ab\r\ncd");
    assert_eq!(offset(&text, at(0, 3), PositionEncoding::Utf16), 3);
    assert_eq!(offset(&text, at(0, 4), PositionEncoding::Utf16), 2);
    change(&mut text, between(at(0, 2), at(0, 3)), "");
    assert_eq!(text, "ab\ncd");
}

#[test]
fn a_document_replaced_by_one_range_reports_only_what_differs() {
    let mut text = Rope::from_str("one\ntwo\nthree\n");
    let step =
        apply_change(&mut text, between(at(0, 0), at(3, 0)), "ONE\ntwo\nTHREE\n", PositionEncoding::Utf8);
    let places: Vec<_> = step.edits().iter().map(|edit| edit.range.clone()).collect();
    assert_eq!(places, [0..3, 8..13]);
}

#[test]
fn bytes_without_a_meaning_are_binary() {
    assert_eq!(decode(b"\x01\x02\x03\xFF\x10\x11"), Err(NotText::Binary));
    assert_eq!(decode(b"\xFF\xFEn\0="), Err(NotText::UnknownEncoding));
    assert_eq!(decode(b"\xFF\xFE\x00\xD8"), Err(NotText::UnknownEncoding));
    assert_eq!(decode(b"\xEF\xBB\xBF\xFF"), Err(NotText::UnknownEncoding));
}

/// cases.md R3: only `\n` ends a line.
#[test]
fn one_way_of_counting_lines() {
    let text = Rope::from_str("a\nb\u{C}c\nd\u{2028}e\u{B}f\u{85}g\nneedle\n");
    let needle = text.to_string().find("needle").unwrap();
    assert_eq!(position(&text, needle, PositionEncoding::Utf16), at(3, 0));
}

fn round_trip(bytes: &[u8]) -> Decoded {
    let decoded = decode(bytes).unwrap();
    assert_eq!(encode(&decoded.text, &decoded.format).unwrap(), bytes);
    decoded
}

/// cases.md E2 and E6.
#[test]
fn bytes_come_back_as_they_were() {
    let bom = round_trip(b"\xEF\xBB\xBFk;v\n1;2\n");
    assert_eq!((bom.text.as_str(), bom.format.bom), ("k;v\n1;2\n", true));
    let latin = round_trip(b"# caf\xE9\nn = 1\n");
    let edited = encode(&latin.text.replace("n = 1", "n = 2"), &latin.format).unwrap();
    assert_eq!(edited, b"# caf\xE9\nn = 2\n");
    let wide = round_trip(b"\xFF\xFEn\0=\01\0\n\0");
    assert_eq!(wide.text, "n=1\n");
    assert_eq!(encode("n=2\n", &wide.format).unwrap(), b"\xFF\xFEn\0=\02\0\n\0");
    assert_eq!(round_trip(b"").text, "");
    assert_eq!(decode(b"a\0b"), Err(NotText::Binary));
    assert!(encode("\u{4E2D}", &latin.format).is_err());
}

#[test]
fn line_ends() {
    assert_eq!(dominant("a\r\nb\r\nc\n"), LineEnd::CrLf);
    assert_eq!(dominant("a\nb\r\n"), LineEnd::Lf);
    assert_eq!(to_line_end("a\nb\r\n", LineEnd::CrLf), "a\r\nb\r\n");
    assert_eq!(to_line_end("a\r\nb\n", LineEnd::Lf), "a\nb\n");
}

proptest! {
    #[test]
    fn there_and_back(text in "[ab🙂é\\r\\n\u{2028}]{0,30}") {
        let rope = Rope::from_str(&text);
        for encoding in [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32] {
            for byte in (0..=text.len()).filter(|byte| text.is_char_boundary(*byte)) {
                prop_assert_eq!(offset(&rope, position(&rope, byte, encoding), encoding), byte);
            }
        }
    }

    #[test]
    fn no_position_panics(
        text in "[ab🙂é\\r\\n]{0,16}", line in 0u32..6, column in 0u32..9, new in "[ab🙂\\n]{0,4}",
    ) {
        for encoding in [PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32] {
            let mut rope = Rope::from_str(&text);
            let range = between(at(line, column), at(column, line));
            let step = apply_change(&mut rope, range, &new, encoding);
            prop_assert_eq!(step.apply(&text).unwrap(), rope.to_string());
        }
    }

    #[test]
    fn any_bytes_are_kept_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        if let Ok(decoded) = decode(&bytes) {
            prop_assert_eq!(encode(&decoded.text, &decoded.format).unwrap(), bytes);
        }
    }
}
