//! Pending hunks of all sessions, and how accepted ones get into the text.
//!
//! [`Desk`] is a state machine without IO: it takes what happened (a proposal, a decision, a
//! change of the text, an editor's answer) and says what is to be done ([`Effect`]). The main
//! loop owns it and carries the effects out with [`apply`].
//!
//! "Edited" is told to the model only when the editor's answer *and* the text that came back
//! agree. Before an edit is sent, nothing is known of it in the document; once sent, it is in
//! flight until it is settled, and a file has one edit in flight at a time.

pub mod apply;
mod flight;
mod restore;

pub use restore::{end_kept, keep, new_text};

use crate::documents::DocumentsReader;
use crate::editor::{Applied, DocumentChange, DocumentEdit, HunkDecision};
use crate::event::SessionId;
use crate::store::Decided;
use crate::tools::{Proposal, ToolOutput};
use assent_base::edit::EditSet;
use assent_base::path::DocumentUri;
use assent_base::review::{Change, FileProposal, HunkStatus, Review};
use flight::{Flight, Settled};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::oneshot;

/// What is to be done after something happened on the desk.
#[derive(Debug)]
pub enum Effect {
    /// Note in the session's log where a review stands, before anything that follows is done.
    Keep(SessionId, Decided),
    /// Tell the world the state of a review.
    Publish(SessionId, Arc<Review>),
    /// Put an edit into a document, which must still be at that place; report with the flight's
    /// number.
    Apply(u64, DocumentEdit, Option<PathBuf>),
    /// The editor said yes, but the text has not come back: report when the time is over.
    AwaitEcho(u64, DocumentUri),
    /// Save a document that had no unsaved changes before our edit; report with the review's key.
    Save {
        /// The review's key.
        review: u64,
        /// The document.
        uri: DocumentUri,
    },
    /// The text of a file changed by our own hand.
    Own {
        /// The session.
        session: SessionId,
        /// The document.
        uri: DocumentUri,
        /// Its text when the edit was sent.
        before: ropey::Rope,
        /// Its text now.
        after: ropey::Rope,
    },
}

/// A proposal on the desk.
struct Entry {
    session: SessionId,
    review: Review,
    feedback: Option<String>,
    reply: Option<oneshot::Sender<ToolOutput>>,
    /// Edits the editor refused or lost, in words for the model.
    failures: Vec<String>,
    /// Documents that are being saved.
    saving: usize,
    /// Where each file was when it was judged.
    places: HashMap<DocumentUri, PathBuf>,
    /// The texts it was proposed for, where the log has the proposal.
    bases: Option<Vec<ropey::Rope>>,
}

/// The pending hunks of all sessions.
pub struct Desk {
    documents: DocumentsReader,
    /// The editor saves documents on request.
    saves: bool,
    entries: BTreeMap<u64, Entry>,
    last: u64,
    flights: HashMap<DocumentUri, Flight>,
    last_flight: u64,
}

/// There is no such review or hunk.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownHunk(pub String);

impl Desk {
    /// An empty desk over the open documents of an editor that can or can't save.
    pub fn new(documents: DocumentsReader, saves: bool) -> Self {
        Self { documents, saves, entries: BTreeMap::new(), last: 0, flights: HashMap::new(), last_flight: 0 }
    }

    /// Put a proposal on the desk. With `accept` every hunk is accepted at once; `kept` says that
    /// the proposal is in the session's log. Gives the review's id and what is to be done; `reply`
    /// is answered when every hunk has its fate.
    pub fn open(
        &mut self,
        session: SessionId,
        call_id: &str,
        proposals: Vec<Proposal>,
        accept: bool,
        kept: bool,
        reply: oneshot::Sender<ToolOutput>,
    ) -> (String, Vec<Effect>) {
        self.last += 1;
        let id = format!("r{}", self.last);
        let places =
            proposals.iter().filter_map(|file| Some((file.uri.clone(), file.place.clone()?))).collect();
        let bases = kept.then(|| proposals.iter().map(|file| file.old.clone()).collect());
        let files = proposals.into_iter().map(file_proposal).collect();
        let review = Review::open(&id, &session.0, call_id, files);
        let entry = Entry {
            session,
            review,
            feedback: None,
            reply: Some(reply),
            failures: Vec::new(),
            saving: 0,
            places,
            bases,
        };
        self.entries.insert(self.last, entry);
        let mut effects = vec![self.publish(self.last)];
        if accept {
            let all = HunkDecision { hunk: "*".into(), accept: true, new_text: None };
            // "*" is never unknown.
            effects.extend(self.decide(&id, &[all], None).map(|(_, effects)| effects).unwrap_or_default());
        } else {
            self.close_if_done(self.last);
        }
        (id, effects)
    }

