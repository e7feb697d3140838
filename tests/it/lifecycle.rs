//! The process: how it starts, how it ends, and the events a bare transport dies of.

use crate::scene::{ASSENT, Scene, eventually, is_running};
use assent_tests::{Client, Gate, ModelServer, Recording, Workspace, answer, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn client(ws: &Workspace) -> Client {
    Client::start(ASSENT, ws)
}

#[test]
fn shutdown_then_exit_ends_well_and_exit_alone_does_not() {
    let ws = Workspace::new();
    let mut ended = client(&ws);
    ended.initialize();
    ended.finish();

    let mut abrupt = client(&ws);
    abrupt.initialize();
    abrupt.notify("exit", Value::Null);
    assert_eq!(abrupt.wait_for_exit(), Some(1));
}

#[test]
fn exit_ends_the_process_while_stdin_stays_open_and_a_turn_runs() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(answer().text("slow").stall());
    scene.start("talk");
    let session = scene.session.clone();
    scene.client.wait_for_words(&session, "slow");
    scene.client.request("shutdown", Value::Null);
    scene.client.notify("exit", Value::Null);
    assert_eq!(scene.client.wait_for_exit(), Some(0));
    scene.client.forget_everything();
}

#[test]
fn a_closed_stdin_ends_everything_that_runs() {
    let mut scene = Scene::new(&[]);
    scene.client.allows_all = true;
    let bash = json!({ "command": "sleep 41.07 & touch began; sleep 42.07", "description": "t" });
    scene.model.reply(answer().call("c1", "bash", bash));
    scene.start("wait");
    scene.wait_until("the command runs", |ws| ws.exists("began") && is_running("sleep 42.07"));
    let started = Instant::now();
    scene.client.connection.close_stdin();
    scene.client.wait_for_exit();
    eventually("the children are gone", || !is_running("sleep 41.07") && !is_running("sleep 42.07"));
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    scene.client.forget_everything();
}

#[test]
fn a_closed_stdin_ends_a_server_that_waits_for_the_client() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(answer().call("c1", "bash", json!({ "command": "true", "description": "t" })));
    scene.start("ask me");
    scene.client.expect_approval();
    scene.client.connection.close_stdin();
    scene.client.wait_for_exit();
    scene.client.forget_everything();
}

#[test]
fn requests_out_of_their_time_are_refused() {
    let ws = Workspace::new();
    let mut early = client(&ws);
    let id = early.send_request("session/list", json!({}));
    assert_eq!(early.expect_error(id).code, -32002);
    early.initialize();
    early.request("shutdown", Value::Null);
    let id = early.send_request("session/list", json!({}));
    assert_eq!(early.expect_error(id).code, -32600);
    early.notify("exit", Value::Null);
    assert_eq!(early.wait_for_exit(), Some(0));
}

#[test]
fn an_unknown_method_is_refused_and_unknown_notifications_are_ignored() {
    let ws = Workspace::new();
    let mut client = client(&ws);
    client.initialize();
    let id = client.send_request("workspace/noSuchMethod", json!({}));
    assert_eq!(client.expect_error(id).code, -32601);
    client.notify("$/noSuchNotification", json!({}));
    client.notify("noSuchNotification", json!({}));
    client.request("session/list", json!({}));
}

#[test]
fn parameters_of_the_wrong_shape_do_no_harm() {
    let ws = Workspace::new();
    let mut client = client(&ws);
    client.initialize();
    for method in ["session/prompt", "session/load", "_assent/review/decide", "session/set_mode"] {
        for params in [json!({}), json!([1, 2]), json!({ "sessionId": 7 }), json!({ "sessionId": "none" })] {
            let id = client.send_request(method, params.clone());
            client.expect_error(id);
        }
    }
    client.notify("textDocument/didOpen", json!({ "textDocument": 5 }));
    client.notify("textDocument/didChange", json!({}));
    client.notify("session/cancel", json!({ "sessionId": "none" }));
    client.notify("session/cancel", json!(null));
    let id = client.send_command("assent.noSuchCommand", json!({}));
    client.expect_error(id);
    let id = client.send_command("assent.review.accept", json!("nonsense"));
    client.expect_error(id);
    client.request("session/list", json!({}));
}

#[test]
fn a_bad_initialize_is_answered() {
    let ws = Workspace::new();
    let mut client = client(&ws);
    let id = client.send_request("initialize", json!({ "capabilities": 7 }));
    let first = client.expect_response(id);
    // Refused, so that a good one may follow; or taken with what can be read of it.
    if first.is_err() {
        client.initialize();
    } else {
        client.notify("initialized", json!({}));
    }
    client.request("session/list", json!({}));
}

