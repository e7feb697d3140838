//! The same agent as an ACP agent on stdio: one JSON object a line and nothing else.

use crate::scene::ASSENT;
use assent_tests::{Client, ModelServer, Workspace, answer, text};
use serde_json::{Value, json};

fn start(files: &[(&str, &str)]) -> (Client, ModelServer, Workspace, String) {
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, files);
    let mut client = Client::start_acp(ASSENT, &ws);
    let result = client.initialize_acp();
    assert_eq!(result["protocolVersion"], 1, "{result}");
    let session = client.new_session();
    (client, model, ws, session)
}

#[test]
fn a_turn_streams_and_ends() {
    let (mut client, model, _ws, session) = start(&[]);
    model.reply(answer().text("Hello ").text("there."));
    let turn = client.prompt(&session, "hi");
    assert_eq!((turn.text().as_str(), turn.stop_reason.as_str()), ("Hello there.", "end_turn"));
}

#[test]
fn methods_out_of_their_time_and_unknown_ones_are_refused() {
    let ws = Workspace::new();
    let mut client = Client::start_acp(ASSENT, &ws);
    let id = client.send_request("session/new", json!({ "cwd": ws.root(), "mcpServers": [] }));
    let early = client.expect_response(id);
    client.initialize_acp();
    if early.is_ok() {
        client.new_session();
    }
    let id = client.send_request("no/such/method", json!({}));
    assert_eq!(client.expect_error(id).code, -32601);
    let id = client.send_request("session/prompt", json!({ "sessionId": "none", "prompt": [] }));
    client.expect_error(id);
}

#[test]
fn lines_that_are_no_message_do_not_kill_it() {
    let (mut client, model, _ws, session) = start(&[]);
    client.ignore_answers_to_nothing();
    client.connection.send_bytes(b"this is no JSON\n\n{}\n[1]\n");
    model.reply(text("Still here."));
    assert_eq!(client.prompt(&session, "hi").text(), "Still here.");
}

#[test]
fn a_proposed_edit_is_a_permission_with_its_difference() {
    for accept in [true, false] {
        let (mut client, model, ws, session) = start(&[("f.txt", "one\ntwo\n")]);
        model.reply(answer().call("r", "read", json!({ "filePath": "f.txt" })));
        let edit = json!({ "filePath": "f.txt", "oldString": "two", "newString": "TWO" });
        model.reply(answer().call("e", "edit", edit)).reply(text("Done."));
        let prompt = client.start_prompt(&session, "go");
        let request = client.expect_request("session/request_permission");
        assert!(request.params.to_string().contains("TWO"), "{}", request.params);
        let kind = if accept { "allow_once" } else { "reject_once" };
        let options = request.params["options"].as_array().unwrap();
        let option = options.iter().find(|option| option["kind"] == kind).unwrap()["optionId"].clone();
        client.answer(&request, json!({ "outcome": { "outcome": "selected", "optionId": option } }));
        let turn = client.finish_turn(&session, prompt);
        assert_eq!(turn.stop_reason, "end_turn");
        assert_eq!(ws.read("f.txt"), if accept { "one\nTWO\n" } else { "one\ntwo\n" });
        let diff = turn.calls().iter().any(|call| call["content"].to_string().contains("\"diff\""));
        assert!(diff || !accept, "{:?}", turn.calls());
    }
}

#[test]
fn a_command_asks_and_a_lost_answer_is_a_no() {
    let (mut client, model, ws, session) = start(&[]);
    let bash =
        |id: &str| answer().call(id, "bash", json!({ "command": format!("touch {id}"), "description": "t" }));
    model.reply(bash("yes")).reply(bash("no")).reply(text("Done."));
    let prompt = client.start_prompt(&session, "go");
    let approval = client.expect_approval();
    client.allow(&approval);
    let approval = client.expect_approval();
    client.answer(&approval.request, Value::Null);
    client.finish_turn(&session, prompt);
    assert!(ws.exists("yes") && !ws.exists("no"));
}

#[test]
fn a_cancel_ends_the_turn() {
    let (mut client, model, _ws, session) = start(&[]);
    model.reply(answer().text("On and on").stall());
    let prompt = client.start_prompt(&session, "talk");
    client.wait_for_words(&session, "On and on");
    client.cancel(&session);
    assert_eq!(client.finish_turn(&session, prompt).stop_reason, "cancelled");
    model.wait_for_hang_up(1);
}

#[test]
fn a_session_is_loaded_after_a_restart() {
    let (mut client, model, ws, session) = start(&[]);
    model.reply(text("First."));
    client.prompt(&session, "one");
    client.finish();
    let mut client = Client::start_acp(ASSENT, &ws);
    client.initialize_acp();
    let listed = client.request("session/list", json!({}));
    assert_eq!(listed["sessions"][0]["sessionId"], session.as_str());
    let load = json!({ "sessionId": session, "cwd": ws.root(), "mcpServers": [] });
    let id = client.send_request("session/load", load);
    assert!(client.finish_turn(&session, id).text().contains("First."));
    model.reply(text("Second."));
    assert_eq!(client.prompt(&session, "two").text(), "Second.");
}

#[test]
fn what_waited_is_asked_again_after_the_server_was_killed() {
    let (mut client, model, ws, session) = start(&[("f.txt", "one\ntwo\n")]);
    model.reply(answer().call("r", "read", json!({ "filePath": "f.txt" })));
    let edit = json!({ "filePath": "f.txt", "oldString": "two", "newString": "TWO" });
    model.reply(answer().call("e", "edit", edit));
    client.start_prompt(&session, "go");
    client.expect_request("session/request_permission");
    // Once by force, once by closing its input, as editors do.
    for kill in [true, false] {
        if kill {
            client.connection.kill();
            client.has_ended();
        } else {
            client.connection.close_stdin();
            client.wait_for_exit();
        }
        client.forget_everything();
        client = Client::start_acp(ASSENT, &ws);
        client.initialize_acp();
        let load = json!({ "sessionId": session, "cwd": ws.root(), "mcpServers": [] });
        let id = client.send_request("session/load", load);
        client.finish_turn(&session, id);
        let request = client.expect_request("session/request_permission");
        assert!(request.params.to_string().contains("TWO"), "{}", request.params);
        if kill {
            continue;
        }
        let option = request.params["options"][0]["optionId"].clone();
        model.reply(text("It is in."));
        client.answer(&request, json!({ "outcome": { "outcome": "selected", "optionId": option } }));
        client.wait_for_words(&session, "It is in.");
        client.claim_all_updates(&session);
        assert_eq!(ws.read("f.txt"), "one\nTWO\n");
    }
}