    /// Decide hunks. Gives the number still open.
    pub fn decide(
        &mut self,
        review: &str,
        decisions: &[HunkDecision],
        feedback: Option<String>,
    ) -> Result<(usize, Vec<Effect>), UnknownHunk> {
        let key = self.key(review)?;
        let Some(entry) = self.entries.get_mut(&key) else { return Err(unknown(review)) };
        if let Some(decision) = decisions.iter().find(|decision| !entry.review.has(&decision.hunk)) {
            return Err(UnknownHunk(format!("Review {review} has no hunk {}.", decision.hunk)));
        }
        for decision in decisions {
            // Known, as just checked; one that is decided already is answered by its state.
            let _ = entry.review.decide(&decision.hunk, decision.accept, decision.new_text.clone());
        }
        if feedback.is_some() {
            entry.feedback = feedback;
        }
        let uris: Vec<DocumentUri> = entry.review.files.iter().map(|file| file.uri.clone()).collect();
        let mut effects: Vec<Effect> = self.keep(key).into_iter().collect();
        effects.push(self.publish(key));
        for uri in uris {
            effects.extend(self.take_off(&uri));
        }
        self.close_if_done(key);
        let open = self.entries.get(&key).map_or(0, |entry| entry.review.pending_count());
        Ok((open, effects))
    }

    /// The text of an open document changed by one step.
    pub fn text_changed(
        &mut self,
        uri: &DocumentUri,
        step: &EditSet,
        version: Option<i32>,
        new: &ropey::Rope,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        for key in self.keys_with(uri) {
            let Some(entry) = self.entries.get_mut(&key) else { continue };
            if entry.review.text_changed(uri, step, version, new) {
                effects.push(self.publish(key));
            }
            self.close_if_done(key);
        }
        if let Some(flight) = self.flights.get_mut(uri)
            && let Some(entry) = self.entries.get(&flight.review)
        {
            let accepted = entry.review.hunks().filter(|hunk| hunk.status == HunkStatus::Accepted);
            let accepted: BTreeSet<&str> = accepted.map(|hunk| hunk.id.as_str()).collect();
            flight.echoed = flight.hunks.iter().all(|id| accepted.contains(id.as_str()));
            effects.extend(self.settle(uri));
        }
        effects
    }

    /// A document was opened (with the text it has in the editor) or closed.
    pub fn version_changed(
        &mut self,
        uri: &DocumentUri,
        version: Option<i32>,
        text: &ropey::Rope,
    ) -> Vec<Effect> {
        let mut effects = Vec::new();
        for key in self.keys_with(uri) {
            let Some(entry) = self.entries.get_mut(&key) else { continue };
            let Some(file) = entry.review.files.iter().find(|file| file.uri == *uri) else { continue };
            let step = EditSet::from_diff(&file.text.to_string(), &text.to_string());
            entry.review.text_changed(uri, &step, version, text);
            effects.push(self.publish(key));
        }
        effects
    }

    /// What the editor (or the disk, for a closed file) says of an edit in flight.
    pub fn answered(&mut self, flight: u64, uri: &DocumentUri, applied: Applied) -> Vec<Effect> {
        match self.flights.get_mut(uri) {
            Some(found) if found.number == flight => {
                found.answer = Some(applied);
                self.settle(uri)
            }
            _ => Vec::new(),
        }
    }

    /// The editor said yes some time ago, and the text still has not come back as expected.
    pub fn echo_overdue(&mut self, flight: u64, uri: &DocumentUri) -> Vec<Effect> {
        match self.flights.get_mut(uri) {
            Some(found) if found.number == flight => {
                found.overdue = true;
                self.settle(uri)
            }
            _ => Vec::new(),
        }
    }

    /// A document was to be saved after an accepted edit.
    pub fn saved(&mut self, review: u64, uri: &DocumentUri, saved: bool) -> Vec<Effect> {
        if let Some(entry) = self.entries.get_mut(&review) {
            entry.saving = entry.saving.saturating_sub(1);
            if !saved {
                let name =
                    uri.to_path().map_or_else(|| uri.as_str().to_owned(), |path| path.display().to_string());
                entry.failures.push(format!("{name} was edited in the editor, but could not be saved."));
            }
            self.close_if_done(review);
        }
        Vec::new()
    }

