//! `bash` at the wire: background children, the protocol's pipes, time, output.

use crate::scene::{Scene, eventually, is_running};
use serde_json::json;
use std::time::{Duration, Instant};

fn scene() -> Scene {
    let mut scene = Scene::new(&[]);
    scene.client.allows_all = true;
    scene
}

fn bash(command: &str) -> serde_json::Value {
    json!({ "command": command, "description": "test" })
}

#[test]
fn a_background_child_does_not_hold_the_call() {
    let mut scene = scene();
    for command in ["sleep 20.01 & echo ready", "setsid sleep 20.02 & echo ready"] {
        let started = Instant::now();
        let outcome = scene.call("bash", bash(command));
        assert!(started.elapsed() < Duration::from_secs(2), "{command}: {:?}", started.elapsed());
        assert!(!outcome.failed && outcome.text.contains("ready"), "{command}: {}", outcome.text);
    }
}

#[test]
fn children_never_touch_the_protocol() {
    let mut scene = scene();
    let outcome = scene.call("bash", bash("cat"));
    assert!(
        !outcome.failed && !outcome.text.is_empty(),
        "an empty output is said in words: {}",
        outcome.text
    );
    let outcome = scene.call("bash", bash("read -r x; echo \"[$x]\""));
    assert!(outcome.text.contains("[]"), "{}", outcome.text);
    // An ordinary request is still answered, and dropping the client checks every byte of stdout.
    scene.client.request("session/list", json!({}));
}

#[test]
fn a_command_that_takes_too_long_ends_with_all_its_children() {
    let mut scene = scene();
    let command =
        json!({ "command": "echo start; sleep 61.03 & sleep 62.03", "timeout": 1000, "description": "t" });
    let started = Instant::now();
    let outcome = scene.call("bash", command);
    let took = started.elapsed();
    assert!(took > Duration::from_secs(1) && took < Duration::from_secs(3), "{took:?}");
    assert!(outcome.text.contains("start"), "{}", outcome.text);
    assert!(outcome.text.contains("time"), "it says that it timed out: {}", outcome.text);
    eventually("the children are gone", || !is_running("sleep 61.03") && !is_running("sleep 62.03"));
}

#[test]
fn output_is_whole_characters_without_escapes_and_says_where_it_was_cut() {
    let mut scene = scene();
    let outcome = scene.call("bash", bash(r"printf '\xE2\x82'; sleep 0.3; printf '\xAC\n'"));
    assert!(outcome.text.contains('€') && !outcome.text.contains('\u{fffd}'), "{}", outcome.text);

    let outcome = scene.call("bash", bash(r"printf '\x1B[31mred\x1B[0m'"));
    assert!(outcome.text.contains("red") && !outcome.text.contains('\u{1b}'), "{:?}", outcome.text);

    let outcome = scene.call("bash", bash("head -c 300000 /dev/zero | tr '\\0' x; echo TAIL; exit 3"));
    assert!(outcome.text.contains("TAIL") && outcome.text.contains('3'), "{}", outcome.text);
    assert!(outcome.text.len() < 60_000, "{} bytes", outcome.text.len());

    let outcome = scene.call("bash", bash("for i in $(seq 40000); do printf é; done"));
    assert!(outcome.text.contains('é') && !outcome.text.contains('\u{fffd}'));
    assert!(outcome.text.len() < 80_000, "{} bytes", outcome.text.len());
}

#[cfg(target_os = "linux")]
#[test]
fn endless_output_does_not_fill_the_memory() {
    let mut scene = scene();
    // 200 MB through an unoptimised build.
    scene.client.patience = std::time::Duration::from_secs(90);
    scene.call("bash", bash("true"));
    let before = peak(&scene);
    scene.call("bash", bash("head -c 200000000 /dev/zero | tr '\\0' y"));
    let grown = peak(&scene) - before;
    assert!(grown < 100_000, "{grown} kB");
}

/// The most memory the server has had, in kB.
#[cfg(target_os = "linux")]
fn peak(scene: &Scene) -> u64 {
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", scene.client.connection.process_id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_directory_that_is_gone_is_named() {
    let mut scene = scene();
    scene.ws.write("sub/x", "");
    scene.call("bash", bash("rm -rf \"$PWD\""));
    let outcome = scene.call("bash", bash("echo hi"));
    let named = outcome.text.contains(&*scene.ws.root().to_string_lossy());
    assert!(named || outcome.text.contains("hi"), "{}", outcome.text);
    std::fs::create_dir_all(scene.ws.path("sub")).unwrap();
    let outcome =
        scene.call("bash", json!({ "command": "pwd", "workdir": scene.ws.path("sub"), "description": "t" }));
    assert!(outcome.text.contains("/ws/sub"), "{}", outcome.text);
}

#[test]
fn output_streams_into_the_call_while_it_runs() {
    let mut scene = scene();
    let (ids, prompt) =
        scene.start_calls(&[("bash", bash("echo early; while [ ! -e go ]; do sleep 0.02; done"))]);
    let session = scene.session.clone();
    scene.client.wait_for_update(&session, |update| {
        update["toolCallId"] == ids[0].as_str()
            && update.to_string().contains("early")
            && update["status"] != "completed"
            && update["sessionUpdate"] == "tool_call_update"
            && !update["content"].is_null()
    });
    scene.ws.write("go", "");
    assert_eq!(scene.finish(prompt).stop_reason, "end_turn");
}

#[test]
fn no_key_is_in_a_childs_environment() {
    let mut scene = scene();
    let outcome = scene.call("bash", bash("env; echo end"));
    assert!(outcome.text.contains("end") && !outcome.text.contains("MOCK_KEY"), "{}", outcome.text);
}
