//! Keys that are not in the environment: stored by `assent login`, or answered by a command. The
//! model server answers only to its key.

use crate::scene::ASSENT;
use assent_tests::model_server::KEY;
use assent_tests::{ModelServer, Workspace, text};
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Settings for the model server, without a variable that holds its key.
fn workspace(model: &ModelServer, more: &str) -> Workspace {
    let ws = Workspace::new();
    ws.user_config(&settings(&model.base_url(), more));
    ws
}

fn settings(url: &str, more: &str) -> String {
    format!("model: mock/m\nproviders:\n  mock: {{ api: openai-chat, baseUrl: \"{url}\"{more} }}\n")
}

fn assent(ws: &Workspace, arguments: &[&str], input: &str) -> (Output, String) {
    let mut child = Command::new(ASSENT)
        .args(arguments)
        .current_dir(ws.root())
        .env_clear()
        .envs(ws.environment().into_iter().filter(|(name, _)| name != "MOCK_KEY"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    let said = String::from_utf8(said).unwrap();
    assert!(!said.contains(KEY), "{said}");
    (output, said)
}

#[test]
fn a_stored_key_goes_to_the_host_it_was_stored_for_and_to_no_other() {
    let model = ModelServer::start();
    let ws = workspace(&model, "");
    let (output, said) = assent(&ws, &["login", "mock"], &format!("{KEY}\n"));
    assert!(output.status.success(), "{said}");
    model.reply(text("Hello."));
    let (output, said) = assent(&ws, &["run", "go"], "");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "Hello.", "{said}");
    assert!(assent(&ws, &["login"], "").1.contains("mock  127.0.0.1:"));

    let other = ModelServer::start();
    ws.user_config(&settings(&other.base_url(), ", apiKeyEnv: NOT_SET"));
    let (output, said) = assent(&ws, &["run", "go"], "");
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("was stored for 127.0.0.1:") && said.contains("assent login mock"), "{said}");
    assert!(other.requests().is_empty());

    assert!(assent(&ws, &["logout", "mock"], "").0.status.success());
    let (_, said) = assent(&ws, &["run", "go"], "");
    assert!(said.contains("needs a key: set NOT_SET") && said.contains("assent login mock"), "{said}");
    assert!(!assent(&ws, &["logout", "mock"], "").0.status.success());
}

#[test]
fn what_can_not_be_stored_is_said() {
    let ws = workspace(&ModelServer::start(), "");
    let (output, said) = assent(&ws, &["login", "mcok"], KEY);
    assert!(!output.status.success() && said.contains("no provider mcok") && said.contains("mock"), "{said}");
    let (output, said) = assent(&ws, &["login", "mock"], " \n");
    assert!(!output.status.success() && said.contains("nothing was stored"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_command_of_the_users_answers_with_the_key_and_no_shell_reads_it() {
    let model = ModelServer::start();
    let ws = workspace(&model, &format!(", keyCommand: [printf, \"%s\\\\n\", \"{KEY}\"]"));
    model.reply(text("Hello."));
    let (output, said) = assent(&ws, &["run", "go"], "");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "Hello.", "{said}");
    ws.user_config(&settings(&model.base_url(), ", keyCommand: [\"false\"]"));
    let (output, said) = assent(&ws, &["run", "go"], "");
    assert!(
        !output.status.success() && said.contains("keyCommand") && said.contains("exit status: 1"),
        "{said}"
    );
    ws.user_config(&settings(&model.base_url(), ", keyCommand: \"pass show x\""));
    let (_, said) = assent(&ws, &["run", "go"], "");
    assert!(said.contains("providers.mock.keyCommand"), "{said}");
    // A project names no command.
    ws.user_config(&settings(&model.base_url(), ", apiKeyEnv: NOT_SET"));
    let marker = ws.outside().join("marker");
    let command = format!("[touch, \"{}\"]", marker.display());
    ws.write("assent.yaml", settings(&model.base_url(), &format!(", keyCommand: {command}")));
    let (_, said) = assent(&ws, &["run", "go"], "");
    assert!(said.contains("needs a key") && !marker.exists(), "{said}");
}
