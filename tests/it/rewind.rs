//! What a user changes about a session itself: its title, and where its conversation goes on from.

use crate::scene::{ASSENT, Scene};
use assent_tests::model_server::{Dialect, Item};
use assent_tests::{Client, Gate, answer, text};
use serde_json::{Value, json};

fn list(client: &mut Client, params: Value) -> Vec<Value> {
    client.request("session/list", params)["sessions"].as_array().cloned().unwrap_or_default()
}

fn rename(client: &mut Client, session: &str, title: &str) {
    let answer = client.request("_assent/session/rename", json!({ "sessionId": session, "title": title }));
    assert_eq!(answer, json!({}));
}

fn rewind(scene: &mut Scene, prompt: usize) {
    let params = json!({ "sessionId": scene.session, "prompt": prompt });
    assert_eq!(scene.client.request("_assent/session/rewind", params), json!({}));
}

fn refusal(scene: &mut Scene, method: &str, params: Value) -> String {
    let id = scene.client.send_request(method, params);
    scene.client.expect_error(id).message
}

/// The user's and the model's words as they are told again, with the number of each prompt.
fn load(scene: &mut Scene) -> Vec<(Option<u64>, String)> {
    let (session, cwd) = (scene.session.clone(), scene.ws.root().to_owned());
    let params = json!({ "sessionId": session, "cwd": cwd, "mcpServers": [] });
    let id = scene.client.send_request("session/load", params);
    let turn = scene.client.finish_turn(&session, id);
    let said = turn.updates.iter().filter(|update| update["content"]["text"].is_string());
    said.map(|update| {
        let text = update["content"]["text"].as_str().unwrap_or_default().to_owned();
        (update["_meta"]["assent"]["prompt"].as_u64(), text)
    })
    .collect()
}

fn said(scene: &Scene) -> Vec<String> {
    let words = |item: &Item| match item {
        Item::User { text, .. } => Some(format!("user: {text}")),
        Item::Assistant { text } => Some(format!("model: {text}")),
        Item::Call { id, .. } => Some(format!("call: {id}")),
        Item::Result { id, .. } => Some(format!("result: {id}")),
        Item::Reasoning { .. } => None,
    };
    scene.last_request().items.iter().filter_map(words).collect()
}

