//! What waited for the user is there again after the server was killed: hunks, approvals,
//! questions; and the turn goes on only when the user has answered.

use crate::scene::{ASSENT, Scene};
use assent_tests::{Client, answer, text};
use serde_json::{Value, json};

const A: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
const TWO_AND_SIX: &str = "one\nTWO\nthree\nfour\nfive\nSIX\nseven\n";

fn two_edits(file: &str) -> Value {
    json!({ "filePath": file, "edits": [
        { "oldString": "two", "newString": "TWO" },
        { "oldString": "six", "newString": "SIX" },
    ] })
}

/// The model has read `a` and proposed to change two of its lines, far enough apart for two hunks.
fn proposed() -> Scene {
    start_proposal().0
}

/// The same, with the prompt that is to be answered at its end.
fn start_proposal() -> (Scene, i64) {
    let mut scene = Scene::new(&[("a", A)]);
    scene.model.reply(answer().call("r1", "read", json!({ "filePath": "a" })));
    scene.model.reply(answer().call("c1", "multiedit", two_edits("a")));
    let prompt = scene.start("change it");
    scene.client.open_review("c1");
    (scene, prompt)
}

/// The server is killed; what was told until then is of no interest any more.
fn kill(scene: &mut Scene) {
    scene.client.connection.kill();
    scene.client.has_ended();
    forget(scene);
}

/// What an ended server asked and told.
fn forget(scene: &mut Scene) {
    scene.client.forget_everything();
}

/// Load the session and give what was told before the answer.
fn load(scene: &mut Scene) -> Vec<Value> {
    let (session, cwd) = (scene.session.clone(), scene.ws.root().to_owned());
    let params = json!({ "sessionId": session, "cwd": cwd, "mcpServers": [] });
    let id = scene.client.send_request("session/load", params);
    scene.client.finish_turn(&session, id).updates
}

/// Kill the server, start another one and load the session there.
fn kill_and_load(scene: &mut Scene) -> Vec<Value> {
    kill(scene);
    scene.start_again();
    load(scene)
}

/// Wait for words of the model in a turn that no prompt of this client started.
fn finish_taken_up(scene: &mut Scene, words: &str) {
    let session = scene.session.clone();
    scene.client.wait_for_words(&session, words);
    scene.client.wait_for_idle();
    scene.client.claim_all_updates(&session);
}

#[test]
fn pending_hunks_come_back_and_what_is_accepted_is_told_to_the_model() {
    let mut scene = proposed();
    let asked = scene.model.requests().len();
    let told = kill_and_load(&mut scene);
    let call = told.iter().find(|update| update["toolCallId"] == "c1").expect("the call is told again");
    // ACP's default is `pending`, which is not written.
    assert!(call["status"].is_null(), "{call}");
    assert!(scene.client.reviews().is_empty(), "what is taken up comes behind the answer");
    let review = scene.client.open_review("c1");
    let hunks: Vec<_> = review.pending().into_iter().map(|hunk| (hunk.id, hunk.old_text)).collect();
    assert_eq!(hunks, [("h1".into(), "two\n".into()), ("h2".into(), "six\n".into())]);
    assert_eq!(scene.ws.read("a"), A, "a review changes nothing");

    scene.model.reply(text("Both are in."));
    assert_eq!(scene.model.requests().len(), asked, "nothing is sent before the user has decided");
    scene.client.accept_all("c1");
    finish_taken_up(&mut scene, "Both are in.");
    assert_eq!(scene.ws.read("a"), TWO_AND_SIX);
    assert!(scene.last_request().result("c1").contains("all 2 hunks accepted"));
    assert!(scene.last_request().result("r1").contains("seven"));

    scene.model.reply(text("Yes."));
    assert_eq!(scene.prompt("and now?").text(), "Yes.");
}

#[test]
fn a_resumed_session_has_its_hunks_too() {
    let mut scene = proposed();
    kill(&mut scene);
    scene.start_again();
    let (session, cwd) = (scene.session.clone(), scene.ws.root().to_owned());
    let params = json!({ "sessionId": session, "cwd": cwd, "mcpServers": [] });
    scene.client.request("session/resume", params);
    let review = scene.client.open_review("c1");
    scene.model.reply(text("Neither is in."));
    scene.client.decide(review.id(), "*", false);
    finish_taken_up(&mut scene, "Neither is in.");
    assert_eq!(scene.ws.read("a"), A);
    assert!(scene.last_request().result("c1").contains("rejected"));
}

