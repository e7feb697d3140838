//! What stands between the pipe and the handlers of tower-lsp, instead of its own server loop.
//!
//! 1. Every message is polled once, in wire order, before the next one is read: a handler that
//!    puts its event on the engine's inbox before its first await keeps that order.
//! 2. Nothing that waits keeps the reader from reading: what is not done after the first poll goes
//!    on in a task of its own. A client with too many open requests is told so.
//! 3. A panic in a handler is one error answer, not the end of the process.
//! 4. Answers and notifications leave by one queue, so none overtakes what was sent before it.
//! 5. `exit` and the end of the input end the connection, whoever still waits for what.
//!
//! Our own requests to the client are [`Peer`]'s, which can be dropped at any time.

use super::capabilities::Capabilities;
use crate::conversation::{METHODS, Peer, RpcError};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower::Service;
use tower_lsp::jsonrpc::{Error, Request, Response};
use tower_lsp::{ExitedError, LanguageServer, LspService};

/// Requests of the client that may be open; one more is refused.
const OPEN_REQUESTS: usize = 1024;
/// Notifications that may wait for the engine; the reader waits when they are that many.
const OPEN_NOTIFICATIONS: usize = 1024;

/// The name under which code actions are registered. tower-lsp registers the real one with types
/// that lack tags (LSP 3.18), and the first to register a name has it.
pub const CODE_ACTION: &str = "assent/textDocument/codeAction";

/// What comes behind the answer of a handler.
#[derive(Default)]
struct After {
    messages: Vec<(&'static str, Value)>,
    work: Vec<BoxFuture<'static, ()>>,
}

tokio::task_local! {
    /// What the handler that runs wants sent right behind its answer.
    static AFTER: RefCell<After>;
}

/// Send these notifications right behind the answer of the handler that calls this.
pub fn after_answer(messages: Vec<(&'static str, Value)>) {
    let _ = AFTER.try_with(|after| after.borrow_mut().messages.extend(messages));
}

/// Do this once the answer of the handler that calls this, and what comes right behind it, is on
/// its way.
pub fn when_answered(work: BoxFuture<'static, ()>) {
    let _ = AFTER.try_with(|after| after.borrow_mut().work.push(work));
}

/// Whether to go on reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The next message may come.
    Read,
    /// The client said `exit`.
    Exit,
}

/// The guard of one connection.
pub struct Guard<S> {
    service: LspService<S>,
    peer: Peer,
    capabilities: Arc<OnceLock<Arc<Capabilities>>>,
    requests: Arc<Semaphore>,
    notifications: Arc<Semaphore>,
    shut_down: bool,
}

impl<S: LanguageServer> Guard<S> {
    /// A guard of `service`; what the client can do is put into `capabilities`, read from the
    /// message itself, because tower-lsp's types drop what they don't know.
    pub fn new(service: LspService<S>, peer: Peer, capabilities: Arc<OnceLock<Arc<Capabilities>>>) -> Self {
        let requests = Arc::new(Semaphore::new(OPEN_REQUESTS));
        let notifications = Arc::new(Semaphore::new(OPEN_NOTIFICATIONS));
        Self { service, peer, capabilities, requests, notifications, shut_down: false }
    }

    /// Whether the client asked for an orderly end.
    pub fn was_shut_down(&self) -> bool {
        self.shut_down
    }

    /// Take one message.
    pub async fn take(&mut self, body: &[u8]) -> Next {
        let message: Value = match serde_json::from_slice(body) {
            Ok(message) => message,
            Err(error) => {
                self.complain(Value::Null, -32700, format!("The message is no JSON: {error}.")).await;
                return Next::Read;
            }
        };
        let id = message.get("id").cloned();
        match (message.get("method"), id) {
            (Some(_), id) => match serde_json::from_value::<Request>(message) {
                Ok(request) => return self.request(request).await,
                Err(error) => {
                    let text = format!("The message is no request: {error}.");
                    self.complain(id.unwrap_or_default(), -32600, text).await;
                }
            },
            (None, Some(id)) => self.answered(&id, message),
            (None, None) => {
                self.complain(Value::Null, -32600, "A message needs a `method` or an `id`.".into()).await;
            }
        }
        Next::Read
    }

    /// A message that was too long to be read.
    pub async fn too_long(&self, bytes: u64) {
        self.complain(Value::Null, -32600, format!("The message of {bytes} bytes is too long.")).await;
    }