#[test]
fn a_title_is_shown_and_kept_whether_the_session_is_open_or_not() {
    let mut scene = Scene::new(&[]);
    let session = scene.session.clone();
    rename(&mut scene.client, &session, "before anything was said");
    scene.model.reply(text("Hello."));
    scene.prompt("hi");
    assert_eq!(list(&mut scene.client, json!({}))[0]["title"], "before anything was said");

    rename(&mut scene.client, &session, "  a name\nof two lines ");
    scene.client.wait_for_update(&session, |update| update["title"] == "a name of two lines");
    assert_eq!(list(&mut scene.client, json!({}))[0]["title"], "a name of two lines");

    scene.restart();
    assert_eq!(list(&mut scene.client, json!({}))[0]["title"], "a name of two lines");
    rename(&mut scene.client, &session, "named while closed");
    assert_eq!(list(&mut scene.client, json!({}))[0]["title"], "named while closed");
    assert_eq!(load(&mut scene).len(), 2);
    for (session, title, why) in [(session.as_str(), " \n", "empty"), ("nobody", "x", "no session")] {
        let params = json!({ "sessionId": session, "title": title });
        let message = refusal(&mut scene, "_assent/session/rename", params);
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn a_name_given_while_the_first_turn_runs_stands() {
    let mut scene = Scene::new(&[]);
    let gate = Gate::new();
    scene.model.reply(answer().text("Hel").hold(&gate).text("lo."));
    let prompt = scene.start("hi");
    let session = scene.session.clone();
    gate.wait_reached();
    rename(&mut scene.client, &session, "my name");
    gate.open();
    scene.finish(prompt);
    assert_eq!(list(&mut scene.client, json!({}))[0]["title"], "my name");
    scene.restart();
    assert_eq!(list(&mut scene.client, json!({}))[0]["title"], "my name");
}

#[test]
fn a_session_of_another_window_keeps_its_name() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(text("Hello."));
    scene.prompt("hi");
    let mut other = Client::start(ASSENT, &scene.ws);
    other.initialize();
    let params = json!({ "sessionId": scene.session, "title": "taken" });
    let id = other.send_request("_assent/session/rename", params);
    assert!(other.expect_error(id).message.contains("another window"));
    assert_eq!(list(&mut other, json!({}))[0]["title"], "hi");
}

#[test]
fn the_list_says_where_and_when_and_comes_in_pages() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(text("Hello."));
    scene.prompt("hi");
    let cwd = scene.ws.root().to_owned();
    let rows = list(&mut scene.client, json!({ "cwd": cwd }));
    assert_eq!(rows[0]["cwd"], json!(cwd));
    assert!(rows[0]["updatedAt"].as_str().unwrap().ends_with('Z'), "{rows:?}");
    assert!(list(&mut scene.client, json!({ "cwd": "/elsewhere" })).is_empty());
    // Older sessions, as their logs lie there.
    let folder = scene.ws.state_folder().join("sessions");
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    for n in 0..120 {
        let path = folder.join(format!("old-{n:03}.jsonl"));
        let header = json!({ "version": 1, "id": format!("old-{n:03}"), "folder": cwd, "created": "2020-01-01T00:00:00Z" });
        std::fs::write(&path, format!("{header}\n")).unwrap();
        std::fs::File::options().append(true).open(&path).unwrap().set_modified(old).unwrap();
    }
    let first = scene.client.request("session/list", json!({}));
    assert_eq!(first["sessions"].as_array().unwrap().len(), 100);
    assert_eq!(first["sessions"][0]["sessionId"], scene.session.as_str(), "the newest is first");
    let second = scene.client.request("session/list", json!({ "cursor": first["nextCursor"] }));
    assert_eq!(second["sessions"].as_array().unwrap().len(), 21);
    assert!(second["nextCursor"].is_null(), "{second}");
    let message = refusal(&mut scene, "session/list", json!({ "cursor": "nonsense" }));
    assert!(message.contains("cursor"), "{message}");
}

#[test]
fn a_prompt_is_sent_again_in_other_words() {
    for dialect in Dialect::ALL {
        let mut scene = Scene::with_settings(&[("a", "AAA\n")], dialect, "");
        scene.model.reply(text("First."));
        assert_eq!(scene.prompt("one").prompt, Some(0));
        scene.model.reply(answer().call("t1", "read", json!({ "filePath": "a" }))).reply(text("Second."));
        assert_eq!(scene.prompt("two").prompt, Some(1));
        scene.model.reply(text("Third."));
        assert_eq!(scene.prompt("three").prompt, Some(2));
        rewind(&mut scene, 1);
        scene.model.reply(text("Better."));
        assert_eq!(scene.prompt("two, but better").prompt, Some(1), "{dialect:?}");
        assert_eq!(said(&scene), ["user: one", "model: First.", "user: two, but better"], "{dialect:?}");
        let left = [(Some(0), "one"), (None, "First."), (Some(1), "two, but better"), (None, "Better.")]
            .map(|(prompt, words)| (prompt, words.to_owned()));
        assert_eq!(load(&mut scene), left, "{dialect:?}");
        scene.restart();
        assert_eq!(load(&mut scene), left, "{dialect:?}: from the log");
        rewind(&mut scene, 0);
        assert_eq!(load(&mut scene), []);
        scene.model.reply(text("Anew."));
        assert_eq!(scene.prompt("from the start").prompt, Some(0));
        assert_eq!(said(&scene), ["user: from the start"], "{dialect:?}");
    }
}

