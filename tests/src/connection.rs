//! A child process that speaks JSON-RPC on its pipes. It reads on threads of its own, so a test
//! blocks only where it waits, and it keeps the log of every message for the day something fails.
//! What is on the process's stdout besides messages is a fault.

mod framing;

pub use framing::Framing;

use serde_json::Value;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What the reading thread found on the process's stdout.
pub(crate) enum Incoming {
    /// A message.
    Message(Value),
    /// Bytes that are none, with the reason.
    Garbage(String),
    /// The end.
    End,
}

/// The process and its pipes.
pub struct Connection {
    child: Child,
    stdin: Option<ChildStdin>,
    framing: Framing,
    incoming: Receiver<Incoming>,
    stderr: Arc<Mutex<String>>,
    log: Vec<String>,
    started: Instant,
}

impl Connection {
    /// Start a program with exactly this environment.
    pub fn start(
        framing: Framing,
        program: &Path,
        arguments: &[&str],
        folder: &Path,
        environment: &[(String, String)],
    ) -> Self {
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .env_clear()
            .envs(environment.iter().cloned())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{} does not start: {error}", program.display()));
        let (sender, incoming) = channel();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            loop {
                let found = framing.read(&mut stdout);
                let last = matches!(found, Incoming::End | Incoming::Garbage(_));
                if sender.send(found).is_err() || last {
                    break;
                }
            }
        });
        let stderr = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&stderr);
        let mut pipe = child.stderr.take().unwrap();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                kept.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..count]));
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, framing, incoming, stderr, log: Vec::new(), started: Instant::now() }
    }

    /// Send a message. A process that is gone shows where the test next waits for it.
    pub fn send(&mut self, message: &Value) {
        self.write_log("-->", message);
        let bytes = self.framing.write(message);
        self.send_bytes(&bytes);
    }

    /// Send bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
        }
    }

    /// Close the process's stdin.
    pub fn close_stdin(&mut self) {
        self.log.push("--> (end)".to_owned());
        self.stdin = None;
    }

    /// The next thing on stdout, or `None` when the time is over.
    pub(crate) fn receive(&mut self, limit: Duration) -> Option<Incoming> {
        let found = match self.incoming.recv_timeout(limit) {
            Ok(found) => found,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => Incoming::End,
        };
        match &found {
            Incoming::Message(message) => self.write_log("<--", &message.clone()),
            Incoming::Garbage(what) => self.log.push(format!("<-- (not a message) {what}")),
            Incoming::End => self.log.push("<-- (end)".to_owned()),
        }
        Some(found)
    }

    fn write_log(&mut self, arrow: &str, message: &Value) {
        let mut line = message.to_string();
        if line.len() > 1500 {
            let mut end = 1500;
            while !line.is_char_boundary(end) {
                end -= 1;
            }
            line = format!("{}… ({} bytes)", &line[..end], line.len());
        }
        self.log.push(format!("{:>7.3} {arrow} {line}", self.started.elapsed().as_secs_f64()));
    }

    /// Every message so far, and what the process wrote to stderr.
    pub fn story(&self) -> String {
        let skipped = self.log.len().saturating_sub(120);
        let first = if skipped > 0 { format!("({skipped} earlier messages)\n") } else { String::new() };
        format!(
            "\n--- messages\n{first}{}\n--- stderr\n{}",
            self.log[skipped..].join("\n"),
            self.stderr.lock().unwrap()
        )
    }

    /// What the process wrote to stderr so far.
    pub fn stderr(&self) -> String {
        self.stderr.lock().unwrap().clone()
    }

    /// The process's id.
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Kill the process, as a crash would.
    pub fn kill(&mut self) {
        // It may be gone already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Wait for the process to end; `None` when it does not before the limit.
    pub fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + limit;
        // The end of its stdout is the condition to wait for; the exit follows at once.
        while let Some(left) = deadline.checked_duration_since(Instant::now()) {
            match self.receive(left) {
                Some(Incoming::End | Incoming::Garbage(_)) => break,
                Some(Incoming::Message(_)) => {}
                None => return None,
            }
        }
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(status);
            }
            if Instant::now() > deadline {
                return None;
            }
            std::thread::yield_now();
        }
    }
}
