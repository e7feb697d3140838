//! `assent lsp`: one server for all.

use crate::PROGRAM;
use crate::process;
use crate::provider::{Answer, Provider};
use crate::table::{median, ms, row, spread, us_each};
use assent_tests::{Client, Workspace};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How often a thing is done that takes little.
const ROUNDS: usize = 20;
/// Deltas of a long answer.
const DELTAS: usize = 20_000;
/// Keystrokes into the large document.
const CHANGES: usize = 5_000;

/// An editor with a server, and the model behind it.
pub struct Warm {
    /// The model.
    pub provider: Provider,
    /// The editor. Before the workspace, so that the server ends before its folders do.
    pub client: Client,
    _workspace: Workspace,
}

impl Warm {
    /// Start a server in a workspace, and say how long its handshake took.
    pub fn start(workspace: Workspace) -> (Self, Duration) {
        let provider = Provider::start();
        workspace.user_config(&(provider.settings() + "policy:\n  bash: { allow: [\"true *\"] }\n"));
        let started = Instant::now();
        let mut client = Client::start(PROGRAM, &workspace);
        // A loaded machine makes a slow figure, not a failure.
        client.patience = Duration::from_secs(600);
        client.initialize();
        let ready = started.elapsed();
        (Self { provider, client, _workspace: workspace }, ready)
    }

    /// A turn in which the model makes these calls one after the other: the time from the end of
    /// each answer to the next request.
    pub fn turn(&mut self, session: &str, tool: &str, calls: &[Value]) -> Vec<Duration> {
        let first = self.provider.count();
        for (id, arguments) in calls.iter().enumerate() {
            self.provider.answer(Answer::call(first + id, tool, arguments));
        }
        self.provider.answer(Answer::words(1));
        let turn = self.client.prompt(session, "Do it.");
        for call in turn.calls() {
            assert_eq!(call["status"], "completed", "a call failed: {call}");
        }
        let exchanges = self.provider.exchanges(first, calls.len() + 1);
        exchanges
            .windows(2)
            .map(|pair| pair[1].arrived.saturating_duration_since(pair[0].answered.unwrap()))
            .collect()
    }

    /// End the server without asking what it still had to say.
    pub fn end(mut self) {
        self.client.forget_everything();
        self.client.connection.kill();
        self.client.has_ended();
    }
}

/// All of it.
pub fn measure() {
    ready();
    let lines: String = (0..4000).map(|n| format!("line {n} of a file that is read\n")).collect();
    let (mut warm, _) = Warm::start(Workspace::with(&[("a.txt", lines.as_str())]));
    let session = sessions(&mut warm);
    steps(&mut warm, &session);
    stream(&mut warm, &session);
    warm.end();
    typing();
}

fn ready() {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let (warm, ready) = Warm::start(Workspace::new());
        times.push(ready);
        warm.end();
    }
    row("start → `initialize` answered", &ms(median(&mut times)), "15 ms");
}

/// Sessions and first requests; gives the last session.
fn sessions(warm: &mut Warm) -> String {
    let mut opened = Vec::new();
    let mut asked = Vec::new();
    let mut session = String::new();
    for _ in 0..ROUNDS {
        let started = Instant::now();
        session = warm.client.new_session();
        opened.push(started.elapsed());
        let number = warm.provider.count();
        warm.provider.answer(Answer::words(1));
        let started = Instant::now();
        warm.client.prompt(&session, "Say something.");
        asked.push(warm.provider.exchanges(number, 1)[0].arrived - started);
    }
    row("new session in a warm server", &ms(median(&mut opened)), "1 ms");
    row("prompt → model request in a warm server", &ms(median(&mut asked)), "1 ms");
    session
}

fn steps(warm: &mut Warm, session: &str) {
    let read = |n: usize| json!({ "filePath": "a.txt", "offset": n + 1, "limit": 20 });
    let mut reads = Vec::new();
    for turn in 0..5 {
        let calls: Vec<Value> = (turn * 20..turn * 20 + 20).map(read).collect();
        reads.extend(warm.turn(session, "read", &calls));
    }
    row("answer → next request, one `read` (100)", &spread(&mut reads), "0.5 ms, p95 2 ms");
    let calls: Vec<Value> =
        (0..80).map(|n| json!({ "command": format!("true {n}"), "description": "Do nothing" })).collect();
    row("the same, `bash` with `true` (80)", &spread(&mut warm.turn(session, "bash", &calls)), "4 ms");
    let bare: Vec<Duration> = (0..ROUNDS).map(|_| bare_command()).collect();
    row("  a bare `bash -c true` beside it", &spread(&mut bare.clone()), "");
    let calls: Vec<Value> = (200..220).map(read).collect();
    warm.turn(session, "read", &calls);
    if let Some(peak) = process::peak_memory(warm.client.connection.process_id()) {
        row("peak memory after 20 sessions and 200 calls", &format!("{peak:.1} MB"), "30 MB");
    }
}

fn bare_command() -> Duration {
    let started = Instant::now();
    std::process::Command::new("bash").args(["-c", "true"]).status().unwrap();
    started.elapsed()
}

fn stream(warm: &mut Warm, session: &str) {
    let id = warm.client.connection.process_id();
    let before = process::processor_time(id);
    warm.provider.answer(Answer::words(DELTAS));
    let started = Instant::now();
    let updates = warm.client.prompt(session, "Say a lot.").updates.len();
    let wall = started.elapsed();
    let after = process::processor_time(id);
    row("20,000 deltas through LSP: wall time a delta", &us_each(wall, DELTAS), "");
    if let (Some(before), Some(after)) = (before, after) {
        row("20,000 deltas through LSP: processor time a delta", &us_each(after - before, DELTAS), "10 µs");
    }
    row("20,000 deltas through LSP: updates sent", &updates.to_string(), "coalesced within 16 ms");
}

fn typing() {
    let line = "a line of sixty-four characters, with its end, in a large file.\n";
    let (mut warm, _) = Warm::start(Workspace::with(&[("large.txt", line.repeat(16_384).as_str())]));
    let uri = warm.client.open("large.txt");
    // Once before, so that opening is not counted.
    warm.client.new_session();
    let started = Instant::now();
    for n in 0..CHANGES {
        // Sent as it is: the fake editor would look for the place in its own text.
        let at = json!({ "line": n * 3, "character": 10 });
        let change = json!({ "range": { "start": at, "end": at }, "text": "x" });
        let document = json!({ "uri": uri, "version": n + 2 });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        warm.client.notify("textDocument/didChange", params);
    }
    warm.client.new_session();
    let took = started.elapsed();
    row("5,000 changes of a 1 MB document, then one answer", &ms(took), "its own size, not the");
    row("  a change", &us_each(took, CHANGES), "document's");
    warm.end();
}
