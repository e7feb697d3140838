//! Reviews: proposed, decided by request and by command, moved along, made stale, offered again.

use crate::scene::Scene;
use assent_tests::model_server::Item;
use assent_tests::{answer, text};
use serde_json::{Value, json};

const LINES: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";

/// An open document and a review of two hunks: line 2 and line 8.
fn scene() -> (Scene, String, i64) {
    let mut scene = Scene::new(&[("f.txt", LINES)]);
    let uri = scene.client.open("f.txt");
    let prompt = propose(&mut scene);
    (scene, uri, prompt)
}

fn propose(scene: &mut Scene) -> i64 {
    scene.model.reply(answer().call("r", "read", json!({ "filePath": "f.txt" })));
    let edits = json!([
        { "oldString": "two", "newString": "TWO" },
        { "oldString": "eight", "newString": "EIGHT" },
    ]);
    scene.model.reply(answer().call("e", "multiedit", json!({ "filePath": "f.txt", "edits": edits })));
    scene.model.reply(text("Done."));
    scene.start("go")
}

fn decide(review: &str, decisions: Value) -> Value {
    json!({ "reviewId": review, "decisions": decisions })
}

#[test]
fn a_proposal_changes_nothing_until_it_is_accepted() {
    let (mut scene, uri, prompt) = scene();
    let review = scene.client.open_review("e");
    let hunks = review.hunks();
    assert_eq!(hunks.len(), 2, "{:#}", review.state);
    assert_eq!((hunks[0].old_text.as_str(), hunks[0].new_text.as_str()), ("two\n", "TWO\n"));
    assert_eq!(hunks[0].range["start"], json!({ "line": 1, "character": 0 }));
    assert_eq!(review.state["sessionId"], scene.session.as_str());
    assert_eq!(scene.client.document(&uri).text, LINES);
    assert_eq!(scene.ws.read("f.txt"), LINES);
    assert!(scene.client.edits.is_empty());
    assert_eq!(scene.client.decide(review.id(), "*", false), 0);
    let turn = scene.finish(prompt);
    assert_eq!(turn.stop_reason, "end_turn");
    assert_eq!(scene.client.document(&uri).text, LINES);
    assert!(scene.client.edits.is_empty());
    assert!(scene.last_request().result("e").contains("rejected"), "{}", scene.last_request().result("e"));
}

#[test]
fn hunks_are_decided_one_by_one_and_reported_one_by_one() {
    let (mut scene, uri, prompt) = scene();
    let review = scene.client.open_review("e");
    let ids: Vec<String> = review.hunks().into_iter().map(|hunk| hunk.id).collect();
    assert_eq!(scene.client.decide(review.id(), &ids[0], true), 1);
    let review = scene.client.wait_for_review(|review| review.status(&ids[0]) == "accepted");
    assert!(review.is_open());
    let mut last = decide(review.id(), json!([{ "hunk": ids[1], "accept": false }]));
    last["feedback"] = json!("eight is a good number");
    assert_eq!(scene.client.request("_assent/review/decide", last), json!({ "open": 0 }));
    scene.finish(prompt);
    assert_eq!(scene.client.document(&uri).text, LINES.replace("two", "TWO"));
    let request = scene.last_request();
    let result = request.result("e");
    for words in ["accepted", "rejected", "eight is a good number"] {
        assert!(result.contains(words), "{words:?} is not in {result}");
    }
    let closed = scene.client.wait_for_review(|review| !review.is_open());
    assert_eq!(closed.status(&ids[1]), "rejected");
}

#[test]
fn an_unknown_id_is_invalid_and_a_decided_hunk_stays_decided() {
    let (mut scene, uri, prompt) = scene();
    let review = scene.client.open_review("e");
    let first = review.hunks()[0].id.clone();
    for params in [
        decide("no-such-review", json!([{ "hunk": "*", "accept": true }])),
        decide(review.id(), json!([{ "hunk": "h99", "accept": true }])),
    ] {
        let id = scene.client.send_request("_assent/review/decide", params);
        assert_eq!(scene.client.expect_error(id).code, -32602);
    }
    assert_eq!(scene.client.decide(review.id(), &first, true), 1);
    assert_eq!(scene.client.decide(review.id(), &first, false), 1, "not decided twice");
    assert_eq!(scene.client.decide(review.id(), "*", false), 0);
    scene.finish(prompt);
    assert_eq!(scene.client.document(&uri).text, LINES.replace("two", "TWO"));
}

