//! Open buffers over the disk. An open document is its buffer; disk is for closed files.

/// The reader half: published snapshots of the open documents.
#[derive(Clone)]
pub struct DocumentsReader;

/// What a session's model has read, and when.
pub struct Seen;

/// One change of an open document, as LSP tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentChange {
    /// What it replaces, in the encoding negotiated; `None`: everything.
    pub range: Option<assent_base::text::PositionRange>,
    /// The new text.
    pub text: String,
}
