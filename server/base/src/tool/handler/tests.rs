use super::super::parse_tool_file;
use super::*;

fn file(parameters: &str, rest: &str) -> String {
    format!(
        r#"{{"schema":{{"type":"function","function":{{"name":"aTool","description":"d","parameters":
{{"type":"object","properties":{{{parameters}}}}}}}}}{rest}}}"#
    )
}

const ARGS: &str = r#""args":{"type":"array","items":{"type":"string"}}"#;

fn problems(text: &str) -> String {
    match parse_tool_file("a_tool.json", text) {
        Ok(file) => panic!("{file:?}"),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}

/// The example of the format's document, in our words.
#[test]
fn a_program_is_read_whole() {
    let text = r#"{
      "internal": false,
      "schema": { "type": "function", "function": {
        "name": "goTest", "description": "Runs the tests.", "strict": true,
        "parameters": { "type": "object", "required": [], "properties": {
          "args": { "type": "array", "items": { "type": "string" }, "description": "Arguments." } } } } },
      "writes": "artifacts", "slashCommand": "go-test",
      "handler": { "type": "exec", "bin": "go", "subcommand": "test  -json", "summary": "lineCount:tests",
        "env": { "GOFLAGS": "-mod=mod" }, "denyArgs": ["-exec"] } }"#;
    let file = parse_tool_file("tools/go_test.json", text).unwrap();
    assert_eq!(file.definition.name, "goTest");
    let artifacts = Effects { writes: Writes::Artifacts, ..Effects::default() };
    assert_eq!(file.definition.effects, artifacts);
    assert_eq!(file.definition.slash_command.as_deref(), Some("go-test"));
    let Some(Handler::Exec(handler)) = file.handler else { panic!() };
    assert_eq!((handler.bin.as_str(), handler.subcommand), ("go", vec!["test".into(), "-json".to_owned()]));
    assert_eq!(handler.summary, Summary::LineCount("tests".into()));
    assert_eq!(handler.env, [("GOFLAGS".to_owned(), "-mod=mod".to_owned())]);
}

