use super::*;

/// The place of the `|` in a text.
fn at(text: &str) -> (String, Option<String>, String, String) {
    let offset = text.find('|').unwrap();
    let text = text.replacen('|', "", 1);
    let found = cursor(&text, offset);
    (found.path.join("."), found.value_of, text[found.word].to_owned(), found.before.join(","))
}

fn is(text: &str, path: &str, value_of: Option<&str>, word: &str, before: &str) {
    let wanted = (path.to_owned(), value_of.map(str::to_owned), word.to_owned(), before.to_owned());
    assert_eq!(at(text), wanted, "{text}");
}

#[test]
fn places_in_whole_and_in_half_texts() {
    is(r#"{|}"#, "", None, "", "");
    is(r#"{"re|"#, "", None, r#""re"#, "");
    is(r#"{"re|ads": 1}"#, "", None, r#""reads""#, "");
    is(r#"{"reads": "pro|"#, "", Some("reads"), r#""pro"#, "reads");
    is(r#"{"reads": |}"#, "", Some("reads"), "", "reads");
    is(r#"{"internal": tr|"#, "", Some("internal"), "tr", "internal");
    is(r#"{"reads": "project", |"#, "", None, "", "reads");
    is(r#"{"handler": { "type": "exec", "|"#, "handler", None, "\"", "type");
    is(
        r#"{"handler": { "options": [ { "name": "-a", "value": "|" } ] } }"#,
        "handler.options",
        Some("value"),
        "\"\"",
        "name,value",
    );
    is(r#"{"handler": { "options": [ | ] } }"#, "handler.options", Some(""), "", "");
    is(r#"{"a": {"b": [1, {"c": 2}], "d": 3}, "e|"#, "", None, r#""e"#, "a");
    is(r#"{"a": "x\"y|"#, "", Some("a"), r#""x\"y"#, "a");
    is("{\"a\n|", "", None, "", "a");
    is("|", "", Some(""), "", "");
    is("]}|", "", Some(""), "", "");
    let cut = cursor("{\"é", 3);
    assert_eq!(cut.word, 1..4, "a cursor within a character stands before it");
}
