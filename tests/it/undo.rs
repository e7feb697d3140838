//! `assent.undoTurn` takes back what the agent did and nothing else.

use crate::scene::Scene;
use serde_json::json;

fn turn(scene: &mut Scene, old: &str, new: &str) {
    let outcomes = scene.calls(&[
        ("read", json!({ "filePath": "f.txt" })),
        ("edit", json!({ "filePath": "f.txt", "oldString": old, "newString": new })),
    ]);
    assert!(!outcomes[1].failed, "{}", outcomes[1].text);
}

fn undo(scene: &mut Scene) -> serde_json::Value {
    let session = scene.session.clone();
    scene.client.command("assent.undoTurn", json!({ "sessionId": session }))
}

#[test]
fn an_open_document_gets_its_text_back_and_keeps_what_was_typed() {
    let mut scene = Scene::new(&[("f.txt", "one\ntwo\nthree\n")]);
    scene.client.accepts_all = true;
    let uri = scene.client.open("f.txt");
    turn(&mut scene, "two", "TWO");
    scene.client.append(&uri, "mine\n");
    undo(&mut scene);
    assert_eq!(scene.client.document(&uri).text, "one\ntwo\nthree\nmine\n");
}

#[test]
fn a_closed_file_gets_its_text_back_and_a_new_one_goes() {
    let mut scene = Scene::new(&[("f.txt", "one\n")]);
    scene.client.accepts_all = true;
    turn(&mut scene, "one", "ONE");
    assert_eq!(scene.ws.read("f.txt"), "ONE\n");
    undo(&mut scene);
    assert_eq!(scene.ws.read("f.txt"), "one\n");
    scene.call("write", json!({ "filePath": "new.txt", "content": "new\n" }));
    assert!(scene.ws.exists("new.txt"));
    undo(&mut scene);
    assert!(!scene.ws.exists("new.txt"));
}

#[test]
fn where_the_user_typed_over_it_nothing_is_taken_back_and_it_says_so() {
    let mut scene = Scene::new(&[("f.txt", "one\ntwo\nthree\n")]);
    scene.client.accepts_all = true;
    let uri = scene.client.open("f.txt");
    turn(&mut scene, "two", "TWO");
    scene.client.replace(&uri, "TWO", "TWO and more of mine");
    let id = {
        let session = scene.session.clone();
        scene.client.send_command("assent.undoTurn", json!({ "sessionId": session }))
    };
    let said = format!("{:?}", scene.client.expect_response(id));
    scene.client.ignore("window/showMessage");
    assert!(scene.client.document(&uri).text.contains("more of mine"), "{said}");
}