#[test]
fn a_program_without_any_class_is_as_free_as_a_command_line() {
    let effects = |rest: &str| {
        let text = file(ARGS, &format!(r#","handler":{{"type":"exec","bin":"x"}}{rest}"#));
        parse_tool_file("a_tool.json", &text).unwrap().definition.effects
    };
    assert_eq!(effects("").exec, Exec::Undeclared);
    assert_eq!(effects(r#","reads":"project""#), Effects { reads: Reads::Project, ..Effects::default() });
    assert_eq!(effects(r#","exec":"untrusted""#).exec, Exec::Untrusted);
}

#[test]
fn the_class_of_a_file_operation_follows_from_type_and_scope() {
    let effects = |handler: &str, parameters: &str| {
        let parameters: Vec<_> = parameters.split(' ').map(|name| format!(r#""{name}":{{}}"#)).collect();
        let text = file(&parameters.join(","), &format!(r#","handler":{handler}"#));
        let Effects { reads, writes, exec } =
            parse_tool_file("a_tool.json", &text).unwrap().definition.effects;
        assert_eq!(exec, Exec::None);
        (reads, writes)
    };
    let read = r#"{"type":"readFile","scope":"external"}"#;
    assert_eq!(effects(read, "path"), (Reads::External, Writes::None));
    let create = r#"{"type":"createFile","scope":"project-dot"}"#;
    assert_eq!(effects(create, "path content"), (Reads::None, Writes::ProjectDot));
    let edit = r#"{"type":"editFile","scope":"project"}"#;
    assert_eq!(effects(edit, "path oldString newString"), (Reads::Project, Writes::Project));
    assert_eq!(effects(r#"{"type":"findInProject"}"#, "pattern").0, Reads::Project);
    let hidden = r#"{"type":"findInProject","includeHidden":true}"#;
    assert_eq!(effects(hidden, "pattern include").0, Reads::ProjectDot);
    let all = r#"{"type":"findInProject","includeHidden":true,"includeIgnored":true}"#;
    assert_eq!(effects(all, "pattern").0, Reads::ProjectIgnore);
}

#[test]
fn a_declared_class_that_disagrees_is_an_error() {
    let text = file(
        r#""path":{}"#,
        r#",
"reads":"project","writes":"none","exec":"untrusted","handler":{"type":"readFile","scope":"external"}"#,
    );
    insta::assert_snapshot!(problems(&text), @r#"
a_tool.json:3:9: `reads`: handler and scope make this `external`; write that, or leave it out
a_tool.json:3:42: `exec`: handler and scope make this `none`; write that, or leave it out
"#);
}

#[test]
fn every_mistake_of_a_handler_is_told() {
    let text = file(
        r#""args":{"type":"string"},"path":{}"#,
        r#",
"requiresBin":"git","slashCommand":"/Go",
"handler":{"type":"exec","bin":"./run.sh","subcommand":" ","scope":"project","summary":"count",
"env":{"A$(x)":"1","B":2},"allowArgs":[""],"denyArgs":"x","operands":"text","shell":true}"#,
    );
    insta::assert_snapshot!(problems(&text), @r#"
a_tool.json:3:36: `slashCommand`: `/Go` must be small letters, digits and `-`, without the slash
a_tool.json:4:32: `handler.bin`: `./run.sh` must be a program's name, to be found on PATH, or an absolute path
a_tool.json:4:56: `handler.subcommand`: must not be empty
a_tool.json:4:68: `handler.scope`: is for built-in handlers; remove this
a_tool.json:4:88: `handler.summary`: `count` is not known here; write one of commandEcho, gitDiff, gitLog, gitStatus, grep, lineCount:NOUN
a_tool.json:5:8: `handler.env.A$(x)`: is no name of a variable: letters, digits and `_`
a_tool.json:5:24: `handler.env.B`: must be a text, not a number
a_tool.json:5:40: `handler.allowArgs[0]`: must not be empty
a_tool.json:5:55: `handler.denyArgs`: must be a list, not a text
a_tool.json:5:70: `handler.operands`: says what is left beside `options`, which are missing
a_tool.json:5:77: `handler.shell`: unknown key; known here: type, bin, subcommand, env, allowArgs, denyArgs, options, operands, summary, scope, includeHidden, includeIgnored
"#);
    insta::assert_snapshot!(problems(&file(ARGS, r#","handler":{"type":"run"}"#)), @r#"a_tool.json:2:104: `handler.type`: `run` is not known here; write one of exec, listDirectory, readFile, readFileBytes, readFileLines, findInProject, createFile, editFile, deleteFile, chmodFile, replaceInProject"#);
    insta::assert_snapshot!(problems(&file(ARGS, "")), @r#"a_tool.json:1:1: `handler`: is missing"#);
    let options = r#","handler":{"type":"exec","bin":"x","options":[{"name":"stat"},{"value":"text"},
{"name":"-o","optional":true},{"name":"-p","value":"path"},{"name":"-q","arity":1}]}"#;
    insta::assert_snapshot!(problems(&file(ARGS, options)), @r#"
a_tool.json:2:140: `handler.options[0].name`: `stat` must be an option as it is written, such as `-n` or `--max-count`
a_tool.json:2:148: `handler.options[1].name`: is missing
a_tool.json:3:25: `handler.options[2].optional`: speaks of the `value`, which is missing
a_tool.json:3:52: `handler.options[3].value`: `path` is not known here; write one of text, path-in, path-out, url
a_tool.json:3:73: `handler.options[4].arity`: unknown key; known here: name, value, optional
"#);
}

#[test]
fn scopes_are_those_of_the_type() {
    let handler = |fields: &str| {
        let text = file(r#""path":{}"#, &format!(r#","handler":{{{fields}}}"#));
        problems(&text)
    };
    insta::assert_snapshot!(handler(r#""type":"listDirectory","scope":"project-dot""#), @r#"a_tool.json:2:88: `handler.scope`: `listDirectory` can't have this scope; write project or external"#);
    insta::assert_snapshot!(handler(r#""type":"readFile""#), @r#"a_tool.json:2:56: `handler.scope`: is missing"#);
    insta::assert_snapshot!(handler(r#""type":"deleteFile","scope":"external","bin":"rm""#), @r#"
a_tool.json:2:85: `handler.scope`: `deleteFile` can't have this scope; write project or project-dot or project-ignore
a_tool.json:2:102: `handler.bin`: is for handlers of type `exec`; remove this
"#);
    insta::assert_snapshot!(handler(r#""type":"findInProject","scope":"project""#), @r#"a_tool.json:2:88: `handler.scope`: `findInProject` takes no scope; remove this"#);
    insta::assert_snapshot!(handler(r#""type":"readFileLines","scope":"project","includeHidden":true"#), @r#"
a_tool.json:2:31: `schema.function.parameters.properties.startLine`: is missing: the handler needs it
a_tool.json:2:31: `schema.function.parameters.properties.endLine`: is missing: the handler needs it
a_tool.json:2:114: `handler.includeHidden`: is for `findInProject`; remove this
"#);
}
