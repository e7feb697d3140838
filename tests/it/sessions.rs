//! Sessions come back: after a restart, after a crash, from a torn log, beside another window.

use crate::scene::{ASSENT, Scene};
use assent_tests::{Client, answer, text};
use serde_json::{Value, json};
use std::path::PathBuf;

fn load(client: &mut Client, scene_root: &std::path::Path, session: &str) -> i64 {
    client.send_request("session/load", json!({ "sessionId": session, "cwd": scene_root, "mcpServers": [] }))
}

fn list(client: &mut Client) -> Vec<Value> {
    client.request("session/list", json!({}))["sessions"].as_array().cloned().unwrap_or_default()
}

#[test]
fn a_session_comes_back_with_its_conversation_after_a_restart() {
    let mut scene = Scene::new(&[("a", "AAA\n")]);
    scene.model.reply(answer().text("Let me see.").call("c1", "read", json!({ "filePath": "a" })));
    scene.model.reply(text("It says AAA."));
    scene.prompt("what does it say?");
    scene.restart();
    let sessions = list(&mut scene.client);
    assert_eq!(sessions.len(), 1, "{sessions:?}");
    assert_eq!(sessions[0]["sessionId"], scene.session.as_str());
    assert!(sessions[0]["title"].as_str().unwrap().contains("what does it say?"), "{sessions:?}");

    let session = scene.session.clone();
    let id = load(&mut scene.client, &scene.ws.root().to_owned(), &session);
    let turn = scene.client.finish_turn(&session, id);
    assert!(
        turn.text().contains("Let me see.") && turn.text().contains("It says AAA."),
        "{:?}",
        turn.updates
    );
    let asked = turn.updates.iter().find(|update| update["sessionUpdate"] == "user_message_chunk").unwrap();
    assert_eq!(asked["content"]["text"], "what does it say?");
    assert_eq!(turn.statuses(), [("c1".to_owned(), "completed".to_owned())]);

    scene.model.reply(text("As before."));
    assert_eq!(scene.prompt("and now?").text(), "As before.");
    assert!(scene.last_request().result("c1").contains("AAA"));
}

/// The last title of each call.
fn titles(updates: &[Value]) -> Vec<String> {
    let mut titles = std::collections::BTreeMap::new();
    for update in updates {
        if let (Some(call), Some(title)) = (update["toolCallId"].as_str(), update["title"].as_str()) {
            titles.insert(call.to_owned(), title.to_owned());
        }
    }
    titles.into_values().collect()
}

#[test]
fn a_call_that_is_told_again_has_the_title_it_had() {
    let mut scene = Scene::new(&[("src/a", "AAA\n")]);
    scene.client.allows_all = true;
    let path = scene.ws.path("src/a");
    let calls = [
        ("read", json!({ "filePath": path })),
        ("read", json!({ "filePath": "src/a", "offset": 3, "limit": 2 })),
        ("grep", json!({ "pattern": "A+", "include": "*.md" })),
        ("glob", json!({ "pattern": "*", "path": "src" })),
        ("ls", json!({})),
        ("bash", json!({ "command": "true\ntrue", "description": "t" })),
        ("edit", json!({ "filePath": path, "oldString": "zzz", "newString": "y" })),
        ("nosuch", json!({ "filePath": path })),
    ];
    let (_, prompt) = scene.start_calls(&calls);
    let live = titles(&scene.finish(prompt).updates);
    assert!(live.contains(&"Read src/a".to_owned()), "{live:?}");
    scene.restart();
    let session = scene.session.clone();
    let id = load(&mut scene.client, &scene.ws.root().to_owned(), &session);
    assert_eq!(titles(&scene.client.finish_turn(&session, id).updates), live);
}

/// What the model was given of a document, a command or a mode is not the user's words.
#[test]
fn a_prompt_comes_back_as_it_was_sent() {
    let mut scene = Scene::new(&[("a.txt", "one\ntwo\nthree\n")]);
    let session = scene.session.clone();
    scene.client.request("session/set_mode", json!({ "sessionId": session, "modeId": "plan" }));
    scene.model.reply(text("I see."));
    let uri = scene.ws.uri("a.txt");
    let sent = json!([
        { "type": "text", "text": "/explain briefly, like @a.txt" },
        { "type": "resource_link", "uri": format!("{uri}#L2-3"), "name": "a.txt" },
    ]);
    let prompt = scene.client.start_prompt_with(&session, sent);
    scene.finish(prompt);
    let asked = scene.last_request().user().to_owned();
    assert!(
        asked.contains("two\nthree") && asked.contains("one\ntwo") && !asked.contains("/explain"),
        "{asked}"
    );
    let root = scene.ws.root().to_owned();
    for _ in 0..2 {
        let id = load(&mut scene.client, &root, &session);
        let turn = scene.client.finish_turn(&session, id);
        let said = turn.updates.iter().filter(|update| update["sessionUpdate"] == "user_message_chunk");
        let said: Vec<&Value> = said.map(|update| &update["content"]).collect();
        assert_eq!(said.len(), 2, "{said:?}");
        assert_eq!(said[0]["text"], "/explain briefly, like @a.txt");
        let link = json!({ "type": "resource_link", "name": format!("{}:2-3", scene.ws.path("a.txt").display()),
                           "uri": format!("{uri}#L2-3") });
        assert_eq!(*said[1], link);
        scene.restart();
    }
}

