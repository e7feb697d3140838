//! The gate as the user and the model see it: rules for commands, confinement, approvals.

use crate::scene::Scene;
use assent_tests::model_server::Dialect;
use assent_tests::{Workspace, answer, text};
use serde_json::json;

const RULES: &str = "policy:\n  bash: { allow: [\"git status*\"], deny: [\"rm *\"] }\n";

#[derive(Debug, PartialEq)]
enum Seen {
    Runs,
    Denied,
    Asks,
}

#[test]
fn rules_see_every_command_of_a_line() {
    let cases = [
        ("git status", Seen::Runs),
        ("git status && rm -rf build", Seen::Denied),
        ("git status; curl x", Seen::Asks),
        ("git status\nrm a", Seen::Denied),
        ("git status $(touch p)", Seen::Asks),
        ("FOO=1 rm x", Seen::Denied),
        ("(rm x)", Seen::Denied),
        ("echo \"rm x\"", Seen::Asks),
    ];
    let mut scene = Scene::with_settings(&[("keep", "")], Dialect::Chat, RULES);
    for (line, expected) in cases {
        let (ids, prompt) = scene.start_calls(&[("bash", json!({ "command": line, "description": "t" }))]);
        if expected == Seen::Asks {
            let approval = scene.client.expect_approval();
            assert_eq!(approval.subject(), line);
            scene.client.reject(&approval, "", false);
        }
        let turn = scene.finish(prompt);
        let failed = turn.statuses()[0].1 == "failed";
        let result = scene.last_request().result(&ids[0]).to_owned();
        match expected {
            // What git says outside a repository is its own business.
            Seen::Runs => assert!(result.contains("git"), "{line}: {result}"),
            Seen::Denied => {
                assert!(failed && result.contains("rm *"), "{line}: the rule is named: {result}");
            }
            Seen::Asks => assert!(failed, "{line}: {result}"),
        }
    }
    assert!(scene.ws.exists("keep") && !scene.ws.exists("p"));
}

#[cfg(unix)]
#[test]
fn file_tools_stay_inside_the_workspace() {
    let model = assent_tests::ModelServer::start();
    let ws = Workspace::with_model(&model, &[("in.txt", "inside\n")]);
    let outside = ws.outside().to_path_buf();
    std::fs::write(outside.join("s"), "secret\n").unwrap();
    std::fs::create_dir(outside.join("ws-old")).unwrap();
    std::fs::write(outside.join("ws-old/k"), "secret\n").unwrap();
    ws.link("link", "../s").link("new", "../s2");
    let mut scene = Scene::on(model, ws);
    scene.client.accepts_all = true;
    let absolute = |path: &str| outside.join(path).to_string_lossy().into_owned();
    for path in [absolute("ws-old/k"), absolute("ws/../s"), "../s".to_owned(), "link".to_owned()] {
        let outcome = scene.call("read", json!({ "filePath": path }));
        assert!(outcome.failed && !outcome.text.contains("secret"), "{path}: {}", outcome.text);
    }
    let outcome = scene.call("write", json!({ "filePath": "new", "content": "x" }));
    assert!(outcome.failed && !outside.join("s2").exists(), "{}", outcome.text);
    let outcome = scene.call("write", json!({ "filePath": "sub/n.txt", "content": "x\n" }));
    assert!(!outcome.failed, "{}", outcome.text);
    assert_eq!(scene.ws.read("sub/n.txt"), "x\n");
}

#[test]
fn plan_mode_writes_nothing() {
    let mut scene = Scene::new(&[("f.txt", "a\n")]);
    let session = scene.session.clone();
    scene.client.request("session/set_mode", json!({ "sessionId": session, "modeId": "plan" }));
    let outcomes = scene.calls(&[
        ("read", json!({ "filePath": "f.txt" })),
        ("edit", json!({ "filePath": "f.txt", "oldString": "a", "newString": "b" })),
    ]);
    assert!(!outcomes[0].failed && outcomes[1].failed, "{outcomes:?}");
    assert!(outcomes[1].text.contains("plan"), "{}", outcomes[1].text);
    assert_eq!(scene.ws.read("f.txt"), "a\n");
}

