//! The other end of a connection: what is sent to it, in order, and what it was asked.
//!
//! One bounded queue carries notifications, requests and answers alike, so whatever is put on it
//! first is written first; an answer can't overtake the notifications before it. The framing is
//! the transport's, see [`Outbox::run`].

use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::{mpsc, oneshot};

/// Messages that wait to be written; a sender waits when it is full.
const QUEUE: usize = 256;
/// Messages written at once.
const BATCH: usize = 64;

/// No message: the end of the queue.
const END: Value = Value::Null;

/// How the two protocols take back a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `$/cancelRequest` with `id`.
    Lsp,
    /// `$/cancel_request` with `requestId`.
    Acp,
}

/// An error answer, on its way out or as it came in.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct RpcError {
    /// JSON-RPC's code.
    pub code: i64,
    /// What happened and what to do.
    pub message: String,
    /// More of it, for programs.
    pub data: Option<Value>,
}

impl RpcError {
    /// The params are of no use.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self { code: -32602, message: message.into(), data: None }
    }
    /// There is no such method.
    pub fn method_not_found(method: &str) -> Self {
        Self { code: -32601, message: format!("There is no method {method}."), data: None }
    }
    /// It can't be done now.
    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self { code: -32600, message: message.into(), data: None }
    }
    /// It failed.
    pub fn failed(message: impl Into<String>) -> Self {
        Self { code: -32603, message: message.into(), data: None }
    }
    /// As JSON-RPC's `error`.
    pub fn to_json(&self) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        error
    }
}

/// Why the peer gave no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PeerError {
    /// It is gone.
    #[error("the client is gone")]
    Lost,
    /// It answered with an error.
    #[error("the client answered: {0}")]
    Refused(RpcError),
}

/// The other end. Cheap to clone.
#[derive(Clone)]
pub struct Peer(Arc<Inner>);

struct Inner {
    dialect: Dialect,
    queue: mpsc::Sender<Value>,
    next_id: AtomicI64,
    /// `None` once the peer is gone.
    waiting: Mutex<Option<Waiting>>,
}

type Waiting = HashMap<i64, oneshot::Sender<Result<Value, RpcError>>>;

impl Peer {
    /// A peer and the queue of what is to be written to it.
    pub fn new(dialect: Dialect) -> (Self, Outbox) {
        let (queue, messages) = mpsc::channel(QUEUE);
        let waiting = Mutex::new(Some(HashMap::new()));
        (Self(Arc::new(Inner { dialect, queue, next_id: AtomicI64::new(1), waiting })), Outbox { messages })
    }

    /// Send a notification.
    pub async fn notify(&self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params })).await;
    }

    /// Send the answer to a request of the peer's.
    pub async fn respond(&self, id: Value, result: Result<Value, RpcError>) {
        self.send(match result {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(error) => json!({ "jsonrpc": "2.0", "id": id, "error": error.to_json() }),
        })
        .await;
    }

    /// Send a message that is whole already.
    pub async fn send(&self, message: Value) {
        // A queue without a reader is a connection that broke: whoever waits is told by `lost`.
        let _ = self.0.queue.send(message).await;
    }

    /// Send a message, and notifications right behind it.
    pub async fn send_with(&self, message: Value, after: Vec<(&'static str, Value)>) {
        let Ok(mut places) = self.0.queue.reserve_many(1 + after.len()).await else { return };
        let after = after
            .into_iter()
            .map(|(method, params)| json!({ "jsonrpc": "2.0", "method": method, "params": params }));
        for message in std::iter::once(message).chain(after) {
            if let Some(place) = places.next() {
                place.send(message);
            }
        }
    }

    /// Ask the peer something. Dropping the future takes the question back.
    pub async fn request(&self, method: &str, params: Value) -> Result<Value, PeerError> {
        let id = self.0.next_id.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        match self.0.waiting.lock().as_mut() {
            Some(waiting) => waiting.insert(id, sender),
            None => return Err(PeerError::Lost),
        };
        let _taken_back = TakeBack { peer: self, id };
        self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        match answer.await {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(error)) => Err(PeerError::Refused(error)),
            Err(_) => Err(PeerError::Lost),
        }
    }

    /// The peer answered. Answers to nothing, or too late, are dropped.
    pub fn answered(&self, id: &Value, result: Result<Value, RpcError>) {
        let waiter = id.as_i64().and_then(|id| self.0.waiting.lock().as_mut()?.remove(&id));
        if let Some(waiter) = waiter {
            let _ = waiter.send(result);
        }
    }

    /// Let the connection end once everything that was sent before has been written.
    pub async fn close(&self) {
        self.send(END).await;
    }

    /// The peer is gone: every question that is open, and every one to come, fails.
    pub fn lost(&self) {
        self.0.waiting.lock().take();
    }
}

/// Tells the peer that a question no longer stands, unless it was answered.
struct TakeBack<'a> {
    peer: &'a Peer,
    id: i64,
}

impl Drop for TakeBack<'_> {
    fn drop(&mut self) {
        let open = self.peer.0.waiting.lock().as_mut().and_then(|waiting| waiting.remove(&self.id));
        if open.is_none() {
            return;
        }
        let (method, params) = match self.peer.0.dialect {
            Dialect::Lsp => ("$/cancelRequest", json!({ "id": self.id })),
            Dialect::Acp => ("$/cancel_request", json!({ "requestId": self.id })),
        };
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
        if let Err(mpsc::error::TrySendError::Full(message)) = self.peer.0.queue.try_send(message)
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let queue = self.peer.0.queue.clone();
            runtime.spawn(async move { queue.send(message).await });
        }
    }
}

/// What is to be written to a peer, in order.
pub struct Outbox {
    messages: mpsc::Receiver<Value>,
}

impl Outbox {
    /// The next message; `None` when every [`Peer`] is gone.
    #[cfg(test)]
    pub async fn next(&mut self) -> Option<Value> {
        self.messages.recv().await
    }

    /// Write every message, framed, until [`Peer::close`], or the peers are gone, or the pipe breaks.
    pub async fn run(
        mut self,
        mut writer: impl AsyncWrite + Unpin,
        frame: fn(&Value, &mut Vec<u8>),
    ) -> std::io::Result<()> {
        let mut batch = Vec::with_capacity(BATCH);
        let mut bytes = Vec::new();
        while self.messages.recv_many(&mut batch, BATCH).await > 0 {
            bytes.clear();
            let end = batch.iter().position(|message| *message == END);
            for message in batch.drain(..).take(end.unwrap_or(BATCH)) {
                frame(&message, &mut bytes);
            }
            writer.write_all(&bytes).await?;
            writer.flush().await?;
            if end.is_some() {
                break;
            }
        }
        Ok(())
    }
}

/// ACP's framing: one object a line.
pub fn frame_line(message: &Value, bytes: &mut Vec<u8>) {
    // A `Value` always serialises, and writing to memory can't fail.
    let _ = serde_json::to_writer(&mut *bytes, message);
    bytes.push(b'\n');
}

/// LSP's framing: a header with the length.
pub fn frame_lsp(message: &Value, bytes: &mut Vec<u8>) {
    let body = message.to_string();
    bytes.extend_from_slice(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
    bytes.extend_from_slice(body.as_bytes());
}

#[cfg(test)]
mod tests;
