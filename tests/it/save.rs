//! Clean stays clean, dirty stays dirty, also where the client can't save.

use crate::scene::{ASSENT, Scene};
use assent_tests::{Client, ModelServer, Workspace, answer, text};
use serde_json::json;

fn edit(scene: &mut Scene) {
    let outcomes = scene.calls(&[
        ("read", json!({ "filePath": "f.txt" })),
        ("edit", json!({ "filePath": "f.txt", "oldString": "old", "newString": "new" })),
    ]);
    assert!(!outcomes[1].failed, "{}", outcomes[1].text);
}

#[test]
fn a_clean_document_is_saved_and_a_dirty_one_is_not() {
    for dirty in [false, true] {
        let mut scene = Scene::new(&[("f.txt", "old\n")]);
        scene.client.accepts_all = true;
        let uri = scene.client.open("f.txt");
        if dirty {
            scene.client.append(&uri, "mine\n");
        }
        edit(&mut scene);
        assert_eq!(scene.client.document(&uri).dirty, dirty);
        assert_eq!(scene.ws.read("f.txt"), if dirty { "old\n" } else { "new\n" });
    }
}

#[test]
fn a_document_saved_by_the_user_counts_as_clean_again() {
    let mut scene = Scene::new(&[("f.txt", "old\n")]);
    scene.client.accepts_all = true;
    let uri = scene.client.open("f.txt");
    scene.client.append(&uri, "mine\n");
    scene.client.save(&uri);
    edit(&mut scene);
    assert_eq!(scene.ws.read("f.txt"), "new\nmine\n");
}

#[test]
fn a_document_in_which_the_user_types_meanwhile_is_not_saved() {
    let mut scene = Scene::new(&[("f.txt", "old\n")]);
    let uri = scene.client.open("f.txt");
    let (ids, prompt) = scene.start_calls(&[
        ("read", json!({ "filePath": "f.txt" })),
        ("edit", json!({ "filePath": "f.txt", "oldString": "old", "newString": "new" })),
    ]);
    let review = scene.client.open_review(&ids[1]);
    scene.client.append(&uri, "half a sent");
    scene.client.decide(review.id(), "*", true);
    scene.finish(prompt);
    assert_eq!(scene.client.document(&uri).text, "new\nhalf a sent");
    assert_eq!(scene.ws.read("f.txt"), "old\n", "what the user typed is never saved by us");
}

#[cfg(unix)]
#[test]
fn where_the_client_can_not_save_a_closed_file_is_written_whole() {
    use std::os::unix::fs::PermissionsExt;
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, &[("real.sh", "old\r\n")]);
    ws.mode("real.sh", 0o750).link("f.txt", "real.sh");
    let mut client = Client::start(ASSENT, &ws);
    let mut params = client.initialize_params();
    params["capabilities"]["experimental"]["assent"]["save"] = json!(false);
    client.initialize_with(params);
    client.saves = false;
    client.accepts_all = true;
    let session = client.new_session();
    model.reply(answer().call("r", "read", json!({ "filePath": "f.txt" })));
    model.reply(answer().call(
        "e",
        "edit",
        json!({ "filePath": "f.txt", "oldString": "old", "newString": "new" }),
    ));
    model.reply(text("Done."));
    client.prompt(&session, "go");
    assert_eq!(ws.read("real.sh"), "new\r\n");
    assert!(ws.path("f.txt").is_symlink());
    let mode = std::fs::metadata(ws.path("real.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o750);
    assert_eq!(std::fs::read_dir(ws.root()).unwrap().count(), 2, "no temporary file is left");
}

#[cfg(unix)]
#[test]
fn a_save_that_fails_is_told_and_loses_nothing() {
    let mut scene = Scene::new(&[("f.txt", "old\n")]);
    scene.client.accepts_all = true;
    scene.client.saves = false;
    let uri = scene.client.open("f.txt");
    let (ids, prompt) = scene.start_calls(&[
        ("read", json!({ "filePath": "f.txt" })),
        ("edit", json!({ "filePath": "f.txt", "oldString": "old", "newString": "new" })),
    ]);
    let request = scene.client.expect_request("_assent/document/save");
    assert_eq!(request.params["uris"], json!([uri]));
    scene.client.answer(&request, json!({ "saved": [] }));
    scene.finish(prompt);
    assert_eq!(scene.client.document(&uri).text, "new\n");
    let result = scene.last_request().result(&ids[1]).to_owned();
    assert!(result.contains("sav"), "the model is told: {result}");
}
