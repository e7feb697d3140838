//! The tool files that ship: offered where they are of use, and kept from what a repository configures.

use crate::scene::Scene;
use assent_tests::text;
use serde_json::{Value, json};
use std::process::Command;

fn offered(scene: &Scene) -> Vec<String> {
    let request = scene.last_request();
    let tools = request.body["tools"].as_array().into_iter().flatten();
    tools.map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect()
}

fn git(scene: &Scene, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
        .args(arguments)
        .current_dir(scene.ws.root())
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn a_workspace_gets_the_tools_of_its_toolchains() {
    let mut scene = Scene::new(&[("Makefile", "all:\n\ttrue\n")]);
    scene.model.reply(text("Hello."));
    scene.prompt("go");
    let tools = offered(&scene);
    assert!(tools.contains(&"make".to_owned()), "{tools:?}");
    for other in ["cargoTest", "goTest", "gitStatus", "npmTest"] {
        assert!(!tools.contains(&other.to_owned()), "{other} in {tools:?}");
    }
    let listed = scene.client.command("assent.tools", json!({}));
    let tool = |name: &str| {
        listed["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == name).unwrap().clone()
    };
    assert_eq!((&tool("make")["kind"], &tool("make")["source"]), (&json!("json"), &json!("tools/make.json")));
    assert_eq!(tool("cargoTest")["missing"], "no Cargo.toml is in the workspace folder");
}

/// B03: helpers that the repository's own configuration names leave no trace: not when every question
/// is refused, and, but for filters, not when it is allowed.
#[test]
fn b03_git_runs_no_helper_of_the_repository() {
    let mut scene = Scene::new(&[("a.txt", "one\n"), (".gitattributes", "*.txt diff=t\n")]);
    git(&scene, &["init", "-q"]);
    git(&scene, &["add", "."]);
    git(&scene, &["commit", "-q", "-m", "one"]);
    scene.ws.write("a.txt", "two\n");
    let marker = scene.ws.outside().join("marker");
    let helper = format!("touch {}; cat", marker.display());
    for key in ["core.fsmonitor", "diff.external", "diff.t.textconv", "diff.t.command", "core.pager"] {
        git(&scene, &["config", key, &helper]);
    }
    scene.ws.write(".git/hooks/post-index-change", format!("#!/bin/sh\n{helper}\n"));
    scene.ws.mode(".git/hooks/post-index-change", 0o755);
    let calls: [(&str, Value); 5] = [
        ("gitStatus", json!({ "args": [] })),
        ("gitDiff", json!({ "args": [] })),
        ("gitLog", json!({ "args": ["-p"] })),
        ("gitShow", json!({ "args": ["HEAD"] })),
        ("gitBlame", json!({ "args": ["a.txt"] })),
    ];
    for allow in [false, true] {
        for (tool, arguments) in &calls {
            let (ids, prompt) = scene.start_calls(&[(tool, arguments.clone())]);
            let approval = scene.client.expect_approval();
            assert!(approval.meta()["rule"].as_str().unwrap().contains("runs code from this project"));
            match allow {
                true => scene.client.allow(&approval),
                false => scene.client.reject(&approval, "", false),
            }
            scene.finish(prompt);
            let request = scene.last_request();
            let result = request.result(&ids[0]);
            assert_eq!(result.contains("did not allow"), !allow, "{tool}: {result}");
            assert!(!marker.exists(), "{tool} ran a helper: {result}");
            if allow && *tool == "gitDiff" {
                assert!(result.contains("+two"), "{result}");
            }
        }
    }
}