#[test]
fn odd_experimental_capabilities_are_taken_as_absent() {
    for odd in
        [json!(true), json!("yes"), json!({ "assent": 5 }), json!({ "assent": { "acp": "1" } }), json!([])]
    {
        let ws = Workspace::new();
        let mut client = client(&ws);
        let mut params = client.initialize_params();
        params["capabilities"]["experimental"] = odd.clone();
        client.initialize_with(params);
        client.command("assent.approvals", Value::Null);
    }
}

#[test]
fn real_editors_shake_hands() {
    for recording in [Recording::Neovim, Recording::VsCode] {
        for plugin in [false, true] {
            let model = ModelServer::start();
            let ws = Workspace::with_model(&model, &[]);
            let mut client = client(&ws);
            let own = client.initialize_params()["capabilities"]["experimental"].clone();
            let params = client.recorded_params(recording, if plugin { own } else { Value::Null });
            let result = client.initialize_with(params);
            let encoding = &result["capabilities"]["positionEncoding"];
            let expected = if recording == Recording::Neovim { "utf-8" } else { "utf-16" };
            assert!(
                encoding == expected || (encoding.is_null() && expected == "utf-16"),
                "{recording:?}: {encoding}"
            );
            if plugin {
                let session = client.new_session();
                model.reply(text("Hello."));
                assert_eq!(client.prompt(&session, "hi").text(), "Hello.");
            }
        }
    }
}

#[test]
fn more_requests_than_the_library_runs_at_once_leave_it_hearing() {
    let mut scene = Scene::new(&[("f.txt", "")]);
    scene.model.unordered();
    let gate = Gate::new();
    let uri = scene.client.open("f.txt");
    let mut open = Vec::new();
    for idx in 0..12 {
        scene.model.reply(answer().hold(&gate).text("late"));
        let session = scene.client.new_session();
        let prompt = scene.client.start_prompt(&session, &format!("number {idx}"));
        open.push((session, prompt));
    }
    scene.model.wait_for_request(12);
    // More messages than the library queues behind its requests.
    for _ in 0..300 {
        scene.client.append(&uri, "x");
    }
    let (session, prompt) = open.remove(0);
    scene.client.cancel(&session);
    assert_eq!(scene.client.finish_turn(&session, prompt).stop_reason, "cancelled");
    gate.open();
    for (session, prompt) in open {
        assert_eq!(scene.client.finish_turn(&session, prompt).text(), "late");
    }
}

#[test]
fn an_answer_nobody_waits_for_any_more_is_ignored() {
    let mut scene = Scene::new(&[]);
    scene.client.connection.send(&json!({ "jsonrpc": "2.0", "id": 123456, "result": null }));
    scene.client.connection.send(&json!({ "jsonrpc": "2.0", "id": "no such id", "result": 7 }));
    scene.client.request("session/list", json!({}));
}

#[test]
fn a_server_may_be_started_by_hand_without_the_stdio_argument() {
    let ws = Workspace::new();
    let mut client =
        Client::start_as(assent_tests::connection::Framing::ContentLength, ASSENT.as_ref(), &["lsp"], &ws);
    client.initialize();
}

#[test]
fn bytes_that_are_no_message_do_not_kill_it() {
    let ws = Workspace::new();
    let mut client = client(&ws);
    client.initialize();
    client.connection.send_bytes(b"Content-Length: 9\r\n\r\n{\"broken\"");
    client.connection.send_bytes(b"Content-Length: 2\r\n\r\n{}");
    client.ignore_answers_to_nothing();
    client.request("session/list", json!({}));
}

#[test]
fn without_a_model_the_chat_says_what_to_set() {
    let ws = Workspace::new();
    let mut client = client(&ws);
    client.initialize();
    let session = client.new_session();
    let prompt = client.start_prompt(&session, "hi");
    let said = format!("{:?}", client.expect_response(prompt));
    let said = said + &format!("{:?}", client.claim_all_updates(&session));
    client.ignore("window/showMessage");
    assert!(said.contains("API_KEY") && said.contains("assent.yaml"), "{said}");
}

#[test]
fn a_mistake_in_the_configuration_is_told_with_file_line_and_key() {
    let model = ModelServer::start();
    let ws = Workspace::new();
    ws.use_model_and(&model, assent_tests::model_server::Dialect::Chat, "modle: x\n");
    let mut client = client(&ws);
    client.initialize();
    let session = client.new_session();
    let prompt = client.start_prompt(&session, "hi");
    let message = format!("{:?}", client.expect_response(prompt).unwrap_err());
    client.claim_all_updates(&session);
    assert!(message.contains("assent.yaml:4") && message.contains("modle"), "{message}");
    client.ignore("window/showMessage");
}
