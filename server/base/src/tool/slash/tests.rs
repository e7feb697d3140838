use super::*;
use serde_json::json;

fn definition(parameters: Value) -> Definition {
    let file = json!({ "schema": { "type": "function", "function": { "name": "x", "description": "d",
        "parameters": parameters } }, "slashCommand": "do-it", "handler": { "type": "exec", "bin": "true" } });
    // Parameters that no program takes are fine here.
    let mut definition = crate::tool::parse_definition("x.json", &{
        let mut file = file;
        file.as_object_mut().unwrap().remove("handler");
        file.to_string()
    })
    .unwrap();
    definition.slash_command = Some("do-it".into());
    definition
}

fn arguments(parameters: Value, typed: &str) -> Result<Value, String> {
    slash_arguments(&definition(parameters), typed).map(Value::Object)
}

fn words_of() -> Value {
    json!({ "type": "object", "properties": { "args": { "type": "array", "items": { "type": "string" } } } })
}

#[test]
fn words_are_split_as_they_are_quoted() {
    let words = |typed: &str| arguments(words_of(), typed).map(|arguments| arguments["args"].clone());
    assert_eq!(words(""), Ok(json!([])));
    assert_eq!(
        words(" -run  'a b'\t\"c \\\" d\" e\\ f '' x'y'z "),
        Ok(json!(["-run", "a b", "c \" d", "e f", "", "xyz"]))
    );
    assert_eq!(words("$HOME * ; 'a\\b'"), Ok(json!(["$HOME", "*", ";", "a\\b"])));
    assert_eq!(words("'a"), Err("The quote ' is not closed. Write /do-it [arguments].".to_owned()));
    assert!(words("a\\").unwrap_err().contains("backslash"));
}

#[test]
fn one_text_is_all_that_follows() {
    let one =
        json!({ "type": "object", "properties": { "task": { "type": "string" } }, "required": ["task"] });
    assert_eq!(arguments(one.clone(), " plan 'it' "), Ok(json!({ "task": "plan 'it'" })));
    assert_eq!(
        arguments(one, ""),
        Err("This command needs a text behind it. Write /do-it <task>.".to_owned())
    );
    let open = json!({ "type": "object", "properties": { "base": { "type": "string" } } });
    assert_eq!(arguments(open.clone(), ""), Ok(json!({})));
    assert_eq!(slash_hint(&definition(open)), "[base]");
    let several = json!({ "type": "object", "required": ["path"],
        "properties": { "path": { "type": "string" }, "limit": { "type": "integer" } } });
    assert_eq!(arguments(several, "a b"), Ok(json!({ "path": "a b" })));
}

#[test]
fn all_else_is_an_object() {
    let two = json!({ "type": "object", "required": ["a", "b"],
        "properties": { "a": { "type": "string" }, "b": { "type": "integer" } } });
    assert_eq!(arguments(two.clone(), r#"{"a": "x", "b": 1}"#), Ok(json!({ "a": "x", "b": 1 })));
    for typed in ["x 1", "[1]", r#"{"a": "x"}"#, "", r#"{"a": "x", "b": "y"}"#] {
        let words = arguments(two.clone(), typed).unwrap_err();
        assert!(words.ends_with("Write /do-it {\"a\": …, \"b\": …}."), "{typed}: {words}");
    }
    let none = json!({ "type": "object" });
    assert_eq!(arguments(none.clone(), ""), Ok(json!({})));
    assert!(arguments(none, "x").unwrap_err().ends_with("Write /do-it."));
}
