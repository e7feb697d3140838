//! Edit sets.

use std::ops::Range;

/// One replacement: the bytes of the old text that go, and what comes instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Bytes of the text before the edit set.
    pub range: Range<usize>,
    /// The text that takes their place.
    pub text: String,
}
