//! The user's own tool files: offered, judged like every call, mended while a session goes on.

use crate::scene::{ASSENT, Scene};
use assent_tests::model_server::Dialect;
use assent_tests::{Workspace, answer, text};
use serde_json::{Value, json};
use std::process::{Command, Output, Stdio};

/// A tool file that runs `printf`.
fn printf(name: &str, rest: &str) -> String {
    format!(
        r#"{{"schema":{{"type":"function","function":{{"name":"{name}","description":"Prints.",
        "parameters":{{"type":"object","properties":{{"args":{{"type":"array","items":{{"type":"string"}}}}}}}}}}}},
        {rest}"handler":{{"type":"exec","bin":"printf","subcommand":"<%s>","denyArgs":["-v"]}}}}"#
    )
}

fn put(ws: &Workspace, name: &str, text: &str) {
    let folder = ws.config_folder().join("tools");
    std::fs::create_dir_all(&folder).unwrap();
    // A new file by another name, so that the server never sees half of it.
    let (new, path) = (folder.join("new"), folder.join(name));
    std::fs::write(&new, text).unwrap();
    std::fs::rename(new, path).unwrap();
}

fn assent(ws: &Workspace, arguments: &[&str]) -> (Output, String) {
    let output = Command::new(ASSENT)
        .args(arguments)
        .current_dir(ws.root())
        .env_clear()
        .envs(ws.environment())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    (output, said.concat())
}

