//! What the tests stand on: a model server that speaks three providers' wire formats and checks
//! every request it gets, strict clients over the pipes of a real process, throw-away workspaces,
//! and a reader of story files.
//!
//! Everything here fails loudly: a surprise on either side is a failed test, and its message
//! shows the whole conversation that led to it. Nothing sleeps; whoever waits, waits for a
//! condition and under a deadline.

// A test that can't set its scene stops at once; the panic message is its report.
#![allow(clippy::unwrap_used)]

/// The strict fake client, LSP or ACP, with documents and temperaments.
pub mod client;
/// A child process that speaks JSON-RPC on its pipes: framing, sending, the log of all messages.
pub mod connection;
/// A point at which a stream waits until the test lets it go on.
pub mod gate;
/// The mock model server: a strict queue of exchanges over loopback HTTP.
pub mod model_server;
/// The handshakes of real editors.
pub mod recording;
/// Whole turns as text files.
pub mod story;
/// A temporary folder with files, and the environment a server needs beside it.
pub mod workspace;

pub use client::Client;
pub use gate::Gate;
pub use model_server::{ModelServer, answer, text};
pub use recording::Recording;
pub use workspace::Workspace;

use std::time::Duration;

/// How long anything may take before a test fails with the log of what happened instead.
pub const DEADLINE: Duration = Duration::from_secs(10);
