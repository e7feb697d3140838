//! Cancel takes effect within a second wherever it comes from, and ends everything the turn began.

use crate::scene::{Scene, eventually, is_running};
use assent_tests::client::Turn;
use assent_tests::{Gate, answer, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The ways a user has.
#[derive(Debug, Clone, Copy)]
enum Way {
    Notification,
    Command,
    CancelRequest,
    Progress,
}

const WAYS: [Way; 4] = [Way::Notification, Way::Command, Way::CancelRequest, Way::Progress];

/// Cancel a running turn and wait for its end, which must come within a second.
#[track_caller]
fn cancel(scene: &mut Scene, prompt: i64, way: Way) -> Option<Turn> {
    let session = scene.session.clone();
    let started = Instant::now();
    let turn = match way {
        Way::Notification => {
            scene.client.cancel(&session);
            Some(scene.finish(prompt))
        }
        Way::Command => {
            scene.client.command("assent.cancel", json!({ "sessionId": session }));
            Some(scene.finish(prompt))
        }
        Way::CancelRequest => {
            scene.client.notify("$/cancelRequest", json!({ "id": prompt }));
            match scene.client.expect_response(prompt) {
                Err(error) => assert_eq!(error.code, -32800),
                Ok(result) => assert_eq!(result["stopReason"], "cancelled"),
            }
            None
        }
        Way::Progress => {
            let created = scene.client.progress_token();
            scene.client.notify("window/workDoneProgress/cancel", json!({ "token": created }));
            Some(scene.finish(prompt))
        }
    };
    assert!(started.elapsed() < Duration::from_secs(1), "{way:?}: {:?}", started.elapsed());
    if let Some(turn) = &turn {
        assert_eq!(turn.stop_reason, "cancelled", "{way:?}");
    }
    turn
}

/// The session lives: it takes another prompt, and the request is one a provider accepts.
#[track_caller]
fn goes_on(scene: &mut Scene) {
    let session = scene.session.clone();
    scene.model.reply(text("Still here."));
    let turn = scene.prompt("go on");
    assert!(turn.text().ends_with("Still here."), "{:?}", turn.updates);
    scene.client.claim_all_updates(&session);
}

#[test]
fn a_streaming_answer_stops() {
    for way in WAYS {
        let mut scene = Scene::new(&[]);
        let gate = Gate::new();
        scene.model.reply(answer().text("On and on ").hold(&gate).text("and on."));
        let prompt = scene.start("talk");
        let session = scene.session.clone();
        scene.client.wait_for_words(&session, "On and on");
        cancel(&mut scene, prompt, way);
        scene.model.wait_for_hang_up(1);
        gate.open();
        goes_on(&mut scene);
        assert!(!scene.last_request().body.to_string().contains("and on."), "{way:?}");
    }
}

#[test]
fn a_request_without_an_answer_stops() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(answer().stall());
    let prompt = scene.start("talk");
    scene.model.wait_for_request(1);
    cancel(&mut scene, prompt, Way::Notification);
    scene.model.wait_for_hang_up(1);
    goes_on(&mut scene);
}

#[test]
fn a_running_command_ends_with_its_children() {
    for (idx, way) in WAYS.into_iter().enumerate() {
        let (one, two) = (format!("sleep 31.1{idx}"), format!("sleep 32.1{idx}"));
        let mut scene = Scene::new(&[]);
        scene.client.allows_all = true;
        let bash = json!({ "command": format!("{one} & touch began; {two}"), "description": "t" });
        scene.model.reply(answer().call("c1", "bash", bash));
        let prompt = scene.start("wait");
        scene.wait_until("the command runs", |ws| ws.exists("began") && is_running(&two));
        cancel(&mut scene, prompt, way);
        eventually("the children are gone", || !is_running(&one) && !is_running(&two));
        goes_on(&mut scene);
    }
}

#[test]
fn a_command_that_ignores_termination_ends_too() {
    let mut scene = Scene::new(&[]);
    scene.client.allows_all = true;
    let command = "trap '' TERM INT HUP; touch began; while true; do sleep 33.21; done";
    scene.model.reply(answer().call("c1", "bash", json!({ "command": command, "description": "t" })));
    let prompt = scene.start("wait");
    scene.wait_until("the command runs", |ws| ws.exists("began"));
    cancel(&mut scene, prompt, Way::Notification);
    eventually("the command is gone", || !is_running("sleep 33.21"));
}

