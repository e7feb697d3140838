//! The strict fake client. What the server sends goes into three queues, and a test says what it
//! expects of each; dropping the client ends the server in order and fails on anything that was
//! not expected, answered twice, or never answered. Every wait has a deadline and fails with the
//! log of all messages.
//!
//! Some requests have only one honest answer; those the client gives by itself: it applies edits
//! and saves documents as an editor of its [`Temperament`] does.

mod apply;
mod conversation;
mod documents;
mod queues;
mod review;

pub use apply::{AppliedEdit, Echo, Temperament};
pub use conversation::{Approval, Turn};
pub use documents::{Document, Encoding};
pub use review::{Hunk, Review};

use crate::connection::{Connection, Framing};
use crate::{DEADLINE, Workspace};
use documents::Documents;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::Path;
use std::time::Instant;

/// A request that the server sent.
#[derive(Debug, Clone)]
pub struct ServerRequest {
    /// Its id.
    pub id: Value,
    /// Its method.
    pub method: String,
    /// Its parameters.
    pub params: Value,
}

/// A notification that the server sent.
#[derive(Debug, Clone)]
struct Notification {
    /// Counts all messages of the server, so that orders can be compared.
    sequence: usize,
    method: String,
    params: Value,
}

/// A JSON-RPC error.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError {
    /// Its code.
    pub code: i64,
    /// Its message.
    pub message: String,
    /// What it says beside it.
    pub data: Value,
}

struct Response {
    sequence: usize,
    outcome: Result<Value, RpcError>,
}

/// A client with a running server.
pub struct Client {
    /// The pipes; for what no other method does.
    pub connection: Connection,
    /// How it answers edits. `None`: the test answers them.
    pub temperament: Option<Temperament>,
    /// Whether it saves documents when asked. `false`: the test answers.
    pub saves: bool,
    /// Whether its user allows everything that is asked, once, at once.
    pub allows_all: bool,
    /// Whether its user accepts every hunk that is proposed, at once.
    pub accepts_all: bool,
    /// What it answers `workspace/configuration` for the section `assent`.
    pub settings: Value,
    /// How long it waits for anything.
    pub patience: std::time::Duration,
    /// Every edit that the server sent, in order, with what was done about it.
    pub edits: Vec<AppliedEdit>,
    /// What the server registered after the handshake.
    pub registrations: Vec<Value>,
    framing: Framing,
    documents: Documents,
    root: std::path::PathBuf,
    responses: BTreeMap<i64, Response>,
    requests: VecDeque<ServerRequest>,
    notifications: VecDeque<Notification>,
    reviews: BTreeMap<String, Review>,
    ignored: HashSet<String>,
    answers_to_nothing: bool,
    /// Tokens of the work-done progress that runs.
    progress: Vec<Value>,
    /// How many of them ever began.
    begun: usize,
    open_requests: HashSet<i64>,
    answered: HashSet<i64>,
    /// Requests whose answers are of no interest.
    unattended: HashSet<i64>,
    /// Hunks that the user accepted at once.
    accepted: HashSet<(String, String)>,
    next_id: i64,
    sequence: usize,
    problems: Vec<String>,
    ended: bool,
}

impl Client {
    /// Start `program lsp` in a workspace.
    pub fn start(program: impl AsRef<Path>, workspace: &Workspace) -> Self {
        Self::start_as(Framing::ContentLength, program.as_ref(), &["lsp", "--stdio"], workspace)
    }

    /// Start `program acp` in a workspace.
    pub fn start_acp(program: impl AsRef<Path>, workspace: &Workspace) -> Self {
        Self::start_as(Framing::Lines, program.as_ref(), &["acp"], workspace)
    }

    /// Start a program with arguments.
    pub fn start_as(framing: Framing, program: &Path, arguments: &[&str], workspace: &Workspace) -> Self {
        let environment = workspace.environment();
        // Not the project's folder: a server must never resolve anything against its own.
        let folder = workspace.outside().join("home");
        let connection = Connection::start(framing, program, arguments, &folder, &environment);
        // The server takes back a request of its own with `$/cancelRequest`; whoever holds the
        // request may still answer it.
        let ignored =
            ["window/logMessage", "$/progress", "window/workDoneProgress/create", "$/cancelRequest"];
        Self {
            connection,
            temperament: Some(Temperament::Honest),
            saves: true,
            allows_all: false,
            accepts_all: false,
            settings: Value::Null,
            patience: DEADLINE,
            edits: Vec::new(),
            registrations: Vec::new(),
            framing,
            documents: Documents::default(),
            root: workspace.root().to_owned(),
            responses: BTreeMap::new(),
            requests: VecDeque::new(),
            notifications: VecDeque::new(),
            reviews: BTreeMap::new(),
            ignored: ignored.iter().map(|method| (*method).to_owned()).collect(),
            answers_to_nothing: false,
            progress: Vec::new(),
            begun: 0,
            open_requests: HashSet::new(),
            answered: HashSet::new(),
            unattended: HashSet::new(),
            accepted: HashSet::new(),
            next_id: 1,
            sequence: 0,
            problems: Vec::new(),
            ended: false,
        }
    }