#[test]
fn commands_decide_as_requests_do() {
    let cases: [(&str, bool, &str); 4] = [
        ("assent.review.accept", true, "one\nTWO\n"),
        ("assent.review.reject", true, "one\ntwo\n"),
        ("assent.review.acceptAll", false, "one\nTWO\n"),
        ("assent.review.rejectAll", false, "one\ntwo\n"),
    ];
    for (command, single, start) in cases {
        let (mut scene, uri, prompt) = scene();
        let review = scene.client.open_review("e");
        if single {
            let hunk = review.hunks()[0].id.clone();
            scene.client.command(command, json!({ "reviewId": review.id(), "hunk": hunk }));
            scene.client.wait_for_review(|review| review.status(&hunk) != "pending");
            scene.client.decide(review.id(), "*", false);
        } else {
            scene.client.command(command, json!({ "reviewId": review.id() }));
        }
        scene.finish(prompt);
        assert!(scene.client.document(&uri).text.starts_with(start), "{command}");
        let all = command == "assent.review.acceptAll";
        assert_eq!(scene.client.document(&uri).text.contains("EIGHT"), all, "{command}");
    }
}

#[test]
fn next_and_previous_show_a_pending_hunk() {
    let (mut scene, uri, prompt) = scene();
    let review = scene.client.open_review("e");
    for command in ["assent.review.next", "assent.review.previous"] {
        // A client that draws hunks moves its cursor itself.
        let found = scene.client.command(command, json!({}));
        assert_eq!(found["uri"], uri.as_str());
        assert!(found["range"]["start"]["line"].is_u64(), "{found}");
    }
    scene.client.decide(review.id(), "*", false);
    scene.finish(prompt);
}

#[test]
fn what_the_user_made_of_a_hunk_goes_in_and_is_told() {
    let (mut scene, uri, prompt) = scene();
    let review = scene.client.open_review("e");
    let ids: Vec<String> = review.hunks().into_iter().map(|hunk| hunk.id).collect();
    let decisions = json!([
        { "hunk": ids[0], "accept": true, "newText": "Two and a half\n" },
        { "hunk": ids[1], "accept": false },
    ]);
    scene.client.request("_assent/review/decide", decide(review.id(), decisions));
    scene.finish(prompt);
    assert_eq!(scene.client.document(&uri).text, LINES.replace("two", "Two and a half"));
    let result = scene.last_request().result("e").to_owned();
    assert!(result.contains("change") && result.contains("Two and a half"), "{result}");
}

#[test]
fn typing_elsewhere_moves_the_hunks_along() {
    let (mut scene, uri, prompt) = scene();
    let review = scene.client.open_review("e");
    scene.client.change(&uri, 0..0, "zero\n");
    scene.client.replace(&uri, "five", "5");
    scene.client.append(&uri, "ten\n");
    let version = scene.client.document(&uri).version;
    let moved = scene.client.wait_for_review(|review| review.state["files"][0]["version"] == version);
    assert_eq!(moved.pending()[0].range["start"]["line"], 2, "{:#}", moved.state);
    scene.client.decide(review.id(), "*", true);
    scene.finish(prompt);
    let expected =
        format!("zero\n{}ten\n", LINES.replace("two", "TWO").replace("eight", "EIGHT").replace("five", "5"));
    assert_eq!(scene.client.document(&uri).text, expected);
}

#[test]
fn a_hunk_whose_own_line_was_changed_is_stale_and_offered_again() {
    let (mut scene, uri, prompt) = scene();
    let review = scene.client.open_review("e");
    let first = review.hunks()[0].id.clone();
    scene.client.replace(&uri, "two", "two, as I like it");
    let review = scene.client.wait_for_review(|review| review.status(&first) == "stale");
    let offered = review.pending();
    assert_eq!(offered.len(), 2, "{:#}", review.state);
    assert_eq!(offered[0].old_text, "two, as I like it\n");
    // A decision about the stale one changes nothing.
    scene.client.decide(review.id(), &first, true);
    assert!(scene.client.document(&uri).text.contains("two, as I like it"));
    for hunk in offered {
        scene.client.decide(review.id(), &hunk.id, hunk.old_text.starts_with("eight"));
    }
    scene.finish(prompt);
    let expected = LINES.replace("two", "two, as I like it").replace("eight", "EIGHT");
    assert_eq!(scene.client.document(&uri).text, expected);
}

