//! What a command can't do in a sandbox, and what it still can: real commands, real sandboxes. A
//! machine that lacks one says so in the test's output.

use crate::scene::{ASSENT, Scene, eventually, is_running};
use assent_tests::model_server::Dialect;
use serde_json::{Value, json};
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::process::{Command, Stdio};

const KINDS: [&str; 2] = ["bubblewrap", "landlock"];

/// A scene for each sandbox that this machine has.
fn scenes(files: &[(&str, &str)], more: &str) -> Vec<(&'static str, Scene)> {
    KINDS.iter().filter_map(|kind| Some((*kind, scene(kind, files, more)?))).collect()
}

fn scene(kind: &str, files: &[(&str, &str)], more: &str) -> Option<Scene> {
    let yaml = format!("sandbox: {{ mode: required, kind: {kind}{more} }}\n");
    let model = assent_tests::ModelServer::start();
    let ws = assent_tests::Workspace::with(files);
    ws.use_model_and(&model, Dialect::Chat, &yaml);
    // Where the machine's own toolchain is; the home is a throw-away one.
    for (name, folder) in [("RUSTUP_HOME", ".rustup"), ("CARGO_HOME", ".cargo")] {
        let home =
            std::env::var(name).ok().or_else(|| Some(format!("{}/{folder}", std::env::var("HOME").ok()?)));
        if let Some(home) = home.filter(|home| std::path::Path::new(home).is_dir()) {
            ws.variable(name, &home);
        }
    }
    let mut scene = Scene::on(model, ws);
    scene.client.allows_all = true;
    scene.client.ignore("_assent/trust/updated");
    let tried = scene.call("bash", bash("echo inside"));
    if tried.text.contains("inside") {
        return Some(scene);
    }
    let lacking = ["is not installed", "can't be used here", "the kernel has no Landlock"];
    assert!(lacking.iter().any(|reason| tried.text.contains(reason)), "{kind}: {}", tried.text);
    eprintln!("SKIPPED, this machine has no {kind}: {}", tried.text);
    None
}

fn bash(command: &str) -> Value {
    json!({ "command": command, "description": "test" })
}

fn git(scene: &Scene, arguments: &[&str]) {
    let status =
        Command::new("git").args(arguments).current_dir(scene.ws.root()).stdout(Stdio::null()).status();
    assert!(status.unwrap().success());
}

#[test]
fn c07_nothing_outside_and_nothing_protected_is_written() {
    let files = [
        ("assent.yaml", "mode: ask\n"),
        (".vscode/tasks.json", "{}\n"),
        ("src/.envrc", "a\n"),
        ("src/b", ""),
    ];
    for (kind, mut scene) in scenes(&files, "") {
        git(&scene, &["init", "-q", "."]);
        let elsewhere = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let outside = elsewhere.path().join("marker");
        std::fs::write(elsewhere.path().join("kept"), "kept").unwrap();
        let elsewhere_is = elsewhere.path().display();
        let hostile = [
            format!("echo x > {elsewhere_is}/marker"),
            format!("truncate -s 0 {elsewhere_is}/kept"),
            format!("rm {elsewhere_is}/kept"),
            format!("ln -s {elsewhere_is} src/out; echo x > src/out/marker"),
            format!("mv src/b {elsewhere_is}/marker"),
            "echo x > .git/hooks/pre-commit".to_owned(),
            "echo x >> .git/config".to_owned(),
            "mv .git old && mkdir .git".to_owned(),
            "echo 'mode: accept-edits' > assent.yaml".to_owned(),
            "rm assent.yaml".to_owned(),
            "mv assent.yaml src/other".to_owned(),
            "echo x > .vscode/tasks.json".to_owned(),
            "mkdir -p .idea && echo x > .idea/run.xml".to_owned(),
            "echo x > src/.envrc".to_owned(),
            "ln src/.envrc src/link && echo x > src/link".to_owned(),
        ];
        for command in &hostile {
            let outcome = scene.call("bash", bash(&format!("({command}) && echo WORKED")));
            assert!(!outcome.text.contains("WORKED"), "{kind}: {command}: {}", outcome.text);
        }
        assert!(!outside.exists(), "{kind}");
        assert_eq!(std::fs::read_to_string(elsewhere.path().join("kept")).unwrap(), "kept");
        // In a folder for temporary files they may seem to work, and come to nothing.
        let beside = scene.ws.outside().to_path_buf();
        scene.call(
            "bash",
            bash(&format!("echo x > {0}/marker; truncate -s 0 {0}/config/assent.yaml", beside.display())),
        );
        assert!(!beside.join("marker").exists(), "{kind}");
        assert!(!scene.ws.exists(".git/hooks/pre-commit") && !scene.ws.exists(".idea/run.xml"), "{kind}");
        assert_eq!(scene.ws.read("assent.yaml"), "mode: ask\n");
        assert_eq!(scene.ws.read(".vscode/tasks.json"), "{}\n");
        assert_eq!(scene.ws.read("src/.envrc"), "a\n");
        assert!(std::fs::metadata(scene.ws.config_folder().join("assent.yaml")).unwrap().len() > 0);
        // A placeholder is gone with its command.
        assert!(!scene.ws.exists(".idea"), "{kind}");
        let outcome =
            scene.call("bash", bash("echo x > src/b && cat src/b && echo t > $TMPDIR/t && cat $TMPDIR/t"));
        assert!(outcome.text.contains("x\nt"), "{kind}: {}", outcome.text);
        assert_eq!(scene.ws.read("src/b"), "x\n");
        // The temporary folder is the session's.
        let outcome = scene.call("bash", bash("cat $TMPDIR/t"));
        assert!(outcome.text.starts_with('t'), "{kind}: {}", outcome.text);
    }
}

