use super::*;

fn shown(line: &str, pattern: &str) -> String {
    excerpt(line.as_bytes(), &RegexMatcher::new(pattern).unwrap())
}

#[test]
fn r4_a_long_line_is_cut_around_its_match() {
    let wide = "ä".repeat(5_000);
    let line = format!("{wide}NEEDLE{wide}\n");
    let cut = shown(&line, "NEEDLE");
    let (before, after) = (200, 1_800 - "NEEDLE".len());
    assert_eq!(
        cut,
        format!("…{}NEEDLE{}… [cut: the line has 20006 bytes]", "ä".repeat(before), "ä".repeat(after))
    );
    let start = shown(&format!("NEEDLE{wide}"), "NEEDLE");
    assert!(start.starts_with("NEEDLEä") && start.contains("ä… [cut"), "nothing is missing before it");
    assert_eq!(shown("short NEEDLE\r\n", "NEEDLE"), "short NEEDLE");
}
