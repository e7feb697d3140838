//! `assent run` with a scripted model, and the small commands, from outside. With a model server
//! behind it, see `headless`.

use crate::scene::is_running;
use assent_tests::workspace::Workspace;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

/// A workspace whose model follows this script.
fn scripted(answers: &Value) -> Workspace {
    let workspace = Workspace::new();
    let script = workspace.outside().join("script.json");
    std::fs::write(&script, json!({ "answers": answers }).to_string()).unwrap();
    workspace.user_config(&format!("model: scripted/{}\n", script.display()));
    workspace
}

fn command(workspace: &Workspace, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assent"));
    command
        .args(arguments)
        .current_dir(workspace.root())
        .env_clear()
        .envs(workspace.environment())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn assent(workspace: &Workspace, arguments: &[&str]) -> Output {
    command(workspace, arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn the_answer_is_all_that_stands_on_stdout() {
    let workspace = scripted(&json!([
        [{ "say": "I look." }, { "call": "read", "with": { "filePath": "a.txt" } }],
        [{ "expect": "hello" }, { "say": "It says hello." }]
    ]));
    workspace.write("a.txt", "hello\n");
    let output = assent(&workspace, &["run", "what", "does", "a.txt", "say?"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(text(&output.stdout), "[scripted model] I look.\n[scripted model] It says hello.\n");
    assert_eq!(text(&output.stderr), "✓ Read a.txt\n");
}

#[test]
fn a_turn_that_fails_is_told_once_and_exits_with_1() {
    let workspace = Workspace::new();
    workspace.user_config("model: nobody/knows\n");
    let output = assent(&workspace, &["run", "go"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), ""));
    assert_eq!(text(&output.stderr).matches("nobody").count(), 2, "one message: {output:?}");
    let output = assent(&workspace, &["run", "--json", "go"]);
    let last: Value = serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap();
    assert_eq!(last["stopReason"], "error");
    assert!(last["error"].as_str().unwrap().contains("nobody"), "{last}");
}

#[test]
fn wrong_usage_exits_with_2() {
    let workspace = Workspace::new();
    for arguments in [
        &["run"][..],
        &["run", "--mode", "yolo", "go"],
        &["run", "-C", "not-there", "go"],
        &["nonsense"],
        &["tools", "call", "read", "no json"],
    ] {
        let output = assent(&workspace, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {output:?}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_cancels_the_turn_and_ends_what_it_started() {
    let workspace = scripted(&json!([
        [{ "call": "bash", "with": { "command": "echo begun; exec sleep 1000.61", "description": "x" } }],
        [{ "say": "never" }]
    ]));
    let mut child = command(&workspace, &["run", "--yes", "go"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.by_ref().map(Result::unwrap).any(|line| line.trim() == "begun"), "the command runs");
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!is_running("sleep 1000.61"), "the command outlived its turn");
}

#[test]
fn a_tool_is_called_by_hand_through_the_same_gate() {
    let workspace = Workspace::with(&[("a.txt", "one\ntwo\n")]);
    let read = assent(&workspace, &["tools", "call", "read", r#"{"filePath":"a.txt"}"#]);
    assert_eq!(read.status.code(), Some(0), "{read:?}");
    assert!(text(&read.stdout).contains("one") && text(&read.stdout).contains("two"), "{read:?}");
    let refused =
        assent(&workspace, &["tools", "call", "bash", r#"{"command":"touch ran","description":"x"}"#]);
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(!workspace.exists("ran"));
    assert_eq!(text(&assent(&workspace, &["sessions", "ls"]).stdout), "There are no sessions yet.\n");
}

#[test]
fn tools_are_listed_for_readers_and_programs() {
    let workspace = Workspace::new();
    let list = assent(&workspace, &["tools", "ls", "--json"]);
    let list: Value = serde_json::from_slice(&list.stdout).unwrap();
    let names: Vec<&str> =
        list["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    for name in [
        "bash",
        "edit",
        "glob",
        "grep",
        "ls",
        "multiedit",
        "question",
        "read",
        "todoread",
        "todowrite",
        "write",
    ] {
        assert!(names.contains(&name), "{name} is missing in {names:?}");
    }
    assert!(!names.contains(&"invalid"));
    assert_eq!(list["removed"], json!([]));
    assert_eq!(list["tools"][0]["kind"], "builtin");
    let table = assent(&workspace, &["tools", "ls"]);
    assert!(text(&table.stdout).starts_with("NAME"), "{table:?}");
}

#[test]
fn doctor_and_validate_name_the_place_of_a_mistake() {
    let workspace = Workspace::new();
    workspace.user_config("model: anthropic/claude-sonnet-4-5\nmodle: x\n");
    for arguments in [["validate", "--json"], ["doctor", "--json"]] {
        let output = assent(&workspace, &arguments);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["ok"], false);
        assert!(report.to_string().contains("modle"), "{report}");
    }
    let output = assent(&workspace, &["validate"]);
    assert!(text(&output.stdout).contains("assent.yaml:2:1"), "{output:?}");
    workspace.user_config("policy:\n  bash: { allow: [\"cargo test*\"] }\n");
    let output = assent(&workspace, &["validate"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(
        text(&output.stdout).contains("warning: ") && text(&output.stdout).contains("cargo test *"),
        "{output:?}"
    );
}

#[cfg(unix)]
#[test]
fn what_it_leaves_in_the_state_folder_is_the_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = scripted(&json!([[{ "say": "Hi." }]]));
    let state = workspace.state_folder();
    std::fs::remove_dir(&state).unwrap();
    let output = command(&workspace, &["run", "hello"]).env("ASSENT_LOG", "debug").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut folders = vec![state];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        assert_eq!(std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700, "{folder:?}");
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                seen += 1;
                assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "{path:?}");
            }
        }
    }
    assert!(seen >= 2, "a session and a log");
}
