//! Base decides. Everything here is a plain value or a pure function over plain values: no async,
//! no IO, no clock, no environment, no LSP. The dependency list and a lint hold that border.
//!
//! Modules are listed in reading order; each uses only what stands above it (a tidy test
//! holds this list against the `use` lines).

/// Cut long output between characters and say where the rest is.
pub mod clip;
/// An edit set bound to a document length: apply, invert, compose, rebase, from a diff.
pub mod edit;
/// Texts: positions in three encodings, line ends, byte encodings.
pub mod text;
/// Locate the model's "old text": exact, then tolerant, with the reason it won or failed.
pub mod find;
/// Document identity; a path proven to lie inside a root; path classes; protected names.
pub mod path;
/// Secrets in what would be sent to a model: files by name, tokens by shape.
pub mod secret;
/// What people wrote, as a tree that knows the place of every value, and the problems in it.
pub mod written;
/// What a tool is: definition, call, result, effects; the JSON definition format; argument checks.
pub mod tool;
/// The transcript: messages, with calls and results in pairs, valid for every provider.
pub mod chat;
/// A proposal as hunks; decisions; what becomes of them when the text moves.
pub mod review;
/// `decide(rules, mode, call)`: a decision with the steps that made it; rules; command lines.
pub mod policy;
/// `assent.yaml`: settings, their problems with positions, and their layering.
pub mod manifest;
