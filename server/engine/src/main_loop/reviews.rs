//! Carrying out what the review desk says is to be done.

use super::state::State;
use super::{Refused, Reply, Work};
use crate::documents::Snapshot;
use crate::editor::HunkDecision;
use crate::event::{EventKind, SessionId};
use crate::limits;
use crate::review::{Effect, apply};
use crate::store::{Entry, KeptReview};
use crate::tools::{Proposal, ToolOutput};
use std::sync::Arc;

impl State {
    pub(super) fn propose(
        &mut self,
        session: SessionId,
        call_id: &str,
        proposals: Vec<Proposal>,
        accept: bool,
        kept: bool,
        reply: Reply<ToolOutput>,
    ) {
        let (id, effects) = self.desk.open(session.clone(), call_id, proposals, accept, kept, reply);
        if let Some(session) = self.sessions.get_mut(&session) {
            session.reviews_of_turn.push(id.clone());
        }
        self.carry_out(effects);
        if !accept && !self.setup.editor.abilities().decides_later {
            self.review_now(id);
        }
    }

    /// Open a review again that the server's end cut short.
    pub(super) fn reopen(
        &mut self,
        session: SessionId,
        call_id: &str,
        kept: &KeptReview,
        mut now: Vec<Option<Arc<Snapshot>>>,
        reply: Reply<ToolOutput>,
    ) {
        // The user may have typed since the text was looked at.
        let reader = self.reader();
        for text in now.iter_mut().flatten() {
            if let Some(open) = reader.get(&text.uri) {
                *text = open;
            }
        }
        let (id, effects) = self.desk.reopen(session.clone(), call_id, kept, &now, reply);
        let pending = self.desk.review(&id).is_some_and(|review| review.pending_count() > 0);
        if let Some(session) = self.sessions.get_mut(&session) {
            session.reviews_of_turn.push(id.clone());
            if let Some(running) = session.running.as_ref().filter(|_| pending) {
                running.journal.note_asked();
            }
        }
        self.carry_out(effects);
        if pending && !self.setup.editor.abilities().decides_later {
            self.review_now(id);
        }
    }

    /// An editor without hunks in place is asked at once.
    fn review_now(&self, id: String) {
        let Some(review) = self.desk.review(&id).cloned() else { return };
        let editor = Arc::clone(&self.setup.editor);
        self.work(async move {
            let (decisions, feedback) = editor.review(&review).await;
            let undecided = HunkDecision { hunk: "*".into(), accept: false, new_text: None };
            // What the editor left open is a no; hunks decided before keep their state.
            let decisions = decisions.into_iter().chain([undecided]).collect();
            Work::Reviewed { review: id, decisions, feedback }
        });
    }

    pub(super) fn decide(
        &mut self,
        review: &str,
        decisions: &[HunkDecision],
        feedback: Option<String>,
    ) -> Result<usize, Refused> {
        // A client that is going has decided nothing: what waits is asked again.
        if self.shutdown.is_some() {
            return Err(Refused::Failed("Assent is shutting down.".into()));
        }
        let (open, effects) =
            self.desk.decide(review, decisions, feedback).map_err(|problem| Refused::Unknown(problem.0))?;
        self.carry_out(effects);
        Ok(open)
    }

    pub(super) fn applied_by_client(&mut self, review: &str, hunk: &str) {
        let effects = self.desk.applied_by_client(review, hunk);
        self.carry_out(effects);
    }

    pub(super) fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Keep(session, decided) => {
                    let running = self.sessions.get(&session).and_then(|session| session.running.as_ref());
                    if let Some(running) = running {
                        running.journal.note_now(&Entry::Decided(decided));
                    }
                }
                Effect::Publish(session, review) => self.tell(&session, EventKind::Review(review)),
                Effect::Apply(flight, edit, place) => {
                    let (editor, documents) = (Arc::clone(&self.setup.editor), self.reader());
                    let uri = edit.uri.clone();
                    self.work(async move {
                        let applied = apply::apply(editor, documents, edit, place).await;
                        Work::EditAnswered { flight, uri, applied }
                    });
                }
                Effect::AwaitEcho(flight, uri) => {
                    self.work(async move {
                        tokio::time::sleep(limits::ECHO_TIME).await;
                        Work::EchoOverdue { flight, uri }
                    });
                }
                Effect::Save { review, uri } => {
                    let editor = Arc::clone(&self.setup.editor);
                    self.work(async move {
                        let saved = editor.save(vec![uri.clone()]).await.contains(&uri);
                        Work::Saved { review, uri, saved }
                    });
                }
                Effect::Own { session, uri, before, after } => {
                    if let Some(session) = self.sessions.get(&session) {
                        session.seen.note_own(&uri, &before, &after);
                    }
                    self.last_edited = Some(session);
                }
            }
        }
    }
}
