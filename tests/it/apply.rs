//! Accepted edits under every temperament an editor has. Only the text that came back decides
//! what the model is told.

use crate::scene::Scene;
use assent_tests::client::{Echo, Temperament};
use assent_tests::{answer, text};
use serde_json::json;

/// A review of one hunk in an open document, with the editor's temperament.
fn scene(temperament: Temperament) -> (Scene, String, i64) {
    let mut scene = Scene::new(&[("f.txt", "one\ntwo\nthree\n")]);
    scene.client.temperament = Some(temperament);
    let uri = scene.client.open("f.txt");
    scene.model.reply(answer().call("r", "read", json!({ "filePath": "f.txt" })));
    let edit = json!({ "filePath": "f.txt", "oldString": "two", "newString": "TWO" });
    scene.model.reply(answer().call("e", "edit", edit)).reply(text("Done."));
    let prompt = scene.start("go");
    (scene, uri, prompt)
}

#[test]
fn a_fresh_edit_succeeds_whatever_comes_first() {
    let temperaments = [
        Temperament::Honest,
        Temperament::Lying,
        Temperament::AppliesStale,
        Temperament::Error,
        Temperament::Late(Echo::Before),
        Temperament::Late(Echo::After),
        Temperament::Late(Echo::WithKeystroke),
    ];
    for temperament in temperaments {
        let (mut scene, uri, prompt) = scene(temperament);
        scene.client.accept_all("e");
        let turn = scene.finish(prompt);
        assert_eq!(turn.statuses()[1].1, "completed", "{temperament:?}");
        let expected = match temperament {
            Temperament::Late(Echo::WithKeystroke) => "one\nTWO\nthree\nkey",
            _ => "one\nTWO\nthree\n",
        };
        assert_eq!(scene.client.document(&uri).text, expected, "{temperament:?}");
        let result = scene.last_request().result("e").to_owned();
        assert!(result.contains("accepted"), "{temperament:?}: {result}");
    }
}

/// The user types while the edit is on its way: what the server sends is for an older version.
fn stale(temperament: Temperament) -> (Scene, String, i64) {
    let (mut scene, uri, prompt) = scene(temperament);
    let review = scene.client.open_review("e");
    // Answer by hand, so that a key lies between the decision and the edit's arrival.
    scene.client.temperament = None;
    let decision = json!({ "reviewId": review.id(), "decisions": [{ "hunk": "*", "accept": true }] });
    let decided = scene.client.send_request("_assent/review/decide", decision);
    let request = scene.client.expect_request("workspace/applyEdit");
    scene.client.temperament = Some(temperament);
    scene.client.change(&uri, 0..0, "zero\n");
    scene.client.apply_edit(&request);
    scene.client.expect_result(decided);
    (scene, uri, prompt)
}

#[test]
fn a_stale_edit_is_never_reported_as_done_where_it_was_not() {
    for temperament in [Temperament::Honest, Temperament::Lying, Temperament::Error] {
        let (mut scene, uri, prompt) = stale(temperament);
        // The server may try again for the version it now knows, or offer the hunk again.
        let ended = scene.client.wait_for_review(|review| {
            review.call() == "e" && (!review.is_open() || !review.pending().is_empty())
        });
        if ended.is_open() && scene.client.edits.len() == 1 {
            scene.client.accept_everything();
        }
        scene.finish(prompt);
        let text = scene.client.document(&uri).text.clone();
        let result = scene.last_request().result("e").to_owned();
        let done = text == "zero\none\nTWO\nthree\n";
        assert!(done || text == "zero\none\ntwo\nthree\n", "{temperament:?}: {text:?}");
        assert_eq!(result.contains("accepted"), done, "{temperament:?}: {text:?} {result}");
        for edit in &scene.client.edits {
            assert!(edit.version().is_i64(), "{temperament:?}: no edit without a version");
        }
        assert_eq!(scene.ws.read("f.txt"), "one\ntwo\nthree\n", "{temperament:?}: dirty stays dirty");
    }
}

#[test]
fn an_editor_that_applies_a_stale_edit_is_believed_by_its_text() {
    let (mut scene, uri, prompt) = stale(Temperament::AppliesStale);
    scene.client.accept_everything();
    scene.finish(prompt);
    let text = scene.client.document(&uri).text.clone();
    let result = scene.last_request().result("e").to_owned();
    // Line 1 of the newer text was overwritten: the model must not be told that all went well.
    assert!(text.contains("zero"), "{text:?}");
    let all_well = result.contains("accepted") && !result.contains("differ") && !result.contains("stale");
    assert!(!all_well || text == "zero\none\nTWO\nthree\n", "{text:?}: {result}");
}

#[test]
fn a_refusal_and_silence_are_failures() {
    for temperament in [Temperament::Refusing, Temperament::Silent] {
        let (mut scene, uri, prompt) = scene(temperament);
        let review = scene.client.open_review("e");
        scene.client.decide_unattended(review.id(), "*", true);
        // Silence takes the server's whole limit; nothing else waits for it meanwhile.
        scene.client.request("session/list", json!({}));
        scene.client.patience = std::time::Duration::from_secs(30);
        let turn = scene.finish(prompt);
        assert_eq!(turn.statuses()[1].1, "failed", "{temperament:?}: {:?}", turn.statuses());
        assert_eq!(scene.client.document(&uri).text, "one\ntwo\nthree\n");
        assert_eq!(scene.client.edits.len(), 1, "{temperament:?}: no second edit");
        assert_eq!(scene.ws.read("f.txt"), "one\ntwo\nthree\n");
        let result = scene.last_request().result("e").to_owned();
        assert!(!result.contains("hunk 1: accepted"), "{result}");
    }
}
