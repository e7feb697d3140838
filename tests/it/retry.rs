//! What is tried again, after how long, and what is not.

use crate::scene::Scene;
use assent_tests::model_server::{Dialect, error};
use assent_tests::text;
use std::time::{Duration, Instant};

#[test]
fn a_pause_the_server_asks_for_is_kept() {
    for (name, value, least) in [("retry-after", "1", 1000), ("retry-after-ms", "300", 300)] {
        let mut scene = Scene::new(&[]);
        scene.model.reply(error(429, "slow down").header(name, value)).reply(text("Now."));
        let started = Instant::now();
        let turn = scene.prompt("go");
        assert_eq!(turn.text(), "Now.");
        assert!(started.elapsed() >= Duration::from_millis(least), "{name}: {:?}", started.elapsed());
    }
}

#[test]
fn an_overload_is_tried_again() {
    for dialect in Dialect::ALL {
        for status in [500, 503, 529] {
            let mut scene = Scene::with_settings(&[], dialect, "");
            scene.model.reply(error(status, "busy")).reply(text("Now."));
            assert_eq!(scene.prompt("go").text(), "Now.", "{dialect:?} {status}");
        }
    }
}

#[test]
fn an_unreadable_pause_is_an_ordinary_one() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(error(429, "slow down").header("retry-after", "soon")).reply(text("Now."));
    assert_eq!(scene.prompt("go").text(), "Now.");
}

#[track_caller]
fn check_not_tried_again(reply: assent_tests::model_server::Reply, words: &str) {
    let mut scene = Scene::new(&[]);
    scene.model.reply(reply);
    let prompt = scene.start("go");
    let response = scene.client.expect_response(prompt);
    let session = scene.session.clone();
    let updates = scene.client.claim_all_updates(&session);
    let said = format!("{response:?} {updates:?}");
    assert!(said.contains(words), "{words:?} is not in {said}");
    assert_eq!(scene.model.requests().len(), 1);
    scene.model.reply(text("Better."));
    assert_eq!(scene.prompt("again").text(), "Better.", "the session goes on");
}

#[test]
fn a_pause_of_a_day_is_told_not_slept() {
    check_not_tried_again(error(429, "quota used up").header("retry-after", "90000"), "quota used up");
}

#[test]
fn a_bad_request_is_told_at_once() {
    check_not_tried_again(error(400, "no such parameter"), "no such parameter");
    check_not_tried_again(error(401, "bad key"), "MOCK_KEY");
}

#[test]
fn a_cancel_ends_the_pause() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(error(429, "slow down").header("retry-after", "60"));
    let prompt = scene.start("go");
    scene.model.wait_for_request(1);
    let started = Instant::now();
    let session = scene.session.clone();
    scene.client.cancel(&session);
    assert_eq!(scene.finish(prompt).stop_reason, "cancelled");
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
}
