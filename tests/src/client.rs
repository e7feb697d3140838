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
mod review;

pub use apply::{AppliedEdit, Echo, Temperament};
pub use conversation::{Approval, Turn};
pub use documents::{Document, Encoding};
pub use review::{Hunk, Review};

use crate::connection::{Connection, Framing, Incoming};
use crate::{DEADLINE, Workspace};
use documents::Documents;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::path::Path;
use std::time::{Duration, Instant};

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
    /// What it answers `workspace/configuration` for the section `assent`.
    pub settings: Value,
    /// Every edit that the server sent, in order, with what was done about it.
    pub edits: Vec<AppliedEdit>,
    framing: Framing,
    documents: Documents,
    root: std::path::PathBuf,
    responses: BTreeMap<i64, Response>,
    requests: VecDeque<ServerRequest>,
    notifications: VecDeque<Notification>,
    reviews: BTreeMap<String, Review>,
    ignored: HashSet<String>,
    open_requests: HashSet<i64>,
    answered: HashSet<i64>,
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
        let ignored = ["window/logMessage", "$/progress", "window/workDoneProgress/create"];
        Self {
            connection,
            temperament: Some(Temperament::Honest),
            saves: true,
            settings: Value::Null,
            edits: Vec::new(),
            framing,
            documents: Documents::default(),
            root: workspace.root().to_owned(),
            responses: BTreeMap::new(),
            requests: VecDeque::new(),
            notifications: VecDeque::new(),
            reviews: BTreeMap::new(),
            ignored: ignored.iter().map(|method| (*method).to_owned()).collect(),
            open_requests: HashSet::new(),
            answered: HashSet::new(),
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

    /// Send a request and give its id.
    pub fn send_request(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.open_requests.insert(id);
        self.connection.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// Send a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.connection.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Send a request and wait for its result.
    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send_request(method, params);
        self.expect_result(id)
    }

    /// Wait for the result of a request.
    #[track_caller]
    pub fn expect_result(&mut self, id: i64) -> Value {
        match self.expect_response(id) {
            Ok(result) => result,
            Err(error) => self.fail(&format!("request {id} was answered by an error: {error:?}")),
        }
    }

    /// Wait for the error of a request.
    #[track_caller]
    pub fn expect_error(&mut self, id: i64) -> RpcError {
        match self.expect_response(id) {
            Err(error) => error,
            Ok(result) => self.fail(&format!("request {id} should have failed, the result is {result}")),
        }
    }

    /// Wait for the answer to a request.
    #[track_caller]
    pub fn expect_response(&mut self, id: i64) -> Result<Value, RpcError> {
        self.wait_for_response(id).outcome
    }

    #[track_caller]
    fn wait_for_response(&mut self, id: i64) -> Response {
        self.wait(&format!("the answer to request {id}"), |client| client.responses.remove(&id))
    }

    /// Whether a request is answered by now.
    pub fn is_answered(&mut self, id: i64) -> bool {
        while let Some(found) = self.connection.receive(Duration::ZERO) {
            self.take(found);
        }
        self.answered.contains(&id)
    }

    /// Wait for the next request of a method.
    #[track_caller]
    pub fn expect_request(&mut self, method: &str) -> ServerRequest {
        self.wait(&format!("a request {method}"), |client| {
            let at = client.requests.iter().position(|request| request.method == method)?;
            client.requests.remove(at)
        })
    }

    /// Wait for the next notification of a method, and give its parameters.
    #[track_caller]
    pub fn expect_notification(&mut self, method: &str) -> Value {
        self.expect_notification_where(method, |_| true)
    }

    /// Wait for the next notification of a method whose parameters fit.
    #[track_caller]
    pub fn expect_notification_where(&mut self, method: &str, fits: impl Fn(&Value) -> bool) -> Value {
        self.wait(&format!("a notification {method}"), |client| {
            let mut queue = client.notifications.iter();
            let at = queue.position(|found| found.method == method && fits(&found.params))?;
            client.notifications.remove(at).map(|found| found.params)
        })
    }

    /// From now on, and for what already came, requests and notifications of a method are of no
    /// interest. A request that is ignored is answered with null.
    pub fn ignore(&mut self, method: &str) {
        self.ignored.insert(method.to_owned());
        self.notifications.retain(|found| found.method != method);
        let (ignored, kept): (VecDeque<ServerRequest>, _) =
            self.requests.drain(..).partition(|request| request.method == method);
        self.requests = kept;
        for request in ignored {
            self.answer(&request, Value::Null);
        }
    }

    /// Answer a request of the server.
    pub fn answer(&mut self, request: &ServerRequest, result: Value) {
        self.connection.send(&json!({ "jsonrpc": "2.0", "id": request.id, "result": result }));
    }

    /// Answer a request of the server with an error.
    pub fn answer_error(&mut self, request: &ServerRequest, code: i64, message: &str) {
        let error = json!({ "code": code, "message": message });
        self.connection.send(&json!({ "jsonrpc": "2.0", "id": request.id, "error": error }));
    }

    /// Pump messages until `look` finds what it looks for.
    #[track_caller]
    pub(crate) fn wait<T>(&mut self, what: &str, mut look: impl FnMut(&mut Self) -> Option<T>) -> T {
        let deadline = Instant::now() + DEADLINE;
        loop {
            if let Some(found) = look(self) {
                return found;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.connection.receive(left) {
                None => self.fail(&format!("waited {DEADLINE:?} for {what}")),
                Some(Incoming::End) => {
                    self.ended = true;
                    self.fail(&format!("the server ended while the test waited for {what}"));
                }
                Some(found) => self.take(found),
            }
        }
    }

    /// Fail with the whole story.
    #[track_caller]
    pub fn fail(&mut self, what: &str) -> ! {
        let left: Vec<&str> = self.requests.iter().map(|request| request.method.as_str()).collect();
        panic!("{what}\nunclaimed requests: {left:?}\nproblems: {:?}", self.problems)
    }

    fn take(&mut self, found: Incoming) {
        self.sequence += 1;
        let message = match found {
            Incoming::End => {
                self.ended = true;
                return;
            }
            Incoming::Garbage(what) => {
                self.problems.push(format!("stdout carries something else than messages: {what}"));
                return;
            }
            Incoming::Message(message) => message,
        };
        if message["jsonrpc"] != "2.0" {
            self.problems.push(format!("not JSON-RPC 2.0: {message}"));
        }
        match (message["method"].as_str(), message.get("id")) {
            (Some(method), Some(id)) => {
                let request = ServerRequest {
                    id: id.clone(),
                    method: method.to_owned(),
                    params: message["params"].clone(),
                };
                self.take_request(request);
            }
            (Some(method), None) => self.take_notification(method, message["params"].clone()),
            (None, _) => self.take_response(&message),
        }
    }

    fn take_response(&mut self, message: &Value) {
        let Some(id) = message["id"].as_i64() else {
            self.problems.push(format!("an answer to no request: {message}"));
            return;
        };
        if !self.open_requests.remove(&id) {
            let again =
                if self.answered.contains(&id) { "a second answer" } else { "an answer nobody asked for" };
            self.problems.push(format!("{again}: {message}"));
            return;
        }
        self.answered.insert(id);
        let outcome = match (message.get("result"), message.get("error")) {
            (Some(result), None) => Ok(result.clone()),
            (None, Some(error)) => Err(RpcError {
                code: error["code"].as_i64().unwrap_or_default(),
                message: error["message"].as_str().unwrap_or_default().to_owned(),
            }),
            _ => {
                self.problems.push(format!("an answer needs one of result and error: {message}"));
                Ok(Value::Null)
            }
        };
        self.responses.insert(id, Response { sequence: self.sequence, outcome });
    }

    fn take_request(&mut self, request: ServerRequest) {
        match request.method.as_str() {
            "workspace/applyEdit" if self.temperament.is_some() => self.apply_edit(&request),
            "_assent/document/save" if self.saves => self.save_documents(&request),
            "client/registerCapability" | "client/unregisterCapability" => self.answer(&request, Value::Null),
            "workspace/configuration" => {
                let sections = request.params["items"].as_array().map_or(0, Vec::len);
                let settings = vec![self.settings.clone(); sections];
                self.answer(&request, Value::Array(settings));
            }
            method if self.ignored.contains(method) => self.answer(&request, Value::Null),
            _ => self.requests.push_back(request),
        }
    }

    fn take_notification(&mut self, method: &str, params: Value) {
        if method == "_assent/review/updated" {
            self.take_review(&params);
        } else if !self.ignored.contains(method) {
            let found = Notification { sequence: self.sequence, method: method.to_owned(), params };
            self.notifications.push_back(found);
        }
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
        for found in &self.notifications {
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
