//! What most tests start from: a model server, a workspace, the server's process and a session.

use assent_tests::client::Turn;
use assent_tests::model_server::{Dialect, Request};
use assent_tests::{Client, DEADLINE, ModelServer, Workspace, answer, text};
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The server under test.
pub(crate) const ASSENT: &str = env!("CARGO_BIN_EXE_assent");

/// Everything a test needs. The client ends before the model server is asked what went wrong.
pub(crate) struct Scene {
    pub(crate) client: Client,
    pub(crate) model: ModelServer,
    pub(crate) ws: Workspace,
    pub(crate) session: String,
    calls: usize,
}

/// What became of a call.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    /// What the model was told.
    pub(crate) text: String,
    /// Whether the client was told that it failed.
    pub(crate) failed: bool,
}

impl Scene {
    /// A client that knows our extensions, on a workspace with these files.
    #[track_caller]
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        Self::with_settings(files, Dialect::Chat, "")
    }

    /// The same with another wire format, and more lines in the user's `assent.yaml`.
    #[track_caller]
    pub(crate) fn with_settings(files: &[(&str, &str)], dialect: Dialect, yaml: &str) -> Self {
        let model = ModelServer::start();
        let ws = Workspace::with(files);
        ws.use_model_and(&model, dialect, yaml);
        Self::on(model, ws)
    }

    /// The same on a workspace that is set up already.
    #[track_caller]
    pub(crate) fn on(model: ModelServer, ws: Workspace) -> Self {
        let mut client = Client::start(ASSENT, &ws);
        client.initialize();
        let session = client.new_session();
        Self { client, model, ws, session, calls: 0 }
    }

    /// End this server in order and start another one on the same workspace, with a new client.
    #[track_caller]
    pub(crate) fn restart(&mut self) {
        self.client.finish();
        self.start_again();
    }

    /// Start another server on the same workspace; the one before has ended.
    #[track_caller]
    pub(crate) fn start_again(&mut self) {
        self.client = Client::start(ASSENT, &self.ws);
        self.client.initialize();
    }

    /// Send a prompt and wait for the end of its turn.
    #[track_caller]
    pub(crate) fn prompt(&mut self, words: &str) -> Turn {
        self.client.prompt(&self.session, words)
    }

    /// Send a prompt and give the id of the request.
    pub(crate) fn start(&mut self, words: &str) -> i64 {
        self.client.start_prompt(&self.session, words)
    }

    /// Wait for the end of the turn.
    #[track_caller]
    pub(crate) fn finish(&mut self, prompt: i64) -> Turn {
        self.client.finish_turn(&self.session, prompt)
    }

    /// Wait for a condition outside of the connection, and go on answering the server meanwhile.
    #[track_caller]
    pub(crate) fn wait_until(&mut self, what: &str, condition: impl Fn(&Workspace) -> bool) {
        let ws = &self.ws;
        self.client.poll(what, |_| condition(ws).then_some(()));
    }

    /// The model's last request.
    #[track_caller]
    pub(crate) fn last_request(&self) -> Request {
        self.model.requests().pop().expect("the model was asked")
    }

    /// One turn in which the model makes one call, and what became of it.
    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Outcome {
        self.calls(&[(tool, arguments)]).remove(0)
    }

    /// One turn in which the model makes these calls, one an answer, and what became of them.
    #[track_caller]
    pub(crate) fn calls(&mut self, calls: &[(&str, Value)]) -> Vec<Outcome> {
        let (ids, prompt) = self.start_calls(calls);
        let turn = self.finish(prompt);
        assert_eq!(turn.stop_reason, "end_turn");
        let request = self.last_request();
        let statuses = turn.statuses();
        let outcome = |id: &String| Outcome {
            text: request.result(id).to_owned(),
            failed: statuses.iter().any(|(call, status)| call == id && status == "failed"),
        };
        ids.iter().map(outcome).collect()
    }

    /// Start a turn in which the model makes these calls, one an answer; gives their ids.
    pub(crate) fn start_calls(&mut self, calls: &[(&str, Value)]) -> (Vec<String>, i64) {
        let mut ids = Vec::new();
        for (tool, arguments) in calls {
            self.calls += 1;
            let id = format!("call-{}", self.calls);
            self.model.reply(answer().call(&id, tool, arguments.clone()));
            ids.push(id);
        }
        self.model.reply(text("Done."));
        let prompt = self.start(&format!("do what is to be done, number {}", self.calls));
        (ids, prompt)
    }
}

/// Run the command line in the workspace; gives the exit code, and what it said on both streams.
pub(crate) fn assent(ws: &Workspace, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(ASSENT)
        .args(arguments)
        .current_dir(ws.root())
        .env_clear()
        .envs(ws.environment())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    (output.status.code(), said.concat())
}

/// Trust the workspace as its user would.
#[track_caller]
pub(crate) fn trust(ws: &Workspace) {
    let (code, said) = assent(ws, &["trust", "--yes"]);
    assert_eq!(code, Some(0), "{said}");
}

/// Wait for a condition that nobody announces, such as a process of the system's going away.
#[track_caller]
pub(crate) fn eventually(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !condition() {
        assert!(Instant::now() < deadline, "waited {DEADLINE:?} until {what}");
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

/// Whether a process runs whose command line is exactly this.
pub(crate) fn is_running(command: &str) -> bool {
    let wanted = command.replace(' ', "\0") + "\0";
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok())
        .any(|line| line == wanted.as_bytes())
}

/// The lines of a `read` result, without what the tool puts around them.
pub(crate) fn shown_lines(result: &str) -> Vec<String> {
    let line = |line: &str| {
        let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = rest.len() < line.trim_start().len();
        let rest = rest.strip_prefix(['|', ':', '\t'])?;
        numbered.then(|| rest.strip_prefix(' ').unwrap_or(rest).to_owned())
    };
    result.lines().filter_map(line).collect()
}
