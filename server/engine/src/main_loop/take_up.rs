//! Taking up the turn that waited for the user when the server ended. It is made when the session
//! is loaded, so that it can be cancelled and nothing else can begin, and held until whoever loaded
//! the session has been answered: what the turn tells and asks comes after that.

use super::ports::Ports;
use super::prepare::{Begin, Job};
use super::running::Running;
use super::state::State;
use crate::event::{EventKind, SessionId};
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

impl State {
    /// Make the turn of a session that was left waiting for the user, and hold it.
    pub(super) fn hold_turn(&mut self, id: &SessionId) {
        let Some(inbox) = self.inbox.upgrade() else { return };
        let Some(session) = self.sessions.get_mut(id) else { return };
        if session.running.is_some() {
            return;
        }
        let Some(interrupted) = session.interrupted.take_if(|_| session.ledger.is_some()) else { return };
        let Some(ledger) = session.ledger.take() else { return };
        let (release, held) = oneshot::channel();
        let ports = Arc::new(Ports {
            session: id.clone(),
            inbox,
            cancel: CancellationToken::new(),
            leave: CancellationToken::new(),
            journal: ledger.journal().clone(),
            approve: self.setup.approve,
        });
        session.running = Some(Running::new(&ports, None, Some(release)));
        let job = Job::new(self, id, ledger, Begin::TakeUp { interrupted, held }, ports);
        self.run(job);
    }

    /// Whoever loaded the session has been answered.
    pub(super) fn take_up(&mut self, id: &SessionId) {
        let running = self.sessions.get_mut(id).and_then(|session| session.running.as_mut());
        if let Some(release) = running.and_then(|running| running.held.take()) {
            self.tell(id, EventKind::TurnStarted);
            // A turn that was cancelled meanwhile does not wait any more.
            let _ = release.send(());
        }
    }
}
