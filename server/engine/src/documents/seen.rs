//! What a session's model knows of each document's text, so that it never overwrites what it has
//! not seen. A text is remembered by its hash: a session may read hundreds of files.

use super::Snapshot;
use assent_base::path::DocumentUri;
use parking_lot::Mutex;
use ropey::Rope;
use sha2::{Digest as _, Sha256};
use std::collections::{HashMap, HashSet};

/// The digest of a text.
pub type Digest = [u8; 32];

/// What a session's model has read.
#[derive(Default)]
pub struct Seen {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    texts: HashMap<DocumentUri, Digest>,
    /// What of it is not in the session's log yet.
    news: HashSet<DocumentUri>,
}

impl Known {
    fn insert(&mut self, uri: &DocumentUri, text: Digest) {
        if self.texts.insert(uri.clone(), text) != Some(text) {
            self.news.insert(uri.clone());
        }
    }
}

/// Why the model may not change a document yet, in words for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SeenError {
    /// It never read it.
    #[error("The file exists and has not been read in this session. Read it first, then try again.")]
    NotRead,
    /// It changed since.
    #[error(
        "The text has changed since it was last read (by the user or by another program). Read it again, \
         then try again."
    )]
    Changed,
}

impl Seen {
    /// What the model had read when the session was left.
    pub fn restored(texts: HashMap<DocumentUri, Digest>) -> Self {
        Self { known: Mutex::new(Known { texts, news: HashSet::new() }) }
    }

    /// What was learnt since this was called last, for the log.
    pub fn take_news(&self) -> Vec<(DocumentUri, Digest)> {
        let mut known = self.known.lock();
        let news = std::mem::take(&mut known.news);
        news.into_iter().filter_map(|uri| known.texts.get(&uri).map(|text| (uri.clone(), *text))).collect()
    }

    /// The model has been shown this text.
    pub fn note(&self, snapshot: &Snapshot) {
        self.known.lock().insert(&snapshot.uri, hash(&snapshot.text));
    }

    /// An edit of the model's own went in, and it was told so. What else changed meanwhile stays
    /// unknown to it: the new text is known only where the text before was.
    pub fn note_own(&self, uri: &DocumentUri, before: &Rope, after: &Rope) {
        let mut known = self.known.lock();
        let knew = match known.texts.get(uri) {
            Some(seen) => *seen == hash(before),
            None => before.len_bytes() == 0,
        };
        if knew {
            known.insert(uri, hash(after));
        }
    }

    /// Whether a part of the document may be replaced: it was read once. `exact` says that the
    /// model quoted the part as it stands now, so it knows that part whatever changed elsewhere;
    /// a part that was only found by tolerance needs the text unchanged.
    pub fn check_edit(&self, snapshot: &Snapshot, exact: bool) -> Result<(), SeenError> {
        match self.known.lock().texts.get(&snapshot.uri) {
            None => Err(SeenError::NotRead),
            Some(seen) if !exact && *seen != hash(&snapshot.text) => Err(SeenError::Changed),
            Some(_) => Ok(()),
        }
    }

    /// Whether the whole document may be replaced: its text is the one last seen.
    pub fn check_write(&self, snapshot: &Snapshot) -> Result<(), SeenError> {
        match self.known.lock().texts.get(&snapshot.uri) {
            None => Err(SeenError::NotRead),
            Some(seen) if *seen != hash(&snapshot.text) => Err(SeenError::Changed),
            Some(_) => Ok(()),
        }
    }
}

fn hash(text: &Rope) -> Digest {
    let mut hasher = Sha256::new();
    for chunk in text.chunks() {
        hasher.update(chunk.as_bytes());
    }
    hasher.finalize().into()
}
