//! The main loop never waits: with turns pending everywhere, requests are answered at once and
//! changes stay in order.

use crate::scene::{Scene, shown_lines};
use assent_tests::{Gate, answer, text};
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn eight_pending_turns_leave_the_server_prompt_and_in_order() {
    let mut scene = Scene::new(&[("f.txt", "")]);
    scene.model.unordered();
    let uri = scene.client.open("f.txt");
    let gate = Gate::new();
    let mut open = Vec::new();
    for idx in 0..8 {
        let word = format!("turn number {idx}");
        let session = scene.client.new_session();
        if idx % 2 == 0 {
            scene.model.expect(&word, answer().text("slow ").hold(&gate).text("answer"));
            let prompt = scene.client.start_prompt(&session, &word);
            scene.client.wait_for_words(&session, "slow");
            open.push((session, prompt, None));
        } else {
            let bash = json!({ "command": format!("echo {idx}"), "description": "t" });
            scene.model.expect(&word, answer().call(&format!("c{idx}"), "bash", bash));
            let prompt = scene.client.start_prompt(&session, &word);
            open.push((session, prompt, Some(scene.client.expect_approval())));
        }
    }
    // Each change is only right if all before it are there: it appends at the end it knows.
    let mut expected = String::new();
    for idx in 0..5000 {
        let piece = format!("{idx},");
        scene.client.append(&uri, &piece);
        expected.push_str(&piece);
        if idx % 1000 == 0 {
            let started = Instant::now();
            scene.client.request("session/list", json!({}));
            assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
        }
    }
    scene
        .model
        .expect("read it", answer().call("r", "grep", json!({ "pattern": "4999,$", "path": "f.txt" })));
    scene.model.expect("4999", text("Read."));
    let session = scene.session.clone();
    let turn = scene.client.prompt(&session, "read it");
    assert_eq!(turn.text(), "Read.");
    for (session, prompt, approval) in open {
        if let Some(approval) = approval {
            scene.client.reject(&approval, "no more", true);
        }
        gate.open();
        scene.client.finish_turn(&session, prompt);
    }
    scene.client.append(&uri, "\nshort\n");
    scene
        .model
        .expect("and the end", answer().call("e", "read", json!({ "filePath": "f.txt", "offset": 1 })));
    scene.model.expect("short", text("Yes."));
    scene.client.prompt(&session, "and the end");
    let request = scene.last_request();
    assert_eq!(shown_lines(request.result("e")).first().map(String::as_str), Some("short"));
}