    /// Shake hands as a client that knows all of Assent's extensions; gives the server's answer.
    #[track_caller]
    pub fn initialize(&mut self) -> Value {
        let params = self.initialize_params();
        self.initialize_with(params)
    }

    /// Shake hands as a client without a plugin.
    #[track_caller]
    pub fn initialize_plain(&mut self) -> Value {
        let mut params = self.initialize_params();
        params["capabilities"]["experimental"] = Value::Null;
        self.initialize_with(params)
    }

    /// What [`Client::initialize`] sends, to be changed and given to [`Client::initialize_with`].
    pub fn initialize_params(&self) -> Value {
        let root = crate::workspace::uri(&self.root);
        json!({
            "processId": std::process::id(),
            "clientInfo": { "name": "strict fake client", "version": "1" },
            "rootUri": root,
            "workspaceFolders": [{ "uri": root, "name": "ws" }],
            "capabilities": {
                "general": { "positionEncodings": ["utf-16"] },
                "workspace": {
                    "applyEdit": true, "configuration": true, "workspaceFolders": true,
                    "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create", "rename", "delete"] },
                },
                "window": { "workDoneProgress": true, "showDocument": { "support": true } },
                "textDocument": {
                    "synchronization": { "didSave": true },
                    "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["quickfix", "refactor"] } },
                        "resolveSupport": { "properties": ["edit", "command"] }, "dataSupport": true },
                },
                "experimental": { "assent": {
                    "acp": { "protocolVersion": 1, "clientCapabilities": { "fs": { "readTextFile": false, "writeTextFile": false }, "terminal": false } },
                    "review": true, "save": true,
                } },
            },
        })
    }

    /// Shake hands with these parameters; gives the server's answer.
    #[track_caller]
    pub fn initialize_with(&mut self, params: Value) -> Value {
        let result = self.request("initialize", params);
        self.documents.encoding = match result["capabilities"]["positionEncoding"].as_str() {
            Some("utf-8") => Encoding::Utf8,
            Some("utf-16") | None => Encoding::Utf16,
            Some(other) => panic!("the server chose the encoding {other}, which was not offered"),
        };
        self.notify("initialized", json!({}));
        result
    }

    /// End the server in order and check everything that dropping checks.
    #[track_caller]
    pub fn finish(&mut self) {
        if self.ended {
            return;
        }
        let code = match self.framing {
            Framing::ContentLength => {
                self.request("shutdown", Value::Null);
                self.notify("exit", Value::Null);
                self.wait_for_exit()
            }
            Framing::Lines => {
                self.connection.close_stdin();
                self.wait_for_exit()
            }
        };
        if code != Some(0) {
            self.problems.push(format!("the server ended with the code {code:?}"));
        }
        self.verify();
    }

    /// Wait for the process to end by itself and give its exit code; `None` for a signal.
    #[track_caller]
    pub fn wait_for_exit(&mut self) -> Option<i32> {
        let deadline = Instant::now() + DEADLINE;
        while !self.ended {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.connection.receive(left) {
                Some(found) => self.take(found),
                None => self.fail("the server does not end"),
            }
        }
        match self.connection.wait(DEADLINE) {
            Some(status) => status.code(),
            None => self.fail("the server closed its stdout but does not end"),
        }
    }

    /// The test has ended the server itself, or let it die: dropping only checks what came.
    pub fn has_ended(&mut self) {
        self.ended = true;
    }

    #[track_caller]
    fn verify(&mut self) {
        self.forget_state_updates();
        let mut problems = std::mem::take(&mut self.problems);
        for request in &self.requests {
            problems.push(format!("an unclaimed request: {} {}", request.method, request.params));
        }
        // Taking back a question is no news once it was answered.
        for found in self.notifications.iter().filter(|found| found.method != "$/cancelRequest") {
            problems.push(format!("an unclaimed notification: {} {}", found.method, found.params));
        }
        for (id, response) in &self.responses {
            problems.push(format!("an unclaimed answer to request {id}: {:?}", response.outcome));
        }
        if !problems.is_empty() {
            panic!("{}", problems.join("\n"));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.connection.kill();
            eprintln!("{}", self.connection.story());
            return;
        }
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            self.finish();
            self.verify();
        }));
        self.connection.kill();
        if let Err(message) = result {
            eprintln!("{}", self.connection.story());
            std::panic::resume_unwind(message);
        }
    }
}
