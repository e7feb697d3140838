use super::*;

#[test]
fn a_pattern_replaces_within_lines() {
    let replace = |pattern: &str, text: &str, by: &str| Pattern::new(pattern).unwrap().replace(text, by);
    let text = "let a = one(1);\r\nlet b = one(2);\n";
    assert_eq!(
        replace(r"one\((\d)\)", text, "two($1)"),
        Some(("let a = two(1);\r\nlet b = two(2);\n".to_owned(), 2))
    );
    assert_eq!(replace(";$", text, ""), Some(("let a = one(1)\r\nlet b = one(2)\n".to_owned(), 2)));
    assert_eq!(replace(r"\s+$", "a  \nb", ""), Some(("a\nb".to_owned(), 1)), "a line end is no blank");
    assert_eq!(replace("x", text, "y"), None);
    assert_eq!(replace("one", text, "one"), None);
    assert!(Pattern::new("(").is_err_and(|words| words.contains("can't be used")));
}
use proptest::prelude::*;

fn edit(text: &str, old: &str, new: &str) -> Result<String, FindError> {
    locate(text, old, new, false).map(|found| found.edits.apply(text).unwrap())
}

fn edit_all(text: &str, old: &str, new: &str) -> (String, usize) {
    let found = locate(text, old, new, true).unwrap();
    (found.edits.apply(text).unwrap(), found.count)
}

/// cases.md E1.
#[test]
fn line_ends_stay_as_they_are() {
    assert_eq!(
        edit("one\r\ntwo\r\nthree\r\n", "two\n", "two\ntwo and a half\n").unwrap(),
        "one\r\ntwo\r\ntwo and a half\r\nthree\r\n"
    );
    assert_eq!(edit("a=1\r\nb=2\r\nc=3\r\n", "c=3", "c=30").unwrap(), "a=1\r\nb=2\r\nc=30\r\n");
    assert_eq!(edit("a\r\nb\r\n", "b", "b\nc").unwrap(), "a\r\nb\r\nc\r\n");
    assert_eq!(edit("a\r\nb\r\n", "a\r\nb\r\n", "x\ny\n").unwrap(), "x\r\ny\r\n");
    assert_eq!(edit("a\nb\n", "a\r\nb\r\n", "x\r\ny\r\n").unwrap(), "x\ny\n");
    // Both kinds in one file: the line end of the place.
    assert_eq!(edit("a\nb\r\nc\nd\n", "b", "b\nB").unwrap(), "a\nb\r\nB\r\nc\nd\n");
}

/// cases.md E2.
#[test]
fn start_and_end_of_file_stay() {
    assert_eq!(edit("x=1", "x=1", "x=2").unwrap(), "x=2");
    assert_eq!(edit("p\nq\nr\n", "r\n", "").unwrap(), "p\nq\n");
    assert_eq!(edit("p\nq", "q", "").unwrap(), "p\n");
}

/// cases.md E3.
#[test]
fn both_are_plain_text() {
    let odd = "$& $1 $$ ${x} $' $\\` %1 %% \\1 &amp; &lt;";
    assert_eq!(edit("cost: TOTAL\n", "TOTAL", odd).unwrap(), format!("cost: {odd}\n"));
    assert_eq!(edit_all("cost: TOTAL\n", "TOTAL", odd).0, format!("cost: {odd}\n"));
    assert_eq!(edit("f(x) = [a-z]+ (y)? ^$ .* {2}\n", "[a-z]+ (y)? ^$ .* {2}", "ok").unwrap(), "f(x) = ok\n");
}

