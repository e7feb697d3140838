//! Broken settings are told where they stand, as soon as the client is there.

use crate::scene::{ASSENT, Scene, trust};
use assent_tests::{Client, ModelServer, Workspace, text};
use serde_json::{Value, json};

const PUBLISH: &str = "textDocument/publishDiagnostics";

/// A client that shows diagnostics.
fn client(ws: &Workspace) -> Client {
    let mut client = Client::start(ASSENT, ws);
    let mut params = client.initialize_params();
    params["capabilities"]["textDocument"]["publishDiagnostics"] = json!({});
    client.initialize_with(params);
    client
}

fn workspace(model: &ModelServer, files: &[(&str, &str)]) -> Workspace {
    let ws = Workspace::with(files);
    ws.use_model(model, assent_tests::model_server::Dialect::Chat);
    ws
}

/// Severity, line and message of each diagnostic of a file that is told next.
fn told(client: &mut Client, uri: &str) -> Vec<(u64, u64, String)> {
    let params = client.expect_notification_where(PUBLISH, |params| params["uri"] == uri);
    let rows = params["diagnostics"].as_array().unwrap().iter().map(|found| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let line = found["range"]["start"]["line"].as_u64().unwrap();
        (found["severity"].as_u64().unwrap(), line, text(&found["message"]))
    });
    rows.collect()
}

#[test]
fn a_mistake_in_the_users_file_is_told_at_the_start_and_gone_when_it_is_mended() {
    let model = ModelServer::start();
    let ws = workspace(&model, &[]);
    let path = ws.config_folder().join("assent.yaml");
    let whole = std::fs::read_to_string(&path).unwrap();
    ws.user_config(&format!("{whole}modle: x\n"));
    let mut client = client(&ws);
    let message = client.expect_notification("window/showMessage");
    let words = message["message"].as_str().unwrap();
    assert_eq!(message["type"], 1);
    assert!(words.contains("modle") && words.contains("assent.yaml:"), "{words}");
    let uri = assent_tests::workspace::uri(&path);
    let found = told(&mut client, &uri);
    assert_eq!((found.len(), found[0].0, found[0].1), (1, 1, whole.lines().count() as u64), "{found:?}");
    assert!(found[0].2.contains("modle"), "{found:?}");

    // Mended behind the editor's back: seen with the next prompt.
    ws.user_config(&whole);
    model.reply(text("Hello."));
    let session = client.new_session();
    assert_eq!(client.prompt(&session, "hi").text(), "Hello.");
    assert_eq!(told(&mut client, &uri), []);
}

#[test]
fn a_projects_file_is_followed_as_it_is_typed() {
    let model = ModelServer::start();
    let widens = "mode: plan\nproviders:\n  mine: { api: anthropic }\n";
    let ws = workspace(&model, &[("assent.yaml", widens)]);
    trust(&ws);
    let mut client = client(&ws);
    client.ignore("_assent/trust/updated");
    let uri = client.open("assent.yaml");
    let left_out = told(&mut client, &uri);
    assert!(matches!(&left_out[..], [(2, 2, message)] if message.contains("your own")), "{left_out:?}");
    client.replace(&uri, "plan", "plant");
    let found = told(&mut client, &uri);
    let changed = |message: &String| message.contains("not as it was");
    assert!(
        matches!(&found[..], [(1, 0, message), (2, 0, note)] if message.contains("`mode`") && changed(note)),
        "{found:?}"
    );
    client.replace(&uri, "plant", "plan");
    assert_eq!(told(&mut client, &uri), left_out);
    client.replace(&uri, "providers:\n  mine: { api: anthropic }\n", "");
    let found = told(&mut client, &uri);
    assert!(matches!(&found[..], [(2, 0, note)] if changed(note)), "{found:?}");
    client.close(&uri);
    assert_eq!(told(&mut client, &uri), left_out, "the disk counts again");
}

#[test]
fn rules_that_are_not_meant_are_warnings_without_a_message() {
    let model = ModelServer::start();
    let ws = Workspace::new();
    let yaml = "policy:\n  bash: { allow: [\"cargo test*\"] }\n";
    ws.use_model_and(&model, assent_tests::model_server::Dialect::Chat, yaml);
    let mut client = client(&ws);
    let uri = assent_tests::workspace::uri(&ws.config_folder().join("assent.yaml"));
    let found = told(&mut client, &uri);
    assert!(matches!(&found[..], [(2, _, message)] if message.contains("cargo test *")), "{found:?}");
}

