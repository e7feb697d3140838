use super::*;
use proptest::prelude::*;

#[test]
fn short_texts_are_whole() {
    let clipped = clip("a\nb\n", 100, 10);
    assert_eq!((clipped.shown.as_str(), clipped.cut, clipped.total_lines), ("a\nb\n", false, 2));
}

/// cases.md R4.
#[test]
fn cut_between_characters() {
    let line = format!("{}🙂🙂", "x".repeat(1999));
    let (shown, cut) = clip_line(&line, 2000);
    assert!(cut && shown.ends_with("x🙂…"), "{}", &shown[1990..]);
    let clipped = clip(&"é".repeat(40_000), 30_001, 2000);
    assert!(clipped.cut && !clipped.shown.contains('\u{FFFD}') && clipped.shown.len() < 31_000);
}

/// cases.md C4: the tail is kept.
#[test]
fn head_and_tail() {
    let clipped = clip(&format!("{}TAIL\n", "x".repeat(300_000)), 30_000, 2000);
    assert!(clipped.cut && clipped.shown.ends_with("TAIL\n") && clipped.shown.contains("bytes cut here"));
    let lines: String = (0..5000).map(|n| format!("{n}\n")).collect();
    let clipped = clip(&lines, 1_000_000, 100);
    assert!(clipped.shown.starts_with("0\n1\n") && clipped.shown.ends_with("4998\n4999\n"));
    assert!(clipped.shown.lines().count() <= 101);
    assert!(whole_is_at(&clipped, "/f").contains("5000 lines"));
}

/// cases.md C4.
#[test]
fn escapes_and_split_characters() {
    assert_eq!(strip_escapes("\u{1B}[31mred\u{1B}[0m"), "red");
    assert_eq!(strip_escapes("a\u{1B}]0;title\u{7}b\u{1B}]8;;http://h\u{1B}\\c\u{9B}2Jd"), "abcd");
    assert_eq!(strip_escapes("10%\r20%\r\ndone\u{8}!"), "10%\n20%\ndon!");
    let mut decoder = OutputDecoder::new();
    assert_eq!(decoder.push(b"\xE2\x82") + &decoder.push(b"\xAC\n") + &decoder.finish(), "€\n");
    assert_eq!(decoder.push(b"\x1B[3") + &decoder.push(b"1mred"), "red");
    assert_eq!(decoder.push(b"\xFFx\xE2") + &decoder.finish(), "\u{FFFD}x\u{FFFD}");
}

/// security.md E03.
#[test]
fn hidden_characters_are_shown() {
    for hidden in
        ["\u{202E}", "\u{2066}", "\u{200B}", "\u{FEFF}", "\u{AD}", "\t", "\u{E0041}", "\u{1B}", "\u{A0}"]
    {
        let (shown, count) = make_visible(&format!("rm{hidden}x\nls"));
        assert!(count == 1 && shown.contains("⟨U+") && shown.contains("⟩x\nls"), "{shown}");
    }
    assert_eq!(make_visible("plain é 中").1, 0);
}

/// cases.md R4: what was found in a line of four million bytes is in the part that is shown.
#[test]
fn a_long_line_is_shown_around_a_place() {
    let line = format!("{0}NEEDLE{0}", "a".repeat(2_000_000));
    let (shown, cut) = clip_around(&line, 2_000_000..2_000_006, 100);
    assert!(cut && shown.contains("NEEDLE") && shown.chars().count() == 102);
    assert_eq!(clip_around("short", 1..2, 10), ("short".into(), false));
    assert_eq!(clip_around("0123456789", 0..1, 4), ("0123…".into(), true));
    assert_eq!(clip_around("0123456789", 9..10, 4), ("…6789".into(), true));
    assert_eq!(clip_around("0123456789", 2..9, 4), ("…2345…".into(), true));
    assert_eq!(clip_around("ab", 5..9, 1), ("…b".into(), true));
}

proptest! {
    #[test]
    fn a_part_of_a_line_is_a_part_of_it(line in "[aé🙂]{0,40}", at in 0usize..99, max in 1usize..20) {
        let (shown, cut) = clip_around(&line, at..at + 3, max);
        prop_assert!(line.contains(shown.trim_matches('…')));
        prop_assert_eq!(shown.trim_matches('…').chars().count(), line.chars().count().min(max));
        prop_assert_eq!(cut, line.chars().count() > max);
    }

    #[test]
    fn any_cutting_of_the_bytes_gives_the_same(bytes in proptest::collection::vec(any::<u8>(), 0..60), at in 0usize..60) {
        let at = at.min(bytes.len());
        let mut one = OutputDecoder::new();
        let whole = one.push(&bytes) + &one.finish();
        let mut two = OutputDecoder::new();
        let cut = two.push(&bytes[..at]) + &two.push(&bytes[at..]) + &two.finish();
        // A backspace can only take back what is in the same piece.
        if !bytes.contains(&8) {
            prop_assert_eq!(whole, cut);
        }
    }

    #[test]
    fn a_cut_never_panics_and_keeps_the_bound(text in "\\PC{0,80}", bytes in 0usize..90, lines in 0usize..5) {
        let clipped = clip(&text, bytes, lines);
        prop_assert!(!clipped.cut || clipped.shown.len() <= bytes + 40);
    }
}
