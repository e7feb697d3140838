//! Several folders, no folder, and documents that are no files.

use crate::scene::{ASSENT, Scene, shown_lines};
use assent_tests::{Client, ModelServer, Workspace, answer, text};
use serde_json::{Value, json};

#[test]
fn every_workspace_folder_is_inside() {
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, &[("a.txt", "first\n")]);
    let other = ws.outside().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("b.txt"), "second\n").unwrap();
    let mut client = Client::start(ASSENT, &ws);
    let mut params = client.initialize_params();
    let second = json!({ "uri": assent_tests::workspace::uri(&other), "name": "other" });
    params["workspaceFolders"].as_array_mut().unwrap().push(second);
    client.initialize_with(params);
    let session = client.new_session();
    model.reply(answer().call("c1", "read", json!({ "filePath": "a.txt" })).call(
        "c2",
        "read",
        json!({ "filePath": other.join("b.txt") }),
    ));
    model.reply(text("Done."));
    client.prompt(&session, "go");
    let request = model.requests().pop().unwrap();
    assert_eq!(shown_lines(request.result("c1")), ["first"]);
    assert_eq!(shown_lines(request.result("c2")), ["second"]);
}

#[test]
fn a_folder_that_is_added_later_is_inside_and_one_that_is_removed_is_not() {
    let mut scene = Scene::new(&[]);
    let other = scene.ws.outside().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("b.txt"), "second\n").unwrap();
    let folder = json!([{ "uri": assent_tests::workspace::uri(&other), "name": "other" }]);
    let change = |added: &Value, removed: &Value| json!({ "event": { "added": added, "removed": removed } });
    let read = json!({ "filePath": other.join("b.txt") });
    let none = json!([]);
    scene.client.notify("workspace/didChangeWorkspaceFolders", change(&folder, &none));
    assert!(!scene.call("read", read.clone()).failed);
    scene.client.notify("workspace/didChangeWorkspaceFolders", change(&none, &folder));
    let (_, prompt) = scene.start_calls(&[("read", read)]);
    // Outside means refused, or asked about: never read without a word.
    scene.client.poll("the end of the turn", |client| {
        if client.has_request("session/request_permission") {
            let approval = client.expect_approval();
            client.reject(&approval, "", false);
        }
        client.is_answered(prompt).then_some(())
    });
    let turn = scene.finish(prompt);
    assert_eq!(turn.statuses()[0].1, "failed");
}

#[test]
fn without_a_folder_a_turn_works_and_relative_paths_do_not() {
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, &[]);
    std::fs::write(ws.outside().join("home/here.txt"), "the server's own folder\n").unwrap();
    let mut client = Client::start(ASSENT, &ws);
    let mut params = client.initialize_params();
    params["rootUri"] = Value::Null;
    params["workspaceFolders"] = Value::Null;
    client.initialize_with(params);
    let started = client.command("assent.newSession", json!({}));
    let session = started["sessionId"].as_str().unwrap().to_owned();
    model.reply(answer().call("c1", "read", json!({ "filePath": "here.txt" }))).reply(text("Done."));
    let turn = client.prompt(&session, "go");
    assert_eq!(turn.stop_reason, "end_turn");
    assert_eq!(turn.statuses()[0].1, "failed");
    assert!(!model.requests().pop().unwrap().result("c1").contains("own folder"));
}

#[test]
fn an_untitled_document_is_read_and_edited_and_no_file_is_made() {
    let mut scene = Scene::new(&[]);
    scene.client.accepts_all = true;
    let uri = "untitled:Untitled-1";
    scene.client.open_uri(uri, "draft\n");
    let outcomes = scene.calls(&[
        ("read", json!({ "filePath": uri })),
        ("edit", json!({ "filePath": uri, "oldString": "draft", "newString": "better" })),
    ]);
    assert_eq!(shown_lines(&outcomes[0].text), ["draft"]);
    assert!(!outcomes[1].failed, "{}", outcomes[1].text);
    assert_eq!(scene.client.edits[0].uri(), uri);
    assert_eq!(scene.client.document(uri).text, "better\n");
    assert_eq!(std::fs::read_dir(scene.ws.root()).unwrap().count(), 0);
}
