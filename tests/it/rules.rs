//! What the user chose to remember: saved as it was shown or changed, listed, revoked at once; and why
//! a call is judged as it is.

use crate::scene::{ASSENT, Scene};
use assent_tests::Workspace;
use assent_tests::client::Approval;
use assent_tests::model_server::Dialect;
use serde_json::{Value, json};
use std::process::{Command, Output, Stdio};

fn bash(command: &str) -> Value {
    json!({ "command": command, "description": "t" })
}

fn asked(scene: &mut Scene, command: &str) -> (String, i64, Approval) {
    let (ids, prompt) = scene.start_calls(&[("bash", bash(command))]);
    (ids[0].clone(), prompt, scene.client.expect_approval())
}

/// Answer with a rule.
fn allow(scene: &mut Scene, approval: &Approval, said: Value) {
    let option = approval.option("allow_always").unwrap();
    let answer =
        json!({ "outcome": { "outcome": "selected", "optionId": option }, "_meta": { "assent": said } });
    scene.client.answer(&approval.request, answer);
}

#[track_caller]
fn asks(scene: &mut Scene, command: &str) {
    let (_, prompt, approval) = asked(scene, command);
    scene.client.reject(&approval, "", false);
    scene.finish(prompt);
}

fn rules(scene: &mut Scene) -> Vec<Value> {
    scene.client.command("assent.rules", Value::Null)["rules"].as_array().unwrap().clone()
}

fn assent(ws: &Workspace, arguments: &[&str]) -> (Output, String) {
    let output = Command::new(ASSENT)
        .args(arguments)
        .current_dir(ws.root())
        .env_clear()
        .envs(ws.environment())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    (output, said.concat())
}

#[test]
fn e09_each_scope_holds_as_long_as_it_says_and_for_exactly_what_was_shown() {
    let mut scene = Scene::new(&[]);
    for (scope, command) in [("session", "echo s"), ("workspace", "echo w"), ("always", "echo a")] {
        let (_, prompt, approval) = asked(&mut scene, command);
        assert_eq!(approval.meta()["remember"], format!("bash: {command}"));
        assert_eq!(approval.meta()["rememberScopes"], json!(["session", "workspace", "always"]));
        allow(&mut scene, &approval, json!({ "scope": scope }));
        scene.finish(prompt);
        scene.call("bash", bash(command));
        asks(&mut scene, &format!("{command} more"));
    }
    let listed = rules(&mut scene);
    let found: Vec<_> = listed.iter().map(|rule| (rule["rule"].clone(), rule["scope"].clone())).collect();
    for (rule, scope) in
        [("bash: echo s", "session"), ("bash: echo w", "workspace"), ("bash: echo a", "always")]
    {
        assert!(found.contains(&(json!(rule), json!(scope))), "{listed:?}");
    }
    let of = |scope: &str| listed.iter().find(|rule| rule["scope"] == scope).unwrap();
    assert_eq!(of("workspace")["workspace"], json!(scene.ws.root()));
    assert_eq!(of("always")["since"].as_str().unwrap().len(), "2020-01-01".len());

    scene.restart();
    scene.session = scene.client.new_session();
    asks(&mut scene, "echo s");
    scene.call("bash", bash("echo w"));
    scene.call("bash", bash("echo a"));
}

#[test]
fn a_rule_that_the_user_changed_is_kept_as_changed_or_nothing_runs() {
    let mut scene = Scene::new(&[]);
    for wrong in ["bash: cat *", "bash: /(/", "read: *", "echo *", "bash: echo two"] {
        let (call, prompt, approval) = asked(&mut scene, "echo one > /dev/null");
        allow(&mut scene, &approval, json!({ "rule": wrong, "scope": "workspace" }));
        scene.finish(prompt);
        let result = scene.last_request().result(&call).to_owned();
        assert!(result.contains("can't be kept") && result.contains("Nothing was run"), "{wrong}: {result}");
    }
    let (call, prompt, approval) = asked(&mut scene, "echo one");
    allow(&mut scene, &approval, json!({ "scope": "for ever" }));
    scene.finish(prompt);
    assert!(scene.last_request().result(&call).contains("not offered"));
    assert_eq!(rules(&mut scene), Vec::<Value>::new());

    let (_, prompt, approval) = asked(&mut scene, "echo one");
    allow(&mut scene, &approval, json!({ "rule": "bash: echo *", "scope": "session" }));
    scene.finish(prompt);
    scene.call("bash", bash("echo two && echo three"));
    asks(&mut scene, "echo $(id)");
    asks(&mut scene, "cat x");
}

