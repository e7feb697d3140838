use super::*;
use serde_json::{Map, json};

const MULTIEDIT: &str = r#"{
  "schema": { "type": "function", "function": {
    "name": "multiedit", "description": "Edits.", "strict": true,
    "parameters": { "type": "object", "required": ["filePath", "edits"], "properties": {
      "filePath": { "type": "string" },
      "limit": { "type": "integer" },
      "mode": { "enum": ["a", "b"] },
      "ratio": { "type": "number" },
      "all": { "type": "boolean" },
      "edits": { "type": "array", "items": { "type": "object", "required": ["oldString"],
        "properties": { "oldString": { "type": "string" }, "count": { "type": ["integer", "null"] } } } } } } } },
  "reads": "project", "writes": "project" }"#;

fn schema() -> ToolSchema {
    ToolSchema::new(&parse_definition("tools/multiedit.json", MULTIEDIT).unwrap()).unwrap()
}

fn check(arguments: Value) -> Result<Value, String> {
    let Value::Object(map) = arguments else { panic!() };
    schema().check(&Arguments::Object(map)).map(Value::Object)
}

#[test]
fn a_definition_is_read_whole() {
    let definition = parse_definition("tools/multiedit.json", MULTIEDIT).unwrap();
    assert_eq!(definition.name, "multiedit");
    assert!(definition.strict && !definition.internal);
    let effects = Effects { reads: Reads::Project, writes: Writes::Project, exec: Exec::None };
    assert_eq!(definition.effects, effects);
    assert_eq!(definition.parameters["required"], json!(["filePath", "edits"]));
}

#[test]
fn every_mistake_of_a_definition_is_told_at_once() {
    let text = r#"{
  "schema": { "type": "fn", "function": { "name": "readFile", "description": " ", "strict": "yes",
    "parameters": { "type": "array", "required": ["nope"] }, "extra": 1 } },
  "reads": "everything", "writes": 3, "exec": "untrusted", "exec": "none",
  "internal": 0, "handler": { "type": "exec" }, "slashComand": "x"
}"#;
    let problems = parse_definition("dir/readfile.json", text).unwrap_err();
    let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
dir/readfile.json:2:23: `schema.type`: `fn` is not known here; write `function`
dir/readfile.json:2:51: `schema.function.name`: the tool `readFile` must be in a file named `read_file.json`
dir/readfile.json:2:78: `schema.function.description`: must not be empty
dir/readfile.json:2:93: `schema.function.strict`: must be true or false, not a text
dir/readfile.json:3:29: `schema.function.parameters.type`: must be "object"
dir/readfile.json:3:51: `schema.function.parameters.required[0]`: `nope` is not among the properties
dir/readfile.json:3:62: `schema.function.extra`: unknown key; known here: name, description, parameters, strict
dir/readfile.json:4:12: `reads`: `everything` is not known here; write one of none, project, project-dot, project-ignore, external, network
dir/readfile.json:4:36: `writes`: must be one of none, artifacts, project, project-dot, project-ignore, external, remote, not a number
dir/readfile.json:4:60: `exec`: given twice; the first is on line 4. Keep one of them
dir/readfile.json:5:15: `internal`: must be true or false, not a number
dir/readfile.json:5:29: `handler`: a built-in tool has no handler: its code is in the registry; remove this
dir/readfile.json:5:49: `slashComand`: unknown key; did you mean `slashCommand`?
"#);
}

#[test]
fn a_parameters_schema_must_compile() {
    let text = r#"{"schema":{"type":"function","function":{"name":"x","description":"d","parameters":
      {"type":"object","properties":{"a":{"type":"strin"}}}}}}"#;
    let problems = parse_definition("x.json", text).unwrap_err();
    assert_eq!(problems[0].key, "schema.function.parameters");
    let without = r#"{"schema":{"type":"function","function":{"name":"x","description":"d","parameters":{"type":"object"}}}}"#;
    assert!(parse_definition("x.json", without).is_ok());
    assert!(parse_definition("x.json", "{}").is_err());
    assert!(parse_definition("x.json", "[]").is_err());
    assert!(parse_definition("x.json", "{").is_err());
}

