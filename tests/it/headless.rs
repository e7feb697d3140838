//! `assent run` and `assent doctor` against a real wire format.

use crate::scene::ASSENT;
use assent_tests::model_server::KEY;
use assent_tests::{ModelServer, Workspace, answer, text};
use serde_json::json;
use std::process::{Command, Output, Stdio};

fn run(ws: &Workspace, arguments: &[&str]) -> Output {
    Command::new(ASSENT)
        .args(arguments)
        .current_dir(ws.root())
        .env_clear()
        .envs(ws.environment())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn another_folder_model_and_mode_can_be_chosen() {
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, &[("sub/a", "AAA\n")]);
    model.reply(answer().call("c1", "write", json!({ "filePath": "new", "content": "x" })));
    model.reply(answer().call("c2", "read", json!({ "filePath": "a" }))).reply(text("Done."));
    let output = run(&ws, &["run", "-m", "mock/other-model", "--mode", "plan", "--yes", "-C", "sub", "go"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let request = model.requests().pop().unwrap();
    assert_eq!(request.body["model"], "other-model");
    assert!(request.result("c1").contains("plan"), "{}", request.result("c1"));
    assert!(request.result("c2").contains("AAA"), "{}", request.result("c2"));
}

#[test]
fn the_doctor_says_what_it_found_and_no_secret() {
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, &[]);
    let output = run(&ws, &["doctor"]);
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("mock/test-model"), "{said}");
    assert!(!said.contains(KEY), "{said}");
}
