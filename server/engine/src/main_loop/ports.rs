//! What a turn holds of the main loop: the way to ask the user, and the way to the review.

use super::{Wake, Work};
use crate::editor::{Answer, Approval};
use crate::event::SessionId;
use crate::permission::{Asker, Granted};
use crate::tools::{Proposal, Reviewer, ToolOutput};
use async_trait::async_trait;
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

/// A turn's way back to the main loop.
#[derive(Clone)]
pub(super) struct Ports {
    pub(super) session: SessionId,
    pub(super) inbox: mpsc::Sender<Wake>,
    pub(super) cancel: CancellationToken,
}

#[async_trait]
impl Asker for Ports {
    async fn ask(&self, approval: Approval) -> Answer {
        let no = Answer::Reject { feedback: None, stop: false };
        let id = approval.id.clone();
        // If the call is dropped while it waits, the approval is taken away.
        let withdraw = Withdraw::new(self, Work::Asked { id, answer: no.clone() });
        let (reply, answer) = oneshot::channel();
        if self.inbox.send(Wake::Work(Work::Ask { approval: Box::new(approval), reply })).await.is_err() {
            return no;
        }
        let answer = answer.await.unwrap_or(no);
        withdraw.disarm();
        answer
    }
}

#[async_trait]
impl Reviewer for Ports {
    async fn review(&self, granted: &Granted, proposals: Vec<Proposal>) -> ToolOutput {
        let call_id = granted.call().call_id.clone();
        let session = self.session.clone();
        let withdraw =
            Withdraw::new(self, Work::Withdraw { session: session.clone(), call_id: call_id.clone() });
        let (reply, mut fate) = oneshot::channel();
        let accept = granted.auto_accept();
        let propose = Work::Propose { session, call_id, proposals, accept, reply };
        if self.inbox.send(Wake::Work(propose)).await.is_err() {
            return lost();
        }
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
