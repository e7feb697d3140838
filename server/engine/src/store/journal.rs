//! The way into a session's log for everybody who has something to note there: the conversation,
//! the calls of a running turn, the main loop. Also knows whether somebody waits for the user.

use super::{Entry, Log};
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::watch;

/// A session's log, once there is one. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Journal(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    log: Mutex<Option<Log>>,
    /// How many wait for the user.
    waiting: watch::Sender<usize>,
    asked: AtomicBool,
}

/// Somebody waits for the user for as long as this is held.
#[derive(Debug)]
pub struct Waiting(Journal);

impl Journal {
    /// The log is there.
    pub fn open(&self, log: Log) {
        *self.0.log.lock() = Some(log);
    }

    /// Whether the log is there.
    pub fn is_open(&self) -> bool {
        self.0.log.lock().is_some()
    }

    /// Let go of the log and its lock, whoever else has this journal.
    pub fn close(&self) {
        self.0.log.lock().take();
    }

    /// Append an entry; without a log there is nothing to keep. An error is in words for the user.
    pub async fn note(&self, entry: &Entry) -> Result<(), String> {
        self.note_all(std::slice::from_ref(entry)).await
    }

    /// The same for what belongs together: one write, and one wait for the disk.
    pub async fn note_all(&self, entries: &[Entry]) -> Result<(), String> {
        let Some(log) = self.0.log.lock().clone() else { return Ok(()) };
        log.append_all(entries).await.map_err(|problem| {
            format!(
                "The session log {} can't be written: {problem}. Free some space or fix its permissions; \
                 nothing was done that is not in the log.",
                log.path().display()
            )
        })
    }

    /// The same at once, for the main loop. The user's decision counts also where it can't be
    /// kept: the turn will say what is wrong with the log.
    pub fn note_now(&self, entry: &Entry) {
        let Some(log) = self.0.log.lock().clone() else { return };
        if let Err(problem) = log.append_now(entry) {
            tracing::warn!(%problem, path = %log.path().display(), "a decision is not in the session log");
        }
    }

    /// Force what was noted to the disk.
    pub async fn sync(&self) {
        let log = self.0.log.lock().clone();
        if let Some(log) = log
            && let Err(problem) = log.sync().await
        {
            tracing::warn!(%problem, path = %log.path().display(), "session log not synced");
        }
    }

    /// Somebody begins to wait for the user.
    pub fn wait(&self) -> Waiting {
        self.0.waiting.send_modify(|count| *count += 1);
        Waiting(self.clone())
    }

    /// Whether somebody waits for the user now.
    pub fn waits(&self) -> bool {
        *self.0.waiting.borrow() > 0
    }

    /// Returns when that many wait for the user.
    pub async fn until_waiting(&self, count: usize) {
        let mut waiting = self.0.waiting.subscribe();
        // The sender lives in this journal.
        let _ = waiting.wait_for(|now| *now >= count).await;
    }

    /// The user is asked something.
    pub fn note_asked(&self) {
        self.0.asked.store(true, Ordering::SeqCst);
    }

    /// Whether the user was asked anything since the session is open here.
    pub fn has_asked(&self) -> bool {
        self.0.asked.load(Ordering::SeqCst)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.0.waiting.send_modify(|count| *count -= 1);
    }
}
