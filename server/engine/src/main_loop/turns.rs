//! Turns: started by a prompt, run in a task of their own, ended by coming back.

use super::ports::Ports;
use super::prepare::{Begin, Job};
use super::running::Running;
use super::sessions::{News, no_session};
use super::state::{State, answer};
use super::{Refused, Reply, Work};
use crate::event::{EventKind, SessionId, StopReason, Usage};
use crate::prompt;
use crate::session::{Interrupted, Ledger, PromptBlock, Prompted};
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
    ended: Option<Reply<Result<Prompted, Refused>>>,
}

/// A turn that came back.
pub struct TurnEnded {
    pub(super) id: SessionId,
    /// `None`: the conversation could not be read back after a fault of ours.
    pub(super) ledger: Option<Ledger>,
    pub(super) stop: StopReason,
    pub(super) used: Option<Usage>,
    /// Which of the session's prompts began it, if it began.
    pub(super) prompt: Option<usize>,
    /// The title of a session that had none.
    pub(super) title: Option<String>,
    pub(super) system: Option<Arc<str>>,
    /// What the model was to be told with a prompt that did not begin: it goes with the next.
    pub(super) news: Vec<News>,
    /// The turn that was to be taken up and could not be: it can be tried again.
    pub(super) interrupted: Option<Interrupted>,
}

impl State {
    pub(super) fn prompt(
        &mut self,
        id: &SessionId,
        blocks: Vec<PromptBlock>,
        started: Option<Reply<Result<(), Refused>>>,
        ended: Option<Reply<Result<Prompted, Refused>>>,
    ) {
        let refuse = |refused: Refused, started: Option<Reply<_>>, ended: Option<Reply<_>>| {
            if let Some(reply) = started {
                answer(reply, Err(refused.clone()));
            }
            if let Some(reply) = ended {
                answer(reply, Err(refused));
            }
        };
        if self.shutdown.is_some() {
            return refuse(Refused::Failed("Assent is shutting down.".into()), started, ended);
        }
        let Some(session) = self.sessions.get_mut(id) else { return refuse(no_session(id), started, ended) };
        let ending = session.running.as_ref().is_some_and(|running| running.cancel.is_cancelled());
        if ending && session.next.is_none() && !session.closing {
            // The turn before was cancelled and is about to end: the user need not wait for it.
            session.next = Some(Box::new(Next { blocks, started, ended }));
            return;
        }
        let prompt = session.ledger.as_ref().map_or(0, |ledger| ledger.transcript().prompts());
        let (Some(inbox), Some(ledger)) = (self.inbox.upgrade(), session.ledger.take()) else {
            let words = "A turn is running in this session. Wait for it, or cancel it.";
            return refuse(Refused::Busy(words.into()), started, ended);
        };
        // Whoever goes on by a prompt has given up the turn that waited.
        session.interrupted = None;
        let ports = Arc::new(Ports {
            session: id.clone(),
            inbox,
            cancel: CancellationToken::new(),
            leave: CancellationToken::new(),
            journal: ledger.journal().clone(),
            approve: self.setup.approve,
        });
        session.running = Some(Running::new(&ports, ended, None));
        let words = shown(&blocks);
        let job = Job::new(self, id, ledger, Begin::Prompt(blocks), ports);
        self.tell(id, EventKind::TurnStarted);
        if let Some(reply) = started {
            // A command made this prompt: its user has not seen it yet.
            self.tell(id, EventKind::UserMessage { prompt, content: words });
            answer(reply, Ok(()));
        }
        self.run(job);
    }

    pub(super) fn run(&self, job: Job) {
        let (id, store) = (job.session.clone(), self.store.clone());
        let inbox = Arc::clone(&job.ports).inbox.clone();
        tokio::spawn(async move {
            let ended = match AssertUnwindSafe(job.run()).catch_unwind().await {
                Ok(ended) => ended,
                // The conversation went down with the task; the log has all of it.
                Err(_) => after_fault(id, store).await,
            };
            let _ = inbox.send(super::Wake::Work(Work::TurnEnded(Box::new(ended)))).await;
        });
    }

    pub(super) fn cancel(&mut self, id: &SessionId) {
        let Some(session) = self.sessions.get_mut(id) else { return };
        // A prompt that waits for the end of the turn before it is cancelled before it begins.
        if let Some(next) = session.next.take() {
            next.started.into_iter().for_each(|reply| answer(reply, Ok(())));
            next.ended
                .into_iter()
                .for_each(|reply| answer(reply, Ok(Prompted { stop: StopReason::Cancelled, prompt: None })));
        }
        if let Some(running) = &session.running {
            running.cancel.cancel();
        }
    }

    pub(super) fn turn_ended(&mut self, ended: TurnEnded) {
        let id = ended.id;
        self.withdraw_approvals(&id);
        let Some(session) = self.sessions.get_mut(&id) else { return };
        // Without a log there was nothing said yet. A log that can't be read is never written over:
        // the next prompt tells that it is in the way.
        let fresh = || Ledger::new(id.clone(), session.folder.clone(), self.store.clone());
        session.ledger = Some(ended.ledger.unwrap_or_else(fresh));
        session.news.splice(0..0, ended.news);
        session.interrupted = ended.interrupted;
        session.system = ended.system.or(session.system.take());
        if let Some(used) = ended.used {
            session.usage.total = used;
        }
        let running = session.running.take();
        let old = session.keep_for_undo(ended.prompt);
        // A name that the user gave meanwhile stands.
        if let Some(title) = ended.title.filter(|_| session.title.is_none()) {
            session.title = Some(title.clone());
            self.tell(&id, EventKind::Title(title));
        }
        for review in old {
            self.desk.forget(&review);
        }
        self.tell(&id, EventKind::TurnEnded(ended.stop.clone()));
        if let Some(reply) = running.and_then(|running| running.ended) {
            answer(reply, Ok(Prompted { stop: ended.stop, prompt: ended.prompt }));
        }
        self.go_on(&id);
    }

    /// A session is free again: close it, or do what waited for that.
    pub(super) fn go_on(&mut self, id: &SessionId) {
        self.name_again(id);
        if self.sessions.get(id).is_some_and(|session| session.closing) {
            self.sessions.remove(id);
        }
        if let Some(next) = self.sessions.get_mut(id).and_then(|session| session.next.take()) {
            self.prompt(id, next.blocks, next.started, next.ended);
        }
        self.end_if_idle();
    }
}

async fn after_fault(id: SessionId, store: Store) -> TurnEnded {
    let mut words = "The turn was lost by a fault of Assent's own; the conversation up to it is kept. \
                     Please report it with the log."
        .to_owned();
    let ledger = match Ledger::load(id.clone(), store).await {
        Ok((mut ledger, _)) => {
            // A log that can't be written is reported when the next prompt is.
            let _ = ledger.close_open_calls("The turn failed: it is unknown whether this call ran.").await;
            Some(ledger)
        }
        Err(OpenError::Unknown(_)) => None,
        Err(problem) => {
            words = format!("{words} {problem}");
            None
        }
    };
    let stop = StopReason::Failed(words);
    TurnEnded {
        id,
        ledger,
        stop,
        used: None,
        prompt: None,
        title: None,
        system: None,
        news: Vec::new(),
        interrupted: None,
    }
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
                let of = prompt::origin(uri, *range);
                Content::Expanded { text: String::new(), of }
            }
        });
    }
    content
}
