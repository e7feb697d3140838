//! Slash commands of tools: offered the moment their file is saved, and run as the first call of a
//! turn, through the gate like every call.

use crate::scene::Scene;
use assent_tests::text;
use serde_json::{Value, json};

/// A tool file that prints its arguments, with this slash command.
fn printer(name: &str, command: &str, rest: &str) -> String {
    json!({ "schema": { "type": "function", "function": { "name": name, "description": "Prints words. Nothing more.",
        "parameters": { "type": "object", "properties": { "args": { "type": "array", "items": { "type": "string" } } } } } },
        "slashCommand": command, "handler": { "type": "exec", "bin": "printf", "subcommand": "<%s>" } })
    .to_string()
    .replacen('{', &format!("{{{rest}"), 1)
}

fn folder(scene: &Scene) -> std::path::PathBuf {
    let folder = scene.ws.config_folder().join("tools");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn put(scene: &Scene, name: &str, text: &str) -> String {
    let path = folder(scene).join(name);
    std::fs::write(&path, text).unwrap();
    format!("file://{}", path.display())
}

fn names(update: &Value) -> Vec<String> {
    let commands = update["availableCommands"].as_array().into_iter().flatten();
    commands.map(|command| command["name"].as_str().unwrap().to_owned()).collect()
}

fn offers(name: &'static str) -> impl Fn(&Value) -> bool {
    move |update| {
        update["sessionUpdate"] == "available_commands_update" && names(update).contains(&name.to_owned())
    }
}

#[test]
fn a_command_is_there_when_its_file_is_saved_and_gone_with_it() {
    let mut scene = Scene::new(&[("notes.md", "/pri")]);
    let session = scene.session.clone();
    // The tools that ship have two.
    scene.client.wait_for_update(&session, offers("review-diff"));
    let uri = put(&scene, "printer.json", "");
    let text = printer("printer", "print", "");
    scene.client.open_uri(&uri, &text);
    std::fs::write(folder(&scene).join("printer.json"), &text).unwrap();
    scene.client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    let update = scene.client.wait_for_update(&session, offers("print"));
    let commands = update["availableCommands"].as_array().unwrap();
    let command = commands.iter().find(|command| command["name"] == "print").unwrap();
    assert_eq!(
        (&command["description"], &command["input"]["hint"]),
        (&json!("Prints words"), &json!("[arguments]"))
    );
    let notes = scene.client.open("notes.md");
    let place = json!({ "textDocument": { "uri": notes }, "position": { "line": 0, "character": 4 } });
    let found = scene.client.request("textDocument/completion", place);
    assert_eq!(found["items"][0]["label"], "/print", "{found:#}");
    std::fs::remove_file(folder(&scene).join("printer.json")).unwrap();
    let changes = json!({ "changes": [{ "uri": uri, "type": 3 }] });
    scene.client.notify("workspace/didChangeWatchedFiles", changes);
    let gone = |update: &Value| {
        update["sessionUpdate"] == "available_commands_update" && !names(update).contains(&"print".to_owned())
    };
    scene.client.wait_for_update(&session, gone);
}

#[test]
fn tool_files_are_watched_where_the_client_can() {
    let mut scene = Scene::new(&[]);
    scene.client.finish();
    scene.client = assent_tests::Client::start(crate::scene::ASSENT, &scene.ws);
    let mut params = scene.client.initialize_params();
    params["capabilities"]["workspace"]["didChangeWatchedFiles"] =
        json!({ "dynamicRegistration": true, "relativePatternSupport": true });
    scene.client.initialize_with(params);
    let watched = scene.client.poll("a registration", |client| client.registrations.first().cloned());
    assert_eq!(watched["method"], "workspace/didChangeWatchedFiles");
    let pattern = &watched["registerOptions"]["watchers"][0]["globPattern"];
    assert_eq!(pattern["pattern"], "*.json");
    assert!(pattern["baseUri"].as_str().unwrap().ends_with("/tools"), "{pattern}");
}

#[test]
fn a_command_runs_its_tool_through_the_gate_before_the_model_is_asked() {
    let mut scene = Scene::new(&[]);
    put(&scene, "printer.json", &printer("printer", "print", ""));
    for allow in [true, false] {
        scene.model.reply(text("I saw it."));
        let prompt = scene.start("/print 'a b' $HOME");
        let approval = scene.client.expect_approval();
        assert_eq!(approval.subject(), "printf '<%s>' 'a b' '$HOME'");
        match allow {
            true => scene.client.allow(&approval),
            false => scene.client.reject(&approval, "not now", false),
        }
        let turn = scene.finish(prompt);
        let calls = turn.calls();
        assert_eq!((calls.len(), calls[0]["name"].as_str()), (1, Some("printer")));
        let request = scene.last_request();
        let result = request.result(calls[0]["toolCallId"].as_str().unwrap()).to_owned();
        match allow {
            true => assert_eq!(result, "<a b><$HOME>"),
            false => assert!(result.contains("not now"), "{result}"),
        }
        assert_eq!(turn.text(), "I saw it.");
        let said = request.body["messages"].to_string();
        assert!(said.contains("/print 'a b' $HOME") && said.contains("called the tool printer"), "{said}");
    }
    // Told again, it is a call with its result, and the prompt is what was typed.
    let session = scene.session.clone();
    scene.client.claim_all_updates(&session);
    scene
        .client
        .request("session/load", json!({ "sessionId": session, "cwd": scene.ws.root(), "mcpServers": [] }));
    let updates = scene.client.claim_all_updates(&session);
    let typed = updates.iter().filter(|update| update["content"]["text"] == "/print 'a b' $HOME").count();
    let calls = updates.iter().filter(|update| update["sessionUpdate"] == "tool_call").count();
    assert_eq!((typed, calls), (2, 2), "{updates:#?}");
}

#[test]
fn what_does_not_fit_the_command_is_told_and_nothing_begins() {
    let mut scene = Scene::new(&[]);
    put(&scene, "printer.json", &printer("printer", "print", ""));
    for (typed, words) in [
        ("/print 'a", "The quote ' is not closed. Write /print [arguments]."),
        ("/plan", "This command needs a text behind it. Write /plan <task>."),
    ] {
        let prompt = scene.start(typed);
        let session = scene.session.clone();
        let (error, _) = scene.client.finish_failed_turn(&session, prompt);
        assert_eq!(error.message, words);
    }
    assert!(scene.model.requests().is_empty());
}

#[test]
fn a_command_of_another_is_a_mistake_of_the_file() {
    let scene = Scene::new(&[]);
    put(&scene, "one.json", &printer("one", "fix", ""));
    put(&scene, "three.json", &printer("three", "mine", ""));
    put(&scene, "two.json", &printer("two", "mine", ""));
    put(&scene, "four.json", &printer("four", "plan", ""));
    let output = std::process::Command::new(crate::scene::ASSENT)
        .arg("validate")
        .current_dir(scene.ws.root())
        .env_clear()
        .envs(scene.ws.environment())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    for words in [
        "/fix is a command of Assent's own",
        "/plan is a command of Assent's own",
        "three.json; choose another",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(said.contains("one.json:1:") && !said.contains("one.json:1:1:"), "{said}");
}

/// A project's tool takes no command away from Assent.
#[test]
fn a_projects_tool_takes_no_command_of_ours() {
    let model = assent_tests::ModelServer::start();
    let ws = assent_tests::Workspace::with(&[(".assent/tools/printer.json", &printer("printer", "fix", ""))]);
    ws.use_model(&model, assent_tests::model_server::Dialect::Chat);
    crate::scene::trust(&ws);
    let mut scene = Scene::on(model, ws);
    scene.client.ignore("_assent/trust/updated");
    scene.model.reply(text("Fixed."));
    let turn = scene.prompt("/fix it");
    assert!(turn.calls().is_empty(), "{:?}", turn.calls());
    assert!(turn.notices().contains("/fix is a command of Assent's own"), "{}", turn.notices());
}
