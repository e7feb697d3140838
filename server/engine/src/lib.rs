//! Engine acts: the model, the tools, the gate, the review and the loop. Asynchronous; knows no
//! LSP and no ACP type. What it needs of an editor it asks through the port in [`editor`].
//!
//! Modules are listed in reading order; each uses only what stands above it (a tidy test holds
//! this list against the `use` lines).

/// Bounds of every queue, buffer, output, retry and cache, in one place.
pub mod limits;
/// Files and folders that only the user may read or change.
pub mod private;
/// Slash commands: words for the model, and tools that a user calls by name.
pub mod commands;
/// Everything a turn tells the world, one closed enum.
pub mod event;
/// The port to the editor: apply, ask, question, save, notify, in our own types.
pub mod editor;
/// Open buffers over the disk; versions; snapshots; what the model has read and when.
pub mod documents;
/// The only place that starts a process: folder, environment, limits, whole-tree kill.
pub mod process;
/// The model port and its adapters; wire types stay inside.
pub mod model;
/// The append-only session log on disk.
pub mod store;
/// Which workspaces the user trusts, and with what; what is not trusted is not read.
pub mod trust;
/// The settings as they stand: the files of user and project, and the editor's section.
pub mod settings;
/// The gate: policy, perhaps a question, gives a `Granted` or a refusal; remembered rules.
pub mod permission;
/// Registry and dispatch (takes a `Granted`, never a bare call); one file a built-in.
pub mod tools;
/// Pending hunks of all sessions; verified apply through the editor port.
pub mod review;
/// One session: transcript, grants, options, running turn.
pub mod session;
/// The system prompt, from parts kept as text files.
pub mod prompt;
/// The agent loop, one screen; its steps are the functions below it.
pub mod turn;
/// One task owns the state; everything that can wake it is one closed enum; [`main_loop::Handle`]
/// is what the fronts hold.
pub mod main_loop;
