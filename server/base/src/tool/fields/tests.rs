use super::*;
use crate::tool::parse_tool_file;

fn accepts(validator: &jsonschema::Validator, file: &Value) -> bool {
    validator.is_valid(file)
}

/// A file of a program, with one more field at a place.
fn program() -> Value {
    json!({ "schema": { "type": "function", "function": { "name": "x", "description": "d",
        "parameters": { "type": "object", "properties": {} } } },
        "handler": { "type": "exec", "bin": "true", "options": [{ "name": "-a", "value": "text" }] } })
}

fn operation(kind: &str, needs: &[&str]) -> Value {
    let properties: serde_json::Map<String, Value> =
        needs.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
    json!({ "schema": { "type": "function", "function": { "name": "x", "description": "d",
        "parameters": { "type": "object", "properties": properties } } }, "handler": { "type": kind } })
}

/// What is read and what the schema says of the same file.
#[track_caller]
fn agree(validator: &jsonschema::Validator, file: &Value) -> bool {
    let read = parse_tool_file("x.json", &file.to_string());
    let by_schema = accepts(validator, file);
    assert_eq!(read.is_ok(), by_schema, "{file:#}\nread: {read:?}");
    by_schema
}

/// The schema is made from the tables by which files are read; here both are held against each other.
#[test]
fn the_schema_and_the_reader_agree() {
    let validator = jsonschema::validator_for(&tool_file_schema()).unwrap();
    assert!(agree(&validator, &program()));
    let places: [(&str, &[Field]); 5] = [
        ("", FILE),
        ("/schema", SCHEMA),
        ("/schema/function", FUNCTION),
        ("/handler", HANDLER),
        ("/handler/options/0", OPTION),
    ];
    for (place, fields) in places {
        let with = |name: &str, value: Value| {
            let mut file = program();
            file.pointer_mut(place).unwrap()[name] = value;
            file
        };
        let without = |name: &str| {
            let mut file = program();
            file.pointer_mut(place).unwrap().as_object_mut().unwrap().remove(name);
            file
        };
        assert!(!agree(&validator, &with("nosuch", json!(1))));
        for field in fields {
            // Of the wrong type, left out, and each of its words.
            for wrong in
                [json!(7), json!("no such thing?"), json!([1]), json!(null), json!({ "a": 1 }), json!("")]
            {
                agree(&validator, &with(field.name, wrong));
            }
            assert_eq!(agree(&validator, &without(field.name)), !field.needed && field.name != "bin");
            for word in field.takes.values() {
                let value: Value = serde_json::from_str(&word).unwrap();
                agree(&validator, &with(field.name, value));
            }
        }
    }
    for (kind, scopes, searches) in handler::operations() {
        let needs: &[&str] = match kind {
            "listDirectory" | "readFile" | "deleteFile" => &["path"],
            "readFileBytes" => &["path", "offset", "length"],
            "readFileLines" => &["path", "startLine", "endLine"],
            "findInProject" => &["pattern"],
            "createFile" => &["path", "content"],
            "editFile" => &["path", "oldString", "newString"],
            "chmodFile" => &["path", "mode"],
            _ => &["pattern", "replacement"],
        };
        let file = operation(kind, needs);
        assert_eq!(agree(&validator, &file), scopes.is_empty(), "{kind}");
        for scope in names(&SCOPES) {
            let mut file = file.clone();
            file["handler"]["scope"] = json!(scope);
            assert_eq!(agree(&validator, &file), scopes.contains(&scope), "{kind} {scope}");
            for field in handler::OF_PROGRAMS.iter().chain(&["includeHidden"]) {
                let mut file = file.clone();
                file["handler"][*field] = json!(true);
                agree(&validator, &file);
            }
        }
        let mut file = file.clone();
        file["handler"]["includeHidden"] = json!(true);
        assert_eq!(agree(&validator, &file), searches, "{kind}");
    }
}

#[test]
fn an_editor_is_offered_what_may_be_written() {
    let offers = |text: &str| {
        let offset = text.find('|').unwrap();
        let (_, offers) = tool_file_offers(&text.replacen('|', "", 1), offset);
        offers.into_iter().map(|offer| offer.text).collect::<Vec<_>>()
    };
    let keys = offers(r#"{ "schema": {}, "rea|" }"#);
    assert!(keys.contains(&"\"reads\"".to_owned()) && !keys.contains(&"\"schema\"".to_owned()), "{keys:?}");
    assert_eq!(
        offers(r#"{ "handler": { "options": [ { "name": "-a", "|" } ] } }"#),
        ["\"value\"", "\"optional\""]
    );
    assert_eq!(offers(r#"{ "exec": | }"#), ["\"none\"", "\"project\"", "\"undeclared\"", "\"untrusted\""]);
    assert_eq!(offers(r#"{ "internal": t|"#), ["true", "false"]);
    assert!(offers(r#"{ "handler": { "type": "" , "type": "|" } }"#).contains(&"\"chmodFile\"".to_owned()));
    assert_eq!(offers(r#"{ "schema": { "function": { "parameters": { "|" } } } }"#), Vec::<String>::new());
}

#[test]
fn an_editor_is_told_what_a_field_is_for() {
    let about = |text: &str| {
        let offset = text.find('|').unwrap();
        tool_file_about(&text.replacen('|', "", 1), offset).map(|(_, about)| about)
    };
    assert!(about(r#"{ "|writes": "none" }"#).unwrap().starts_with("`writes`: What it writes"));
    assert!(about(r#"{ "writes": "no|ne" }"#).unwrap().contains("One of \"none\", \"artifacts\""));
    assert!(about(r#"{ "handler": { |"bin": "go" } }"#).unwrap().starts_with("`bin`"));
    assert_eq!(about(r#"{ "schema": { "function": { "parameters": { "ty|pe": 1 } } } }"#), None);
    assert_eq!(about(r#"{ | }"#), None);
}
