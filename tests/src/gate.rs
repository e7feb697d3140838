//! A gate stands in a reply of the model server. The server stops there and says that it did;
//! the test looks around and opens it.

use crate::DEADLINE;
use std::sync::{Arc, Condvar, Mutex};
use tokio::sync::watch;

/// A point at which a stream waits. Clones are the same gate.
#[derive(Clone)]
pub struct Gate {
    open: Arc<watch::Sender<bool>>,
    reached: Arc<(Mutex<bool>, Condvar)>,
}

impl Default for Gate {
    fn default() -> Self {
        Self::new()
    }
}

impl Gate {
    /// A closed gate.
    pub fn new() -> Self {
        Self { open: Arc::new(watch::Sender::new(false)), reached: Arc::default() }
    }

    /// Let everything through, now and later.
    pub fn open(&self) {
        self.open.send_replace(true);
    }

    /// Block until the stream stands before the gate, that is: everything before it was sent.
    ///
    /// # Panics
    /// When that does not happen before the deadline.
    #[track_caller]
    pub fn wait_reached(&self) {
        let (flag, wake) = &*self.reached;
        let flag = flag.lock().unwrap();
        let (flag, _) = wake.wait_timeout_while(flag, DEADLINE, |reached| !*reached).unwrap();
        assert!(*flag, "the stream did not reach the gate within {DEADLINE:?}");
    }

    /// The stream's side: say that the gate is reached, then wait until it is open.
    pub async fn pass(&self) {
        let mut open = self.open.subscribe();
        *self.reached.0.lock().unwrap() = true;
        self.reached.1.notify_all();
        // The sender lives in this very gate, so waiting can't fail.
        let _ = open.wait_for(|open| *open).await;
    }
}