#[test]
fn hunks_move_with_what_was_changed_while_no_server_ran() {
    let mut scene = proposed();
    kill(&mut scene);
    scene.ws.write("a", "zero\none\ntwo\nthree\nfour\nfive\nsix and a half\nseven\n");
    scene.start_again();
    load(&mut scene);
    let review = scene.client.open_review("c1");
    let first = review.pending().into_iter().find(|hunk| hunk.id == "h1").unwrap();
    assert_eq!(first.range["start"], json!({ "line": 2, "character": 0 }));
    assert_eq!(review.status("h2"), "stale");
    let again = review.pending().into_iter().find(|hunk| hunk.id != "h1").unwrap();
    assert_eq!((again.old_text.as_str(), again.new_text.as_str()), ("six and a half\n", "SIX\n"));
    scene.model.reply(text("The first is in."));
    scene.client.decide(review.id(), "h1", true);
    scene.client.decide(review.id(), &again.id, false);
    finish_taken_up(&mut scene, "The first is in.");
    assert_eq!(scene.ws.read("a"), "zero\none\nTWO\nthree\nfour\nfive\nsix and a half\nseven\n");
}

#[test]
fn hunks_lie_on_the_buffer_where_the_file_is_open() {
    let mut scene = proposed();
    kill(&mut scene);
    scene.start_again();
    let uri = scene.client.open("a");
    scene.client.replace(&uri, "one", "unsaved\none");
    load(&mut scene);
    let review = scene.client.open_review("c1");
    assert_eq!(review.pending()[0].range["start"]["line"], 2);
    scene.model.reply(text("Done."));
    scene.client.accept_all("c1");
    finish_taken_up(&mut scene, "Done.");
    assert_eq!(scene.client.document(&uri).text, format!("unsaved\n{TWO_AND_SIX}"));
    assert_eq!(scene.ws.read("a"), A, "what the user has not saved stays so");
}

#[test]
fn decisions_made_before_are_kept() {
    let mut scene = proposed();
    let review = scene.client.open_review("c1");
    scene.client.decide(review.id(), "h1", true);
    scene.wait_until("it is in the file", |ws| ws.read("a").contains("TWO"));
    kill_and_load(&mut scene);
    let review = scene.client.open_review("c1");
    assert_eq!((review.status("h1").as_str(), review.status("h2").as_str()), ("accepted", "pending"));
    // A second end of the server keeps them as well.
    kill_and_load(&mut scene);
    let review = scene.client.open_review("c1");
    assert_eq!((review.status("h1").as_str(), review.status("h2").as_str()), ("accepted", "pending"));
    scene.model.reply(text("One of two."));
    scene.client.decide(review.id(), "h2", false);
    finish_taken_up(&mut scene, "One of two.");
    assert_eq!(scene.ws.read("a"), A.replace("two", "TWO"));
    let result = scene.last_request().result("c1").to_owned();
    assert!(result.contains("line 2: accepted") && result.contains("line 6: rejected"), "{result}");
}

#[test]
fn a_new_file_that_waited_is_offered_again() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(answer().call("c1", "write", json!({ "filePath": "new", "content": "hello\n" })));
    scene.start("write it");
    scene.client.open_review("c1");
    kill_and_load(&mut scene);
    let review = scene.client.open_review("c1");
    assert_eq!(review.state["files"][0]["change"], "create");
    scene.model.reply(text("Written."));
    scene.client.accept_all("c1");
    finish_taken_up(&mut scene, "Written.");
    assert_eq!(scene.ws.read("new"), "hello\n");
}

#[test]
fn a_cancel_ends_what_was_taken_up() {
    let mut scene = proposed();
    kill_and_load(&mut scene);
    scene.client.open_review("c1");
    let session = scene.session.clone();
    scene.client.cancel(&session);
    scene.client.wait_for_review(|review| !review.is_open() && review.call() == "c1");
    scene.client.wait_for_status(&session, "c1", "failed");
    scene.model.reply(text("I see."));
    scene.prompt("leave it");
    assert_eq!(scene.ws.read("a"), A);
    assert!(scene.last_request().result("c1").contains("interrupted"));
    // What has ended does not come back.
    kill_and_load(&mut scene);
    scene.model.reply(text("Still so."));
    assert_eq!(scene.prompt("and now?").text(), "Still so.");
}

#[test]
fn a_prompt_waits_for_the_turn_that_was_taken_up() {
    let mut scene = proposed();
    kill_and_load(&mut scene);
    scene.client.open_review("c1");
    let prompt = scene.start("something else");
    assert!(scene.client.expect_error(prompt).message.contains("turn is running"));
    let session = scene.session.clone();
    scene.client.cancel(&session);
    scene.client.wait_for_review(|review| !review.is_open());
    scene.client.wait_for_status(&session, "c1", "failed");
    scene.client.claim_all_updates(&session);
}

