//! Reviews that outlive the server: what of a proposal goes into the session's log, and how a
//! review is opened again from there over the text as it is now.

use super::{Desk, Effect, Entry};
use crate::documents::Snapshot;
use crate::event::SessionId;
use crate::limits;
use crate::store::{Decided, KeptReview, Proposed, ProposedFile};
use crate::tools::{Proposal, ToolOutput};
use assent_base::edit::EditSet;
use assent_base::review::{FileProposal, Review};
use ropey::Rope;
use std::sync::Arc;
use tokio::sync::oneshot;

/// What the log keeps of a proposal.
pub fn keep(call_id: &str, proposals: &[Proposal]) -> Proposed {
    let bytes: usize =
        proposals.iter().map(|proposal| proposal.old.len_bytes() + proposal.new_text.len()).sum();
    let files = (bytes <= limits::PROPOSAL_LOG_BYTES).then(|| proposals.iter().map(file).collect());
    Proposed { call_id: call_id.to_owned(), files }
}

fn file(proposal: &Proposal) -> ProposedFile {
    let old = proposal.old.to_string();
    let edits = EditSet::from_diff(&old, &proposal.new_text).edits().to_vec();
    let Proposal { uri, change, place, .. } = proposal;
    ProposedFile { uri: uri.clone(), change: change.clone(), place: place.clone(), old, edits }
}

/// The text after a kept edit.
pub fn new_text(file: &ProposedFile) -> String {
    let edits = EditSet::new(file.old.len(), file.edits.clone());
    // A log that was changed by hand may hold anything; then nothing is proposed.
    edits.and_then(|edits| edits.apply(&file.old)).unwrap_or_else(|_| file.old.clone())
}

/// End a review that can't be opened again: what became of its hunks so far, and why it ends.
pub fn end_kept(kept: &KeptReview, reason: &str) -> ToolOutput {
    let (review, _) = stood("", "", "", kept);
    let decided = kept.decided.as_ref();
    let outcome = review.outcome(decided.and_then(|decided| decided.feedback.as_deref()));
    let mut words = outcome.text;
    for line in decided.iter().flat_map(|decided| &decided.failures).map(String::as_str).chain([reason]) {
        words.push('\n');
        words.push_str(line);
    }
    if outcome.any_applied { ToolOutput::text(words) } else { ToolOutput::error(words) }
}

/// The review as it stood when it was left, and the texts it was proposed for.
fn stood(id: &str, session: &str, call_id: &str, kept: &KeptReview) -> (Review, Vec<Rope>) {
    let bases: Vec<Rope> = kept.files.iter().map(|file| Rope::from_str(&file.old)).collect();
    let proposals = kept.files.iter().zip(&bases).map(|(file, base)| FileProposal {
        uri: file.uri.clone(),
        version: None,
        change: file.change.clone(),
        text: base.clone(),
        new_text: new_text(file),
    });
    let mut review = Review::open(id, session, call_id, proposals.collect());
    if let Some(decided) = &kept.decided {
        review.stand(decided.standing.clone());
    }
    (review, bases)
}

impl Desk {
    /// Put a review on the desk again as it stood before a restart. Its hunks move to the text as
    /// it is `now`, file by file (`None`: there is no such file); what was not decided, or not in
    /// the text, waits for the user. Gives the review's id and what is to be done.
    pub fn reopen(
        &mut self,
        session: SessionId,
        call_id: &str,
        kept: &KeptReview,
        now: &[Option<Arc<Snapshot>>],
        reply: oneshot::Sender<ToolOutput>,
    ) -> (String, Vec<Effect>) {
        self.last += 1;
        let id = format!("r{}", self.last);
        let (mut review, bases) = stood(&id, &session.0, call_id, kept);
        let mut places = std::collections::HashMap::new();
        for (at, file) in kept.files.iter().enumerate() {
            let mut uri = file.uri.clone();
            if let Some(now) = now.get(at).and_then(Option::as_ref) {
                // The editor may have the document open under another spelling by now.
                uri = now.uri.clone();
                review.files[at].uri = uri.clone();
                let text = review.files[at].text.to_string();
                let step = EditSet::from_diff(&text, &now.text.to_string());
                review.text_changed(&uri, &step, now.version, &now.text);
            }
            places.extend(file.place.clone().map(|place| (uri, place)));
        }
        review.ask_again();
        let decided = kept.decided.as_ref();
        let entry = Entry {
            session,
            review,
            feedback: decided.and_then(|decided| decided.feedback.clone()),
            reply: Some(reply),
            failures: decided.map(|decided| decided.failures.clone()).unwrap_or_default(),
            saving: 0,
            places,
            bases: Some(bases),
        };
        self.entries.insert(self.last, entry);
        let effects = vec![self.publish(self.last)];
        self.close_if_done(self.last);
        (id, effects)
    }

    /// Keep where a review stands, if its proposal is in the log.
    pub(super) fn keep(&self, key: u64) -> Option<Effect> {
        let entry = self.entries.get(&key)?;
        let decided = Decided {
            call_id: entry.review.call_id.clone(),
            standing: entry.review.standing(entry.bases.as_ref()?),
            feedback: entry.feedback.clone(),
            failures: entry.failures.clone(),
        };
        Some(Effect::Keep(entry.session.clone(), decided))
    }
}

#[cfg(test)]
mod tests;
