//! The three queues: what the server answered, asked and told, each claimed by the test that
//! expects it.

use super::{Approval, Client, Notification, Response, RpcError, ServerRequest};
use crate::connection::Incoming;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

impl Client {
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
    pub(super) fn wait_for_response(&mut self, id: i64) -> Response {
        self.wait(&format!("the answer to request {id}"), |client| client.responses.remove(&id))
    }

    /// Whether a request is answered by now.
    pub fn is_answered(&mut self, id: i64) -> bool {
        while let Some(found) = self.connection.receive(Duration::ZERO) {
            self.take(found);
        }
        self.answered.contains(&id)
    }

    /// Whether a request of a method waits to be claimed.
    pub fn has_request(&self, method: &str) -> bool {
        self.requests.iter().any(|request| request.method == method)
    }

    /// Ask again and again until there is an answer: for what the server does not announce.
    #[track_caller]
    pub fn poll<T>(&mut self, what: &str, mut look: impl FnMut(&mut Self) -> Option<T>) -> T {
        let deadline = Instant::now() + self.patience;
        loop {
            if let Some(found) = look(self) {
                return found;
            }
            if Instant::now() > deadline {
                self.fail(&format!("waited {:?} for {what}", self.patience));
            }
            if let Some(found) = self.connection.receive(Duration::from_millis(5)) {
                self.take(found);
            }
        }
    }

    /// Forget whatever is unclaimed: what a server says while it is torn down is its own business.
    pub fn forget_everything(&mut self) {
        self.requests.clear();
        self.notifications.clear();
        self.responses.clear();
    }

    /// Errors without an id, for bytes that are no message, are of no interest.
    pub fn ignore_answers_to_nothing(&mut self) {
        self.answers_to_nothing = true;
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
        let deadline = Instant::now() + self.patience;
        loop {
            if let Some(found) = look(self) {
                return found;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.connection.receive(left) {
                None => self.fail(&format!("waited {:?} for {what}", self.patience)),
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

    /// Work-done progress is told by its token; the running ones are the turns.
    fn take_progress(&mut self, params: &Value) {
        let token = params["token"].to_string();
        match params["value"]["kind"].as_str() {
            Some("begin") => {
                self.progress.push(params["token"].clone());
                self.begun += 1;
            }
            Some("end") => self.progress.retain(|open| open.to_string() != token),
            _ => {}
        }
    }

    /// Wait for a progress that runs, and give its token.
    #[track_caller]
    pub fn progress_token(&mut self) -> Value {
        self.wait("a work-done progress", |client| client.progress.last().cloned())
    }

    /// Wait until a progress began and all that began have ended: no turn runs.
    #[track_caller]
    pub fn wait_for_idle(&mut self) {
        self.wait("the end of all work-done progress", |client| {
            (client.begun > 0 && client.progress.is_empty()).then_some(())
        });
    }

    pub(super) fn take(&mut self, found: Incoming) {
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
            if self.answers_to_nothing && message["error"].is_object() {
                return;
            }
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
        if self.unattended.contains(&id) {
            return;
        }
        let outcome = match (message.get("result"), message.get("error")) {
            (Some(result), None) => Ok(result.clone()),
            (None, Some(error)) => Err(RpcError {
                code: error["code"].as_i64().unwrap_or_default(),
                message: error["message"].as_str().unwrap_or_default().to_owned(),
                data: error["data"].clone(),
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
            "session/request_permission" if self.allows_all => {
                self.choose(&Approval { request }, "allow_once");
            }
            "client/registerCapability" | "client/unregisterCapability" => {
                let registered = request.params["registrations"].as_array().cloned();
                self.registrations.extend(registered.unwrap_or_default());
                self.answer(&request, Value::Null);
            }
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
        if method == "$/progress" {
            self.take_progress(&params);
        }
        if method == "_assent/review/updated" {
            self.take_review(&params);
        } else if !self.ignored.contains(method) {
            let found = Notification { sequence: self.sequence, method: method.to_owned(), params };
            self.notifications.push_back(found);
        }
    }
}
