use super::*;

#[test]
fn edits_are_applied_to_the_text_before_all_of_them() {
    let edits = [
        Edit { range: 0..3, text: "total".into() },
        Edit { range: 4..4, text: "🙂".into() },
        Edit { range: 8..10, text: String::new() },
    ];
    assert_eq!(edited(Rope::from_str("a=1\nb=2\nc\n"), &edits), "total\n🙂b=2\n");
}
