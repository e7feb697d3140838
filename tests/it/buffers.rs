//! An open document is its buffer, and nothing is lost to a stale view.

use crate::scene::{Scene, shown_lines};
use assent_tests::{answer, text};
use serde_json::json;

fn read() -> (&'static str, serde_json::Value) {
    ("read", json!({ "filePath": "f.txt" }))
}

fn edit(old: &str, new: &str) -> (&'static str, serde_json::Value) {
    ("edit", json!({ "filePath": "f.txt", "oldString": old, "newString": new }))
}

#[test]
fn a_dirty_buffer_is_the_file() {
    let mut scene = Scene::new(&[("f.txt", "v=1\n")]);
    scene.client.accepts_all = true;
    let uri = scene.client.open("f.txt");
    scene.client.replace(&uri, "v=1", "v=2");
    let outcomes = scene.calls(&[read(), edit("v=2", "v=3")]);
    assert_eq!(shown_lines(&outcomes[0].text), ["v=2"]);
    assert!(!outcomes[1].failed, "{}", outcomes[1].text);
    assert_eq!(scene.client.edits.len(), 1);
    assert_eq!(scene.client.edits[0].version(), 2);
    assert_eq!(scene.client.document(&uri).text, "v=3\n");
    assert!(scene.client.document(&uri).dirty, "dirty stays dirty");
    assert_eq!(scene.ws.read("f.txt"), "v=1\n");

    let outcome = scene.call("edit", edit("v=1", "v=9").1);
    assert!(outcome.failed, "{}", outcome.text);
    assert_eq!(scene.client.edits.len(), 1);
}

#[test]
fn what_another_process_wrote_is_not_overwritten() {
    let mut scene = Scene::new(&[("f.txt", "a\nb\n")]);
    scene.client.accepts_all = true;
    scene.calls(&[read()]);
    scene.ws.write("f.txt", "a\nb\nc\n");
    let outcome = scene.call("write", json!({ "filePath": "f.txt", "content": "A\nb\n" }));
    assert!(outcome.failed, "{}", outcome.text);
    assert_eq!(scene.ws.read("f.txt"), "a\nb\nc\n");
    let outcome = scene.call("edit", edit("a", "A").1);
    let expected = if outcome.failed { "a\nb\nc\n" } else { "A\nb\nc\n" };
    assert_eq!(scene.ws.read("f.txt"), expected);
}

#[test]
fn two_edits_of_one_answer_both_stand() {
    for open in [false, true] {
        let mut scene = Scene::new(&[]);
        scene.client.accepts_all = true;
        for round in 0..20 {
            let name = format!("f{round}.txt");
            scene.ws.write(&name, "red\ngreen\nblue\n");
            if open {
                scene.client.open(&name);
            }
            let edit = |old: &str, new: &str| json!({ "filePath": name, "oldString": old, "newString": new });
            scene.model.reply(answer().call(&format!("r{round}"), "read", json!({ "filePath": name })));
            let (one, two) = (format!("a{round}"), format!("b{round}"));
            scene.model.reply(answer().call(&one, "edit", edit("red", "RED")).call(
                &two,
                "edit",
                edit("blue", "BLUE"),
            ));
            scene.model.reply(text("Done."));
            let turn = scene.prompt(&format!("round {round}"));
            assert!(turn.statuses().iter().all(|(_, status)| status == "completed"), "{:?}", turn.statuses());
            assert_eq!(scene.ws.read(&name), "RED\ngreen\nBLUE\n", "open {open}, round {round}");
        }
    }
}

#[test]
fn a_document_that_was_closed_unsaved_is_the_file_again() {
    let mut scene = Scene::new(&[("f.txt", "disk\n")]);
    let uri = scene.client.open("f.txt");
    scene.client.replace(&uri, "disk", "buffer");
    assert_eq!(shown_lines(&scene.calls(&[read()])[0].text), ["buffer"]);
    scene.client.close(&uri);
    assert_eq!(shown_lines(&scene.calls(&[read()])[0].text), ["disk"]);
}
