//! A turn under way, as the main loop holds it.

use super::ports::Ports;
use super::{Refused, Reply};
use crate::session::Prompted;
use crate::store::Journal;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

/// A turn under way.
pub(super) struct Running {
    pub(super) cancel: CancellationToken,
    leave: CancellationToken,
    /// Where decisions about what it proposes are kept.
    pub(super) journal: Journal,
    pub(super) ended: Option<Reply<Result<Prompted, Refused>>>,
    /// Lets a turn that is taken up begin.
    pub(super) held: Option<oneshot::Sender<()>>,
}

impl Running {
    pub(super) fn new(
        ports: &Ports,
        ended: Option<Reply<Result<Prompted, Refused>>>,
        held: Option<oneshot::Sender<()>>,
    ) -> Self {
        let Ports { cancel, leave, journal, .. } = ports;
        Self { cancel: cancel.clone(), leave: leave.clone(), journal: journal.clone(), ended, held }
    }

    /// Something that can't be cancelled and is about to end: a prompt waits for it.
    pub(super) fn ending() -> Self {
        let cancel = CancellationToken::new();
        cancel.cancel();
        let (leave, journal) = (CancellationToken::new(), Journal::default());
        Self { cancel, leave, journal, ended: None, held: None }
    }

    /// The process ends. A turn that waits for the user stays in the log as it is, to be taken up
    /// again; any other is cancelled.
    pub(super) fn end_with_process(&self) {
        self.leave.cancel();
        self.cancel.cancel();
    }
}
