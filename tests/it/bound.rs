//! What an approval shows and what it is bound to: everything that will happen, as it stands when the
//! user is asked. What has changed by the time of the answer was not answered.

use crate::scene::Scene;
use assent_tests::client::Approval;
use serde_json::{Value, json};

fn bash(command: &str) -> Value {
    json!({ "command": command, "description": "t" })
}

/// Start a call that asks; gives its id, the prompt and the approval.
fn asked(scene: &mut Scene, tool: &str, arguments: Value) -> (String, i64, Approval) {
    let (ids, prompt) = scene.start_calls(&[(tool, arguments)]);
    let approval = scene.client.expect_approval();
    (ids[0].clone(), prompt, approval)
}

#[test]
fn e01_an_approval_says_everything_that_will_happen() {
    let mut scene = Scene::new(&[("sub/f", "")]);
    let arguments =
        json!({ "command": "git status && ./x 'a b' | cat *", "workdir": "sub", "description": "why" });
    let (_, prompt, approval) = asked(&mut scene, "bash", arguments);
    let meta = approval.meta().clone();
    assert_eq!(meta["requestId"], meta["id"]);
    let digest = meta["digest"].as_str().unwrap();
    assert!(digest.len() == 64 && digest.chars().all(|c| c.is_ascii_hexdigit()), "{digest}");
    assert_eq!(meta["prompt"], "do what is to be done, number 1");
    assert_eq!(meta["tool"], json!({ "name": "bash", "kind": "builtin" }));
    let parsed = &meta["command"]["parsed"];
    assert_eq!(parsed[0]["argv"], json!(["git", "status"]));
    assert!(parsed[0]["program"].as_str().unwrap().starts_with('/'), "{parsed}");
    assert_eq!(parsed[1], json!({ "argv": ["./x", "a b"], "program": null, "marks": [] }));
    assert_eq!(parsed[2]["argv"], json!(["cat", "*"]));
    assert_eq!((&meta["command"]["lines"], &meta["command"]["bytes"]), (&json!(1), &json!(31)));
    assert_eq!(meta["cwd"], json!({ "path": scene.ws.path("sub"), "inside": true }));
    assert_eq!((&meta["env"], &meta["files"]), (&json!([]), &json!([])));
    assert_eq!(
        meta["arguments"],
        r#"{"command":"git status && ./x 'a b' | cat *","description":"why","workdir":"sub"}"#
    );
    let reached = meta["sandbox"]["network"] == true;
    assert_eq!(meta["network"], if reached { "not limited" } else { "none" });
    let last = meta["reasons"].as_array().unwrap().last().unwrap();
    let rule = format!("{} ({})", last["what"].as_str().unwrap(), last["source"].as_str().unwrap());
    assert_eq!(meta["rule"], rule, "the last step decided");
    assert_eq!(meta["rememberScopes"], json!([]));
    scene.client.reject(&approval, "", false);
    scene.finish(prompt);
}

#[test]
fn e02_a_long_command_is_shown_to_its_end() {
    let mut scene = Scene::new(&[]);
    let line = format!("echo start{}id", "\n".repeat(41));
    let (_, prompt, approval) = asked(&mut scene, "bash", bash(&line));
    assert_eq!(approval.subject(), line);
    assert_eq!(approval.meta()["command"]["lines"], 42);
    assert_eq!(approval.meta()["command"]["bytes"], line.len());
    let parsed = approval.meta()["command"]["parsed"].as_array().unwrap();
    assert_eq!(parsed.last().unwrap()["argv"], json!(["id"]));
    assert!(approval.meta()["warnings"].to_string().contains("42 lines"), "{}", approval.meta());
    scene.client.reject(&approval, "", false);
    scene.finish(prompt);

    let long = format!("echo {}TAIL", "x".repeat(100_000));
    let (_, prompt, approval) = asked(&mut scene, "bash", bash(&long));
    assert!(approval.subject().ends_with("xTAIL") && approval.subject().len() == long.len());
    assert!(approval.meta()["arguments"].as_str().unwrap().contains("xTAIL"));
    scene.client.reject(&approval, "", false);
    scene.finish(prompt);
}

#[test]
fn e03_e04_nothing_that_hides_reaches_a_displayed_field() {
    let mut scene = Scene::new(&[]);
    let hidden = "\u{202e}\u{2066}\u{200b}\u{feff}\u{ad}\u{9b}\u{1b}[2J\u{8}\u{7}\r\u{e0041}";
    for (tool, arguments) in [
        ("bash", bash(&format!("echo a{hidden}b{}", "\t".repeat(200)))),
        ("write", json!({ "filePath": format!(".h/a{hidden}b"), "content": format!("c{hidden}d") })),
        ("read", json!({ "filePath": format!(".h/a{hidden}b\nc") })),
    ] {
        let (_, prompt, approval) = asked(&mut scene, tool, arguments);
        let shown = approval.request.params.clone();
        let mut raw = Vec::new();
        texts(&shown, &mut |text| raw.extend(text.chars().filter(|c| is_hidden(*c))));
        assert_eq!(raw, Vec::<char>::new(), "{tool}: {shown}");
        assert!(approval.meta()["warnings"].to_string().contains("hidden or control characters"), "{shown}");
        assert!(approval.meta()["arguments"].as_str().unwrap().contains("⟨U+202E⟩"), "{shown}");
        scene.client.reject(&approval, "", false);
        scene.finish(prompt);
    }
}

