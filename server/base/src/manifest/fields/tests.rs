use super::*;
use crate::manifest::from_editor;

/// The schema is made from the tables by which settings are read; here both are held against each other.
#[test]
fn the_schema_and_the_reader_agree() {
    let validator = jsonschema::validator_for(&settings_schema()).unwrap();
    let agree = |settings: &Value| {
        let read = from_editor(settings);
        let by_schema = validator.is_valid(settings);
        assert_eq!(read.is_ok(), by_schema, "{settings:#}\nread: {:?}", read.err());
        by_schema
    };
    let whole = json!({ "providers": { "p": {} }, "agents": { "a": {} }, "policy": { "bash": {} }, "sandbox": {},
        "commands": {} });
    assert!(agree(&whole));
    let places: [(&str, &[Field]); 7] = [
        ("", SETTINGS),
        ("/providers/p", PROVIDER),
        ("/agents/a", AGENT),
        ("/policy", POLICY),
        ("/policy/bash", RULES),
        ("/sandbox", SANDBOX),
        ("/commands", COMMANDS),
    ];
    for (place, fields) in places {
        let with = |name: &str, value: Value| {
            let mut settings = whole.clone();
            settings.pointer_mut(place).unwrap()[name] = value;
            settings
        };
        assert!(!agree(&with("nosuch", json!(1))));
        for field in fields {
            // What later parts of the product read is not looked into yet.
            if field.takes.schema() == json!({}) {
                continue;
            }
            let tries = [
                json!(7),
                json!(0),
                json!(""),
                json!(" "),
                json!("a b"),
                json!([1]),
                json!(["x"]),
                json!([]),
                json!({}),
                json!({ "a": 1 }),
                json!({ "exclude": ["x"] }),
                json!({ "a": false }),
                json!(true),
            ];
            for value in tries {
                agree(&with(field.name, value));
            }
            for word in field.takes.values() {
                assert!(agree(&with(field.name, serde_json::from_str(&word).unwrap())), "{word}");
            }
        }
    }
}
