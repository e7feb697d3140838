//! What standard LSP carries besides documents: completion, diagnostics of a range, settings.

use crate::scene::{ASSENT, Scene};
use assent_tests::{Client, ModelServer, Workspace, text};
use serde_json::{Value, json};

fn labels(scene: &mut Scene, uri: &str, line: u32, character: u32) -> Vec<String> {
    let position = json!({ "line": line, "character": character });
    let params = json!({ "textDocument": { "uri": uri }, "position": position });
    let result = scene.client.request("textDocument/completion", params);
    let items = result.as_array().or_else(|| result["items"].as_array()).cloned().unwrap_or_default();
    items.iter().map(|item| item["label"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn slash_commands_and_files_are_completed_in_prose_and_not_in_code() {
    let mut scene = Scene::new(&[("src/lib.rs", "// @l\n"), ("docs/library.md", "")]);
    let chat = "assent-chat:1";
    scene.client.open_uri(chat, "/te\nlook at @li and 🙂 @docs/\n/usr is a path\n");
    let commands = labels(&mut scene, chat, 0, 3);
    assert!(commands.iter().any(|label| label.contains("/tests")), "{commands:?}");
    assert!(commands.iter().all(|label| label.contains("/te")), "{commands:?}");
    let files = labels(&mut scene, chat, 1, 11);
    assert!(files.iter().any(|label| label.contains("src/lib.rs")), "{files:?}");
    assert!(files.iter().any(|label| label.contains("docs/library.md")), "{files:?}");
    let files = labels(&mut scene, chat, 1, 25);
    assert!(files.iter().all(|label| label.contains("docs/")), "{files:?}");
    let code = scene.ws.uri("src/lib.rs");
    scene.client.notify(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": code, "languageId": "rust", "version": 1, "text": "// @l\n" } }),
    );
    assert!(labels(&mut scene, &code, 0, 5).is_empty());
}

#[test]
fn a_diagnostic_is_fixed_by_its_code_action() {
    let mut scene = Scene::new(&[("f.rs", "fn main() {\n    lat x = 1;\n}\n")]);
    let uri = scene.client.open("f.rs");
    let range = json!({ "start": { "line": 1, "character": 4 }, "end": { "line": 1, "character": 7 } });
    let diagnostic =
        json!({ "range": range, "severity": 1, "source": "rustc", "message": "expected one of `!` or `;`" });
    let params =
        json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [diagnostic] } });
    let actions = scene.client.request("textDocument/codeAction", params);
    let fix = actions
        .as_array()
        .unwrap()
        .iter()
        .find(|action| action["title"].as_str().unwrap_or_default().to_lowercase().contains("fix"))
        .unwrap_or_else(|| panic!("{actions}"))
        .clone();
    assert_eq!(fix["kind"], "quickfix", "{fix}");
    scene.model.reply(text("It is `let`."));
    let arguments = fix["command"]["arguments"].clone();
    let result = scene.client.request(
        "workspace/executeCommand",
        json!({ "command": fix["command"]["command"], "arguments": arguments }),
    );
    let session = result["sessionId"].as_str().unwrap().to_owned();
    scene.client.wait_for_words(&session, "It is `let`.");
    scene.client.wait_for_idle();
    scene.client.claim_all_updates(&session);
    let asked = scene.last_request().user().to_owned();
    assert!(asked.contains("expected one of") && asked.contains("lat x"), "{asked}");
}

#[test]
fn the_editors_settings_win_and_may_change_while_it_runs() {
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, &[]);
    let mut client = Client::start(ASSENT, &ws);
    client.settings = json!({ "model": "mock/from-the-editor" });
    client.initialize();
    // The server asks for the settings by itself; whoever waits for their answer is behind them.
    let asked = |client: &mut Client, expected: &str| {
        client.poll("the settings to count", |client| {
            let session = client.new_session();
            model.reply(text("Yes."));
            client.prompt(&session, "which model?");
            let request = model.requests().pop().unwrap();
            (request.body["model"] == expected).then_some(())
        });
    };
    asked(&mut client, "from-the-editor");
    client.settings = json!({ "model": "mock/another" });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": Value::Null }));
    asked(&mut client, "another");
}
