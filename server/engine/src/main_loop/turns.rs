//! Turns: started by a prompt, run in a task of their own, ended by coming back.

use super::ports::Ports;
use super::prepare::Job;
use super::sessions::{Running, no_session};
use super::state::{State, answer};
use super::{Refused, Reply, Work};
use crate::event::{EventKind, SessionId, StopReason, Usage};
use crate::session::{Ledger, PromptBlock, Remembered};
use crate::store::{OpenError, Store};
use assent_base::tool::Content;
use futures::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// A prompt that came while the turn before it was ending.
pub(super) struct Next {
    blocks: Vec<PromptBlock>,
    started: Option<Reply<Result<(), Refused>>>,
    ended: Option<Reply<Result<StopReason, Refused>>>,
}

/// A turn that came back.
pub struct TurnEnded {
    pub(super) id: SessionId,
    /// `None`: the conversation could not be read back after a fault of ours.
    pub(super) ledger: Option<Ledger>,
    pub(super) stop: StopReason,
    pub(super) used: Option<Usage>,
    pub(super) title: Option<String>,
    pub(super) system: Option<Arc<str>>,
}

impl State {
    pub(super) fn prompt(
        &mut self,
        id: &SessionId,
        blocks: Vec<PromptBlock>,
        started: Option<Reply<Result<(), Refused>>>,
        ended: Option<Reply<Result<StopReason, Refused>>>,
    ) {
        let refuse = |refused: Refused, started: Option<Reply<_>>, ended: Option<Reply<_>>| {
            if let Some(reply) = started {
                answer(reply, Err(refused.clone()));
            }
            if let Some(reply) = ended {
                answer(reply, Err(refused));
            }
        };
        let Some(session) = self.sessions.get_mut(id) else { return refuse(no_session(id), started, ended) };
        let ending = session.running.as_ref().is_some_and(|running| running.cancel.is_cancelled());
        if ending && session.next.is_none() {
            // The turn before was cancelled and is about to end: the user need not wait for it.
            session.next = Some(Box::new(Next { blocks, started, ended }));
            return;
        }
        let (Some(inbox), Some(ledger)) = (self.inbox.upgrade(), session.ledger.take()) else {
            let words = "A turn is running in this session. Wait for it, or cancel it.";
            return refuse(Refused::Busy(words.into()), started, ended);
        };
        let cancel = CancellationToken::new();
        let ports = Arc::new(Ports { session: id.clone(), inbox, cancel: cancel.clone() });
        let words = shown(&blocks);
        let job = Job::new(self, id, ledger, blocks, ports);
        let Some(session) = self.sessions.get_mut(id) else { return };
        session.running = Some(Running { cancel, ended });
        self.tell(id, EventKind::TurnStarted);
        if let Some(reply) = started {
            // A command made this prompt: its user has not seen it yet.
            self.tell(id, EventKind::UserMessage(words));
            answer(reply, Ok(()));
        }
        self.run(job);
    }

    fn run(&self, job: Job) {
        let (id, store) = (job.session.clone(), self.store.clone());
        let log_begun = job.log_begun();
        let inbox = Arc::clone(&job.ports).inbox.clone();
        tokio::spawn(async move {
            let ended = match AssertUnwindSafe(job.run()).catch_unwind().await {
                Ok(ended) => ended,
                // The conversation went down with the task; the log has all of it.
                Err(_) => after_fault(id, store, log_begun).await,
            };
            let _ = inbox.send(super::Wake::Work(Work::TurnEnded(Box::new(ended)))).await;
        });
    }

    pub(super) fn cancel(&mut self, id: &SessionId) {
        if let Some(running) = self.sessions.get(id).and_then(|session| session.running.as_ref()) {
            running.cancel.cancel();
        }
    }

    pub(super) fn turn_ended(&mut self, ended: TurnEnded) {
        let id = ended.id;
        self.withdraw_approvals(&id);
        let Some(session) = self.sessions.get_mut(&id) else { return };
        let restored = ended.ledger.unwrap_or_else(|| {
            Ledger::new(
                SessionId(uuid::Uuid::now_v7().to_string().into()),
                session.folder.clone(),
                self.store.clone(),
            )
        });
        session.ledger = Some(restored);
        session.system = ended.system.or(session.system.take());
        if let Some(used) = ended.used {
            session.usage.total = used;
        }
        let running = session.running.take();
        let old = session.keep_for_undo();
        if let Some(title) = ended.title {
            session.title = Some(title.clone());
            self.tell(&id, EventKind::Title(title));
        }
        if self.sessions.get(&id).is_some_and(|session| session.closing) {
            self.sessions.remove(&id);
        }
        for review in old {
            self.desk.forget(&review);
        }
        self.tell(&id, EventKind::TurnEnded(ended.stop.clone()));
        if let Some(reply) = running.and_then(|running| running.ended) {
            answer(reply, Ok(ended.stop));
        }
        if let Some(next) = self.sessions.get_mut(&id).and_then(|session| session.next.take()) {
            self.prompt(&id, next.blocks, next.started, next.ended);
        }
        self.end_if_idle();
    }
}

async fn after_fault(id: SessionId, store: Store, log_begun: bool) -> TurnEnded {
    let loaded: Option<Result<(Ledger, Remembered), OpenError>> =
        if log_begun { Some(Ledger::load(id.clone(), store).await) } else { None };
    let mut words = "The turn was lost by a fault of Assent's own; the conversation up to it is kept. \
                     Please report it with the log."
        .to_owned();
    let ledger = match loaded {
        Some(Ok((mut ledger, _))) => {
            let _ = ledger.close_open_calls("The turn failed: it is unknown whether this call ran.").await;
            Some(ledger)
        }
        Some(Err(problem)) => {
            words = format!("{words} {problem}");
            None
        }
        None => None,
    };
    TurnEnded { id, ledger, stop: StopReason::Failed(words), used: None, title: None, system: None }
}

/// A prompt as its user would have written it.
fn shown(blocks: &[PromptBlock]) -> Vec<Content> {
    let mut content = Vec::new();
    for block in blocks {
        content.push(match block {
            PromptBlock::Text(text) => Content::Text(text.clone()),
            PromptBlock::Image { media_type, data } => {
                Content::Image { media_type: media_type.clone(), data: data.clone() }
            }
            PromptBlock::Document { uri, range, .. } => {
                let path = uri.to_path();
                let name = path.map_or_else(|| uri.as_str().to_owned(), |path| path.display().to_string());
                let lines = range.map(|range| format!(":{}-{}", range.start.line + 1, range.end.line + 1));
                Content::Text(format!(" {name}{}", lines.unwrap_or_default()))
            }
        });
    }
    content
}
