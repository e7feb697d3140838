//! See the crate's module list.
