//! The one integration binary: it looks at the built server from outside, through its pipes, with
//! a model server of our own behind it. Nothing here knows how the server is made.

// A test that can't set its scene stops at once; the panic message is its report.
#![allow(clippy::unwrap_used)]

mod scene;

mod acp;
mod agents;
mod apply;
mod approvals;
mod assist;
mod bound;
mod buffers;
mod cancel;
mod catalogue;
mod conversation;
mod demo;
mod edit;
mod endurance;
mod headless;
mod history;
mod keys;
mod lifecycle;
mod operations;
mod permission;
mod plain;
mod read;
mod restore;
mod retry;
mod review;
mod rewind;
mod rules;
mod run;
#[cfg(target_os = "linux")]
mod sandbox;
mod save;
mod search;
mod secrets;
mod security;
mod sessions;
mod settings;
mod shell;
mod slash;
mod stories;
mod streams;
mod sync;
mod tidy;
mod tool_files;
mod trust;
mod undo;
mod workspaces;
