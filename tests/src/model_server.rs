//! The mock model server. It answers on `/v1/chat/completions`, `/v1/responses` and
//! `/v1/messages` in each one's real streaming format, so one script serves all three.
//!
//! A test queues exchanges: what the request must look like, and the reply. A request that does
//! not fit the first exchange is answered 500 with the difference and fails the test when the
//! server is dropped; so does an exchange nobody asked for, and any request that a real provider
//! would refuse (`invariants`).
//!
//! It lives on a thread of its own, so tests may be blocking or asynchronous, with virtual time
//! or without.

mod dialect;
mod http;
mod invariants;
mod reply;
mod request;
mod serve;

pub use dialect::Dialect;
pub use reply::{Reply, Stop, answer, broken_call, error, raw, text};
pub use request::{Item, Request};

use crate::DEADLINE;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// The key that every request must carry in its headers and none in its body.
pub const KEY: &str = "mock-key-51f0c6d2";

/// What a request must look like; the error says what differs.
pub type Matcher = Box<dyn Fn(&Request) -> Result<(), String> + Send>;

struct Exchange {
    matcher: Matcher,
    reply: Reply,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Exchange>,
    /// Exchanges may be taken in any order (several sessions at once).
    unordered: bool,
    /// The history may differ from what the session sent before (compaction).
    rewrites: bool,
    other_tools: bool,
    requests: Vec<Request>,
    /// Numbers of the requests whose client went away before the reply was complete.
    abandoned: Vec<usize>,
    problems: Vec<String>,
}

/// A running server. Dropping it fails the test if anything was wrong.
pub struct ModelServer {
    shared: Arc<Shared>,
    address: SocketAddr,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Change the state and wake whoever waits for it.
    fn update<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let result = change(&mut self.lock());
        self.changed.notify_all();
        result
    }
}

impl Default for ModelServer {
    fn default() -> Self {
        Self::start()
    }
}

impl ModelServer {
    /// Start on a free loopback port with an empty queue.
    pub fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let for_thread = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("model server".into())
            .spawn(move || serve::run(listener, for_thread, stopped))
            .unwrap();
        Self { shared, address, stop: Some(stop) }
    }

    /// The base URL for `openai-chat` and `openai-responses`: `http://127.0.0.1:PORT/v1`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The URL without `/v1`.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Queue a reply for whatever request comes next.
    pub fn reply(&self, reply: impl Into<Reply>) -> &Self {
        self.expect_that(|_| Ok(()), reply)
    }

    /// Queue a reply for a request whose last user message or last results contain `needle`.
    pub fn expect(&self, needle: &str, reply: impl Into<Reply>) -> &Self {
        let needle = needle.to_owned();
        self.expect_that(
            move |request| {
                let news = request.news();
                if news.contains(&needle) {
                    Ok(())
                } else {
                    Err(format!("expected the newest part to contain {needle:?}, it is:\n{news}"))
                }
            },
            reply,
        )
    }

    /// Queue a reply for a request that `matcher` accepts.
    pub fn expect_that(
        &self,
        matcher: impl Fn(&Request) -> Result<(), String> + Send + 'static,
        reply: impl Into<Reply>,
    ) -> &Self {
        let exchange = Exchange { matcher: Box::new(matcher), reply: reply.into() };
        self.shared.update(|state| state.queue.push_back(exchange));
        self
    }

    /// Forget the replies that nobody asked for, where a test can't know how many are needed.
    pub fn forget_queue(&self) -> &Self {
        self.shared.update(|state| state.queue.clear());
        self
    }

    /// From now on exchanges may be taken in any order: each request gets the first that fits.
    pub fn unordered(&self) -> &Self {
        self.shared.update(|state| state.unordered = true);
        self
    }

    /// Allow that a session's history is not a continuation of what it sent before.
    pub fn allow_rewritten_history(&self) -> &Self {
        self.shared.update(|state| state.rewrites = true);
        self
    }

    /// Allow that a session's tools change, as they do when a file of theirs does.
    pub fn allow_other_tools(&self) -> &Self {
        self.shared.update(|state| state.other_tools = true);
        self
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<Request> {
        self.shared.lock().requests.clone()
    }

    /// Block until `count` requests came, and give the last of them.
    #[track_caller]
    pub fn wait_for_request(&self, count: usize) -> Request {
        self.wait(&format!("request number {count}"), |state| state.requests.get(count - 1).cloned())
    }

    /// Block until the client of request number `count` hung up before its reply was complete.
    #[track_caller]
    pub fn wait_for_hang_up(&self, count: usize) {
        self.wait(&format!("the client to hang up on request number {count}"), |state| {
            state.abandoned.contains(&(count - 1)).then_some(())
        });
    }

    #[track_caller]
    fn wait<T>(&self, what: &str, look: impl Fn(&State) -> Option<T>) -> T {
        let mut state = self.shared.lock();
        let deadline = std::time::Instant::now() + DEADLINE;
        loop {
            if let Some(found) = look(&state) {
                return found;
            }
            let left = deadline.saturating_duration_since(std::time::Instant::now());
            if left == Duration::ZERO {
                let seen = state.requests.len();
                let problems = state.problems.join("\n");
                drop(state);
                panic!("waited {DEADLINE:?} for {what}; there were {seen} requests. {problems}");
            }
            state = self.shared.changed.wait_timeout(state, left).unwrap().0;
        }
    }

    /// Fail now if anything was wrong so far, or if an exchange is left over.
    #[track_caller]
    pub fn verify(&self) {
        let state = self.shared.lock();
        let mut problems = state.problems.clone();
        if !state.queue.is_empty() {
            problems.push(format!(
                "{} queued replies were never asked for, after {} requests",
                state.queue.len(),
                state.requests.len()
            ));
        }
        drop(state);
        assert!(problems.is_empty(), "model server: {}", problems.join("\n\n"));
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // The thread may be gone already; then there is nothing to stop.
            let _ = stop.send(());
        }
        if std::thread::panicking() {
            for problem in &self.shared.lock().problems {
                eprintln!("model server: {problem}");
            }
        } else {
            self.verify();
        }
    }
}

#[cfg(test)]
mod tests;
