//! Tool files whose handler is one of our own file operations: judged like every call, and changed
//! through the review like every edit.

use crate::scene::Scene;
use assent_tests::model_server::Dialect;
use assent_tests::{answer, text};
use serde_json::{Value, json};

/// A tool file of that name whose handler is this, with these parameters.
fn put(scene: &Scene, name: &str, parameters: &[&str], handler: Value) {
    let properties: serde_json::Map<String, Value> =
        parameters.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
    let file = json!({ "schema": { "type": "function", "function": { "name": name, "description": "Does it.",
        "parameters": { "type": "object", "properties": properties } } }, "handler": handler });
    let folder = scene.ws.config_folder().join("tools");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{name}.json")), file.to_string()).unwrap();
}

#[test]
fn a_file_is_read_in_its_scope_only() {
    let mut scene = Scene::new(&[("a.txt", "one\n"), (".env", "KEY=1\n")]);
    put(&scene, "peek", &["path"], json!({ "type": "readFile", "scope": "project" }));
    put(&scene, "hidden", &["path"], json!({ "type": "readFile", "scope": "project-dot" }));
    assert!(scene.call("peek", json!({ "path": "a.txt" })).text.contains("one"));
    let refused = scene.call("peek", json!({ "path": ".env" }));
    assert!(refused.failed && refused.text.contains("begins with a dot"), "{}", refused.text);
    assert!(!refused.text.contains("KEY"));
    let (ids, prompt) = scene.start_calls(&[("hidden", json!({ "path": ".env" }))]);
    let approval = scene.client.expect_approval();
    assert_eq!(approval.subject(), ".env");
    scene.client.allow(&approval);
    scene.finish(prompt);
    assert!(scene.last_request().result(&ids[0]).contains("KEY=1"));
}

#[test]
fn a_deletion_is_reviewed_and_can_be_taken_back() {
    let mut scene = Scene::new(&[("gone.txt", "one\ntwo\n")]);
    put(&scene, "drop", &["path"], json!({ "type": "deleteFile", "scope": "project" }));
    for accept in [false, true] {
        let calls = [("read", json!({ "filePath": "gone.txt" })), ("drop", json!({ "path": "gone.txt" }))];
        let (ids, prompt) = scene.start_calls(&calls);
        let review = scene.client.open_review(&ids[1]);
        assert_eq!(review.state["files"][0]["change"], "delete");
        assert_eq!(review.hunks()[0].old_text, "one\ntwo\n");
        assert!(scene.ws.exists("gone.txt"), "nothing is gone before the answer");
        scene.client.decide(review.id(), "*", accept);
        let turn = scene.finish(prompt);
        assert!(turn.calls().iter().any(|call| call["kind"] == "delete"));
        assert_eq!(scene.ws.exists("gone.txt"), !accept);
        let told = if accept { "Deleted" } else { "rejected" };
        let request = scene.last_request();
        assert!(request.result(&ids[1]).contains(told), "{}", request.result(&ids[1]));
    }
    let session = scene.session.clone();
    scene.client.command("assent.undoTurn", json!({ "sessionId": session }));
    assert_eq!(scene.ws.read("gone.txt"), "one\ntwo\n");
}

#[test]
fn an_open_document_is_deleted_by_its_editor_and_only_as_it_was_shown() {
    let mut scene = Scene::new(&[("gone.txt", "one\n")]);
    put(&scene, "drop", &["path"], json!({ "type": "deleteFile", "scope": "project" }));
    let uri = scene.client.open("gone.txt");
    scene.client.append(&uri, "typed\n");
    scene.model.reply(answer().call("r", "read", json!({ "filePath": "gone.txt" })));
    scene.model.reply(answer().call("d", "drop", json!({ "path": "gone.txt" })));
    scene.model.reply(text("Done."));
    let prompt = scene.start("go");
    let review = scene.client.open_review("d");
    assert_eq!(review.hunks()[0].old_text, "one\ntyped\n");
    scene.client.decide(review.id(), "*", true);
    scene.finish(prompt);
    assert!(scene.last_request().result("d").contains("Deleted"), "{}", scene.last_request().result("d"));
    assert!(!scene.ws.exists("gone.txt") && !scene.client.is_open(&uri));
    assert_eq!(scene.client.edits.last().unwrap().changes[0]["kind"], "delete");
}