/// cases.md E4.
#[test]
fn almost_is_not_a_match() {
    assert_eq!(edit("msg = 'hi'\n", "'hi'", "‘hi’").unwrap(), "msg = ‘hi’\n");
    assert!(matches!(edit("msg = “ok”\n", "\"ok\"", "x"), Err(FindError::Missing { .. })));
    assert!(matches!(edit("first\nsecond\n", "2: second", "2: SECOND"), Err(FindError::Missing { .. })));
    assert_eq!(edit("1: first\n2: second\n", "2: second", "2: SECOND").unwrap(), "1: first\n2: SECOND\n");
    let file = "fn a() {\n    one();\n}\nfn b() {\n    two();\n}\n";
    let problem = edit(file, "fn b() {\n    three();\n    four();\n}", "fn b() {}").unwrap_err().to_string();
    assert!(problem.contains("     4\tfn b() {\n     5\t    two();"), "{problem}");
}

/// cases.md E5.
#[test]
fn odd_arguments() {
    assert_eq!(edit("x\n", "", "x"), Err(FindError::EmptyOld));
    assert_eq!(edit("", "", "x").unwrap(), "x");
    assert_eq!(edit("x\n", "x", "x"), Err(FindError::Same));
    assert_eq!(edit_all("aaaa\n", "aa", "b"), ("bb\n".into(), 2));
    assert_eq!(edit_all("x,x\n", "x", "xx"), ("xx,xx\n".into(), 2));
    let twice = edit("ab ab\n", "ab", "c").unwrap_err();
    assert!(twice.to_string().contains("2 times"), "{twice}");
}

/// cases.md E8.
#[test]
fn a_list_in_order_all_or_nothing() {
    let text = "let a = 1;\nlet b = 2;\n";
    let wanted = |old, new| Wanted { old, new, all: false };
    let found = locate_all(text, &[wanted("a = 1", "total = 1"), wanted("total = 1", "total = 10")]).unwrap();
    assert_eq!(found.edits.apply(text).unwrap(), "let total = 10;\nlet b = 2;\n");
    assert_eq!(found.how, How::Exact);
    let loose =
        locate_all(text, &[wanted("let a = 1; \n", "let a = 3;\n"), wanted("b = 2", "b = 4")]).unwrap();
    assert_eq!(loose.how, How::TrailingBlanks, "the loosest of them counts");
    let problem = locate_all(text, &[wanted("a = 1", "a = 5"), wanted("zzz", "y")]).unwrap_err().to_string();
    assert!(problem.starts_with("Edit 2 of 2:"), "{problem}");
}

#[test]
fn blanks_at_line_ends_and_a_uniform_indentation_are_forgiven() {
    assert_eq!(edit("a  \nb\nc\n", "a\nb", "A\nB").unwrap(), "A\nB\nc\n");
    let file = "impl X {\n    fn a() {\n        one();\n    }\n}\n";
    let found = locate(file, "fn a() {\n    one();\n}", "fn a() {\n    two();\n}", false).unwrap();
    assert_eq!(found.how, How::Indentation);
    assert_eq!(found.edits.apply(file).unwrap(), "impl X {\n    fn a() {\n        two();\n    }\n}\n");
    // Not uniform: another nesting is another meaning.
    assert!(edit("  a\n      b\n", "a\n  b", "x").is_err());
}

#[test]
fn places_that_share_bytes_are_two() {
    assert!(matches!(edit("aaa\n", "aa", "b"), Err(FindError::Ambiguous { count: 2, .. })));
    assert_eq!(edit("aab\n", "aa", "b").unwrap(), "bb\n");
    assert_eq!(edit("éé", "éé", "x").unwrap(), "x");
}

#[test]
fn a_line_end_is_never_cut_in_two() {
    assert_eq!(edit("a\r\nb\r\n", "\nb", "").unwrap(), "a\r\n");
    assert_eq!(edit("a\r\nb\r\n", "\nb", " X\nY").unwrap(), "a X\r\nY\r\n");
    assert_eq!(edit("a\r\nb\r\n", "a\n", "").unwrap(), "b\r\n");
}