#[test]
fn a_resumed_session_goes_on_without_telling_itself_again() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(text("First."));
    scene.prompt("one");
    scene.restart();
    let (session, cwd) = (scene.session.clone(), scene.ws.root().to_owned());
    let id = scene
        .client
        .send_request("session/resume", json!({ "sessionId": session, "cwd": cwd, "mcpServers": [] }));
    let turn = scene.client.finish_turn(&session, id);
    assert_eq!(turn.text(), "");
    scene.model.reply(text("Second."));
    scene.prompt("two");
    assert!(scene.last_request().body.to_string().contains("First."));
}

#[test]
fn closed_sessions_can_be_loaded_and_deleted_ones_can_not() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(text("Hello."));
    scene.prompt("hi");
    let (session, root) = (scene.session.clone(), scene.ws.root().to_owned());
    scene.client.request("session/close", json!({ "sessionId": session }));
    let id = scene.client.start_prompt(&session, "still there?");
    scene.client.expect_error(id);
    let id = load(&mut scene.client, &root, &session);
    assert!(scene.client.finish_turn(&session, id).text().contains("Hello."));
    scene.client.request("session/delete", json!({ "sessionId": session }));
    assert!(list(&mut scene.client).is_empty());
    let id = load(&mut scene.client, &root, &session);
    scene.client.expect_error(id);
}

/// Every log file of the state folder.
fn logs(scene: &Scene) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![scene.ws.state_folder().join("sessions")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "jsonl") {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn a_torn_log_is_read_up_to_the_tear_and_goes_on_behind_it() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(text("First answer."));
    scene.prompt("first");
    let session = scene.session.clone();
    scene.client.finish();
    let logs = logs(&scene);
    assert_eq!(logs.len(), 1, "{logs:?}");
    let mut bytes = std::fs::read(&logs[0]).unwrap();
    bytes.extend_from_slice(b"{\"torn\":\"caf\xE2\x82");
    std::fs::write(&logs[0], bytes).unwrap();
    scene.start_again();
    let id = load(&mut scene.client, &scene.ws.root().to_owned(), &session);
    let turn = scene.client.finish_turn(&session, id);
    assert!(turn.text().contains("First answer."), "{:?}", turn.updates);
    scene.client.ignore("window/showMessage");
    scene.model.reply(text("Second answer."));
    scene.prompt("second");
    scene.client.finish();
    let text = String::from_utf8(std::fs::read(&logs[0]).unwrap()).expect("the torn bytes are gone");
    for line in text.lines() {
        serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    }
}

#[cfg(unix)]
#[test]
fn what_is_kept_is_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let mut scene = Scene::new(&[]);
    scene.model.reply(text("Hello."));
    scene.prompt("hi");
    let logs = logs(&scene);
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&logs[0]), 0o600);
    assert_eq!(mode(logs[0].parent().unwrap()), 0o700);
    let text = std::fs::read_to_string(&logs[0]).unwrap();
    assert!(!text.contains(assent_tests::model_server::KEY));
}

#[test]
fn two_windows_have_two_sessions_and_never_share_one() {
    let mut scene = Scene::new(&[]);
    scene.model.unordered();
    let mut other = Client::start(ASSENT, &scene.ws);
    other.initialize();
    let session = other.new_session();
    assert_ne!(session, scene.session);
    scene.model.expect("from the first", text("One."));
    scene.model.expect("from the second", text("Two."));
    assert_eq!(scene.prompt("from the first").text(), "One.");
    assert_eq!(other.prompt(&session, "from the second").text(), "Two.");

    let id = load(&mut other, &scene.ws.root().to_owned(), &scene.session);
    // Refused, or a copy of its own.
    if let Ok(state) = other.expect_response(id) {
        assert_ne!(state["sessionId"], scene.session.as_str());
    }
    assert_eq!(list(&mut other).len(), 2);
    scene.client.finish();
    let first = scene.session.clone();
    let id = load(&mut other, &scene.ws.root().to_owned(), &first);
    assert_eq!(other.finish_turn(&first, id).text(), "One.", "free once the first window is closed");
}

#[test]
fn a_killed_window_does_not_lock_its_session() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(text("Hello."));
    scene.prompt("hi");
    scene.client.connection.kill();
    scene.client.has_ended();
    scene.start_again();
    let session = scene.session.clone();
    let id = load(&mut scene.client, &scene.ws.root().to_owned(), &session);
    assert!(scene.client.finish_turn(&session, id).text().contains("Hello."));
}

#[test]
fn sessions_of_many_windows_are_all_listed() {
    let scene = Scene::new(&[]);
    let mut others: Vec<Client> = (0..2)
        .map(|_| {
            let mut other = Client::start(ASSENT, &scene.ws);
            other.initialize();
            other
        })
        .collect();
    scene.model.unordered();
    for _ in 0..20 {
        scene.model.reply(text("Yes."));
    }
    let mut open = Vec::new();
    for round in 0..10 {
        for (idx, other) in others.iter_mut().enumerate() {
            let session = other.new_session();
            let prompt = other.start_prompt(&session, &format!("window {idx}, round {round}"));
            open.push((idx, session, prompt));
        }
    }
    for (idx, session, prompt) in open {
        others[idx].finish_turn(&session, prompt);
    }
    assert_eq!(list(&mut others[0]).len(), 20);
}