#[test]
fn a_closed_file_that_changed_since_it_was_shown_is_not_deleted() {
    let mut scene = Scene::new(&[("gone.txt", "one\n")]);
    put(&scene, "drop", &["path"], json!({ "type": "deleteFile", "scope": "project" }));
    scene.model.reply(answer().call("r", "read", json!({ "filePath": "gone.txt" })));
    scene.model.reply(answer().call("d", "drop", json!({ "path": "gone.txt" })));
    scene.model.reply(text("Done."));
    let prompt = scene.start("go");
    let review = scene.client.open_review("d");
    scene.ws.write("gone.txt", "another\n");
    scene.client.decide(review.id(), "*", true);
    scene.finish(prompt);
    assert_eq!(scene.ws.read("gone.txt"), "another\n");
    assert!(scene.last_request().result("d").contains("changed on disk"));
}

#[cfg(unix)]
#[test]
fn a_mode_is_asked_about_with_both_modes_in_every_mode() {
    use std::os::unix::fs::PermissionsExt;
    let mut scene = Scene::with_settings(&[("run.sh", "true\n")], Dialect::Chat, "");
    put(&scene, "mode", &["path", "mode"], json!({ "type": "chmodFile", "scope": "project" }));
    scene.ws.mode("run.sh", 0o644);
    let session = scene.session.clone();
    scene.client.request("session/set_mode", json!({ "sessionId": session, "modeId": "accept-edits" }));
    scene.client.claim_all_updates(&session);
    let mode =
        |scene: &Scene| std::fs::metadata(scene.ws.path("run.sh")).unwrap().permissions().mode() & 0o7777;
    for allow in [false, true] {
        let (ids, prompt) = scene.start_calls(&[("mode", json!({ "path": "run.sh", "mode": "0755" }))]);
        let approval = scene.client.expect_approval();
        assert_eq!(approval.subject(), "run.sh 0644 -> 0755");
        match allow {
            true => scene.client.allow(&approval),
            false => scene.client.reject(&approval, "", false),
        }
        scene.finish(prompt);
        assert_eq!(
            mode(&scene),
            if allow { 0o755 } else { 0o644 },
            "{}",
            scene.last_request().result(&ids[0])
        );
    }
}

#[test]
fn one_replacement_is_one_review_over_all_files() {
    let mut scene = Scene::new(&[("a.txt", "old a\n"), ("b/c.txt", "b old\nold old\n"), (".d", "old\n")]);
    let handler = json!({ "type": "replaceInProject", "scope": "project" });
    put(&scene, "swap", &["pattern", "replacement"], handler);
    let uri = scene.client.open("a.txt");
    let (ids, prompt) = scene.start_calls(&[("swap", json!({ "pattern": "old", "replacement": "new" }))]);
    let review = scene.client.open_review(&ids[0]);
    let files = review.state["files"].as_array().unwrap().len();
    assert_eq!((files, review.hunks().len()), (2, 2), "{:#}", review.state);
    scene.client.decide(review.id(), "*", true);
    scene.finish(prompt);
    assert_eq!(scene.client.document(&uri).text, "new a\n");
    assert_eq!(scene.ws.read("b/c.txt"), "b new\nnew new\n");
    assert_eq!(scene.ws.read(".d"), "old\n");
}

#[test]
fn without_an_editor_a_deletion_needs_a_yes() {
    let mut scene = Scene::new(&[("gone.txt", "one\n")]);
    put(&scene, "drop", &["path"], json!({ "type": "deleteFile", "scope": "project" }));
    scene.client.finish();
    let run = |arguments: &[&str]| {
        scene.model.reply(answer().call("r", "read", json!({ "filePath": "gone.txt" })));
        scene.model.reply(answer().call("d", "drop", json!({ "path": "gone.txt" })));
        scene.model.reply(text("Done."));
        let output = std::process::Command::new(crate::scene::ASSENT)
            .args(arguments)
            .current_dir(scene.ws.root())
            .env_clear()
            .envs(scene.ws.environment())
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0));
    };
    run(&["run", "go"]);
    assert!(scene.ws.exists("gone.txt"));
    run(&["run", "--yes", "go"]);
    assert!(!scene.ws.exists("gone.txt"));
}
