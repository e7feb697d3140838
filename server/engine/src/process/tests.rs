use super::*;
use std::sync::Mutex as StdMutex;
use std::time::Instant;
use tempfile::TempDir;

struct Shell {
    dir: TempDir,
    processes: Processes,
    cancel: CancellationToken,
    live: StdMutex<String>,
}

fn shell() -> Shell {
    let variable = |name: &str| match name {
        "SECRET" | "RIPGREP_CONFIG_PATH" | "GIT_DIR" | "BASH_ENV" => Some("leaked".to_owned()),
        "PATH" => std::env::var(name).ok().map(|path| format!("bin:.:{path}")),
        _ => std::env::var(name).ok(),
    };
    Shell {
        dir: TempDir::new().unwrap(),
        processes: Processes::new(&variable),
        cancel: CancellationToken::new(),
        live: StdMutex::default(),
    }
}

impl Shell {
    fn command(&self, line: &str) -> Command {
        Command {
            program: self.processes.find_program("bash", &[]).expect("bash is installed"),
            arguments: ["--noprofile", "--norc", "-c", line].map(String::from).to_vec(),
            directory: self.dir.path().to_owned(),
            environment: Vec::new(),
            timeout: Duration::from_secs(20),
            spill: self.dir.path().join("spill/out.txt"),
            sandbox: None,
        }
    }
    async fn start(&self, command: Command) -> Finished {
        let live = |text: &str| self.live.lock().unwrap().push_str(text);
        self.processes.run("s1", command, &self.cancel, &live).await.unwrap()
    }
    async fn run(&self, line: &str) -> (String, End) {
        let finished = self.start(self.command(line)).await;
        assert_eq!(finished.output.tail, None);
        (finished.output.head, finished.end)
    }
}

/// Whether a process with this argument is alive.
fn alive(argument: &str) -> bool {
    std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        std::fs::read(entry.path().join("cmdline"))
            .is_ok_and(|line| line.split(|byte| *byte == 0).any(|word| word == argument.as_bytes()))
    })
}

/// The shell forks before the child becomes what it will be.
async fn until(condition: impl Fn() -> bool) {
    while !condition() {
        tokio::task::yield_now().await;
    }
}

#[cfg(unix)]
#[test]
fn b09_a_project_can_not_plant_a_program() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TempDir::new().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let folders = ["data", "ws/bin", "links", "real"].map(|name| root.join(name));
    for folder in &folders {
        std::fs::create_dir_all(folder).unwrap();
        if !folder.ends_with("links") {
            std::fs::write(folder.join("tool.1"), "").unwrap();
        }
        if !folder.ends_with("links") && !folder.ends_with("data") {
            let mode = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(folder.join("tool.1"), mode).unwrap();
        }
    }
    std::os::unix::fs::symlink(root.join("ws/bin/tool.1"), root.join("links/tool.1")).unwrap();
    let path = std::env::join_paths(&folders).unwrap().into_string().unwrap();
    let processes = Processes::new(&|name| (name == "PATH").then(|| path.clone()));
    assert_eq!(processes.find_program("tool.1", &[root.join("ws")]), Some(root.join("real/tool.1")));
    assert_eq!(processes.find_program("tool.1", &[]), Some(root.join("ws/bin/tool.1")));
    assert_eq!(processes.find_program("tool", &[]), None);
}

#[tokio::test]
async fn output_and_exit_code() {
    let shell = shell();
    assert_eq!(shell.run("echo out; echo err >&2; exit 3").await, ("out\nerr\n".into(), End::Exited(3)));
    assert_eq!(*shell.live.lock().unwrap(), "out\nerr\n");
    assert_eq!(shell.run("kill -9 $$").await.1, End::Signal(9));
}

#[tokio::test]
async fn c2_there_is_no_input() {
    let shell = shell();
    assert_eq!(shell.run("cat").await, (String::new(), End::Exited(0)));
    assert_eq!(shell.run("read -r x; echo \"[$x]\"").await.0, "[]\n");
}

