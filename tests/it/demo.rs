//! `assent demo` from outside: without a terminal, without a key, with the project's own tests.

use assent_tests::workspace::Workspace;
use std::process::{Command, Output, Stdio};

fn demo(workspace: &Workspace, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_assent"))
        .arg("demo")
        .args(arguments)
        .current_dir(workspace.root())
        .env_clear()
        .envs(workspace.environment())
        .env("TMPDIR", workspace.outside())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The demo's project, which it leaves in the temporary folder.
fn project(workspace: &Workspace) -> std::path::PathBuf {
    let folders = std::fs::read_dir(workspace.outside()).unwrap().map(|entry| entry.unwrap().path());
    let mut demos = folders.filter(|path| path.to_string_lossy().contains("assent-demo-"));
    demos.next().expect("the demo's folder").join("tally")
}

#[test]
fn with_yes_the_fault_is_mended_and_the_tests_pass() {
    let workspace = Workspace::new();
    let output = demo(&workspace, &["--yes"]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{shown}");
    for piece in [
        "scripted",
        "[scripted model] ",
        "FAILED (failures=2)",
        "+    share, left = divmod(bill, people)",
        "OK",
        "tally/shares.py was changed",
        "assent doctor",
    ] {
        assert!(shown.contains(piece), "{piece:?} is missing in\n{shown}");
    }
    let text = std::fs::read_to_string(project(&workspace).join("tally/shares.py")).unwrap();
    assert!(text.contains("divmod"), "{text}");
}

#[test]
fn without_anybody_to_ask_nothing_is_run_or_changed_and_it_says_so() {
    let workspace = Workspace::new();
    let output = demo(&workspace, &[]);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{shown}");
    assert!(shown.contains("assent demo --yes") && shown.contains("no change was accepted"), "{shown}");
    assert!(!shown.contains("FAILED (failures"), "{shown}");
    let text = std::fs::read_to_string(project(&workspace).join("tally/shares.py")).unwrap();
    assert!(!text.contains("divmod"), "{text}");
}

#[test]
fn an_editor_that_is_not_there_yet_is_a_plain_word() {
    let workspace = Workspace::new();
    let output = demo(&workspace, &["--editor", "code"]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("VS Code is not there yet"), "{told}");
}