#[test]
fn no_socket_leads_out() {
    const CONNECT: &str = "import socket,sys\ns=socket.socket(getattr(socket,sys.argv[1]),socket.SOCK_STREAM)\n\
        s.connect((sys.argv[2],int(sys.argv[3])) if len(sys.argv)>3 else sys.argv[2])\ns.send(b'x')\nprint('CONNECTED')\n";
    for (kind, mut scene) in scenes(&[("src/connect.py", CONNECT)], "") {
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = tcp.local_addr().unwrap().port();
        let path = scene.ws.root().join("s");
        let unix = UnixListener::bind(&path).unwrap();
        tcp.set_nonblocking(true).unwrap();
        unix.set_nonblocking(true).unwrap();
        for command in [
            format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo CONNECTED"),
            format!("python3 src/connect.py AF_INET 127.0.0.1 {port}"),
            format!("python3 src/connect.py AF_UNIX {}", path.display()),
        ] {
            let outcome = scene.call("bash", bash(&command));
            assert!(!outcome.text.contains("CONNECTED"), "{kind}: {command}: {}", outcome.text);
            assert!(
                outcome.text.contains("sandbox") && outcome.text.contains("unsandboxed"),
                "{kind}: {}",
                outcome.text
            );
        }
        assert!(tcp.accept().is_err() && unix.accept().is_err(), "{kind}: somebody came through");
    }
}

#[test]
fn the_network_is_there_when_the_user_lets_it() {
    for (kind, mut scene) in scenes(&[], ", network: true") {
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = tcp.local_addr().unwrap().port();
        let outcome =
            scene.call("bash", bash(&format!("echo hi > /dev/tcp/127.0.0.1/{port} && echo CONNECTED")));
        assert!(outcome.text.contains("CONNECTED"), "{kind}: {}", outcome.text);
        let mut said = String::new();
        tcp.accept().unwrap().0.read_to_string(&mut said).unwrap();
        assert_eq!(said, "hi\n");
    }
}

#[test]
fn a_folder_that_the_user_lists_is_writable() {
    for (kind, mut scene) in scenes(&[], ", writable: [~/cache]") {
        let cache = scene.ws.outside().join("home/cache");
        std::fs::create_dir(&cache).unwrap();
        let outcome =
            scene.call("bash", bash("echo x > ~/cache/y && echo WORKED; echo x > ~/z && echo WORSE"));
        assert!(
            outcome.text.contains("WORKED") && !outcome.text.contains("WORSE"),
            "{kind}: {}",
            outcome.text
        );
        assert!(cache.join("y").exists());
    }
}

#[test]
fn s05_nothing_outlives_a_call_a_timeout_or_the_server() {
    for (at, (kind, mut scene)) in scenes(&[], "").into_iter().enumerate() {
        let child = |number: usize| format!("sleep 8{at}{number}.07");
        let line = format!("(setsid {} &) ; {} & echo started", child(1), child(2));
        let outcome = scene.call("bash", bash(&line));
        assert!(outcome.text.contains("started"), "{kind}: {}", outcome.text);
        eventually("what was left behind is gone", || !is_running(&child(1)) && !is_running(&child(2)));

        let line = format!("echo started; setsid {} & (trap '' TERM; {})", child(3), child(4));
        let outcome = scene.call("bash", json!({ "command": line, "timeout": 1000, "description": "t" }));
        assert!(
            outcome.text.contains("started") && outcome.text.contains("timed out"),
            "{kind}: {}",
            outcome.text
        );
        eventually("the tree is gone", || !is_running(&child(3)) && !is_running(&child(4)));

        let line = bash(&format!("setsid {} & {}", child(5), child(6)));
        scene.model.reply(assent_tests::answer().call("last", "bash", line));
        scene.start("go");
        scene.wait_until("both run", |_| is_running(&child(5)) && is_running(&child(6)));
        let session = scene.session.clone();
        scene.client.connection.kill();
        scene.client.has_ended();
        scene.client.claim_all_updates(&session);
        eventually("they went with the server", || !is_running(&child(5)) && !is_running(&child(6)));
    }
}

