//! Carrying out what the review desk says is to be done.

use super::state::State;
use super::{Refused, Reply, Work};
use crate::editor::HunkDecision;
use crate::event::{EventKind, SessionId};
use crate::limits;
use crate::review::{Effect, apply};
use crate::tools::{Proposal, ToolOutput};
use std::sync::Arc;

impl State {
    pub(super) fn propose(
        &mut self,
        session: SessionId,
        call_id: &str,
        proposals: Vec<Proposal>,
        accept: bool,
        reply: Reply<ToolOutput>,
    ) {
        let accept = accept || self.setup.approve;
        let (id, effects) = self.desk.open(session.clone(), call_id, proposals, accept, reply);
        if let Some(session) = self.sessions.get_mut(&session) {
            session.reviews_of_turn.push(id.clone());
        }
        self.carry_out(effects);
        if !accept && !self.setup.editor.abilities().decides_later {
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
