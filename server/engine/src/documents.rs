//! Open buffers over the disk: an open document is its buffer, the disk is for closed files.
//!
//! [`OpenDocuments`] is the one writer and belongs to the main loop; everybody else holds a
//! [`DocumentsReader`] and sees published [`Snapshot`]s. [`load`] gives the text of any document,
//! open or not, and [`write_atomic`] is the only way a file is written by us.

mod disk;
mod ignored;
mod mode;
mod open;
mod resolve;
mod seen;

pub use disk::{
    Image, LoadError, Loaded, has_unsaved_changes, load, load_any, load_disk, load_part, load_uri,
    write_atomic,
};
pub use ignored::{is_ignored, walk};
pub use mode::{change_mode, mode_of};
pub use open::{DocumentsReader, OpenDocuments, Snapshot, Step};
pub use resolve::{Target, real_path, resolve_path, resolve_target};
pub use seen::{Digest, Seen, SeenError};

/// One change of an open document, as LSP tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentChange {
    /// What it replaces, in the encoding negotiated; `None`: everything.
    pub range: Option<assent_base::text::PositionRange>,
    /// The new text.
    pub text: String,
}

#[cfg(test)]
mod tests;
