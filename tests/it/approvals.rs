//! Open approvals block nobody, and every unclear answer is a no.

use crate::scene::Scene;
use assent_tests::client::Approval;
use assent_tests::{answer, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn bash(command: &str) -> Value {
    json!({ "command": command, "description": "t" })
}

/// Several sessions, one open approval in each, in the order of the sessions.
fn open_approvals(scene: &mut Scene, count: usize) -> Vec<(String, i64, Approval)> {
    scene.model.unordered();
    let mut open = Vec::new();
    for idx in 0..count {
        let (id, word) = (format!("c{idx}"), format!("session number {idx}"));
        scene.model.expect(&word, answer().call(&id, "bash", bash(&format!("echo ran-{idx}"))));
        let session = scene.client.new_session();
        let prompt = scene.client.start_prompt(&session, &word);
        let approval = scene.client.expect_approval();
        assert_eq!(approval.call(), id);
        open.push((session, prompt, approval));
    }
    open
}

#[test]
fn open_approvals_do_not_block_the_server() {
    let mut scene = Scene::new(&[("f.txt", "x")]);
    let uri = scene.client.open("f.txt");
    let open = open_approvals(&mut scene, 6);
    for _ in 0..20 {
        scene.client.append(&uri, "y");
    }
    let started = Instant::now();
    scene.client.request("session/list", json!({}));
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    for (idx, (session, prompt, approval)) in open.into_iter().enumerate().rev() {
        scene.model.expect(&format!("ran-{idx}"), text("Done."));
        scene.client.allow(&approval);
        let turn = scene.client.finish_turn(&session, prompt);
        assert_eq!(turn.stop_reason, "end_turn");
    }
}

#[test]
fn calls_of_one_answer_are_asked_about_and_answered_in_any_order() {
    let mut scene = Scene::new(&[]);
    let mut reply = answer();
    for idx in 0..6 {
        reply = reply.call(&format!("c{idx}"), "bash", bash(&format!("echo ran-{idx}")));
    }
    scene.model.reply(reply).reply(text("Done."));
    let prompt = scene.start("go");
    // Commands may write, so they may also be asked about one after the other.
    for _ in 0..6 {
        let approval = scene.client.expect_approval();
        scene.client.allow(&approval);
    }
    scene.finish(prompt);
    let request = scene.last_request();
    for idx in 0..6 {
        assert!(request.result(&format!("c{idx}")).contains(&format!("ran-{idx}")));
    }
}

#[test]
fn every_unclear_answer_is_a_no() {
    let answers = [
        Value::Null,
        json!({}),
        json!({ "outcome": { "outcome": "cancelled" } }),
        json!({ "outcome": { "outcome": "selected", "optionId": "no-such-option" } }),
        json!({ "outcome": { "outcome": "selected" } }),
        json!("allow"),
        json!([true]),
    ];
    for unclear in answers {
        let mut scene = Scene::new(&[]);
        let (ids, prompt) = scene.start_calls(&[("bash", bash("touch ran"))]);
        let approval = scene.client.expect_approval();
        scene.client.answer(&approval.request, unclear.clone());
        let turn = scene.finish(prompt);
        assert_eq!(turn.statuses()[0], (ids[0].clone(), "failed".to_owned()), "{unclear}");
        assert!(!scene.ws.exists("ran"), "{unclear}");
    }
    let mut scene = Scene::new(&[]);
    let (_, prompt) = scene.start_calls(&[("bash", bash("touch ran"))]);
    let approval = scene.client.expect_approval();
    scene.client.answer_error(&approval.request, -32603, "the window is gone");
    scene.finish(prompt);
    assert!(!scene.ws.exists("ran"));
}

#[test]
fn an_approval_can_be_answered_by_a_command() {
    for (command, runs) in [("assent.approve", true), ("assent.deny", false)] {
        let mut scene = Scene::new(&[]);
        let (_, prompt) = scene.start_calls(&[("bash", bash("touch ran"))]);
        let approval = scene.client.expect_approval();
        let open = scene.client.command("assent.approvals", Value::Null);
        let open = open.as_array().or_else(|| open["approvals"].as_array()).cloned().unwrap_or_default();
        assert_eq!(open.len(), 1, "{open:?}");
        assert!(open[0].to_string().contains("touch ran"), "{open:?}");
        let id = open[0]["id"].clone();
        scene.client.command(command, json!({ "id": id }));
        scene.finish(prompt);
        assert_eq!(scene.ws.exists("ran"), runs, "{command}");
        // The dialog that is still open answers late, to no effect.
        scene.client.allow(&approval);
        scene.client.request("session/list", json!({}));
        assert_eq!(scene.ws.exists("ran"), runs, "{command}");
    }
}

#[test]
fn an_approval_says_that_documents_are_unsaved_and_offers_to_save_them() {
    let mut scene = Scene::new(&[("f.txt", "disk\n")]);
    let uri = scene.client.open("f.txt");
    scene.client.replace(&uri, "disk", "buffer");
    let (_, prompt) = scene.start_calls(&[("bash", bash("cat f.txt"))]);
    let approval = scene.client.expect_approval();
    assert!(approval.request.params.to_string().contains("f.txt"), "{}", approval.request.params);
    assert!(
        approval.request.params.to_string().to_lowercase().contains("unsaved"),
        "{}",
        approval.request.params
    );
    let options = approval.request.params["options"].as_array().unwrap().clone();
    let save = options.iter().find(|option| option["name"].as_str().unwrap().to_lowercase().contains("save"));
    let option = save.unwrap_or_else(|| panic!("no option saves first: {options:?}"))["optionId"].clone();
    scene
        .client
        .answer(&approval.request, json!({ "outcome": { "outcome": "selected", "optionId": option } }));
    scene.finish(prompt);
    assert_eq!(scene.ws.read("f.txt"), "buffer\n");
    assert!(scene.last_request().news().contains("buffer"));
}