#[test]
fn what_programmers_run_works_inside() {
    let files = [
        ("Cargo.toml", "[package]\nname = \"hello\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("Cargo.lock", "version = 3\n\n[[package]]\nname = \"hello\"\nversion = \"0.1.0\"\n"),
        ("src/main.rs", "fn main() { println!(\"hello from rust\"); }\n"),
        ("target/.keep", ""),
        ("a.txt", "a\n"),
    ];
    for (kind, mut scene) in scenes(&files, "") {
        scene.client.patience = std::time::Duration::from_secs(90);
        git(&scene, &["init", "-q", "."]);
        let programs = [
            ("git status --short", "a.txt"),
            ("git diff --stat; echo $?", "0"),
            (
                "python3 -c 'import subprocess,tempfile; tempfile.mkdtemp(); print(subprocess.check_output([\"echo\",\"py\"]))'",
                "py",
            ),
            (
                "node -e 'console.log(require(\"child_process\").execSync(\"echo from node\").toString())'",
                "from node",
            ),
            ("rustc --edition 2021 -o target/hello src/main.rs && target/hello", "hello from rust"),
            ("seq 3 | sort -r | head -1; [ -w /dev/null ] && [ -n \"$HOME\" ] && echo fine", "fine"),
        ];
        for (command, wanted) in programs {
            let program = command.split(' ').next().unwrap();
            if !on_path(program) {
                eprintln!("SKIPPED in {kind}: this machine has no {program}");
                continue;
            }
            let outcome = scene.call("bash", bash(command));
            let missing =
                outcome.text.contains("no default toolchain") || outcome.text.contains("rustup could not");
            assert!(outcome.text.contains(wanted) || missing, "{kind}: {command}: {}", outcome.text);
        }
    }
}

fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

#[test]
fn s08_a_sandbox_that_is_demanded_and_not_there_is_a_refusal() {
    let model = assent_tests::ModelServer::start();
    let ws = assent_tests::Workspace::new();
    ws.use_model_and(
        &model,
        Dialect::Chat,
        "sandbox: { mode: required, kind: bubblewrap }\npolicy: { bash: { allow: ['touch p'] } }\n",
    );
    // A search path on which there is all that a command needs, and no bwrap.
    let bin = ws.outside().join("bin");
    std::fs::create_dir(&bin).unwrap();
    for program in ["bash", "touch"] {
        let path = std::env::var_os("PATH").unwrap();
        let found =
            std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file());
        std::os::unix::fs::symlink(found.unwrap(), bin.join(program)).unwrap();
    }
    ws.variable("PATH", bin.to_str().unwrap());
    let mut client = assent_tests::Client::start(ASSENT, &ws);
    client.initialize();
    let session = client.new_session();
    for arguments in [bash("touch p"), json!({ "command": "touch p", "unsandboxed": true })] {
        model
            .reply(assent_tests::answer().call("c", "bash", arguments))
            .reply(assent_tests::text("Then not."));
        // An approval would fail the test: nobody claims it.
        let turn = client.prompt(&session, "go");
        assert_eq!(turn.statuses()[0].1, "failed");
        let told = model.requests().pop().unwrap().result("c").to_owned();
        assert!(told.contains("sandbox: required"), "{told}");
        assert!(!ws.exists("p"));
    }
}