/// Every text of a message.
fn texts(value: &Value, seen: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => seen(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, seen)),
        Value::Object(fields) => fields.values().for_each(|item| texts(item, seen)),
        _ => {}
    }
}

/// A line feed is no hiding place: it shows as a new line.
fn is_hidden(c: char) -> bool {
    let code = u32::from(c);
    (c.is_control() && c != '\n')
        || [0xad, 0xfeff].contains(&code)
        || (0x200b..=0x200f).contains(&code)
        || (0x202a..=0x202e).contains(&code)
        || (0x2060..=0x2069).contains(&code)
        || (0xe0000..=0xe0fff).contains(&code)
}

#[test]
fn what_a_call_does_to_files_is_told_one_by_one() {
    let mut scene = Scene::new(&[(".envrc", "x\n")]);
    let cases = [
        ("read", json!({ "filePath": ".envrc" }), "read", ".envrc"),
        ("write", json!({ "filePath": ".envrc", "content": "y" }), "edit", ".envrc"),
        ("write", json!({ "filePath": "sub/.envrc", "content": "y" }), "create", "sub/.envrc"),
    ];
    for (tool, arguments, operation, path) in cases {
        let (_, prompt, approval) = asked(&mut scene, tool, arguments);
        let files = &approval.meta()["files"];
        assert_eq!(
            *files,
            json!([{ "path": path, "operation": operation, "protected": ".envrc" }]),
            "{tool}"
        );
        assert_eq!(approval.meta()["network"], "none");
        assert!(approval.meta()["command"].is_null() && approval.meta()["cwd"].is_null());
        scene.client.reject(&approval, "", false);
        scene.finish(prompt);
    }
}

#[cfg(unix)]
#[test]
fn c03_a_link_is_shown_with_its_target() {
    let mut scene = Scene::new(&[(".vscode/settings.json", "{}\n")]);
    scene.ws.link("s.json", ".vscode/settings.json").link(".hidden", ".vscode");
    for (tool, given) in [("write", "s.json"), ("read", "s.json"), ("write", ".hidden/new.json")] {
        let mut arguments = json!({ "filePath": given });
        if tool == "write" {
            arguments["content"] = json!("{}");
        }
        let (_, prompt, approval) = asked(&mut scene, tool, arguments);
        let file = &approval.meta()["files"][0];
        assert_eq!(file["path"], given);
        assert!(file["target"].as_str().unwrap().contains("/.vscode/"), "{file}");
        assert!(approval.meta()["warnings"].to_string().contains("is a link to"), "{}", approval.meta());
        scene.client.reject(&approval, "", false);
        scene.finish(prompt);
    }
    assert_eq!(scene.ws.read(".vscode/settings.json"), "{}\n");
}

/// Answer yes after something has happened, and see that the yes does not count.
#[track_caller]
fn is_stale(scene: &mut Scene, call: &str, prompt: i64, approval: &Approval) -> String {
    scene.client.allow(approval);
    let turn = scene.finish(prompt);
    assert_eq!(turn.statuses()[0].1, "failed");
    let result = scene.last_request().result(call).to_owned();
    assert!(result.contains("stale_approval"), "{result}");
    result
}

#[test]
fn c11_a_file_that_changed_while_the_user_thought_is_not_written() {
    let mut scene = Scene::new(&[(".envrc", "one\n")]);
    let write = || json!({ "filePath": ".envrc", "content": "three\n" });
    // On the disk, in place and as another file.
    for way in ["in place", "another file"] {
        let (call, prompt, approval) = asked(&mut scene, "write", write());
        match way {
            "in place" => {
                scene.ws.write(".envrc", "two\n");
            }
            _ => {
                scene.ws.write("new", "one\n");
                std::fs::rename(scene.ws.path("new"), scene.ws.path(".envrc")).unwrap();
            }
        }
        let result = is_stale(&mut scene, &call, prompt, &approval);
        assert!(result.contains(".envrc"), "{way}: {result}");
    }
    // In the editor's buffer, which nobody saved.
    let uri = scene.client.open(".envrc");
    let (call, prompt, approval) = asked(&mut scene, "write", write());
    scene.client.append(&uri, "typed\n");
    is_stale(&mut scene, &call, prompt, &approval);
    // Gone, and come into being.
    scene.client.close(&uri);
    let (call, prompt, approval) = asked(&mut scene, "write", write());
    std::fs::remove_file(scene.ws.path(".envrc")).unwrap();
    is_stale(&mut scene, &call, prompt, &approval);
    let (call, prompt, approval) = asked(&mut scene, "write", write());
    scene.ws.write(".envrc", "mine\n");
    is_stale(&mut scene, &call, prompt, &approval);
    assert_eq!(scene.ws.read(".envrc"), "mine\n");
}

