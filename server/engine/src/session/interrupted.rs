//! What the log says of the calls that have no result: which of them waited for the user when
//! the server died, and so can be taken up again.

use super::Ledger;
use crate::review;
use crate::store::{Entry, KeptReview};
use crate::tools::Registry;
use assent_base::chat::Record;
use assent_base::tool::{Call, CallResult, Content};
use std::collections::BTreeMap;

/// What became of the calls of the last answer, as far as they have no result.
#[derive(Debug, Clone, Default)]
pub struct Interrupted {
    marks: BTreeMap<String, Mark>,
}

/// The last that was noted of a call.
#[derive(Debug, Clone)]
enum Mark {
    /// It was put to the user.
    Asked,
    /// It ran.
    Granted,
    /// Its edit was under review.
    Review(Box<KeptReview>),
    /// The same, but its text was too large to be kept.
    TooLarge,
}

const UNKNOWN: &str =
    "Assent ended before this call did: it is unknown whether it ran. Look before you go on.";
const NOT_RUN: &str = "Not run: Assent ended before this call began.";
const TOO_LARGE: &str = "Assent ended while this edit waited for the user, and it was too large to be kept: it is \
     unknown what of it was applied. Read the file, and propose again what is missing.";
const ENDED: &str = "Assent ended right then: read the file before you go on.";

impl Interrupted {
    /// Follow the log.
    pub(super) fn note(&mut self, entry: &Entry) {
        match entry {
            Entry::Chat(Record::Result(result)) => drop(self.marks.remove(&result.call_id)),
            Entry::Chat(_) | Entry::Rewind(_) => self.marks.clear(),
            Entry::Asked(id) => self.mark(id, Mark::Asked),
            Entry::Granted(id) => self.mark(id, Mark::Granted),
            Entry::Proposed(proposed) => {
                let kept = proposed.files.clone().map(|files| KeptReview { files, decided: None });
                let mark = kept.map_or(Mark::TooLarge, |kept| Mark::Review(Box::new(kept)));
                self.mark(&proposed.call_id, mark);
            }
            Entry::Decided(decided) => {
                if let Some(Mark::Review(kept)) = self.marks.get_mut(&decided.call_id) {
                    kept.decided = Some(decided.clone());
                }
            }
            _ => {}
        }
    }

    fn mark(&mut self, id: &str, mark: Mark) {
        self.marks.insert(id.to_owned(), mark);
    }

    /// Whether something waited for the user.
    pub fn waits(&self) -> bool {
        self.marks.values().any(|mark| match mark {
            Mark::Asked => true,
            Mark::Review(kept) => kept.is_open(),
            Mark::Granted | Mark::TooLarge => false,
        })
    }

    /// The review that a call's edit was under.
    pub fn review(&self, call_id: &str) -> Option<&KeptReview> {
        match self.marks.get(call_id)? {
            Mark::Review(kept) => Some(kept),
            Mark::Asked | Mark::Granted | Mark::TooLarge => None,
        }
    }

    /// Give a result to every call that is not taken up again. Of a turn in which nothing waits
    /// for the user those are all.
    pub async fn settle(&self, ledger: &mut Ledger, registry: &Registry) -> Result<(), String> {
        let waits = self.waits();
        let open = ledger.transcript().open_calls();
        for call in &open {
            if let Some(result) = self.result(call, waits, registry) {
                ledger.say(Record::Result(result)).await?;
            }
        }
        Ok(())
    }

    fn result(&self, call: &Call, waits: bool, registry: &Registry) -> Option<CallResult> {
        let harmless = registry.get(&call.name).is_some_and(|tool| tool.only_reads());
        let words = match self.marks.get(&call.id) {
            Some(Mark::Granted) if !(waits && harmless) => UNKNOWN,
            Some(Mark::TooLarge) => TOO_LARGE,
            _ if waits => return None,
            Some(Mark::Review(kept)) => {
                let output = review::end_kept(kept, ENDED);
                let (content, is_error) = (output.content, output.is_error);
                return Some(CallResult { call_id: call.id.clone(), content, is_error });
            }
            _ => NOT_RUN,
        };
        let content = vec![Content::Text(words.to_owned())];
        Some(CallResult { call_id: call.id.clone(), content, is_error: true })
    }
}

#[cfg(test)]
mod tests;