    async fn complain(&self, id: Value, code: i64, message: String) {
        tracing::warn!(code, "{message}");
        self.peer.respond(id, Err(RpcError { code, message, data: None })).await;
    }

    fn answered(&self, id: &Value, mut message: Value) {
        let result = match message.get_mut("error").map(Value::take).filter(|error| !error.is_null()) {
            Some(error) => Err(RpcError {
                code: error["code"].as_i64().unwrap_or_default(),
                message: error["message"].as_str().unwrap_or("no reason").to_owned(),
                data: None,
            }),
            None => Ok(message.get_mut("result").map(Value::take).unwrap_or_default()),
        };
        self.peer.answered(id, result);
    }

    async fn request(&mut self, request: Request) -> Next {
        match request.method() {
            "exit" => return Next::Exit,
            "shutdown" => self.shut_down = true,
            "initialize" => {
                let params = request.params().unwrap_or(&Value::Null);
                let _ = self.capabilities.set(Arc::new(Capabilities::of(params)));
            }
            _ => {}
        }
        let id = request.id().map(|id| json!(id));
        let permit = match (&id, self.requests.clone().try_acquire_owned()) {
            (Some(_), Ok(permit)) => permit,
            (Some(id), Err(_)) => {
                let text = format!("{OPEN_REQUESTS} requests are open already. Let some end first.");
                self.complain(id.clone(), -32603, text).await;
                return Next::Read;
            }
            (None, _) => match self.notifications.clone().acquire_owned().await {
                Ok(permit) => permit,
                Err(_) => return Next::Exit,
            },
        };
        if std::future::poll_fn(|ctx| self.service.poll_ready(ctx)).await.is_err() {
            return Next::Exit;
        }
        let handling = self.service.call(prepared(request));
        let mut handled = Box::pin(handle(handling, id, self.peer.clone(), permit));
        if handled.as_mut().now_or_never().is_none() {
            tokio::spawn(handled);
        }
        Next::Read
    }
}

/// Run a handler and send its answer.
async fn handle(
    handling: impl Future<Output = Result<Option<Response>, ExitedError>>,
    id: Option<Value>,
    peer: Peer,
    _permit: OwnedSemaphorePermit,
) {
    let handled = AFTER.scope(RefCell::default(), async {
        let outcome = AssertUnwindSafe(handling).catch_unwind().await;
        (outcome, AFTER.with(RefCell::take))
    });
    let (outcome, after) = handled.await;
    match (outcome, id) {
        (Ok(Ok(Some(response))), _) => {
            peer.send_with(json!(response), after.messages).await;
            for work in after.work {
                work.await;
            }
        }
        (Ok(_), None) => {}
        // Without an answer the client would wait for ever.
        (_, Some(id)) => peer.respond(id, Err(internal_error())).await,
        (Err(_), None) => tracing::error!("a handler of a notification panicked"),
    }
}

fn internal_error() -> RpcError {
    let error = Error::internal_error();
    RpcError {
        code: error.code.code(),
        message: "Assent failed in the middle of this request; its log says where.".into(),
        data: None,
    }
}

/// The request as tower-lsp should see it: code actions under our name, and of `initialize` only
/// what we read there, because its types refuse the whole handshake for one odd capability.
fn prepared(request: Request) -> Request {
    let (method, id, params) = request.into_parts();
    // Null where nothing is meant is common, and tower-lsp refuses it.
    let params = params.filter(|params| !params.is_null());
    let (method, params) = match (&*method, params) {
        ("textDocument/codeAction", params) => (CODE_ACTION.into(), params),
        ("initialize", Some(mut params)) => {
            if let Some(params) = params.as_object_mut() {
                params.retain(|name, _| {
                    matches!(&**name, "rootUri" | "workspaceFolders" | "initializationOptions")
                });
                params.insert("capabilities".into(), json!({}));
            }
            (method, Some(params))
        }
        (name, None) if METHODS.contains(&name) => (method, Some(json!({}))),
        (_, params) => (method, params),
    };
    let mut prepared = Request::build(method);
    if let Some(id) = id {
        prepared = prepared.id(id);
    }
    if let Some(params) = params {
        prepared = prepared.params(params);
    }
    prepared.finish()
}

#[cfg(test)]
mod tests;
