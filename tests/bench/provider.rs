//! A model server that costs next to nothing and keeps the time: it parses and checks nothing, so
//! what stands between its two stamps is the work of the server under test. The strict one of the
//! tests would measure its own checks.

use assent_tests::DEADLINE;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

/// An answer: the events that are written one by one, each at once.
pub struct Answer(Vec<String>);

impl Answer {
    /// Words, in deltas of four characters.
    pub fn words(deltas: usize) -> Self {
        Self::of((0..deltas).map(|n| json!({ "content": format!("{:>3} ", n % 1000) })), "stop")
    }

    /// One call.
    pub fn call(id: usize, tool: &str, arguments: &Value) -> Self {
        let function = json!({ "name": tool, "arguments": arguments.to_string() });
        let call =
            json!({ "index": 0, "id": format!("call_{id}"), "type": "function", "function": function });
        Self::of([json!({ "tool_calls": [call] })], "tool_calls")
    }

    fn of(deltas: impl IntoIterator<Item = Value>, reason: &str) -> Self {
        let event = |delta: Value, reason: Value| {
            let choice = json!({ "index": 0, "delta": delta, "finish_reason": reason });
            let chunk = json!({ "id": "c", "object": "chat.completion.chunk", "created": 1,
                "model": "test-model", "choices": [choice] });
            format!("data: {chunk}\n\n")
        };
        let mut events: Vec<String> = deltas.into_iter().map(|delta| event(delta, Value::Null)).collect();
        events.push(event(json!({}), json!(reason)) + "data: [DONE]\n\n");
        Self(events)
    }
}

/// When a request came and when its answer was out.
#[derive(Clone, Copy)]
pub struct Exchange {
    /// The first byte of the request is here.
    pub arrived: Instant,
    /// The last byte of the answer is written.
    pub answered: Option<Instant>,
}

#[derive(Default)]
struct State {
    answers: VecDeque<Answer>,
    exchanges: Vec<Exchange>,
}

type Shared = Arc<(Mutex<State>, Condvar)>;

/// The server. Its thread ends with the process.
pub struct Provider {
    shared: Shared,
    address: SocketAddr,
}

impl Provider {
    /// Listen on a free loopback port.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Shared::default();
        let for_thread = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&for_thread);
                std::thread::spawn(move || serve(stream, &shared));
            }
        });
        Self { shared, address }
    }

    /// The user's `assent.yaml` that points here.
    pub fn settings(&self) -> String {
        format!(
            "model: mock/test-model\nproviders:\n  mock: {{ api: openai-chat, baseUrl: \"http://{}/v1\", apiKeyEnv: MOCK_KEY }}\n",
            self.address
        )
    }

    /// Queue an answer.
    pub fn answer(&self, answer: Answer) {
        self.shared.0.lock().unwrap().answers.push_back(answer);
    }

    /// How many requests came.
    pub fn count(&self) -> usize {
        self.shared.0.lock().unwrap().exchanges.len()
    }

    /// Every exchange from number `first` on, once the answer to the last of `count` is out.
    pub fn exchanges(&self, first: usize, count: usize) -> Vec<Exchange> {
        let (state, changed) = &*self.shared;
        let done = |state: &mut State| {
            state.exchanges.len() < first + count || state.exchanges[first + count - 1].answered.is_none()
        };
        let (state, _) = changed.wait_timeout_while(state.lock().unwrap(), DEADLINE, done).unwrap();
        assert!(
            state.exchanges.len() >= first + count,
            "only {} of {count} requests came within {DEADLINE:?}",
            state.exchanges.len() - first
        );
        state.exchanges[first..first + count].to_vec()
    }
}

fn serve(stream: TcpStream, shared: &Shared) {
    // Every delta is to reach the other side by itself.
    stream.set_nodelay(true).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    while let Some(arrived) = read_request(&mut reader) {
        let (state, changed) = &**shared;
        let (number, answer) = {
            let mut state = state.lock().unwrap();
            state.exchanges.push(Exchange { arrived, answered: None });
            (state.exchanges.len() - 1, state.answers.pop_front().expect("an answer is queued"))
        };
        // The other side may be gone; whoever waits for its next request says so.
        let _ = write_answer(&mut writer, &answer);
        state.lock().unwrap().exchanges[number].answered = Some(Instant::now());
        changed.notify_all();
    }
}

/// Take one request in; says when its first byte was here.
fn read_request(reader: &mut BufReader<TcpStream>) -> Option<Instant> {
    if reader.fill_buf().ok()?.is_empty() {
        return None;
    }
    let arrived = Instant::now();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            if line.trim().is_empty() {
                break;
            }
            continue;
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(arrived)
}

fn write_answer(writer: &mut TcpStream, answer: &Answer) -> std::io::Result<()> {
    writer.write_all(
        b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n",
    )?;
    let (last, events) = answer.0.split_last().expect("an answer has its end");
    for event in events {
        writer.write_all(format!("{:x}\r\n{event}\r\n", event.len()).as_bytes())?;
    }
    writer.write_all(format!("{:x}\r\n{last}\r\n0\r\n\r\n", last.len()).as_bytes())
}