#[tokio::test]
async fn s01_the_environment_is_an_allow_list() {
    let shell = shell();
    let (environment, _) = shell.run("env").await;
    assert!(!environment.contains("leaked"), "{environment}");
    let path = environment.lines().find(|line| line.starts_with("PATH=")).unwrap();
    assert!(!path.contains("bin:.:"), "{path}");
    assert!(environment.contains("ASSENT_RUN="));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn c1_background_children_do_not_hold_the_call() {
    let shell = shell();
    for (line, child) in [("sleep 7201 & echo ready", "7201"), ("setsid sleep 7202 & echo ready", "7202")] {
        let begun = Instant::now();
        assert_eq!(shell.run(line).await, ("ready\n".into(), End::Exited(0)));
        assert!(begun.elapsed() < Duration::from_secs(2));
        // It may live on until its owner ends.
        until(|| alive(child)).await;
    }
    shell.processes.end("other").await;
    assert!(alive("7201"));
    shell.processes.end_all().await;
    assert!(!alive("7201") && !alive("7202"));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn c3_a_timeout_ends_the_whole_tree() {
    let shell = shell();
    let line = "echo start; sleep 7301 & setsid sleep 7302 & env -i sleep 7303 & (trap '' TERM; sleep 7304) & sleep 7305";
    let command = Command { timeout: Duration::from_secs(1), ..shell.command(line) };
    let begun = Instant::now();
    let finished = shell.start(command).await;
    assert_eq!((finished.end, finished.output.head.as_str()), (End::TimedOut, "start\n"));
    // Not at once, and not with the sleeps; how soon exactly is the machine's affair.
    assert!((1..30).contains(&begun.elapsed().as_secs()));
    for child in ["7301", "7302", "7303", "7304", "7305"] {
        assert!(!alive(child), "{child}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_cancel_and_a_drop_end_the_tree_too() {
    let shell = shell();
    let cancel = shell.cancel.clone();
    let on_output = move |_: &str| cancel.cancel();
    let command = shell.command("echo begun; sleep 7401");
    let finished = shell.processes.run("s1", command, &shell.cancel, &on_output).await.unwrap();
    assert_eq!(finished.end, End::Cancelled);
    assert!(!alive("7401"));

    let never = CancellationToken::new();
    let (sender, mut begun) = tokio::sync::mpsc::unbounded_channel();
    let on_output = move |_: &str| sender.send(()).unwrap();
    let command = shell.command("setsid sleep 7402 & echo begun; sleep 7403");
    tokio::select! {
        _ = shell.processes.run("s1", command, &never, &on_output) => panic!("it sleeps"),
        _ = begun.recv() => {}
    }
    until(|| !alive("7402") && !alive("7403")).await;
}

#[tokio::test]
async fn c4_bytes_of_a_character_may_come_apart() {
    let shell = shell();
    assert_eq!(shell.run(r"printf '\xE2\x82'; sleep 0.3; printf '\xAC\n'").await.0, "€\n");
    assert_eq!(shell.run(r"printf '\x1B[31mred\x1B[0m'").await.0, "red");
}

#[tokio::test]
async fn c4_a_long_output_keeps_its_ends_and_is_whole_in_a_file() {
    let shell = shell();
    let line = "head -c 300000 /dev/zero | tr '\\0' x; echo TAIL; exit 3";
    let finished = shell.start(shell.command(line)).await;
    assert_eq!(finished.end, End::Exited(3));
    let output = finished.output;
    assert_eq!((output.head.len(), output.chars, output.file_is_cut), (15_000, 300_005, false));
    assert!(output.tail.unwrap().ends_with("xTAIL\n"));
    let file = output.file.unwrap();
    assert_eq!(std::fs::metadata(&file).unwrap().len(), 300_005);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert!(shell.live.lock().unwrap().len() < 300_000);
}

#[tokio::test]
async fn c5_a_directory_that_is_gone_is_named() {
    let shell = shell();
    let gone = shell.dir.path().join("gone");
    let command = Command { directory: gone.clone(), ..shell.command("pwd") };
    let error = shell.processes.run("s1", command, &shell.cancel, &|_| {}).await.unwrap_err();
    assert_eq!(error.to_string(), format!("The directory {} does not exist.", gone.display()));
}