const TOUCH: &str = "touch made";

/// The user is asked whether a command may run.
fn asked() -> Scene {
    let mut scene = Scene::new(&[("a", A)]);
    scene.model.reply(answer().call("r1", "read", json!({ "filePath": "a" })).call(
        "c1",
        "bash",
        json!({ "command": TOUCH, "description": "t" }),
    ));
    scene.start("run it");
    scene.client.expect_approval();
    scene
}

#[test]
fn an_approval_is_asked_again_and_a_yes_runs_the_call() {
    let mut scene = asked();
    let requests = scene.model.requests().len();
    kill_and_load(&mut scene);
    let approval = scene.client.expect_approval();
    assert_eq!((approval.call(), approval.subject()), ("c1", TOUCH));
    assert!(!scene.ws.exists("made"));
    assert_eq!(scene.model.requests().len(), requests, "nothing is sent before the user has answered");
    scene.model.reply(text("It ran."));
    scene.client.allow(&approval);
    finish_taken_up(&mut scene, "It ran.");
    assert!(scene.ws.exists("made"));
    assert!(scene.last_request().result("r1").contains("seven"), "what had ended is kept");
    assert!(!scene.last_request().result("c1").contains("unknown"));
}

#[test]
fn an_approval_that_is_asked_again_may_be_refused() {
    let mut scene = asked();
    kill_and_load(&mut scene);
    let approval = scene.client.expect_approval();
    scene.model.reply(text("Then not."));
    scene.client.reject(&approval, "use make", false);
    finish_taken_up(&mut scene, "Then not.");
    assert!(!scene.ws.exists("made"));
    assert!(scene.last_request().result("c1").contains("use make"));
}

#[test]
fn a_cancel_takes_the_approval_back() {
    let mut scene = asked();
    kill_and_load(&mut scene);
    scene.client.expect_approval();
    let session = scene.session.clone();
    scene.client.cancel(&session);
    scene.client.wait_for_status(&session, "c1", "failed");
    scene.client.claim_all_updates(&session);
    scene.model.reply(text("Stopped."));
    scene.prompt("stop");
    assert!(scene.last_request().result("c1").contains("interrupted"));
}

#[test]
fn a_call_is_judged_by_the_rules_of_today() {
    let mut scene = asked();
    kill(&mut scene);
    let requests = scene.model.requests().len();
    scene.ws.use_model_and(
        &scene.model,
        assent_tests::model_server::Dialect::Chat,
        "policy:\n  bash: { deny: [\"touch *\"] }\n",
    );
    scene.start_again();
    load(&mut scene);
    // Nobody was asked, so nothing goes to the model by itself.
    finish_taken_up(&mut scene, "Nothing waits for you");
    assert_eq!(scene.model.requests().len(), requests);
    scene.model.reply(text("I see."));
    scene.prompt("so?");
    assert!(!scene.ws.exists("made"));
    assert!(
        scene.last_request().result("c1").contains("policy.bash.deny"),
        "{}",
        scene.last_request().result("c1")
    );
}

#[test]
fn calls_behind_the_one_that_waited_run_after_it() {
    let mut scene = Scene::new(&[("a", A)]);
    scene.model.reply(answer().call("r1", "read", json!({ "filePath": "a" })));
    let edit = json!({ "filePath": "a", "oldString": "two", "newString": "TWO" });
    scene.model.reply(
        answer().call("c1", "bash", json!({ "command": TOUCH, "description": "t" })).call("c2", "edit", edit),
    );
    scene.start("do both");
    scene.client.expect_approval();
    kill_and_load(&mut scene);
    let approval = scene.client.expect_approval();
    scene.client.allow(&approval);
    // The model had read the file before the end of the server, and still has.
    scene.client.open_review("c2");
    assert!(scene.ws.exists("made"));
    scene.model.reply(text("Done."));
    scene.client.accept_all("c2");
    finish_taken_up(&mut scene, "Done.");
    assert_eq!(scene.ws.read("a"), A.replace("two", "TWO"));
}

#[test]
fn a_question_is_asked_again() {
    let mut scene = Scene::new(&[]);
    let question = json!({ "questions": [{ "question": "Tabs or spaces?", "header": "Indent",
        "options": [{ "label": "tabs", "description": "" }, { "label": "spaces", "description": "" }] }] });
    scene.model.reply(answer().call("c1", "question", question));
    scene.start("ask me");
    scene.client.expect_request("session/request_permission");
    kill_and_load(&mut scene);
    let request = scene.client.expect_request("session/request_permission");
    let option = request.params["options"][1]["optionId"].clone();
    scene.model.reply(text("Spaces it is."));
    scene.client.answer(&request, json!({ "outcome": { "outcome": "selected", "optionId": option } }));
    finish_taken_up(&mut scene, "Spaces it is.");
    assert!(scene.last_request().result("c1").contains("→ spaces"));
}