#[test]
fn a_prompt_that_is_not_there_or_whose_turn_runs_stays() {
    let mut scene = Scene::new(&[]);
    let gate = Gate::new();
    scene.model.reply(answer().text("Hel").hold(&gate).text("lo."));
    let prompt = scene.start("hi");
    gate.wait_reached();
    let params = json!({ "sessionId": scene.session, "prompt": 0 });
    let message = refusal(&mut scene, "_assent/session/rewind", params.clone());
    assert!(message.contains("turn is running"), "{message}");
    gate.open();
    assert_eq!(scene.finish(prompt).text(), "Hello.");
    for (session, prompt, why) in
        [(scene.session.clone(), 1, "it has 1"), ("nobody".into(), 0, "no open session")]
    {
        let params = json!({ "sessionId": session, "prompt": prompt });
        let message = refusal(&mut scene, "_assent/session/rewind", params);
        assert!(message.contains(why), "{message}");
    }
    assert_eq!(load(&mut scene).len(), 2);
}

#[test]
fn a_prompt_right_behind_a_rewind_goes_on_from_there() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(text("First."));
    scene.prompt("one");
    let params = json!({ "sessionId": scene.session, "prompt": 0 });
    let rewound = scene.client.send_request("_assent/session/rewind", params);
    scene.model.reply(text("Second."));
    let prompt = scene.start("two");
    scene.client.expect_result(rewound);
    assert_eq!(scene.finish(prompt).text(), "Second.");
    assert_eq!(said(&scene), ["user: two"]);
}

#[test]
fn the_prompt_of_a_turn_that_failed_has_its_number_and_one_that_did_not_begin_has_none() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(assent_tests::model_server::error(401, "no"));
    let prompt = scene.start("one");
    let session = scene.session.clone();
    let (error, _) = scene.client.finish_failed_turn(&session, prompt);
    assert_eq!(error.data["assent"]["prompt"], 0, "{error:?}");
    scene.ws.user_config("model: [broken\n");
    let prompt = scene.start("two");
    let (error, _) = scene.client.finish_failed_turn(&session, prompt);
    assert!(error.data.is_null(), "{error:?}");
}

/// The edits of a turn that is gone from the conversation are still in the files: they can be
/// taken back, and the model has to look before it edits there again.
#[test]
fn edits_of_turns_that_are_gone_can_be_undone_and_are_not_taken_as_known() {
    let mut scene = Scene::new(&[("f.txt", "one\ntwo\n")]);
    scene.client.accepts_all = true;
    scene.calls(&[
        ("read", json!({ "filePath": "f.txt" })),
        ("edit", json!({ "filePath": "f.txt", "oldString": "two", "newString": "TWO" })),
    ]);
    rewind(&mut scene, 0);
    assert_eq!(scene.ws.read("f.txt"), "one\nTWO\n");
    let edit = json!({ "filePath": "f.txt", "oldString": "one", "newString": "ONE" });
    let outcome = scene.call("edit", edit);
    assert!(outcome.failed && outcome.text.contains("read"), "{}", outcome.text);
    let session = scene.session.clone();
    scene.client.command("assent.undoTurn", json!({ "sessionId": session }));
    assert_eq!(scene.ws.read("f.txt"), "one\ntwo\n");
    scene.model.reply(text("Yes."));
    scene.prompt("and now?");
    assert!(!scene.last_request().body.to_string().contains("took back"), "the model knows nothing of it");
}

#[test]
fn the_todo_list_goes_back_too() {
    let mut scene = Scene::new(&[]);
    let todos = |content: &str| json!({ "todos": [{ "id": "1", "content": content, "status": "pending", "priority": "low" }] });
    scene.call("todowrite", todos("first"));
    scene.call("todowrite", todos("second"));
    let session = scene.session.clone();
    let entries = |update: &Value, content: &str| {
        update["sessionUpdate"] == "plan" && update["entries"][0]["content"] == content
    };
    rewind(&mut scene, 1);
    scene.client.wait_for_update(&session, |update| entries(update, "first"));
    scene.client.claim_all_updates(&session);
    scene.restart();
    load(&mut scene);
    rewind(&mut scene, 0);
    scene.client.wait_for_update(&session, |update| {
        update["sessionUpdate"] == "plan" && update["entries"] == json!([])
    });
    scene.client.claim_all_updates(&session);
}