#[test]
fn v4_surely_meant_arguments_are_mended() {
    let wanted = json!({"filePath": "a", "edits": [{"oldString": "x"}]});
    assert_eq!(check(json!({"filePath": "a", "edits": "[{\"oldString\": \"x\"}]"})), Ok(wanted.clone()));
    assert_eq!(check(json!({"filePath": "a", "edits": ["{\"oldString\": \"x\"}"]})), Ok(wanted.clone()));
    assert_eq!(check(json!({"filePath": "a", "edits": [{"oldString": "x"}], "limit": null})), Ok(wanted));
    let call = json!({"filePath": "a", "edits": [], "limit": "5", "ratio": "0.5", "all": "true"});
    assert_eq!(check(call), Ok(json!({"filePath": "a", "edits": [], "limit": 5, "ratio": 0.5, "all": true})));
    assert_eq!(check(json!({"filePath": "a", "edits": [], "limit": 5.0})).unwrap()["limit"], json!(5));
    assert_eq!(check(json!({"filePath": "a", "edits": [], "limit": "5.0"})).unwrap()["limit"], json!(5));
    let null = json!({"filePath": "a", "edits": [{"oldString": "[1]", "count": null}]});
    assert_eq!(check(null.clone()), Ok(null), "a text stays a text where a text is wanted");
}

#[test]
fn v4_what_can_not_be_mended_is_told_to_the_model() {
    let shape = "{filePath: string, limit?: integer, mode?: \"a\" | \"b\", ratio?: number, all?: boolean, \
                 edits: [{oldString: string, count?: integer | null}, …]}";
    let told = |arguments: Value, wanted: &str| {
        let wanted = format!(
            "The call of `multiedit` was not run: {wanted}. It takes {shape}. Call it again with arguments of this shape."
        );
        assert_eq!(check(arguments), Err(wanted));
    };
    told(json!({}), "`filePath` is missing; `edits` is missing");
    told(json!({"filePath": "a", "edits": [{}]}), "`edits[0].oldString` is missing");
    told(
        json!({"file_path": "a", "edits": []}),
        "`filePath` is missing; `file_path` is not an argument (`filePath` is)",
    );
    told(json!({"filePath": "a", "edits": [], "limit": 1.5}), "`limit`: value is not of type \"integer\"");
    told(
        json!({"filePath": 3, "edits": "nonsense"}),
        "`filePath`: value is not of type \"string\"; `edits`: value is not of type \"array\"",
    );
    told(json!({"filePath": null, "edits": []}), "`filePath`: value is not of type \"string\"");
    told(json!({"filePath": "a", "edits": [], "mode": "c"}), "`mode`: value is not one of \"a\" or \"b\"");
}

#[test]
fn e06_unknown_arguments_are_refused() {
    for extra in ["safe", "approved", "requires_approval"] {
        assert!(check(json!({"filePath": "a", "edits": [], extra: true})).is_err());
    }
}

#[test]
fn v4_cut_or_malformed_arguments_are_answered() {
    let cut = Arguments::Invalid { text: "{\"a".into(), reason: "the call was cut off".into() };
    let answer = schema().check(&cut).unwrap_err();
    assert!(
        answer.starts_with("The call of `multiedit` was not run: the call was cut off. It takes {"),
        "{answer}"
    );
    let none = json!({"schema":{"type":"function","function":{"name":"x","description":"d","parameters":{"type":"object"}}}});
    let schema = ToolSchema::new(&parse_definition("x.json", &none.to_string()).unwrap()).unwrap();
    assert_eq!(schema.check(&Arguments::Object(Map::new())), Ok(Map::new()));
    assert!(schema.check(&cut).unwrap_err().contains("It takes no arguments"));
}

#[test]
fn an_agents_tools() {
    let set = |names: &[&str]| names.iter().map(ToString::to_string).collect();
    let (only, except) = (AgentTools::Only(set(&["read", "bash"])), AgentTools::Except(set(&["bash"])));
    assert!(AgentTools::All.allows("x") && !AgentTools::none().allows("x"));
    assert!(only.allows("read") && !only.allows("edit") && except.allows("edit") && !except.allows("bash"));
    assert_eq!(only.narrowed_by(&except), AgentTools::Only(set(&["read"])));
    assert_eq!(
        except.narrowed_by(&AgentTools::Except(set(&["edit"]))),
        AgentTools::Except(set(&["bash", "edit"]))
    );
    assert_eq!(AgentTools::All.narrowed_by(&only), only);
}
