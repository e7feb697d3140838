//! What a turn holds of the main loop: the way to ask the user, and the way to the review.

use super::{Reply, Wake, Work};
use crate::documents::Snapshot;
use crate::editor::{Answer, Approval};
use crate::event::SessionId;
use crate::permission::{Asker, Granted};
use crate::review;
use crate::store::{Entry, Journal, KeptReview};
use crate::tools::{Proposal, Reviewer, ToolOutput};
use async_trait::async_trait;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// A turn's way back to the main loop.
#[derive(Clone)]
pub(super) struct Ports {
    pub(super) session: SessionId,
    pub(super) inbox: mpsc::Sender<Wake>,
    pub(super) cancel: CancellationToken,
    /// The process ends: a turn that waits for the user is left as it is.
    pub(super) leave: CancellationToken,
    /// What waits for the user is in the log before the user sees it.
    pub(super) journal: Journal,
    /// `--yes`: every edit is accepted at once.
    pub(super) approve: bool,
}

#[async_trait]
impl Asker for Ports {
    async fn ask(&self, approval: Approval) -> Answer {
        let no = Answer::Reject { feedback: None, stop: false };
        if let Err(words) = self.journal.note(&Entry::Asked(approval.call.call_id.clone())).await {
            return Answer::Reject { feedback: Some(words), stop: true };
        }
        let id = approval.id.clone();
        // If the call is dropped while it waits, the approval is taken away.
        let withdraw = Withdraw::new(self, Work::Asked { id, answer: no.clone() });
        let (reply, answer) = oneshot::channel();
        if self.inbox.send(Wake::Work(Work::Ask { approval: Box::new(approval), reply })).await.is_err() {
            return no;
        }
        self.journal.note_asked();
        let _waiting = self.journal.wait();
        let answer = answer.await.unwrap_or(no);
        withdraw.disarm();
        answer
    }
}

#[async_trait]
impl Reviewer for Ports {
    async fn review(&self, granted: &Granted, proposals: Vec<Proposal>) -> ToolOutput {
        let (session, call_id) = (self.session.clone(), granted.call().call_id.clone());
        let accept = granted.auto_accept() || self.approve;
        let mut kept = false;
        // What is accepted at once waits for nobody.
        if !accept {
            let proposed = review::keep(&call_id, &proposals);
            kept = proposed.files.is_some();
            if let Err(words) = self.journal.note(&Entry::Proposed(proposed)).await {
                return ToolOutput::error(words);
            }
            self.journal.note_asked();
        }
        let work = |reply| Work::Propose { session, call_id, proposals, accept, kept, reply };
        self.fate(granted, work, !accept).await
    }

    async fn reopen(
        &self,
        granted: &Granted,
        kept: KeptReview,
        now: Vec<Option<Arc<Snapshot>>>,
    ) -> ToolOutput {
        let (session, call_id) = (self.session.clone(), granted.call().call_id.clone());
        let kept = Box::new(kept);
        self.fate(granted, |reply| Work::Reopen { session, call_id, kept, now, reply }, true).await
    }
}

impl Ports {
    /// Give a review to the main loop and wait, perhaps for the user, until every hunk has its
    /// fate. A review that nobody waits for any more is withdrawn.
    async fn fate(
        &self,
        granted: &Granted,
        work: impl FnOnce(Reply<ToolOutput>) -> Work,
        for_user: bool,
    ) -> ToolOutput {
        let (session, call_id) = (self.session.clone(), granted.call().call_id.clone());
        let withdraw = Withdraw::new(self, Work::Withdraw { session, call_id });
        let (reply, mut fate) = oneshot::channel();
        if self.inbox.send(Wake::Work(work(reply))).await.is_err() {
            return lost();
        }
        let _waiting = for_user.then(|| self.journal.wait());
        let output = tokio::select! {
            output = &mut fate => output,
            () = self.cancel.cancelled() => {
                withdraw.now().await;
                fate.await
            }
        };
        withdraw.disarm();
        output.unwrap_or_else(|_| lost())
    }
}

fn lost() -> ToolOutput {
    ToolOutput::error("Assent is shutting down; it is unknown whether the edit was applied.")
}

/// Takes something back when it is dropped before it was answered.
struct Withdraw {
    inbox: mpsc::Sender<Wake>,
    work: parking_lot::Mutex<Option<Work>>,
}

impl Withdraw {
    fn new(ports: &Ports, work: Work) -> Self {
        Self { inbox: ports.inbox.clone(), work: parking_lot::Mutex::new(Some(work)) }
    }

    async fn now(&self) {
        let work = self.work.lock().take();
        if let Some(work) = work {
            let _ = self.inbox.send(Wake::Work(work)).await;
        }
    }

    fn disarm(&self) {
        self.work.lock().take();
    }
}

impl Drop for Withdraw {
    fn drop(&mut self) {
        let work = self.work.lock().take();
        let Some(work) = work else { return };
        let inbox = self.inbox.clone();
        if let Err(mpsc::error::TrySendError::Full(wake)) = inbox.try_send(Wake::Work(work)) {
            tokio::spawn(async move { inbox.send(wake).await });
        }
    }
}
