//! The Agent Client Protocol on stdio, one JSON object a line. What the messages mean is
//! [`crate::conversation`]'s; here is only how they come and go.
//!
//! The reading task never waits for the engine, the model, a tool or the client: a request is
//! polled once, which puts it on the engine's inbox in wire order, and then lives in a task of
//! its own.

/// The client as an editor.
mod editor;
/// The lines of the wire.
mod lines;

use crate::cli::Exit;
use crate::conversation::peer::{Dialect, frame_line};
use crate::conversation::{Conversation, Feed, Outcome, Peer, RpcError, parse, state};
use agent_client_protocol_schema::v1 as acp;
use assent_base::text::PositionEncoding;
use assent_engine::main_loop::{self, Environment, Handle, Setup};
use editor::AcpEditor;
use lines::{Line, Lines};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How long answers may take to leave once the client has closed its end.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// JSON-RPC: no JSON.
const PARSE_ERROR: i64 = -32700;
/// JSON-RPC as ACP and LSP use it: the client took the request back.
const REQUEST_CANCELLED: i64 = -32800;

/// Serve one client on the process's stdio until it closes its end.
pub async fn serve(environment: Environment) -> Exit {
    serve_on(environment, tokio::io::stdin(), tokio::io::stdout()).await
}

async fn serve_on(
    environment: Environment,
    reader: impl AsyncRead + Unpin,
    writer: impl AsyncWrite + Unpin + Send + 'static,
) -> Exit {
    let (peer, outbox) = Peer::new(Dialect::Acp);
    let mut writing = tokio::spawn(outbox.run(writer, frame_line));
    let mut connection = Connection::new(environment, peer);
    let mut lines = Lines::new(reader);
    loop {
        tokio::select! {
            line = lines.next() => match line {
                Some(line) => connection.take(line),
                None => break,
            },
            // Nobody reads what we say: then nobody can give an answer either.
            _ = &mut writing => break,
        }
    }
    connection.end().await;
    if !writing.is_finished() {
        let _ = tokio::time::timeout(LAST_WORDS, writing).await;
    }
    Exit::Done
}

struct Connection {
    environment: Environment,
    peer: Peer,
    /// Set by `initialize`.
    agent: Option<Agent>,
    running: Running,
}

/// The agent behind the connection, once the client has said what it can do.
struct Agent {
    handle: Handle,
    conversation: Conversation,
    telling: tokio::task::JoinHandle<()>,
}

/// Requests of the client that are not answered yet.
#[derive(Clone, Default)]
struct Running {
    tasks: TaskTracker,
    by_id: Arc<Mutex<HashMap<String, CancellationToken>>>,
}

impl Connection {
    fn new(environment: Environment, peer: Peer) -> Self {
        Self { environment, peer, agent: None, running: Running::default() }
    }

    fn take(&mut self, line: Line) {
        let message: Value = match line {
            Line::Whole(bytes) => match serde_json::from_slice(&bytes) {
                Ok(message) => message,
                Err(error) => return self.complain(format!("The line is no JSON: {error}.")),
            },
            Line::TooLong => {
                return self.complain(format!("The line is longer than {} bytes.", lines::LINE_BYTES));
            }
        };
        let Value::Object(mut message) = message else {
            return self.complain("A message is one JSON object on a line.".into());
        };
        let id = message.remove("id").filter(|id| !id.is_null());
        let params = message.remove("params").unwrap_or(Value::Null);
        match (message.remove("method"), id) {
            (Some(Value::String(method)), Some(id)) => self.request(id, method, params),
            (Some(Value::String(method)), None) => self.notification(&method, params),
            (Some(_), id) => self.refuse(id, RpcError::invalid_request("`method` must be a string.")),
            (None, Some(id)) => self.answered(&id, message),
            (None, None) => {
                self.refuse(None, RpcError::invalid_request("A message needs a `method` or an `id`."))
            }
        }
    }

    fn request(&mut self, id: Value, method: String, params: Value) {
        if method == acp::AGENT_METHOD_NAMES.initialize {
            let answer = self.initialize(params);
            return self.respond(id, answer);
        }
        if method == acp::AGENT_METHOD_NAMES.authenticate {
            let reason = "There is nothing to authenticate: keys are in the environment or in assent.yaml.";
            return self.respond(id, Err(RpcError::invalid_request(reason)));
        }
        let Some(agent) = &self.agent else {
            return self
                .respond(id, Err(RpcError::invalid_request("The first request must be `initialize`.")));
        };
        let conversation = agent.conversation.clone();
        self.running.start(self.peer.clone(), id, conversation, method, params);
    }