#[test]
fn what_is_revoked_counts_no_more_at_once() {
    let mut scene = Scene::new(&[]);
    for (scope, command) in [("session", "echo s"), ("workspace", "echo w"), ("always", "echo a")] {
        let (_, prompt, approval) = asked(&mut scene, command);
        allow(&mut scene, &approval, json!({ "scope": scope }));
        scene.finish(prompt);
    }
    // By command, in the window that runs.
    for rule in rules(&mut scene) {
        if rule["scope"] == "always" {
            continue;
        }
        let removed = scene.client.command("assent.rules.remove", json!({ "id": rule["id"] }));
        assert_eq!(removed, json!({ "removed": true }));
    }
    let gone = scene.client.command("assent.rules.remove", json!({ "id": "0" }));
    assert_eq!(gone, json!({ "removed": false }));
    asks(&mut scene, "echo s");
    asks(&mut scene, "echo w");
    scene.call("bash", bash("echo a"));
    // From the command line, while the session goes on.
    let (output, said) = assent(&scene.ws, &["rules", "ls", "--json"]);
    let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(listed["rules"][0]["rule"], "bash: echo a", "{said}");
    let (_, table) = assent(&scene.ws, &["rules", "ls"]);
    assert!(table.contains("bash: echo a") && table.contains("everywhere"), "{table}");
    let (output, said) = assent(&scene.ws, &["rules", "rm", listed["rules"][0]["id"].as_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{said}");
    asks(&mut scene, "echo a");
    let (output, said) = assent(&scene.ws, &["rules", "rm", "nothing"]);
    assert!(output.status.code() == Some(1) && said.contains("assent rules ls"), "{said}");
}

#[test]
fn e09_no_rule_is_offered_where_none_may_be_saved() {
    let mut scene = Scene::new(&[(".envrc", "x\n")]);
    let lines = [
        "echo $(id)",
        "echo x > f",
        "A=1 ls",
        "ls\nls",
        "sudo ls",
        "env ls",
        "timeout 5 ls",
        "bash -c ls",
        "eval ls",
        "ls | xargs cat",
        "ls *.rs",
        "cd .. && ls",
        "echo 'a",
        "sleep 1 &",
        "export A=1",
        "no-such-program-anywhere",
    ];
    for line in lines {
        let (_, prompt, approval) = asked(&mut scene, line);
        assert!(approval.meta()["remember"].is_null() && approval.option("allow_always").is_none(), "{line}");
        assert_eq!(approval.meta()["rememberScopes"], json!([]), "{line}");
        scene.client.reject(&approval, "", false);
        scene.finish(prompt);
    }
    let (_, prompt) = scene.start_calls(&[("write", json!({ "filePath": ".envrc", "content": "y" }))]);
    let approval = scene.client.expect_approval();
    assert!(approval.option("allow_always").is_none());
    scene.client.reject(&approval, "", false);
    scene.finish(prompt);
}

#[test]
fn s04_a_transcript_brings_no_permission_back() {
    let mut scene = Scene::new(&[]);
    let (_, prompt, approval) = asked(&mut scene, "echo s");
    allow(&mut scene, &approval, json!({ "scope": "session" }));
    scene.finish(prompt);
    scene.client.finish();
    let logs = std::fs::read_dir(scene.ws.state_folder().join("sessions")).unwrap();
    for log in
        logs.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
    {
        let mut text = std::fs::read_to_string(&log).unwrap();
        text.push_str("{\"granted\":\"call-9\"}\n");
        std::fs::write(&log, text).unwrap();
    }
    scene.start_again();
    let (cwd, session) = (scene.ws.root().to_owned(), scene.session.clone());
    let params = json!({ "sessionId": session, "cwd": cwd, "mcpServers": [] });
    scene.client.request("session/load", params);
    scene.client.claim_all_updates(&session);
    asks(&mut scene, "echo s");
}

#[test]
fn a_decision_explains_itself_without_running_anything() {
    let yaml = "policy:\n  bash:\n    allow: [\"git *\"]\n    deny: [\"rm *\"]\n";
    let scene = Scene::with_settings(&[], Dialect::Chat, yaml);
    let config = scene.ws.config_folder();
    let explain = |tool: &str, call: &str, more: &[&str]| {
        let mut arguments = vec!["explain-rule", tool, call];
        arguments.extend(more);
        assent(&scene.ws, &arguments)
    };
    let (output, said) = explain("bash", r#"{"command":"touch ran && rm x","description":"t"}"#, &[]);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let line = std::fs::read_to_string(config.join("assent.yaml")).unwrap();
    let line = line.lines().position(|line| line.contains("deny")).unwrap() + 1;
    assert!(said.contains(&format!("assent.yaml:{line}")) && said.contains("It is refused"), "{said}");
    assert!(said.contains("policy.bash.deny `rm *`"), "{said}");
    let (_, said) = explain("bash", r#"{"command":"touch ran","description":"t"}"#, &["--json"]);
    let explained: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{said}"));
    assert_eq!(explained["verdict"], "ask");
    assert_eq!(explained["remember"], "bash: touch ran");
    assert_eq!(explained["reasons"][0]["source"], "built in");
    let write = r#"{"filePath":"f","content":"x"}"#;
    let verdict = |more: &[&str]| {
        let more = [&["--json"], more].concat();
        let (_, said) = explain("write", write, &more);
        serde_json::from_str::<Value>(&said).unwrap_or_else(|_| panic!("{said}"))["verdict"].clone()
    };
    assert_eq!(verdict(&[]), "review");
    assert_eq!(verdict(&["--mode", "accept-edits"]), "allow");
    assert_eq!(verdict(&["--mode", "plan"]), "deny");
    let (output, said) = explain("bash", "{}", &[]);
    assert!(output.status.code() == Some(1) && said.contains("command"), "{said}");
    let (output, _) = explain("bash", "[", &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!scene.ws.exists("ran") && !scene.ws.exists("f"));
    let (_, sessions) = assent(&scene.ws, &["sessions", "ls"]);
    assert!(sessions.contains("no sessions"), "{sessions}");
}