fn offered(scene: &Scene) -> Vec<String> {
    let request = scene.last_request();
    let tools = request.body["tools"].as_array().into_iter().flatten();
    tools.map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_tool_file_is_offered_and_its_class_decides() {
    let mut scene = Scene::new(&[]);
    put(&scene.ws, "reader.json", &printf("reader", r#""reads":"project","#));
    put(&scene.ws, "free.json", &printf("free", ""));
    let done = scene.call("reader", json!({ "args": ["a b", "$(id)"] }));
    assert_eq!((done.failed, done.text.as_str()), (false, "<a b><$(id)>"));
    assert!(offered(&scene).contains(&"reader".to_owned()), "{:?}", offered(&scene));
    let done = scene.call("reader", json!({ "args": ["--v=x"] }));
    assert!(done.failed && done.text.contains("denyArgs"), "{}", done.text);

    // Nobody declared what this one does, so the user is asked, with all that will run.
    let (ids, prompt) = scene.start_calls(&[("free", json!({ "args": ["x"] }))]);
    let approval = scene.client.expect_approval();
    assert_eq!(approval.subject(), "printf '<%s>' x");
    let warnings = approval.meta()["warnings"].to_string();
    assert!(warnings.contains("/printf"), "{warnings}");
    scene.client.allow(&approval);
    scene.finish(prompt);
    assert_eq!(scene.last_request().result(&ids[0]), "<x>");

    // An argument that leads out of the project is asked about, whatever the file declares.
    let (ids, prompt) = scene.start_calls(&[("reader", json!({ "args": ["../secret"] }))]);
    let approval = scene.client.expect_approval();
    scene.client.reject(&approval, "", false);
    scene.finish(prompt);
    assert!(scene.last_request().result(&ids[0]).contains("did not allow"));
}

#[test]
fn rules_hold_for_tool_files_by_name() {
    let yaml = "policy:\n  free: { allow: [\"printf '<%s>' ok\"], deny: [\"* bad\"] }\n";
    let mut scene = Scene::with_settings(&[], Dialect::Chat, yaml);
    put(&scene.ws, "free.json", &printf("free", ""));
    assert_eq!(scene.call("free", json!({ "args": ["ok"] })).text, "<ok>");
    let done = scene.call("free", json!({ "args": ["bad"] }));
    assert!(done.failed && done.text.contains("* bad"), "{}", done.text);
}

#[test]
fn a_broken_file_takes_no_session_along_and_is_told() {
    let mut scene = Scene::new(&[("a", "AAA\n")]);
    // It may be there before the first look at the settings, which then says so.
    scene.client.ignore("window/showMessage");
    put(&scene.ws, "reader.json", "{\n \"schema\": 1 }");
    scene.model.reply(answer().call("c1", "read", json!({ "filePath": "a" }))).reply(text("Then not."));
    let turn = scene.prompt("go");
    assert!(turn.notices().contains("reader.json:2:"), "{}", turn.notices());
    assert!(offered(&scene).is_empty(), "{:?}", offered(&scene));
    assert!(scene.last_request().result("c1").contains("mended"));
    put(&scene.ws, "reader.json", &printf("reader", r#""reads":"project","#));
    scene.session = scene.client.new_session();
    assert_eq!(scene.call("reader", json!({ "args": ["x"] })).text, "<x>");
    // What was good goes on as it was while the file is broken.
    put(&scene.ws, "reader.json", "{");
    assert_eq!(scene.call("reader", json!({ "args": ["y"] })).text, "<y>");
}

#[test]
fn without_an_editor_nothing_starts_beside_a_broken_file() {
    let ws = Workspace::new();
    put(&ws, "reader.json", "{\n \"schema\": 1 }");
    for arguments in [&["run", "hello"][..], &["acp"], &["validate"]] {
        let (output, said) = assent(&ws, arguments);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("reader.json:2:12"), "{arguments:?}: {said}");
    }
    put(&ws, "reader.json", &printf("reader", ""));
    let (output, said) = assent(&ws, &["validate"]);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("reader.json"), "{said}");
}

#[test]
fn tool_files_are_listed_with_what_they_replace() {
    let ws = Workspace::new();
    put(&ws, "ls.json", &printf("ls", ""));
    put(&ws, "gone.json", &printf("gone", "").replace("printf", "no-such-program"));
    let (output, _) = assent(&ws, &["tools", "ls", "--json"]);
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    let tool = |name: &str| {
        let mut tools = list["tools"].as_array().unwrap().iter();
        tools.find(|tool| tool["name"] == name).unwrap().clone()
    };
    let ls = tool("ls");
    assert_eq!(
        (&ls["kind"], &ls["available"], &ls["overrides"]),
        (&json!("json"), &json!(true), &json!("tools/ls.json"))
    );
    assert!(ls["source"].as_str().unwrap().ends_with("tools/ls.json"));
    assert_eq!(tool("gone")["available"], false);
    assert_eq!(tool("read")["kind"], "builtin");
    let (output, said) = assent(&ws, &["tools", "call", "gone", "{}"]);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("no no-such-program was found on PATH"), "{said}");
}

/// The tool that a reader of the page ends up with.
#[test]
fn the_example_of_the_documentation_is_a_tool() {
    let page = include_str!("../../docs/json-tools.md");
    let example = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let ws = Workspace::new();
    put(&ws, "go_test.json", example);
    let (output, said) = assent(&ws, &["validate"]);
    assert_eq!(output.status.code(), Some(0), "{said}");
}

#[test]
fn a_result_is_told_in_one_line_where_the_file_says_how() {
    let ws = Workspace::new();
    let model = assent_tests::ModelServer::start();
    ws.use_model(&model, Dialect::Chat);
    let rows = printf("rows", r#""reads":"project","#).replace("<%s>", "%s\\\\n");
    put(&ws, "rows.json", &rows.replace(r#""bin""#, r#""summary":"lineCount:rows","bin""#));
    let mut scene = Scene::on(model, ws);
    let (ids, prompt) = scene.start_calls(&[("rows", json!({ "args": ["a", "b"] }))]);
    let turn = scene.finish(prompt);
    let call = turn.calls().into_iter().find(|call| call["toolCallId"] == ids[0].as_str()).unwrap();
    assert_eq!(call["_meta"]["assent"]["summary"], "2 rows", "{call:#}");
    assert_eq!(scene.last_request().result(&ids[0]), "a\nb\n");
    scene.client.finish();
    scene.model.reply(answer().call("c9", "rows", json!({ "args": ["x"] }))).reply(text("Done."));
    let (output, said) = assent(&scene.ws, &["run", "go"]);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("\u{2713} 1 row\n"), "{said}");
}

#[test]
fn the_published_schema_is_what_files_are_read_by() {
    let ws = Workspace::new();
    let (output, _) = assent(&ws, &["schema", "tool"]);
    let schema: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["required"], json!(["schema", "handler"]));
    assert!(schema["properties"]["reads"]["enum"].as_array().unwrap().contains(&json!("project-dot")));
    let (output, _) = assent(&ws, &["schema", "settings"]);
    let schema: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(schema["properties"]["mode"]["enum"], json!(["ask", "accept-edits", "plan"]));
    let (output, _) = assent(&ws, &["schema", "nothing"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_editor_completes_and_explains_the_fields_of_a_tool_file() {
    let mut scene = Scene::new(&[("other.json", "{\"\"}")]);
    let uri = assent_tests::workspace::uri(&scene.ws.config_folder().join("tools/half.json"));
    scene.client.open_uri(&uri, "{\n  \"handler\": { \"type\": \"\" }\n}");
    let at = |line: u32, character: u32| {
        json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
    };
    let found = scene.client.request("textDocument/completion", at(1, 24));
    let labels: Vec<&str> =
        found["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect();
    assert!(labels.contains(&"\"exec\"") && labels.contains(&"\"readFileLines\""), "{labels:?}");
    let about = scene.client.request("textDocument/hover", at(1, 5));
    assert!(about["contents"]["value"].as_str().unwrap().starts_with("`handler`: How it runs"), "{about}");
    // Other files are nobody's business here.
    let other = scene.client.open("other.json");
    let place = json!({ "textDocument": { "uri": other }, "position": { "line": 0, "character": 2 } });
    assert_eq!(scene.client.request("textDocument/completion", place.clone()), Value::Null);
    assert_eq!(scene.client.request("textDocument/hover", place), Value::Null);
}