#[test]
fn a_client_that_shows_no_diagnostics_is_sent_the_message_alone() {
    let mut scene = Scene::new(&[]);
    scene.ws.user_config("model: [broken\n");
    scene.restart();
    let message = scene.client.expect_notification("window/showMessage");
    assert!(message["message"].as_str().unwrap().contains("assent.yaml:"), "{message}");
}

/// Settings on a disk that does not answer keep nobody waiting but who asks for them.
#[cfg(unix)]
#[test]
fn settings_that_take_their_time_hold_up_nothing_else() {
    let mut scene = Scene::new(&[]);
    let pipe = scene.ws.config_folder().join("assent.yaml");
    std::fs::remove_file(&pipe).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let waiting = scene.client.send_request("session/new", json!({}));
    let session = scene.session.clone();
    let option = json!({ "sessionId": session, "configId": "effort", "value": "low" });
    let setting = scene.client.send_request("session/set_config_option", option);
    assert_eq!(scene.client.command("assent.approvals", Value::Null), json!([]));
    assert!(!scene.client.is_answered(waiting) && !scene.client.is_answered(setting));
    std::fs::rename(&pipe, scene.ws.path("moved")).unwrap();
    // Whoever has it open reads its end once a writer has come and gone.
    let moved = scene.ws.path("moved");
    scene.client.poll("the settings are read", |client| {
        drop(std::fs::File::options().read(true).write(true).open(&moved).unwrap());
        (client.is_answered(waiting) && client.is_answered(setting)).then_some(())
    });
    scene.client.expect_result(waiting);
    scene.client.expect_result(setting);
}

/// What is set counts for the prompt right behind it, also an agent that was not there a moment ago.
#[test]
fn a_prompt_right_behind_a_new_agent_has_it() {
    let mut scene = Scene::new(&[]);
    let path = scene.ws.config_folder().join("assent.yaml");
    let before = std::fs::read_to_string(&path).unwrap();
    scene.ws.user_config(&format!(
        "{before}agents:\n  pirate: {{ tools: all, prompt: \"Talk like a pirate.\" }}\n"
    ));
    let session = scene.session.clone();
    let option = |value: &str| json!({ "sessionId": session, "configId": "agent", "value": value });
    let set = scene.client.send_request("session/set_config_option", option("pirate"));
    scene.model.reply(text("Arr."));
    let prompt = scene.start("hello");
    scene.client.expect_result(set);
    assert_eq!(scene.finish(prompt).text(), "Arr.");
    assert!(scene.last_request().body.to_string().contains("Talk like a pirate."));
    let unknown = scene.client.send_request("session/set_config_option", option("nobody"));
    let message = scene.client.expect_error(unknown).message;
    assert!(message.contains("nobody") && message.contains("pirate"), "{message}");
    scene.model.reply(text("Arr again."));
    assert_eq!(scene.prompt("and now?").text(), "Arr again.");
}

#[test]
fn a_mistake_in_a_tool_file_is_told_where_it_stands() {
    let model = ModelServer::start();
    let ws = workspace(&model, &[]);
    let path = ws.config_folder().join("tools/a_tool.json");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let schema =
        r#"{"type":"function","function":{"name":"aTool","description":"d","parameters":{"type":"object"}}}"#;
    let text = format!("{{\n\"schema\":{schema},\n\"handler\":{{\"type\":\"exec\",\"binn\":\"true\"}} }}");
    std::fs::write(&path, &text).unwrap();
    let mut client = client(&ws);
    let message = client.expect_notification("window/showMessage");
    assert!(message["message"].as_str().unwrap().contains("no tool is offered"), "{message}");
    let uri = assent_tests::workspace::uri(&path);
    let found = told(&mut client, &uri);
    assert!(found.iter().all(|(severity, line, _)| (*severity, *line) == (1, 2)), "{found:?}");
    assert!(
        found.iter().any(|(_, _, message)| message.contains("`binn`") || message.contains("binn")),
        "{found:?}"
    );
    client.open_uri(&uri, &text);
    client.replace(&uri, "binn", "bin");
    assert_eq!(told(&mut client, &uri), []);
}