    /// A plain client applied a hunk's edit by itself and tells us. Its change is in the text
    /// already, or on its way.
    pub fn applied_by_client(&mut self, review: &str, hunk: &str) -> Vec<Effect> {
        let Ok(key) = self.key(review) else { return Vec::new() };
        let Some(entry) = self.entries.get_mut(&key) else { return Vec::new() };
        let Some(uri) = entry.review.uri_of(hunk).cloned() else { return Vec::new() };
        // Known, as just looked up. If its change is in the text already, it is accepted by now.
        let _ = entry.review.decide(hunk, true, None);
        let waits = entry.review.applying(&uri).iter().any(|id| id == hunk);
        if waits {
            // Nothing is sent: its edit is on its way already, so it counts as one in flight.
            self.last_flight += 1;
            let flight = Flight {
                number: self.last_flight,
                review: key,
                hunks: vec![hunk.to_owned()],
                open: true,
                // Whoever applied it by itself saves by itself.
                clean: false,
                before: entry.review.file(&uri).map(|file| file.text.clone()).unwrap_or_default(),
                answer: Some(Applied::Yes),
                echoed: false,
                overdue: false,
                awaiting: false,
            };
            self.flights.entry(uri.clone()).or_insert(flight);
        }
        let mut effects: Vec<Effect> = self.keep(key).into_iter().collect();
        effects.push(self.publish(key));
        effects.extend(self.settle(&uri));
        self.close_if_done(key);
        effects
    }

    /// The turn that waits for this call's review ended: what is undecided is refused.
    pub fn withdraw(&mut self, session: &SessionId, call_id: &str) -> Vec<Effect> {
        let found: Vec<u64> = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.session == *session && entry.review.call_id == call_id)
            .filter(|(_, entry)| !entry.review.is_closed())
            .map(|(key, _)| *key)
            .collect();
        let mut effects = Vec::new();
        for key in found {
            let Some(entry) = self.entries.get_mut(&key) else { continue };
            let _ = entry.review.decide("*", false, None);
            // Accepted ones that have not been sent are not sent any more.
            let sent: BTreeSet<String> = self
                .flights
                .values()
                .filter(|flight| flight.review == key)
                .flat_map(|flight| flight.hunks.iter().cloned())
                .collect();
            entry.review.take_back_unsent(&sent);
            entry.feedback.get_or_insert_with(|| "the turn was interrupted".to_owned());
            effects.push(self.publish(key));
            self.close_if_done(key);
        }
        effects
    }

    /// The reviews that wait for the user, in order of opening.
    pub fn open_reviews(&self) -> Vec<Arc<Review>> {
        let open = self.entries.values().filter(|entry| !entry.review.is_closed());
        open.map(|entry| Arc::new(entry.review.clone())).collect()
    }

    /// A review, open or closed.
    pub fn review(&self, id: &str) -> Option<&Review> {
        self.entries.get(&self.key(id).ok()?).map(|entry| &entry.review)
    }

    /// Forget a closed review.
    pub fn forget(&mut self, id: &str) {
        if let Ok(key) = self.key(id)
            && self.entries.get(&key).is_some_and(|entry| entry.review.is_closed())
        {
            self.entries.remove(&key);
        }
    }

    /// Send the next edit of a document, if hunks wait for it and none is in flight.
    fn take_off(&mut self, uri: &DocumentUri) -> Vec<Effect> {
        if self.flights.contains_key(uri) {
            return Vec::new();
        }
        // What the user typed into lines that were accepted before it is never overwritten.
        let mut effects = Vec::new();
        for key in self.keys_with(uri) {
            if self.entries.get_mut(&key).is_some_and(|entry| entry.review.recheck(uri)) {
                effects.push(self.publish(key));
            }
        }
        let waiting = self.entries.iter().find_map(|(key, entry)| {
            let hunks = entry.review.applying(uri);
            (!hunks.is_empty()).then_some((*key, hunks))
        });
        let Some((key, hunks)) = waiting else { return effects };
        let Some(entry) = self.entries.get(&key) else { return effects };
        let Some(file) = entry.review.files.iter().find(|file| file.uri == *uri) else { return effects };
        let edits = entry.review.edit_for(uri, &hunks);
        let change = match &file.change {
            Change::Edit => {
                DocumentChange::Edit { edits: edits.edits().to_vec(), old_text: file.text.clone() }
            }
            Change::Create => DocumentChange::Create { text: created_text(&entry.review, uri) },
            Change::Delete => DocumentChange::Delete { old_text: file.text.clone() },
            Change::Rename { to } => DocumentChange::Rename { to: to.clone() },
        };
        let label = format!("Assent: {}", label(&file.change, uri));
        let session = entry.session.clone();
        let edit = DocumentEdit { session, uri: uri.clone(), version: file.version, change, label };
        let place = entry.places.get(uri).cloned();
        self.last_flight += 1;
        let flight = Flight {
            number: self.last_flight,
            review: key,
            hunks,
            // A file that is gone sends no text back; whoever deleted it has looked.
            open: file.version.is_some() && file.change != Change::Delete,
            clean: file.change != Change::Delete && self.documents.get(uri).is_some_and(|open| !open.dirty),
            before: file.text.clone(),
            answer: None,
            echoed: false,
            overdue: false,
            awaiting: false,
        };
        self.flights.insert(uri.clone(), flight);
        effects.push(Effect::Apply(self.last_flight, edit, place));
        effects
    }

    /// Settle the edit in flight if enough is known of it, and send the next.
    fn settle(&mut self, uri: &DocumentUri) -> Vec<Effect> {
        let Some(flight) = self.flights.get_mut(uri) else { return Vec::new() };
        let settled = match flight.state() {
            Settled::NotYet => return Vec::new(),
            Settled::AwaitEcho => {
                flight.awaiting = true;
                return vec![Effect::AwaitEcho(flight.number, uri.clone())];
            }
            settled => settled,
        };
        let Some(flight) = self.flights.remove(uri) else { return Vec::new() };
        let mut effects = Vec::new();
        if let Some(entry) = self.entries.get_mut(&flight.review) {
            if settled == Settled::Landed {
                entry.review.applied(uri, &flight.hunks);
            }
            // The text decides: what the editor claimed is not enough, and neither is a no.
            let landed = entry.review.settle_by_text(uri, &flight.hunks);
            if landed {
                let after = entry.review.file(uri).map(|file| file.text.clone()).unwrap_or_default();
                let session = entry.session.clone();
                effects.push(Effect::Own { session, uri: uri.clone(), before: flight.before.clone(), after });
            } else {
                entry.failures.push(flight.failure(uri));
            }
            if landed && flight.clean && self.saves {
                entry.saving += 1;
                effects.push(Effect::Save { review: flight.review, uri: uri.clone() });
            }
            effects.extend(self.keep(flight.review));
            effects.push(self.publish(flight.review));
        }
        effects.extend(self.take_off(uri));
        self.close_if_done(flight.review);
        effects
    }

    fn close_if_done(&mut self, key: u64) {
        let Some(entry) = self.entries.get_mut(&key) else { return };
        // The text came back, but the editor has not answered: both must agree.
        let in_flight = self.flights.values().any(|flight| flight.review == key);
        if !entry.review.is_closed() || in_flight || entry.saving > 0 {
            return;
        }
        if let Some(reply) = entry.reply.take() {
            let outcome = entry.review.outcome(entry.feedback.as_deref());
            let mut words = outcome.text;
            for failure in &entry.failures {
                words.push('\n');
                words.push_str(failure);
            }
            let output = if outcome.any_applied { ToolOutput::text(words) } else { ToolOutput::error(words) };
            // The turn may be gone; the review is closed all the same.
            let _ = reply.send(output);
        }
    }

    fn publish(&self, key: u64) -> Effect {
        let entry = &self.entries[&key];
        Effect::Publish(entry.session.clone(), Arc::new(entry.review.clone()))
    }

    fn keys_with(&self, uri: &DocumentUri) -> Vec<u64> {
        let with =
            self.entries.iter().filter(|(_, entry)| entry.review.files.iter().any(|file| file.uri == *uri));
        with.map(|(key, _)| *key).collect()
    }

    fn key(&self, review: &str) -> Result<u64, UnknownHunk> {
        let key = review.strip_prefix('r').and_then(|number| number.parse().ok());
        key.filter(|key| self.entries.contains_key(key)).ok_or_else(|| unknown(review))
    }
}