#[test]
fn what_waits_survives_an_end_in_order_as_well() {
    let mut scene = proposed();
    scene.client.request("shutdown", Value::Null);
    scene.client.notify("exit", Value::Null);
    scene.client.wait_for_exit();
    forget(&mut scene);
    scene.start_again();
    load(&mut scene);
    scene.client.open_review("c1");
    scene.model.reply(text("Both are in."));
    scene.client.accept_all("c1");
    finish_taken_up(&mut scene, "Both are in.");
    assert_eq!(scene.ws.read("a"), TWO_AND_SIX);
}

#[test]
fn a_second_window_does_not_take_up_what_waits_in_the_first() {
    let (mut scene, prompt) = start_proposal();
    let mut other = Client::start(ASSENT, &scene.ws);
    other.initialize();
    let (session, cwd) = (scene.session.clone(), scene.ws.root().to_owned());
    for method in ["session/load", "session/resume"] {
        let params = json!({ "sessionId": session, "cwd": cwd, "mcpServers": [] });
        let id = other.send_request(method, params);
        assert!(other.expect_error(id).message.contains("another window"), "{method}");
    }
    other.finish();
    scene.model.reply(text("Both are in."));
    scene.client.accept_all("c1");
    assert_eq!(scene.finish(prompt).text(), "Both are in.");
    assert_eq!(scene.ws.read("a"), TWO_AND_SIX);
}

#[cfg(unix)]
#[test]
fn hunks_of_a_file_that_leads_elsewhere_by_now_are_closed() {
    let mut scene = proposed();
    kill(&mut scene);
    scene.ws.write("b", A);
    std::fs::remove_file(scene.ws.path("a")).unwrap();
    scene.ws.link("a", "b");
    scene.start_again();
    load(&mut scene);
    let session = scene.session.clone();
    scene.client.wait_for_words(&session, "leads elsewhere");
    finish_taken_up(&mut scene, "Nothing waits for you");
    assert!(scene.client.reviews().iter().all(|review| !review.is_open()));
    scene.model.reply(text("I see."));
    scene.prompt("so?");
    let result = scene.last_request().result("c1").to_owned();
    assert!(result.contains("leads elsewhere") && result.contains("not decided"), "{result}");
    assert_eq!(scene.ws.read("b"), A);
}

#[test]
fn an_edit_too_large_for_the_log_ends_with_the_server() {
    let large = format!("two\n{}", "a line of some length to fill the file\n".repeat(30_000));
    let mut scene = Scene::new(&[("a", large.as_str())]);
    scene.model.reply(answer().call("r1", "read", json!({ "filePath": "a" })));
    let edit = json!({ "filePath": "a", "oldString": "two\n", "newString": "TWO\n" });
    scene.model.reply(answer().call("c1", "edit", edit));
    scene.start("change it");
    scene.client.open_review("c1");
    kill_and_load(&mut scene);
    scene.model.reply(text("I see."));
    scene.prompt("so?");
    assert!(scene.last_request().result("c1").contains("too large to be kept"));
    assert_eq!(scene.ws.read("a"), large);
}

#[test]
fn reviews_that_stood_open_side_by_side_come_back_side_by_side() {
    let mut scene = Scene::new(&[("a", A)]);
    scene.model.reply(answer().call("r1", "read", json!({ "filePath": "a" })));
    let new = json!({ "filePath": "new", "content": "new\n" });
    scene.model.reply(answer().call("c1", "multiedit", two_edits("a")).call("c2", "write", new));
    scene.start("both");
    scene.client.open_review("c1");
    scene.client.open_review("c2");
    scene.client.accept_all("c2");
    let session = scene.session.clone();
    scene.client.wait_for_status(&session, "c2", "completed");
    kill_and_load(&mut scene);
    scene.client.open_review("c1");
    assert!(scene.client.reviews().iter().all(|review| review.call() != "c2"), "it has its result");
    scene.model.reply(text("All is in."));
    scene.client.accept_all("c1");
    finish_taken_up(&mut scene, "All is in.");
    assert_eq!((scene.ws.read("a"), scene.ws.read("new")), (TWO_AND_SIX.into(), "new\n".into()));
    assert!(scene.last_request().result("c2").contains("Created"));
}