#[test]
fn the_approval_says_what_holds_the_command_and_a_way_out_is_a_question_of_its_own() {
    let rules = "sandbox: preferred\npolicy: { bash: { allow: ['touch a', 'echo *'] } }\n";
    let mut scene = Scene::with_settings(&[("a", "")], Dialect::Chat, rules);
    let (_, prompt) = scene.start_calls(&[("bash", bash("touch b"))]);
    let approval = scene.client.expect_approval();
    let sandbox = approval.meta()["sandbox"].clone();
    if sandbox["name"] == "none" {
        eprintln!("SKIPPED in part, this machine has no sandbox: {}", sandbox["words"]);
        assert_eq!(sandbox["network"], true);
    } else {
        assert_eq!(sandbox["network"], false);
        assert_eq!(sandbox["writable"], json!([scene.ws.root()]));
    }
    assert!(sandbox["words"].as_str().unwrap().contains(sandbox["name"].as_str().unwrap()));
    scene.client.reject(&approval, "", false);
    scene.finish(prompt);

    // Allowed by a rule, and still asked about when it is to run without the sandbox.
    let arguments = json!({ "command": "echo free > ../free", "unsandboxed": true });
    let (_, prompt) = scene.start_calls(&[("bash", bash("touch a")), ("bash", arguments)]);
    let approval = scene.client.expect_approval();
    assert_eq!(approval.meta()["sandbox"]["name"], "none");
    assert!(approval.meta()["rule"].as_str().unwrap().contains("without the sandbox"), "{}", approval.meta());
    assert_eq!(approval.option("allow_always"), None);
    scene.client.allow(&approval);
    scene.finish(prompt);
    assert!(scene.ws.outside().join("free").exists());
}

#[test]
fn doctor_says_which_sandbox_there_is() {
    let ws = assent_tests::Workspace::new();
    for (yaml, wanted) in [("sandbox: off\n", "off in the settings"), ("", "sandbox")] {
        ws.user_config(yaml);
        let output = Command::new(ASSENT)
            .args(["doctor", "--json"])
            .current_dir(ws.root())
            .env_clear()
            .envs(ws.environment())
            .output()
            .unwrap();
        let doctor: Value = serde_json::from_slice(&output.stdout).unwrap();
        let check =
            doctor["checks"].as_array().unwrap().iter().find(|check| check["name"] == "sandbox").unwrap();
        assert!(check.to_string().contains(wanted), "{check}");
        assert!(
            ["bubblewrap", "landlock", "none", "off"]
                .iter()
                .any(|name| check["message"].as_str().unwrap().starts_with(name)),
            "{check}"
        );
    }
}

#[test]
fn s01_b06_no_secret_and_no_hook_of_a_program_reaches_a_child() {
    let hidden = [
        "ASSENT_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "GITHUB_TOKEN",
        "OPENAI_API_KEY",
        "SSH_AUTH_SOCK",
        "BASH_ENV",
        "ENV",
        "PROMPT_COMMAND",
        "GIT_SSH_COMMAND",
        "GIT_CONFIG_GLOBAL",
        "GOFLAGS",
        "RIPGREP_CONFIG_PATH",
        "NODE_OPTIONS",
        "PYTHONSTARTUP",
        "DYLD_INSERT_LIBRARIES",
        "RUSTC_WRAPPER",
        "SOMETHING_ELSE",
    ];
    let model = assent_tests::ModelServer::start();
    let ws = assent_tests::Workspace::with(&[(".env", "NODE_OPTIONS=leaked\nASSENT_CONFIG_DIR=leaked\n")]);
    ws.use_model_and(&model, Dialect::Chat, "commands: { env: [DATABASE_URL] }\n");
    for name in hidden {
        ws.variable(name, "leaked");
    }
    let path = std::env::var("PATH").unwrap();
    ws.variable("DATABASE_URL", "passed").variable("PATH", &format!("bin::.:leaked:{path}"));
    let tools = ws.config_folder().join("tools");
    std::fs::create_dir(&tools).unwrap();
    let tool = json!({
        "schema": { "type": "function", "function": { "name": "show", "description": "Shows.",
            "parameters": { "type": "object", "properties": { "args": { "type": "array", "items": { "type": "string" } } } } } },
        "handler": { "type": "exec", "bin": "env", "env": { "DECLARED": "by the file" } },
    });
    std::fs::write(tools.join("show.json"), tool.to_string()).unwrap();
    let mut scene = Scene::on(model, ws);
    scene.client.allows_all = true;
    let outcomes = scene.calls(&[("bash", bash("env")), ("show", json!({ "args": [] }))]);
    for outcome in &outcomes {
        assert!(!outcome.text.contains("leaked"), "{}", outcome.text);
        assert!(!outcome.text.contains(assent_tests::model_server::KEY), "{}", outcome.text);
        assert!(
            outcome.text.contains("DATABASE_URL=passed") && outcome.text.contains("HOME="),
            "{}",
            outcome.text
        );
        let path = outcome.text.lines().find_map(|line| line.strip_prefix("PATH=")).unwrap();
        assert!(path.split(':').all(|entry| entry.starts_with('/')), "{path}");
    }
    assert!(outcomes[1].text.contains("DECLARED=by the file"));
}