#[test]
fn accept_edits_mode_applies_at_once_and_shows_the_hunks_as_accepted() {
    let mut scene = Scene::new(&[("f.txt", "a\n")]);
    let session = scene.session.clone();
    scene.client.request("session/set_mode", json!({ "sessionId": session, "modeId": "accept-edits" }));
    let outcomes = scene.calls(&[
        ("read", json!({ "filePath": "f.txt" })),
        ("edit", json!({ "filePath": "f.txt", "oldString": "a", "newString": "b" })),
    ]);
    assert!(!outcomes[1].failed, "{}", outcomes[1].text);
    assert_eq!(scene.ws.read("f.txt"), "b\n");
    let review = scene.client.wait_for_review(|review| !review.is_open());
    assert_eq!(review.hunks()[0].status, "accepted");
}

#[test]
fn protected_paths_ask_even_when_edits_are_accepted() {
    let mut scene = Scene::new(&[(".envrc", "export A=1\n")]);
    let session = scene.session.clone();
    scene.client.request("session/set_mode", json!({ "sessionId": session, "modeId": "accept-edits" }));
    let (ids, prompt) = scene.start_calls(&[
        ("read", json!({ "filePath": ".envrc" })),
        ("edit", json!({ "filePath": ".envrc", "oldString": "A=1", "newString": "A=2" })),
    ]);
    for _ in 0..2 {
        let approval = scene.client.expect_approval();
        assert!(approval.subject().contains(".envrc"), "{:?}", approval.request.params);
        if approval.call() == ids[1] {
            assert_eq!(approval.option("allow_always"), None, "can't be remembered");
            scene.client.reject(&approval, "keep it", false);
        } else {
            scene.client.allow(&approval);
        }
    }
    scene.finish(prompt);
    assert!(scene.last_request().result(&ids[1]).contains("keep it"));
    assert_eq!(scene.ws.read(".envrc"), "export A=1\n");
}

#[test]
fn a_subject_shows_what_can_not_be_seen() {
    let mut scene = Scene::new(&[]);
    let (_, prompt) =
        scene.start_calls(&[("bash", json!({ "command": "echo a\u{202e}b\u{7}", "description": "t" }))]);
    let approval = scene.client.expect_approval();
    assert!(!approval.subject().contains(['\u{202e}', '\u{7}']), "{:?}", approval.subject());
    assert!(approval.subject().len() > "echo ab".len());
    scene.client.reject(&approval, "", false);
    scene.finish(prompt);
}

#[test]
fn always_is_remembered_for_the_workspace_and_only_the_rule_that_was_shown() {
    let mut scene = Scene::new(&[]);
    let bash = |command: &str| ("bash", json!({ "command": command, "description": "t" }));
    let (_, prompt) = scene.start_calls(&[bash("echo one")]);
    let approval = scene.client.expect_approval();
    assert!(!approval.meta()["remember"].is_null(), "{}", approval.request.params);
    scene.client.choose(&approval, "allow_always");
    scene.finish(prompt);
    scene.call("bash", bash("echo one").1);

    scene.restart();
    scene.session = scene.client.new_session();
    scene.call("bash", bash("echo one").1);

    let (_, prompt) = scene.start_calls(&[bash("rm -rf x")]);
    let approval = scene.client.expect_approval();
    scene.client.reject(&approval, "", false);
    scene.finish(prompt);
}

#[test]
fn a_malformed_or_unknown_call_is_not_asked_about() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(answer().call("c1", "bash", json!({ "comand": "ls" })).call(
        "c2",
        "no_such_tool",
        json!({}),
    ));
    scene.model.reply(text("Sorry."));
    let turn = scene.prompt("go");
    assert!(turn.statuses().iter().all(|(_, status)| status == "failed"), "{:?}", turn.statuses());
    let request = scene.last_request();
    assert!(request.result("c1").contains("command"), "{}", request.result("c1"));
    assert!(request.result("c2").contains("no_such_tool"), "{}", request.result("c2"));
}

#[test]
fn a_rejection_carries_the_reason_and_may_end_the_turn() {
    let mut scene = Scene::new(&[]);
    scene.model.reply(answer().call("c1", "bash", json!({ "command": "echo hi", "description": "t" })));
    let prompt = scene.start("go");
    let approval = scene.client.expect_approval();
    scene.client.reject(&approval, "not on a Friday", true);
    let turn = scene.finish(prompt);
    assert_ne!(turn.stop_reason, "");
    scene.model.reply(text("All right."));
    scene.prompt("and now?");
    assert!(scene.last_request().result("c1").contains("not on a Friday"));
}
