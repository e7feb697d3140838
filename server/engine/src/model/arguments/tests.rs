use super::*;
use serde_json::json;

fn object(arguments: Arguments) -> Value {
    match arguments {
        Arguments::Object(object) => Value::Object(object),
        Arguments::Invalid { reason, .. } => panic!("{reason}"),
    }
}

fn reason(arguments: &Arguments) -> &str {
    match arguments {
        Arguments::Object(_) => panic!("{arguments:?}"),
        Arguments::Invalid { reason, .. } => reason,
    }
}

#[test]
fn v4_nothing_is_an_empty_object() {
    assert_eq!(object(parse("", false)), json!({}));
    assert_eq!(object(parse(" \n", false)), json!({}));
    assert_eq!(object(parse("null", false)), json!({}));
}

#[test]
fn v4_nothing_in_a_cut_answer_is_a_cut_call() {
    assert!(reason(&parse("", true)).contains("cut off"));
}

#[test]
fn v4_text_that_ends_early_was_cut_whatever_the_finish_reason() {
    let text = r#"{"filePath":"/ws/a","content":"line 1\nli"#;
    for cut in [false, true] {
        assert!(reason(&parse(text, cut)).contains("cut off"));
    }
}

#[test]
fn v4_what_is_no_json_is_an_error() {
    assert!(reason(&parse(r#"{"filePath": /ws/a}"#, false)).contains("not valid JSON"));
    assert!(reason(&parse("[1]", false)).contains("one JSON object"));
    assert!(reason(&parse("\"word\"", false)).contains("one JSON object"));
}

#[test]
fn an_object_written_as_a_string_is_that_object() {
    assert_eq!(object(parse(r#""{\"a\":1}""#, false)), json!({ "a": 1 }));
}

#[test]
fn v4_what_goes_back_is_always_an_object() {
    for text in ["", r#"{"a":1}"#, r#"{"a"#, "[1]", &"é".repeat(10_000)] {
        let back: Value = serde_json::from_str(&to_text(&parse(text, false))).unwrap();
        assert!(back.is_object(), "{text}");
        assert!(back.to_string().len() < 5_000);
    }
}
