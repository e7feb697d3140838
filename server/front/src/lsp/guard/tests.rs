use super::*;
use crate::conversation::peer::{Dialect, Outbox};
use parking_lot::Mutex;
use tower_lsp::jsonrpc::Result;
use tower_lsp::lsp_types::{InitializeParams, InitializeResult};

struct Recorder {
    seen: Arc<Mutex<Vec<i64>>>,
    open: Arc<Semaphore>,
}

#[tower_lsp::async_trait]
impl LanguageServer for Recorder {
    async fn initialize(&self, _: InitializeParams) -> Result<InitializeResult> {
        Ok(InitializeResult::default())
    }
    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }
}

impl Recorder {
    async fn note(&self, number: i64) {
        self.seen.lock().push(number);
        let _ = self.open.acquire().await;
    }
    async fn wait(&self, _: Value) -> Result<Value> {
        let _ = self.open.acquire().await;
        Ok(Value::Null)
    }
    async fn panic(&self, _: Value) -> Result<Value> {
        panic!("on purpose")
    }
    async fn greet(&self, _: Value) -> Result<Value> {
        after_answer(vec![("later", json!(2))]);
        Ok(json!(1))
    }
}

struct Wire {
    guard: Guard<Recorder>,
    outbox: Outbox,
    seen: Arc<Mutex<Vec<i64>>>,
    open: Arc<Semaphore>,
}

impl Wire {
    fn new() -> Self {
        let recorder = Recorder { open: Arc::new(Semaphore::new(0)), seen: Arc::default() };
        let (seen, open) = (recorder.seen.clone(), recorder.open.clone());
        let (service, _) = LspService::build(|_| recorder)
            .custom_method("note", Recorder::note)
            .custom_method("wait", Recorder::wait)
            .custom_method("panic", Recorder::panic)
            .custom_method("greet", Recorder::greet)
            .finish();
        let (peer, outbox) = Peer::new(Dialect::Lsp);
        Self { guard: Guard::new(service, peer, Arc::default()), outbox, seen, open }
    }

    async fn initialized() -> Self {
        let mut wire = Self::new();
        wire.send(json!({ "id": 0, "method": "initialize", "params": { "capabilities": {} } })).await;
        assert_eq!(wire.receive().await["result"], json!({ "capabilities": {} }));
        wire
    }

    async fn send(&mut self, mut message: Value) -> Next {
        message["jsonrpc"] = json!("2.0");
        self.guard.take(message.to_string().as_bytes()).await
    }

    async fn receive(&mut self) -> Value {
        self.outbox.next().await.unwrap()
    }
}

#[tokio::test]
async fn notifications_are_handled_in_wire_order_while_requests_wait() {
    let mut wire = Wire::initialized().await;
    for id in 0..200 {
        wire.send(json!({ "id": id, "method": "wait", "params": {} })).await;
    }
    for number in 0..500 {
        wire.send(json!({ "method": "note", "params": number })).await;
    }
    assert_eq!(*wire.seen.lock(), (0..500).collect::<Vec<_>>());
    wire.send(json!({ "id": "q", "method": "greet", "params": {} })).await;
    assert_eq!(wire.receive().await["id"], "q");
}

#[tokio::test]
async fn a_panic_is_one_error_answer() {
    let mut wire = Wire::initialized().await;
    wire.send(json!({ "id": 1, "method": "panic", "params": {} })).await;
    assert_eq!(wire.receive().await["error"]["code"], -32603);
    wire.send(json!({ "id": 2, "method": "greet", "params": {} })).await;
    assert_eq!(wire.receive().await["result"], 1);
}

#[tokio::test]
async fn what_belongs_behind_an_answer_comes_right_behind_it() {
    let mut wire = Wire::initialized().await;
    wire.send(json!({ "id": 1, "method": "greet", "params": {} })).await;
    assert_eq!(wire.receive().await, json!({ "jsonrpc": "2.0", "id": 1, "result": 1 }));
    assert_eq!(wire.receive().await, json!({ "jsonrpc": "2.0", "method": "later", "params": 2 }));
}

#[tokio::test]
async fn a_cancelled_request_has_exactly_one_answer() {
    let mut wire = Wire::initialized().await;
    wire.send(json!({ "id": 7, "method": "wait", "params": {} })).await;
    wire.send(json!({ "method": "$/cancelRequest", "params": { "id": 7 } })).await;
    wire.send(json!({ "method": "$/cancelRequest", "params": { "id": 7 } })).await;
    wire.send(json!({ "method": "$/cancelRequest", "params": { "id": 999 } })).await;
    let answer = wire.receive().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(7), &json!(-32800)));
    wire.open.add_permits(1);
    wire.send(json!({ "id": 8, "method": "greet", "params": {} })).await;
    assert_eq!(wire.receive().await["id"], 8);
}

#[tokio::test]
async fn before_initialize_and_after_shutdown_requests_are_refused() {
    let mut wire = Wire::new();
    wire.send(json!({ "id": 1, "method": "greet", "params": {} })).await;
    assert_eq!(wire.receive().await["error"]["code"], -32002);
    let mut wire = Wire::initialized().await;
    wire.send(json!({ "id": 1, "method": "shutdown", "params": null })).await;
    assert_eq!(wire.receive().await, json!({ "jsonrpc": "2.0", "id": 1, "result": null }));
    wire.send(json!({ "id": 2, "method": "greet", "params": {} })).await;
    assert_eq!(wire.receive().await["error"]["code"], -32600);
    assert!(wire.guard.was_shut_down());
    assert_eq!(wire.send(json!({ "method": "exit" })).await, Next::Exit);
}

#[tokio::test]
async fn an_odd_capability_does_not_cost_the_handshake() {
    let mut wire = Wire::new();
    let odd = json!({ "processId": "x", "rootUri": null, "capabilities": { "textDocument": { "codeAction": {
        "codeActionLiteralSupport": {} } } } });
    wire.send(json!({ "id": 1, "method": "initialize", "params": odd })).await;
    assert!(wire.receive().await["result"].is_object());
    assert!(wire.guard.capabilities.get().unwrap().action_literals);
}

#[tokio::test]
async fn messages_that_are_none_are_answered_or_dropped() {
    let mut wire = Wire::initialized().await;
    wire.guard.take(b"{").await;
    assert_eq!(wire.receive().await["error"]["code"], -32700);
    wire.send(json!({})).await;
    assert_eq!(wire.receive().await["error"]["code"], -32600);
    wire.send(json!({ "id": 5, "method": 7 })).await;
    let answer = wire.receive().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(5), &json!(-32600)));
    wire.send(json!({ "id": 99, "result": "to nothing" })).await;
    wire.send(json!({ "method": "$/unknown", "params": {} })).await;
    wire.send(json!({ "id": 6, "method": "unknown", "params": {} })).await;
    assert_eq!(wire.receive().await["error"]["code"], -32601);
}

#[tokio::test]
async fn one_request_too_many_is_refused_and_the_rest_goes_on() {
    let mut wire = Wire::initialized().await;
    for id in 0..OPEN_REQUESTS {
        wire.send(json!({ "id": id, "method": "wait", "params": {} })).await;
    }
    wire.send(json!({ "id": "more", "method": "greet", "params": {} })).await;
    let answer = wire.receive().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("more"), &json!(-32603)));
    wire.send(json!({ "method": "note", "params": 1 })).await;
    assert_eq!(*wire.seen.lock(), [1]);
}