/// Of several states of one review only the last, in place of the first: the others were never
/// the state of any version.
pub fn last_states(effects: Vec<Effect>) -> Vec<Effect> {
    let mut told = std::collections::BTreeSet::new();
    let mut kept: Vec<Effect> = Vec::with_capacity(effects.len());
    for effect in effects.into_iter().rev() {
        match &effect {
            Effect::Publish(_, review) if !told.insert(review.id.clone()) => {}
            _ => kept.push(effect),
        }
    }
    kept.reverse();
    kept
}

fn unknown(review: &str) -> UnknownHunk {
    UnknownHunk(format!("There is no review {review}; it may have been closed with its session."))
}

fn file_proposal(proposal: Proposal) -> FileProposal {
    FileProposal {
        uri: proposal.uri,
        version: proposal.version,
        change: proposal.change,
        text: proposal.old,
        new_text: proposal.new_text,
    }
}

fn created_text(review: &Review, uri: &DocumentUri) -> String {
    let file = review.files.iter().find(|file| file.uri == *uri);
    let hunk = file.and_then(|file| file.hunks.first());
    hunk.map(|hunk| hunk.changed.clone().unwrap_or_else(|| hunk.new_text.clone())).unwrap_or_default()
}

fn label(change: &Change, uri: &DocumentUri) -> String {
    let name = uri.as_str().rsplit('/').next().unwrap_or_default();
    let verb = match change {
        Change::Edit => "edit",
        Change::Create => "create",
        Change::Delete => "delete",
        Change::Rename { .. } => "rename",
    };
    format!("{verb} {name}")
}

#[cfg(test)]
mod tests;
