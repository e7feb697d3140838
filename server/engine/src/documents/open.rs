//! The open documents: one writer, any number of readers, each change at the cost of its own
//! size. Ropes share their text, so a snapshot costs a few pointers.

use super::ContentChange;
use assent_base::edit::EditSet;
use assent_base::path::DocumentUri;
use assent_base::text::{self, Format, PositionEncoding};
use parking_lot::RwLock;
use ropey::Rope;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::watch;

/// A document at one moment.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Which document.
    pub uri: DocumentUri,
    /// The editor's language id; empty for a document that is not open.
    pub language: Arc<str>,
    /// The editor's version; `None` when it is not open. Version 0 counts as unversioned: an
    /// editor that starts there (Neovim) does not check it on an edit.
    pub version: Option<i32>,
    /// Its text, with its own line ends.
    pub text: Rope,
    /// Whether it changed since it was opened or saved. What is on the disk may differ all the
    /// same: [`super::has_unsaved_changes`] looks.
    pub dirty: bool,
    /// How the text becomes bytes.
    pub format: Format,
}

impl Snapshot {
    /// Whether an editor has it open.
    pub fn is_open(&self) -> bool {
        self.version.is_some()
    }
}

/// One content change as an edit of the text before it.
#[derive(Debug, Clone)]
pub struct Step {
    /// What changed.
    pub edit: EditSet,
    /// The text before.
    pub old: Rope,
    /// The text after.
    pub new: Rope,
}

struct Shared {
    documents: RwLock<HashMap<DocumentUri, Arc<Snapshot>>>,
    generation: watch::Sender<u64>,
}

/// The writer half. Only the main loop has it.
pub struct OpenDocuments {
    shared: Arc<Shared>,
}

impl Default for OpenDocuments {
    fn default() -> Self {
        Self::new()
    }
}

impl OpenDocuments {
    /// No document is open.
    pub fn new() -> Self {
        let (generation, _) = watch::channel(0);
        Self { shared: Arc::new(Shared { documents: RwLock::default(), generation }) }
    }

    /// A reader of what is published.
    pub fn reader(&self) -> DocumentsReader {
        DocumentsReader { shared: self.shared.clone() }
    }

    /// A document was opened (or opened again, which replaces it).
    pub fn opened(&mut self, uri: DocumentUri, language: String, version: i32, text: String) {
        let format = Format::of_text(&text);
        let snapshot = Snapshot {
            uri,
            language: language.into(),
            version: Some(version),
            text: Rope::from(text),
            dirty: false,
            format,
        };
        self.publish(snapshot);
    }

    /// A document changed: one step for each content change, in order; each change refers to the
    /// text the one before it left. `None` for a document that is not open.
    pub fn changed(
        &mut self,
        uri: &DocumentUri,
        version: i32,
        changes: &[ContentChange],
        encoding: PositionEncoding,
    ) -> Option<Vec<Step>> {
        let mut snapshot = Snapshot::clone(&*self.current(uri)?);
        let mut steps = Vec::with_capacity(changes.len());
        for change in changes {
            let old = snapshot.text.clone();
            let edit = text::apply_change(&mut snapshot.text, change.range, &change.text, encoding);
            steps.push(Step { edit, old, new: snapshot.text.clone() });
        }
        snapshot.version = Some(version);
        snapshot.dirty |= !changes.is_empty();
        self.publish(snapshot);
        Some(steps)
    }

    /// A document was saved.
    pub fn saved(&mut self, uri: &DocumentUri) {
        if let Some(current) = self.current(uri) {
            self.publish(Snapshot { dirty: false, ..Snapshot::clone(&current) });
        }
    }

    /// A document was closed: from here on it is what the disk has.
    pub fn closed(&mut self, uri: &DocumentUri) {
        self.shared.documents.write().remove(uri);
        self.advance();
    }

    fn current(&self, uri: &DocumentUri) -> Option<Arc<Snapshot>> {
        self.shared.documents.read().get(uri).cloned()
    }

    fn publish(&self, snapshot: Snapshot) {
        self.shared.documents.write().insert(snapshot.uri.clone(), Arc::new(snapshot));
        self.advance();
    }

    fn advance(&self) {
        self.shared.generation.send_modify(|generation| *generation += 1);
    }
}

/// The reader half: published snapshots of the open documents.
#[derive(Clone)]
pub struct DocumentsReader {
    shared: Arc<Shared>,
}

impl DocumentsReader {
    /// An open document.
    pub fn get(&self, uri: &DocumentUri) -> Option<Arc<Snapshot>> {
        self.shared.documents.read().get(uri).cloned()
    }

    /// All open documents, by URI.
    pub fn all(&self) -> Vec<Arc<Snapshot>> {
        let mut all: Vec<_> = self.shared.documents.read().values().cloned().collect();
        all.sort_by(|a, b| a.uri.cmp(&b.uri));
        all
    }

    /// The open documents that changed since they were opened or saved.
    pub fn unsaved(&self) -> Vec<Arc<Snapshot>> {
        self.all().into_iter().filter(|snapshot| snapshot.dirty).collect()
    }

    /// Counts every change of any document: wait on it for a text to arrive.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.shared.generation.subscribe()
    }
}