#[test]
fn a_review_of_a_closed_file_follows_it_into_the_editor() {
    let mut scene = Scene::new(&[("f.txt", LINES)]);
    let prompt = propose(&mut scene);
    let review = scene.client.open_review("e");
    assert!(review.state["files"][0]["version"].is_null());
    let uri = scene.client.open("f.txt");
    scene.client.change(&uri, 0..0, "zero\n");
    scene.client.decide(review.id(), "*", true);
    scene.finish(prompt);
    let expected = format!("zero\n{}", LINES.replace("two", "TWO").replace("eight", "EIGHT"));
    assert_eq!(scene.client.document(&uri).text, expected);
}

#[test]
fn a_created_file_is_one_hunk_and_rejecting_it_creates_nothing() {
    let mut scene = Scene::new(&[]);
    let (ids, prompt) = scene.start_calls(&[("write", json!({ "filePath": "n.txt", "content": "new\n" }))]);
    let review = scene.client.open_review(&ids[0]);
    assert_eq!(review.state["files"][0]["change"], "create");
    assert_eq!(review.hunks().len(), 1);
    assert!(!scene.ws.exists("n.txt"));
    scene.client.decide(review.id(), "*", false);
    scene.finish(prompt);
    assert!(!scene.ws.exists("n.txt"));
}

#[test]
fn a_cancelled_turn_closes_its_reviews() {
    let (mut scene, uri, prompt) = scene();
    scene.client.open_review("e");
    let session = scene.session.clone();
    scene.client.cancel(&session);
    assert_eq!(scene.finish(prompt).stop_reason, "cancelled");
    // The model is not asked again.
    scene.model.forget_queue();
    scene.model.forget_queue();
    scene.client.wait_for_review(|review| !review.is_open());
    assert_eq!(scene.client.document(&uri).text, LINES);
}

#[cfg(unix)]
#[test]
fn a_link_put_in_the_way_of_a_review_is_not_followed() {
    let mut scene = Scene::new(&[("sub/f.txt", LINES)]);
    scene.ws.write("../elsewhere/f.txt", LINES);
    let calls = [
        ("read", json!({ "filePath": "sub/f.txt" })),
        ("edit", json!({ "filePath": "sub/f.txt", "oldString": "two", "newString": "TWO" })),
        ("write", json!({ "filePath": "sub/new.txt", "content": "made\n" })),
    ];
    let (ids, prompt) = scene.start_calls(&calls);
    let review = scene.client.open_review(&ids[1]);
    std::fs::rename(scene.ws.path("sub"), scene.ws.path("moved")).unwrap();
    scene.ws.link("sub", "../elsewhere");
    scene.client.decide(review.id(), "*", true);
    // The next call resolves anew: its path leads outside now, and is refused by the gate.
    scene.finish(prompt);
    let request = scene.last_request();
    assert!(request.result(&ids[1]).contains("leads elsewhere"), "{}", request.result(&ids[1]));
    assert_eq!(std::fs::read_to_string(scene.ws.path("../elsewhere/f.txt")).unwrap(), LINES);
    assert!(!scene.ws.path("../elsewhere/new.txt").exists());
}

/// The model has read `a` and `b` and makes these calls in one answer.
fn calls_of_one_answer(calls: &[(&str, &str, Value)]) -> (Scene, i64) {
    let mut scene = Scene::new(&[("a", "red\nblue\n"), ("b", "red\nblue\n")]);
    let read = |file: &str| json!({ "filePath": file });
    scene.model.reply(answer().call("r1", "read", read("a")).call("r2", "read", read("b")));
    let made = calls.iter().fold(answer(), |made, (id, tool, with)| made.call(id, tool, with.clone()));
    scene.model.reply(made);
    let prompt = scene.start("go");
    (scene, prompt)
}

fn edit(file: &str, old: &str, new: &str) -> Value {
    json!({ "filePath": file, "oldString": old, "newString": new })
}