#[test]
fn an_open_approval_is_withdrawn() {
    for way in WAYS {
        let mut scene = Scene::new(&[]);
        scene.model.reply(answer().call("c1", "bash", json!({ "command": "touch ran", "description": "t" })));
        let prompt = scene.start("ask me");
        let approval = scene.client.expect_approval();
        cancel(&mut scene, prompt, way);
        // The dialog is still open in the editor, and its answer comes late, to no effect.
        scene.client.allow(&approval);
        goes_on(&mut scene);
        assert!(!scene.ws.exists("ran"), "{way:?}");
    }
}

#[test]
fn nothing_is_applied_after_a_cancel() {
    let mut scene = Scene::new(&[("f.txt", "one\n")]);
    let uri = scene.client.open("f.txt");
    scene.model.reply(answer().call("r", "read", json!({ "filePath": "f.txt" })));
    let edit = json!({ "filePath": "f.txt", "oldString": "one", "newString": "ONE" });
    scene.model.reply(answer().call("e", "edit", edit));
    let prompt = scene.start("edit");
    let review = scene.client.open_review("e");
    cancel(&mut scene, prompt, Way::Notification);
    let decision = json!({ "reviewId": review.id(), "decisions": [{ "hunk": "*", "accept": true }] });
    let id = scene.client.send_request("_assent/review/decide", decision);
    let _ = scene.client.expect_response(id);
    goes_on(&mut scene);
    assert_eq!(scene.client.document(&uri).text, "one\n");
    assert!(scene.client.edits.is_empty());
}

#[test]
fn a_request_has_one_reply_and_unknown_ids_are_ignored() {
    let mut scene = Scene::new(&[]);
    scene.client.notify("$/cancelRequest", json!({ "id": 999 }));
    scene.model.reply(text("Hello."));
    let prompt = scene.start("hi");
    assert_eq!(scene.finish(prompt).text(), "Hello.");
    scene.client.notify("$/cancelRequest", json!({ "id": prompt }));
    // A second reply to anything fails the test when the client is dropped.
    scene.client.request("session/list", json!({}));
}

#[test]
fn a_second_prompt_while_a_turn_runs_is_refused() {
    let mut scene = Scene::new(&[]);
    let gate = Gate::new();
    scene.model.reply(answer().text("One").hold(&gate).text("."));
    let first = scene.start("first");
    gate.wait_reached();
    let second = scene.start("second");
    assert!(scene.client.expect_error(second).message.contains("A turn is running"));
    gate.open();
    assert_eq!(scene.finish(first).text(), "One.");
}

#[test]
fn a_dialog_answered_after_the_cancel_harms_nothing() {
    let mut scene = Scene::new(&[]);
    for round in 0..20 {
        let id = format!("c{round}");
        scene.model.reply(answer().call(&id, "bash", json!({ "command": "true", "description": "t" })));
        let prompt = scene.start(&format!("round {round}"));
        let approval = scene.client.expect_approval();
        let session = scene.session.clone();
        scene.client.cancel(&session);
        scene.client.answer(&approval.request, Value::Null);
        assert_eq!(scene.finish(prompt).stop_reason, "cancelled");
    }
}

#[test]
fn a_prompt_that_waits_for_the_end_of_a_turn_can_be_cancelled_too() {
    let mut scene = Scene::new(&[]);
    scene.client.allows_all = true;
    let command = "trap '' TERM INT HUP; touch began; while true; do sleep 0.2; done";
    scene.model.reply(answer().call("c1", "bash", json!({ "command": command, "description": "t" })));
    let session = scene.session.clone();
    let first = scene.start("wait");
    scene.wait_until("the command", |ws| ws.exists("began"));
    scene.client.cancel(&session);
    let second = scene.start("and then this");
    scene.client.cancel(&session);
    assert_eq!(scene.client.expect_result(second)["stopReason"], "cancelled");
    assert_eq!(scene.finish(first).stop_reason, "cancelled");
    goes_on(&mut scene);
    assert!(!scene.last_request().body.to_string().contains("and then this"));
}

/// A server that is killed outright can run nothing any more; what it started ends all the same.
#[test]
#[cfg(target_os = "linux")]
fn a_killed_server_leaves_no_command_behind() {
    let mut scene = Scene::new(&[]);
    scene.client.allows_all = true;
    let line = "(trap '' TERM; sleep 35.21) & setsid sleep 35.22 & touch began; sleep 35.23";
    scene.model.reply(answer().call("t1", "bash", json!({ "command": line, "description": "waits" })));
    scene.start("go");
    let session = scene.session.clone();
    scene.wait_until("the command runs", |ws| ws.exists("began"));
    scene.client.connection.kill();
    scene.client.has_ended();
    scene.client.claim_all_updates(&session);
    for child in ["35.21", "35.22", "35.23"] {
        eventually("the child is gone", || !is_running(&format!("sleep {child}")));
    }
}
