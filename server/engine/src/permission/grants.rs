//! What the user allowed for as long as a session lasts. It is never in the session's log: a
//! conversation that is brought back brings no permission with it.

use assent_base::policy::{Memory, Remembered, Span};
use parking_lot::Mutex;
use std::collections::BTreeSet;

/// Remembered for one session.
#[derive(Default)]
pub struct SessionGrants {
    inner: Mutex<(Memory, BTreeSet<String>)>,
}

impl SessionGrants {
    pub(super) fn remember(&self, remember: Remembered) {
        self.inner.lock().0.remember(remember, Span::Session);
    }

    pub(super) fn forget(&self, remembered: &Remembered) -> bool {
        self.inner.lock().0.revoke(remembered)
    }

    pub(super) fn remember_artifacts(&self, tool: &str) {
        self.inner.lock().1.insert(tool.to_owned());
    }

    pub(super) fn memory(&self) -> Memory {
        self.inner.lock().0.clone()
    }

    pub(super) fn artifacts(&self) -> BTreeSet<String> {
        self.inner.lock().1.clone()
    }
}
