//! Open approvals: one list for all sessions. Answered from wherever first, gone everywhere at once.

use super::state::{State, answer};
use super::{Reply, Work};
use crate::editor::{Answer, Approval};
use crate::event::{EventKind, SessionId};
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::task::AbortHandle;

/// The approvals that wait for an answer, in order of asking.
#[derive(Default)]
pub struct Open {
    waiting: VecDeque<Waiting>,
}

struct Waiting {
    approval: Approval,
    reply: Reply<Answer>,
    /// Shows the approval in the editor; aborting it takes it away there.
    shown: AbortHandle,
}

impl Open {
    pub(super) fn list(&self) -> Vec<Approval> {
        self.waiting.iter().map(|waiting| waiting.approval.clone()).collect()
    }

    fn take(&mut self, id: &str) -> Option<Waiting> {
        let at = self.waiting.iter().position(|waiting| waiting.approval.id == id)?;
        self.waiting.remove(at)
    }

    fn of_session(&self, session: &SessionId) -> Vec<String> {
        let ours = self.waiting.iter().filter(|waiting| waiting.approval.session == *session);
        ours.map(|waiting| waiting.approval.id.clone()).collect()
    }
}

impl State {
    pub(super) fn ask(&mut self, approval: Approval, reply: Reply<Answer>) {
        let (editor, shown) = (Arc::clone(&self.setup.editor), approval.clone());
        let id = approval.id.clone();
        let shown = self.work(async move { Work::Asked { answer: editor.ask(shown).await, id } });
        self.approvals.waiting.push_back(Waiting { approval, reply, shown });
    }

    /// An answer, from its request or from elsewhere. False when the approval no longer stood.
    pub(super) fn asked(&mut self, id: &str, given: Answer) -> bool {
        let Some(waiting) = self.approvals.take(id) else { return false };
        waiting.shown.abort();
        self.tell(&waiting.approval.session, EventKind::ApprovalClosed { id: id.to_owned() });
        answer(waiting.reply, given);
        true
    }

    /// Refuse whatever a session still asks.
    pub(super) fn withdraw_approvals(&mut self, session: &SessionId) {
        for id in self.approvals.of_session(session) {
            self.asked(&id, Answer::Reject { feedback: None, stop: false });
        }
    }
}
