//! A provider on a loopback socket that sends exactly the bytes it is told to, and shorthands for
//! what the adapters' tests need.

use crate::model::spec::{Api, Dialect, ModelSpec};
use crate::model::surroundings::Surroundings;
use crate::model::{Answer, Delta, Model, ModelError, Request};
use assent_base::chat::{Message, Part, Reasoning, ReasoningBlock};
use assent_base::tool::{Arguments, Call, CallResult, Content, Definition, Effects};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// A request as it came in.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// Request line and headers, in lower case.
    pub(crate) head: String,
    pub(crate) body: Value,
}

/// What the server sends to one request, write by write; then it closes the connection.
pub(crate) type Reply = Vec<Vec<u8>>;

/// A stream of events whose body is `body`.
pub(crate) fn stream(body: &str) -> Reply {
    stream_of(vec![body.as_bytes().to_vec()])
}

/// A stream of events sent in these writes.
pub(crate) fn stream_of(writes: Vec<Vec<u8>>) -> Reply {
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n".to_vec();
    std::iter::once(head).chain(writes).collect()
}

/// Events of the given data.
pub(crate) fn events(data: &[Value]) -> Reply {
    stream(&data.iter().map(|data| format!("data: {data}\n\n")).collect::<String>())
}

/// An answer with a status, header lines and a body.
pub(crate) fn status(status: u16, headers: &str, body: &str) -> Reply {
    vec![format!("HTTP/1.1 {status} X\r\nconnection: close\r\n{headers}\r\n{body}").into_bytes()]
}

pub(crate) struct Server {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    pub(crate) async fn start(replies: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&seen);
        tokio::spawn(async move {
            for reply in replies {
                let (socket, _) = listener.accept().await.unwrap();
                serve(socket, reply, &record).await;
            }
        });
        Self { url, seen }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().clone()
    }
}

async fn serve(mut socket: TcpStream, reply: Reply, record: &Mutex<Vec<Seen>>) {
    socket.set_nodelay(true).unwrap();
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        assert_ne!(socket.read_buf(&mut bytes).await.unwrap(), 0, "a whole request");
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap().to_ascii_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map_or(0, |length| length.parse().unwrap());
    while bytes.len() < end + length {
        assert_ne!(socket.read_buf(&mut bytes).await.unwrap(), 0, "a whole body");
    }
    let body = serde_json::from_slice(&bytes[end..]).unwrap_or_default();
    record.lock().push(Seen { head, body });
    for write in reply {
        // The client may have hung up.
        if socket.write_all(&write).await.is_err() {
            return;
        }
        socket.flush().await.unwrap();
        tokio::task::yield_now().await;
    }
}

pub(crate) fn surroundings(variables: &[(&str, &str)]) -> Surroundings {
    let variables: Vec<(String, String)> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Surroundings {
        environment: Arc::new(move |name| {
            variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
        }),
        keys: Arc::default(),
        clock: Arc::new(|| "2026-11-03T10:00:00Z".parse().unwrap()),
        chance: Arc::new(|| 0.0),
    }
}

pub(crate) fn spec(api: Api, base_url: &str) -> ModelSpec {
    ModelSpec {
        provider: "test".to_owned(),
        model: "model".to_owned(),
        api,
        base_url: base_url.to_owned(),
        key_names: vec!["TEST_KEY".to_owned()],
        key_required: true,
        key_command: None,
        text_calls: false,
        window: None,
        max_output: None,
        images: true,
        thinking: None,
        dialect: Dialect { usage_option: true, ..Dialect::default() },
    }
}

pub(crate) fn definition(name: &str) -> Arc<Definition> {
    Arc::new(Definition {
        slash_command: None,
        name: name.to_owned(),
        description: format!("Does {name}."),
        parameters: json!({ "type": "object", "properties": { "filePath": { "type": "string" } } }),
        strict: false,
        effects: Effects::default(),
        internal: false,
    })
}

pub(crate) fn request(messages: Vec<Message>) -> Request {
    Request {
        system: Arc::from("Be brief."),
        tools: Arc::from([definition("read"), definition("write")]),
        messages: messages.into_iter().map(Arc::new).collect(),
        max_output: None,
        effort: None,
        cache_key: "session".to_owned(),
    }
}

pub(crate) fn user(text: &str) -> Message {
    Message::User(vec![Content::Text(text.to_owned())])
}

pub(crate) fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

pub(crate) fn call(id: &str, name: &str, arguments: Value) -> Part {
    let arguments = arguments.as_object().cloned().unwrap();
    Part::Call(Call { id: id.to_owned(), name: name.to_owned(), arguments: Arguments::Object(arguments) })
}

pub(crate) fn thinking(text: &str, api: Api, value: Value) -> Part {
    let block = ReasoningBlock { api: api.as_str().to_owned(), value };
    Part::Reasoning(Reasoning { text: text.to_owned(), block: Some(block) })
}

pub(crate) fn result(id: &str, text: &str) -> CallResult {
    CallResult { call_id: id.to_owned(), content: vec![Content::Text(text.to_owned())], is_error: false }
}

pub(crate) fn image(data: &str) -> Content {
    Content::Image { media_type: "image/png".to_owned(), data: data.to_owned() }
}

/// Runs one request; gives its outcome and every delta.
pub(crate) async fn run(model: &dyn Model, request: &Request) -> (Result<Answer, ModelError>, Vec<Delta>) {
    let (sender, mut receiver) = mpsc::channel(crate::limits::DELTAS);
    let collect = async {
        let mut deltas = Vec::new();
        while let Some(delta) = receiver.recv().await {
            deltas.push(delta);
        }
        deltas
    };
    let answer = async {
        let answer = model.run(request, &sender).await;
        drop(sender);
        answer
    };
    tokio::join!(answer, collect)
}

/// The words among the deltas.
pub(crate) fn words(deltas: &[Delta]) -> String {
    let pieces = deltas.iter().filter_map(|delta| match delta {
        Delta::Text(text) => Some(text.as_str()),
        Delta::Reasoning(_) | Delta::CallStarted { .. } | Delta::Retry { .. } => None,
    });
    pieces.collect()
}