    fn notification(&mut self, method: &str, params: Value) {
        if method == CANCEL_REQUEST {
            if let Some(id) = params.get("requestId") {
                self.running.cancel(id);
            }
            return;
        }
        let Some(agent) = &self.agent else { return };
        // Unknown notifications are ignored, and so is what one leads to.
        let (conversation, method) = (agent.conversation.clone(), method.to_owned());
        begin(&self.running.tasks, async move { drop(conversation.handle(&method, params).await) });
    }

    fn initialize(&mut self, params: Value) -> Result<Outcome, RpcError> {
        let client: acp::InitializeRequest = parse(params)?;
        if self.agent.is_some() {
            return Err(RpcError::invalid_request("`initialize` was answered already."));
        }
        let feed = Feed::default();
        let editor = AcpEditor::new(self.peer.clone(), feed.clone(), client.client_capabilities);
        let handle = main_loop::start(Setup {
            editor: Arc::new(editor),
            encoding: PositionEncoding::Utf16,
            folders: Vec::new(),
            environment: self.environment.clone(),
            settings: Value::Null,
            restricted: false,
            model: None,
            mode: None,
            approve: false,
            explain: None,
        });
        let conversation = Conversation::new(handle.clone(), feed).with_notices();
        let (told, peer) = (conversation.clone(), self.peer.clone());
        let telling = tokio::spawn(async move { told.tell(&peer, |_| std::future::ready(())).await });
        self.agent = Some(Agent { handle, conversation, telling });
        Ok(json!(state::initialized()).into())
    }

    fn answered(&self, id: &Value, mut message: serde_json::Map<String, Value>) {
        let result = match message.remove("error") {
            Some(error) => Err(RpcError {
                code: error.get("code").and_then(Value::as_i64).unwrap_or_default(),
                message: error.get("message").and_then(Value::as_str).unwrap_or("no reason").to_owned(),
                data: None,
            }),
            None => Ok(message.remove("result").unwrap_or(Value::Null)),
        };
        self.peer.answered(id, result);
    }

    fn respond(&self, id: Value, answer: Result<Outcome, RpcError>) {
        let peer = self.peer.clone();
        begin(&self.running.tasks, async move { respond(&peer, id, answer).await });
    }

    fn complain(&self, message: String) {
        self.refuse(None, RpcError { code: PARSE_ERROR, message, data: None });
    }

    fn refuse(&self, id: Option<Value>, error: RpcError) {
        self.respond(id.unwrap_or(Value::Null), Err(error));
    }

    /// The client is gone: questions to it fail, turns are cancelled, what was asked is answered.
    async fn end(self) {
        // The engine hears of the end before its questions fail: nobody has said no.
        if let Some(agent) = &self.agent {
            futures::join!(agent.handle.shutdown(), async { self.peer.lost() });
        }
        self.peer.lost();
        self.running.tasks.close();
        let _ = tokio::time::timeout(LAST_WORDS, self.running.tasks.wait()).await;
        if let Some(agent) = self.agent {
            agent.telling.abort();
        }
    }
}

/// ACP's way to take back a request.
const CANCEL_REQUEST: &str = "$/cancel_request";

impl Running {
    /// Run a request to its one answer.
    fn start(&self, peer: Peer, id: Value, conversation: Conversation, method: String, params: Value) {
        let (key, taken_back) = (id.to_string(), CancellationToken::new());
        self.by_id.lock().insert(key.clone(), taken_back.clone());
        let by_id = Arc::clone(&self.by_id);
        begin(&self.tasks, async move {
            let answer = tokio::select! {
                biased;
                answer = conversation.handle(&method, params) => answer,
                () = taken_back.cancelled() => Err(RpcError {
                    code: REQUEST_CANCELLED,
                    message: "The request was cancelled.".into(),
                    data: None,
                }),
            };
            by_id.lock().remove(&key);
            let take_up = answer.as_ref().ok().and_then(|outcome| outcome.take_up.clone());
            respond(&peer, id, answer).await;
            if let Some(session) = take_up {
                conversation.take_up(session).await;
            }
        });
    }

    /// Ids that never were, or are answered, are ignored.
    fn cancel(&self, id: &Value) {
        if let Some(request) = self.by_id.lock().get(&id.to_string()) {
            request.cancel();
        }
    }
}

/// Poll a future once, here and now, and let a task do the rest.
fn begin(tasks: &TaskTracker, future: impl Future<Output = ()> + Send + 'static) {
    let mut future: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(future);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    if future.as_mut().poll(&mut context).is_pending() {
        tasks.spawn(future);
    }
}

async fn respond(peer: &Peer, id: Value, answer: Result<Outcome, RpcError>) {
    match answer {
        Ok(Outcome { result, after, .. }) => {
            peer.respond(id, Ok(result)).await;
            for (method, params) in after {
                peer.notify(method, params).await;
            }
        }
        Err(error) => peer.respond(id, Err(error)).await,
    }
}

#[cfg(test)]
mod tests;