#[test]
fn lines_that_stay_keep_their_blanks() {
    // Two blanks at a line's end are a line break in Markdown.
    assert_eq!(edit("a  \nb \nc\n", "a\nb\nc", "a\nB\nc").unwrap(), "a  \nB\nc\n");
    assert_eq!(edit("a \r\nb\r\n", "a\nb", "a\nx\nb").unwrap(), "a \r\nx\r\nb\r\n");
    let found = locate("\tif x {\n\t\ta \n\t}\n", "if x {\n\ta\n}\n", "if y {\n\ta\n}\n", false).unwrap();
    assert_eq!(found.edits.apply("\tif x {\n\t\ta \n\t}\n").unwrap(), "\tif y {\n\t\ta \n\t}\n");
}

#[test]
fn forgiving_blanks_does_not_touch_the_last_line_end() {
    assert_eq!(edit("a \nb", "a\nb\n", "a\nB\n").unwrap(), "a \nB");
    assert_eq!(edit("a \nb \nc\n", "a\nb", "a\nB").unwrap(), "a \nB\nc\n");
    assert_eq!(edit("a \nb\n", "a\n", "").unwrap(), "b\n");
}

#[test]
fn blank_lines_alone_and_other_blanks_are_no_match() {
    assert!(edit("a\n\nb\n", "  ", "x").is_err());
    assert!(edit("a\n\nb\n", " \n", "x").is_err());
    assert!(edit("a\u{A0}\nb\n", "a\nb", "x").is_err());
    assert!(edit("\u{3000}a\n", "a\n  b", "x").is_err());
}

#[test]
fn lines_that_are_all_alike_do_not_keep_us_busy() {
    let text = "}\n".repeat(100_000);
    let old = format!("{}x\n", "}\n".repeat(50_000));
    assert!(edit(&text, &old, "y").is_err());
}

#[test]
fn the_nearest_part_of_a_long_line_is_shown() {
    let text = format!("{0} let needle = 1; {0}", "a".repeat(2_000_000));
    let missing = edit(&text, "let needle = 2;", "x").unwrap_err().to_string();
    assert!(missing.contains("let needle = 1;") && missing.len() < 1_000, "{missing}");
}

/// cases.md R4, last item: a long line costs no more than it is long.
#[test]
fn one_line_of_four_million_bytes() {
    let text = format!("{0}NEEDLE{0}", "a".repeat(2_000_000));
    let found = locate(&text, "NEEDLE", "PIN", false).unwrap();
    assert_eq!(found.edits.edits()[0].range, 2_000_000..2_000_006);
    let missing = locate(&text, "NOTHING HERE", "x", false).unwrap_err().to_string();
    assert!(missing.len() < 10_000);
}

proptest! {
    /// A match changes nothing outside the lines it reports, and never loses text in silence.
    #[test]
    fn an_exact_match_that_is_alone_wins(before in "[a-c\\n]{0,8}", after in "[a-c\\n]{0,8}", new in "[x-z\\n]{0,4}") {
        let text = format!("{before}OLD{after}");
        prop_assert_eq!(edit(&text, "OLD", &new).unwrap(), format!("{before}{new}{after}"));
    }

    /// Whatever was forgiven: what is outside the lines of the match is as it was, no line end is
    /// cut, and the words that went are those the model named.
    #[test]
    fn a_match_means_the_same_words(
        text in "[ab{} \\t\\r\\n]{0,24}", old in "[ab{} \\t\\n]{1,8}", new in "[xy \\n]{0,6}"
    ) {
        let words = |text: &str| text.split_whitespace().collect::<String>();
        if let Ok(found) = locate(&text, &old, &new, false) {
            let [edit] = found.edits.edits() else { return Ok(()) };
            prop_assert_eq!(words(&text[edit.range.clone()]), words(&old));
            prop_assert_eq!(words(&edit.text), words(&new));
            prop_assert!(!cuts_line_end(&text, edit.range.start) && !cuts_line_end(&text, edit.range.end));
        }
    }

    #[test]
    fn never_panics(text in "[ab \\t\\r\\n🙂]{0,20}", old in "[ab \\t\\r\\n🙂]{0,6}", new in "[ab \\r\\n]{0,4}", all in any::<bool>()) {
        if let Ok(found) = locate(&text, &old, &new, all) {
            found.edits.apply(&text).unwrap();
        }
    }
}