#[cfg(unix)]
#[test]
fn c11_a_file_that_became_a_link_is_neither_read_nor_written() {
    let mut scene = Scene::new(&[(".envrc", "one\n"), (".other", "secret\n")]);
    for (tool, arguments) in [
        ("read", json!({ "filePath": ".envrc" })),
        ("write", json!({ "filePath": ".envrc", "content": "x" })),
    ] {
        let (call, prompt, approval) = asked(&mut scene, tool, arguments);
        std::fs::remove_file(scene.ws.path(".envrc")).unwrap();
        scene.ws.link(".envrc", ".other");
        let result = is_stale(&mut scene, &call, prompt, &approval);
        assert!(result.contains("leads elsewhere") && !result.contains("secret"), "{result}");
        std::fs::remove_file(scene.ws.path(".envrc")).unwrap();
        scene.ws.write(".envrc", "one\n");
    }
    // A hard link is the same path, and another file.
    let (call, prompt, approval) = asked(&mut scene, "read", json!({ "filePath": ".envrc" }));
    std::fs::remove_file(scene.ws.path(".envrc")).unwrap();
    std::fs::hard_link(scene.ws.path(".other"), scene.ws.path(".envrc")).unwrap();
    let result = is_stale(&mut scene, &call, prompt, &approval);
    assert!(result.contains("another file") && !result.contains("secret"), "{result}");
    assert_eq!(scene.ws.read(".other"), "secret\n");
}

#[cfg(unix)]
#[test]
fn c11_a_program_or_a_directory_that_was_swapped_does_not_run() {
    let mut scene = Scene::new(&[("x.sh", "#!/bin/sh\ntouch ran\n"), ("dir/f", ""), ("dir2/f", "")]);
    executable(&scene, "x.sh");
    let (call, prompt, approval) = asked(&mut scene, "bash", bash("./x.sh"));
    let parsed = &approval.meta()["command"]["parsed"][0];
    assert_eq!(
        (&parsed["program"], &parsed["marks"]),
        (&json!(scene.ws.path("x.sh")), &json!(["project binary"]))
    );
    scene.ws.write("x.sh", "#!/bin/sh\ntouch ran other\n");
    is_stale(&mut scene, &call, prompt, &approval);
    assert!(!scene.ws.exists("ran"));

    let inside = json!({ "command": "touch ran", "workdir": "dir", "description": "t" });
    let (call, prompt, approval) = asked(&mut scene, "bash", inside);
    std::fs::rename(scene.ws.path("dir"), scene.ws.path("old")).unwrap();
    scene.ws.link("dir", "dir2");
    is_stale(&mut scene, &call, prompt, &approval);
    assert!(!scene.ws.exists("dir2/ran") && !scene.ws.exists("old/ran"));

    // What nobody touched runs.
    let (_, prompt, approval) = asked(&mut scene, "bash", bash("./x.sh"));
    scene.client.allow(&approval);
    scene.finish(prompt);
    assert!(scene.ws.exists("other"));
}

#[cfg(unix)]
fn executable(scene: &Scene, name: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(scene.ws.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn an_answer_with_another_digest_is_a_no() {
    for (digest, runs) in [(None, true), (Some(String::new()), false), (Some("0".repeat(64)), false)] {
        let mut scene = Scene::new(&[]);
        let (_, prompt, approval) = asked(&mut scene, "bash", bash("touch ran"));
        let digest = digest.map_or(approval.meta()["digest"].clone(), Value::from);
        scene.client.answer(
            &approval.request,
            json!({ "outcome": { "outcome": "selected", "optionId": "allow_once" },
                "_meta": { "assent": { "digest": digest } } }),
        );
        scene.finish(prompt);
        assert_eq!(scene.ws.exists("ran"), runs, "{digest}");
    }
}

#[test]
fn two_questions_about_the_same_call_have_digests_of_their_own() {
    let mut scene = Scene::new(&[]);
    let mut digests = Vec::new();
    for _ in 0..2 {
        let (_, prompt, approval) = asked(&mut scene, "bash", bash("touch ran"));
        digests.push(approval.meta()["digest"].clone());
        scene.client.reject(&approval, "", false);
        scene.finish(prompt);
    }
    assert_ne!(digests[0], digests[1]);
}
