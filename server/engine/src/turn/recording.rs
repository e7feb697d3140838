//! What a call proposes, noted on its way to the review, so that the call shows its diffs.

use super::Turn;
use crate::documents::Snapshot;
use crate::event::{Diff, EventKind, ToolCallState};
use crate::permission::Granted;
use crate::review;
use crate::store::{KeptReview, ProposedFile};
use crate::tools::{Proposal, Reviewer, ToolOutput};
use assent_base::review::Change;
use async_trait::async_trait;
use std::sync::Arc;

/// A reviewer that notes what it is given.
pub(super) struct Recording {
    inner: Arc<dyn Reviewer>,
    events: Arc<dyn Fn(EventKind) + Send + Sync>,
    state: parking_lot::Mutex<ToolCallState>,
}

impl Recording {
    /// In front of the turn's reviewer, for the call in that state.
    pub(super) fn new(turn: &Turn, state: ToolCallState) -> Self {
        Self {
            inner: Arc::clone(&turn.ctx.reviewer),
            events: Arc::clone(&turn.events),
            state: parking_lot::Mutex::new(state),
        }
    }

    /// What was proposed.
    pub(super) fn diffs(&self) -> Vec<Diff> {
        self.state.lock().diffs.clone()
    }

    fn show(&self, diffs: impl Iterator<Item = Diff>) {
        let state = {
            let mut state = self.state.lock();
            state.diffs.extend(diffs);
            state.clone()
        };
        (self.events)(EventKind::ToolCall(state));
    }
}

#[async_trait]
impl Reviewer for Recording {
    async fn review(&self, granted: &Granted, proposals: Vec<Proposal>) -> ToolOutput {
        self.show(proposals.iter().filter_map(diff));
        self.inner.review(granted, proposals).await
    }

    async fn reopen(
        &self,
        granted: &Granted,
        kept: KeptReview,
        now: Vec<Option<Arc<Snapshot>>>,
    ) -> ToolOutput {
        self.show(kept.files.iter().filter_map(kept_diff));
        self.inner.reopen(granted, kept, now).await
    }
}

fn diff(proposal: &Proposal) -> Option<Diff> {
    let created = proposal.change == Change::Create;
    Some(Diff {
        path: proposal.uri.to_path()?,
        old_text: (!created).then(|| proposal.old.to_string()),
        new_text: proposal.new_text.clone(),
    })
}

fn kept_diff(file: &ProposedFile) -> Option<Diff> {
    let created = file.change == Change::Create;
    Some(Diff {
        path: file.uri.to_path()?,
        old_text: (!created).then(|| file.old.clone()),
        new_text: review::new_text(file),
    })
}
