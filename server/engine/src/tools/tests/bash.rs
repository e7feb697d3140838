use super::*;

#[tokio::test]
async fn c1_to_c4_in_the_models_words() {
    let world = World::new();
    assert_eq!(world.ok("bash", json!({"command": "echo a; echo b >&2"})).await, "a\nb\n");
    assert_eq!(*world.state.live.lock(), "a\nb\n");
    assert_eq!(world.ok("bash", json!({"command": "printf x; exit 3"})).await, "x\n[exit code 3]");
    assert_eq!(world.ok("bash", json!({"command": "cat"})).await, "The command wrote nothing; exit code 0.");
    assert_eq!(
        world.ok("bash", json!({"command": "false"})).await,
        "The command wrote nothing; exit code 1."
    );
    assert_eq!(world.ok("bash", json!({"command": "sleep 7501 & echo ready"})).await, "ready\n");
    world.ctx.processes.end_all().await;
    let late = world.err("bash", json!({"command": "echo start; sleep 7502", "timeout": 300})).await;
    assert!(late.starts_with("start\n[timed out after 300 ms"), "{late}");
    assert_eq!(world.ok("bash", json!({"command": r"printf '\x1B[31mred\x1B[0m'"})).await, "red");
}

#[tokio::test]
async fn c4_long_output_is_cut_and_kept() {
    let world = World::new();
    let line = "head -c 300000 /dev/zero | tr '\\0' x; echo TAIL; exit 3";
    let shown = world.ok("bash", json!({"command": line})).await;
    assert!(shown.ends_with("xTAIL\n[exit code 3]"), "{}", &shown[shown.len() - 200..]);
    assert!(
        shown.len() < 31_000 && shown.contains("[… 270005 of 300005 characters cut here; all of it is in ")
    );
    let file = shown.split("all of it is in ").nth(1).unwrap().split(" …]").next().unwrap();
    assert!(world.read(file).await.contains("xxx"));

    let many = world.ok("bash", json!({"command": "for i in $(seq 40000); do printf é; done"})).await;
    assert!(many.contains("characters cut here") && !many.contains('\u{FFFD}'));
    let lines = world.ok("bash", json!({"command": "seq 100000"})).await;
    assert!(lines.lines().count() < 2_100 && lines.ends_with("100000\n"), "{}", lines.lines().count());
    assert_eq!(names(&world.ctx.spill).len(), 3);
}

#[tokio::test]
async fn c5_a_directory_that_is_gone() {
    let world = World::new();
    fs::create_dir(world.dir.path().join("ws/sub")).unwrap();
    world.ok("bash", json!({"command": "rm -rf \"$PWD\""})).await;
    let gone = world.err("bash", json!({"command": "echo hi"})).await;
    assert_eq!(gone, format!("The directory {} does not exist.", world.ctx.folders[0].display()));
    let other = world.dir.path().join("other");
    fs::create_dir(&other).unwrap();
    let shown = world.ok("bash", json!({"command": "pwd", "workdir": other.to_str().unwrap()})).await;
    assert_eq!(shown, format!("{}\n", other.canonicalize().unwrap().display()));
}

#[tokio::test]
async fn the_call_that_is_judged_is_the_one_that_runs() {
    let world = World::new();
    let (tool, call) = world.resolve("bash", json!({"command": "echo 1\necho 2"})).await.unwrap();
    let command = call.command.clone().unwrap();
    assert_eq!((call.subject.as_str(), command.line.as_str()), ("echo 1\necho 2", "echo 1\necho 2"));
    assert_eq!(command.directory.canonical, world.ctx.folders[0]);
    assert_eq!(tool.title(&call), "Run echo 1 …");
    world.err("bash", json!({"command": " "})).await;
    assert!(world.err("bash", json!({})).await.contains("`command` is missing"));
}

#[tokio::test]
async fn a_cancel_ends_the_command() {
    let world = World::new();
    let cancel = world.ctx.cancel.clone();
    let ctx = ToolContext { output: Arc::new(move |_| cancel.cancel()), ..world.ctx.clone() };
    let (tool, call) = world.resolve("bash", json!({"command": "echo begun; sleep 7503"})).await.unwrap();
    let output = tool.run(Granted::for_tests(call, true), &ctx).await;
    assert!(output.is_error && text_of(&output).starts_with("begun\n[cancelled"));
}
