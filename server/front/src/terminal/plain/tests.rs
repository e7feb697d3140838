use super::*;

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(plain(text), expected);
    // However it is cut.
    let mut piecewise = Plain::default();
    let letters: String = text.chars().map(|letter| piecewise.push(&letter.to_string())).collect();
    assert_eq!(letters, expected);
}

#[test]
fn ordinary_text_stays() {
    check("a\tb\nэмодзи 👩‍🚀\n", "a\tb\nэмодзи 👩‍🚀\n");
}

#[test]
fn sequences_go() {
    check("\u{1b}[31mred\u{1b}[0m", "red");
    check("\u{1b}[2J\u{1b}[1;1Hx", "x");
    check("\u{1b}]52;c;aGk=\u{7}y", "y");
    check("\u{1b}]8;;https://example.test\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link");
    check("\u{9b}31mz", "z");
    check("\u{1b}(Bq", "q");
}

#[test]
fn lone_controls_go() {
    check("a\rb\u{7f}d\u{85}e", "a\nbde");
    check("a\r\nb", "a\nb");
}

#[test]
fn text_is_not_turned_round() {
    check("x\u{202e}cba\u{202c}", "xcba");
}

#[test]
fn a_string_that_never_ends_ends_with_the_line() {
    check("\u{1b}]0;title\nnext", "\nnext");
}
