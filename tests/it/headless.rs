//! `assent run` and its neighbours: what stands on stdout, what on stderr, and the exit codes.

use crate::scene::ASSENT;
use assent_tests::model_server::error;
use assent_tests::{Gate, ModelServer, Workspace, answer, text};
use serde_json::{Value, json};
use std::process::{Command, Output, Stdio};

fn setting(files: &[(&str, &str)]) -> (ModelServer, Workspace) {
    let model = ModelServer::start();
    let ws = Workspace::with_model(&model, files);
    (model, ws)
}

fn command(ws: &Workspace, arguments: &[&str]) -> Command {
    let mut command = Command::new(ASSENT);
    command.args(arguments).current_dir(ws.root()).env_clear().envs(ws.environment()).stdin(Stdio::null());
    command
}

fn run(ws: &Workspace, arguments: &[&str]) -> Output {
    command(ws, arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn the_answer_stands_alone_on_stdout() {
    let (model, ws) = setting(&[("a", "AAA\n")]);
    model
        .reply(answer().text("Let me see.").call("c1", "read", json!({ "filePath": "a" })))
        .reply(text("It says AAA."));
    let output = run(&ws, &["run", "what", "does", "it", "say?"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(stdout(&output).contains("It says AAA."), "{output:?}");
    assert!(!stdout(&output).contains("Read"), "{output:?}");
    assert!(model.requests()[0].user().contains("what does it say?"));
}

#[test]
fn json_is_one_update_a_line_and_then_the_reason() {
    let (model, ws) = setting(&[]);
    model.reply(text("Hello."));
    let output = run(&ws, &["run", "--json", "hi"]);
    let lines: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
        .collect();
    assert_eq!(lines.last().unwrap()["stopReason"], "end_turn", "{lines:?}");
    assert!(lines.iter().any(|line| line.to_string().contains("Hello.")), "{lines:?}");
}

#[test]
fn without_a_terminal_what_would_be_asked_is_refused_unless_yes() {
    for yes in [false, true] {
        let (model, ws) = setting(&[("f.txt", "old\n")]);
        model.reply(answer().call("c1", "bash", json!({ "command": "touch ran", "description": "t" })));
        model.reply(answer().call("r", "read", json!({ "filePath": "f.txt" })));
        model.reply(answer().call(
            "e",
            "edit",
            json!({ "filePath": "f.txt", "oldString": "old", "newString": "new" }),
        ));
        model.reply(text("Done."));
        let arguments: &[&str] = if yes { &["run", "--yes", "go"] } else { &["run", "go"] };
        let output = run(&ws, arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(ws.exists("ran"), yes, "{output:?}");
        assert_eq!(ws.read("f.txt"), if yes { "new\n" } else { "old\n" }, "{output:?}");
    }
}

#[test]
fn yes_never_approves_protected_paths() {
    let (model, ws) = setting(&[(".envrc", "export A=1\n")]);
    model.reply(answer().call("w", "write", json!({ "filePath": ".envrc", "content": "export A=2\n" })));
    model.reply(text("Done."));
    run(&ws, &["run", "--yes", "go"]);
    assert_eq!(ws.read(".envrc"), "export A=1\n");
}

#[test]
fn exit_codes_tell_what_happened() {
    let (model, ws) = setting(&[]);
    model.reply(error(400, "no such parameter"));
    let output = run(&ws, &["run", "go"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("no such parameter"), "{output:?}");
    assert_eq!(stdout(&output), "");
    for wrong in
        [&["run"][..], &["run", "--mode", "yolo", "go"], &["nonsense"], &["run", "--no-such-flag", "x"]]
    {
        assert_eq!(run(&ws, wrong).status.code(), Some(2), "{wrong:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_with_130() {
    let (model, ws) = setting(&[]);
    let gate = Gate::new();
    model.reply(answer().text("On and on").hold(&gate).text("and on."));
    let mut child =
        command(&ws, &["run", "talk"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    gate.wait_reached();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    gate.open();
}

#[test]
fn another_folder_model_and_mode_can_be_chosen() {
    let (model, ws) = setting(&[("sub/a", "AAA\n")]);
    model
        .reply(answer().call("c1", "write", json!({ "filePath": "new", "content": "x" })))
        .reply(text("Done."));
    let output = run(&ws, &["run", "-m", "mock/other-model", "--mode", "plan", "--yes", "-C", "sub", "go"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let request = model.requests().pop().unwrap();
    assert_eq!(request.body["model"], "other-model");
    assert!(request.result("c1").contains("plan"), "{}", request.result("c1"));
}

#[test]
fn sessions_of_runs_are_listed_shown_and_removed() {
    let (model, ws) = setting(&[]);
    model.reply(text("Hello there."));
    run(&ws, &["run", "say hello"]);
    let listed = stdout(&run(&ws, &["sessions", "ls"]));
    assert!(listed.contains("say hello"), "{listed}");
    let id = listed
        .split_whitespace()
        .find(|word| word.len() >= 8 && word.contains('-') && word.matches('-').count() == 4);
    let id = id.unwrap_or_else(|| panic!("no id in {listed}")).to_owned();
    let shown = stdout(&run(&ws, &["sessions", "show", &id]));
    assert!(shown.contains("Hello there."), "{shown}");
    assert_eq!(run(&ws, &["sessions", "rm", &id]).status.code(), Some(0));
    assert!(!stdout(&run(&ws, &["sessions", "ls"])).contains("say hello"));
    assert_eq!(run(&ws, &["sessions", "show", &id]).status.code(), Some(1));
}

#[test]
fn the_doctor_says_what_it_found_and_no_secret() {
    let (_model, ws) = setting(&[]);
    let output = run(&ws, &["doctor"]);
    let said = stdout(&output) + &String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("mock/test-model"), "{said}");
    assert!(!said.contains(assent_tests::model_server::KEY), "{said}");
}