#[test]
fn edits_of_one_answer_are_reviewed_together_and_answered_in_order() {
    let calls = [
        ("c1", "edit", edit("a", "red", "RED")),
        ("c2", "write", json!({ "filePath": "new", "content": "new\n" })),
        ("c3", "edit", edit("b", "blue", "BLUE")),
    ];
    let (mut scene, prompt) = calls_of_one_answer(&calls);
    let ids: Vec<String> =
        calls.iter().map(|(call, ..)| scene.client.open_review(call).id().to_owned()).collect();
    assert_eq!(ids, ["r1", "r2", "r3"], "they are shown in the order of the calls");
    scene.model.reply(text("Two of three."));
    scene.client.accept_all("c3");
    scene.client.decide(&ids[1], "*", false);
    scene.client.accept_all("c1");
    assert_eq!(scene.finish(prompt).text(), "Two of three.");
    assert_eq!((scene.ws.read("a"), scene.ws.read("b")), ("RED\nblue\n".into(), "red\nBLUE\n".into()));
    assert!(!scene.ws.exists("new"));
    let request = scene.last_request();
    let results = request.items.iter().filter_map(|item| match item {
        Item::Result { id, .. } => Some(id.as_str()),
        _ => None,
    });
    assert_eq!(results.collect::<Vec<_>>(), ["r1", "r2", "c1", "c2", "c3"]);
    assert!(request.result("c2").contains("rejected") && request.result("c3").contains("accepted"));
}

#[test]
fn an_edit_of_the_same_file_is_made_against_what_the_one_before_left() {
    let calls = [
        ("c1", "edit", edit("a", "red", "RED")),
        ("c2", "edit", edit("a", "RED\nblue", "RED\nBLUE")),
        ("c3", "edit", edit("b", "red", "RED")),
    ];
    let (mut scene, prompt) = calls_of_one_answer(&calls);
    scene.client.open_review("c3");
    scene.client.open_review("c1");
    assert!(scene.client.reviews().iter().all(|review| review.call() != "c2"));
    scene.client.accept_all("c1");
    let second = scene.client.open_review("c2");
    assert_eq!(second.pending()[0].old_text, "blue\n");
    scene.model.reply(text("All are in."));
    scene.client.accept_all("c2");
    scene.client.accept_all("c3");
    scene.finish(prompt);
    assert_eq!((scene.ws.read("a"), scene.ws.read("b")), ("RED\nBLUE\n".into(), "RED\nblue\n".into()));
}

#[test]
fn a_command_waits_for_the_edits_before_it() {
    let bash = json!({ "command": "cat a b > seen", "description": "t" });
    let calls = [
        ("c1", "edit", edit("a", "red", "RED")),
        ("c2", "edit", edit("b", "red", "RED")),
        ("c3", "bash", bash),
    ];
    let (mut scene, prompt) = calls_of_one_answer(&calls);
    scene.client.allows_all = true;
    scene.client.open_review("c2");
    scene.client.accept_all("c1");
    let session = scene.session.clone();
    scene.client.wait_for_status(&session, "c1", "completed");
    assert!(!scene.ws.exists("seen"));
    scene.model.reply(text("Done."));
    scene.client.accept_all("c2");
    scene.finish(prompt);
    assert_eq!(scene.ws.read("seen"), "RED\nblue\nRED\nblue\n");
}

#[test]
fn a_no_that_ends_the_turn_takes_back_what_is_reviewed_beside_it() {
    let calls = [
        ("c1", "edit", edit("a", "red", "RED")),
        ("c2", "write", json!({ "filePath": ".envrc", "content": "export A=1\n" })),
    ];
    let (mut scene, prompt) = calls_of_one_answer(&calls);
    scene.client.open_review("c1");
    let approval = scene.client.expect_approval();
    scene.client.reject(&approval, "stop it", true);
    assert_eq!(scene.finish(prompt).stop_reason, "end_turn");
    assert!(scene.client.reviews().iter().all(|review| !review.is_open()));
    assert_eq!(scene.ws.read("a"), "red\nblue\n");
    scene.model.reply(text("I see."));
    scene.prompt("so?");
    let request = scene.last_request();
    assert!(request.result("c2").contains("stop it") && request.result("c1").contains("interrupted"));
}
