//! Bounds of every queue, buffer, output, retry and cache. Each says what happens at the bound.

use std::time::Duration;

/// Events waiting for the main loop; a sender waits when it is full.
pub const INBOX: usize = 1024;
/// Events that wait for a client before older states of the same thing are left out.
pub const EVENTS_JOINED: usize = 64;
/// Events that wait for a client before its turns wait too.
pub const EVENTS_WAITING: usize = 512;
/// Deltas between a model adapter and the turn; the adapter stops reading the socket when full.
pub const DELTAS: usize = 256;
/// A tool result over this many bytes is kept in a file and shown as head, tail, size and path.
pub const RESULT_BYTES: usize = 50 * 1024;
/// The same in lines.
pub const RESULT_LINES: usize = 2_000;
/// Lines one `read` shows.
pub const READ_LINES: usize = 2_000;
/// Characters of a line that `read` and `grep` show.
pub const LINE_CHARS: usize = 2_000;
/// Characters of a command's output that the model gets.
pub const COMMAND_CHARS: usize = 30_000;
/// Longest a command may run.
pub const COMMAND_TIME: Duration = Duration::from_secs(600);
/// How long a command runs when the call names no limit.
pub const COMMAND_TIME_DEFAULT: Duration = Duration::from_secs(120);
/// Largest file that is read as text or edited.
pub const FILE_BYTES: u64 = 100 * 1024 * 1024;
/// Largest image that goes to the model.
pub const IMAGE_BYTES: usize = 5 * 1024 * 1024;
/// How long the editor may take to answer an edit.
pub const APPLY_TIME: Duration = Duration::from_secs(10);
/// How long the changed text may take to come back after the editor answered.
pub const ECHO_TIME: Duration = Duration::from_secs(5);
/// Model requests in one turn; then the turn stops with a word to the user.
pub const TURN_STEPS: usize = 100;
/// Tries of one model request.
pub const MODEL_TRIES: u32 = 5;
/// A server that asks for a longer pause than this is not waited for; the user is told.
pub const RETRY_AFTER_MAX: Duration = Duration::from_secs(120);
/// Calls of one answer that run side by side.
pub const CALLS_AT_ONCE: usize = 8;
/// How long a connection to a model's server may take to open; then it counts as a network error.
pub const MODEL_CONNECT_TIME: Duration = Duration::from_secs(30);
/// How long a model's server may be silent in an answer; then the stream counts as broken.
pub const MODEL_IDLE_TIME: Duration = Duration::from_secs(300);
/// Longest line of an event stream; a longer one breaks the stream.
pub const MODEL_LINE_BYTES: usize = 16 * 1024 * 1024;
/// Largest answer of a model on the wire; a larger one breaks the stream.
pub const MODEL_ANSWER_BYTES: usize = 64 * 1024 * 1024;
/// What is read of an error answer; the rest is dropped.
pub const MODEL_ERROR_BYTES: usize = 64 * 1024;
/// Characters of a provider's message that are shown.
pub const MODEL_ERROR_CHARS: usize = 600;
/// How long a local model server may take to say which models it has.
pub const MODEL_PROBE_TIME: Duration = Duration::from_millis(500);
/// Longest pause between two tries that we choose ourselves.
pub const MODEL_BACKOFF_MAX: Duration = Duration::from_secs(30);
/// Text held back while it may become a call; more than this is text.
pub const TEXT_CALL_BYTES: usize = 256 * 1024;
/// One read of a child's output, and what is still taken after the child has ended while others
/// hold its output.
pub const PIPE_BYTES: usize = 64 * 1024;
/// Of one command's output, shown to the user while it runs; the rest is in its result's file.
pub const LIVE_OUTPUT_BYTES: usize = 256 * 1024;
/// Largest file that keeps a long output; what comes after it is lost, and the result says so.
pub const SPILL_BYTES: u64 = 100 * 1024 * 1024;
/// Rows of one page of the session list; the rest comes on the next.
pub const SESSIONS_LISTED: usize = 100;
/// Characters of a session's title; the rest is cut.
pub const TITLE_CHARS: usize = 80;
/// Longest first line of a log; a file with a longer one is no log and is not listed.
pub const SESSION_HEAD_BYTES: u64 = 64 * 1024;
/// Turns of a session that can be undone, newest first.
pub const TURNS_UNDOABLE: usize = 20;
/// Identical calls in a row after which the model is told; one more stops the turn.
pub const REPEATED_CALLS: usize = 3;
/// Calls the model may make in one answer; further ones are refused with a word to it.
pub const CALLS_IN_ANSWER: usize = 64;
/// How long a tool may take to end after a cancel before it is dropped.
pub const CANCEL_GRACE: Duration = Duration::from_millis(700);
/// Files that one `glob` lists; the newest are.
pub const GLOB_FILES: usize = 200;
/// Entries that one `ls` shows; deeper levels are left out first.
pub const LS_ENTRIES: usize = 400;
/// Lines that one `grep` shows; those of the newest files are.
pub const GREP_LINES: usize = 200;
/// Bytes of matching lines that a `grep` keeps; then it stops and says so.
pub const GREP_BYTES: usize = 8 * 1024 * 1024;
/// Bytes that one `readFileBytes` shows; a longer range is cut, with a word on how to go on.
pub const READ_BYTES: u64 = 8 * 1024;
/// Files that one `replaceInProject` may change; more are refused with a word to the model.
pub const REPLACE_FILES: usize = 100;
/// How long a command that answers with a key may take: it may ask for a password itself.
pub const KEY_COMMAND_TIME: Duration = Duration::from_secs(60);
/// What is read of its answer.
pub const KEY_BYTES: u64 = 64 * 1024;
/// Longest tool file that is read.
pub const TOOL_FILE: u64 = 1024 * 1024;
/// Longest Markdown file of an agent that is read.
pub const AGENT_FILE: u64 = 256 * 1024;
/// Markdown files of agents that are read of one folder, in the order of their names.
pub const AGENT_FILES: usize = 200;
/// Tool files, and files of agents, of one project; a project with more has none, and the user is told.
pub const PROJECT_FILES: usize = 1_000;
/// Longest settings file of a project; a longer one can't be read.
pub const PROJECT_SETTINGS: u64 = 1024 * 1024;
/// Longest record of what the user trusts in one folder; a longer one does not count.
pub const TRUST_RECORD: u64 = 16 * 1024 * 1024;
/// Things kept as looked at in one folder; with more, those that are not there at present are
/// forgotten.
pub const TRUSTED_THINGS: usize = 10_000;
/// Text of one proposed edit, before and after, that the session log keeps so that its review
/// survives the server; the review of a larger one ends with the server, and the model is told.
pub const PROPOSAL_LOG_BYTES: usize = 1024 * 1024;
/// Folders that are looked through for protected names before a command runs in a sandbox, nearest
/// first; names deeper in a larger tree are not protected from it.
pub const SANDBOX_FOLDERS: usize = 2_000;
/// Protected files and folders that a sandbox covers; further ones are not protected from it.
pub const SANDBOX_GUARDED: usize = 1_000;
/// Files and folders that a sandbox without a file system of its own lets a command write; what
/// comes after them it can't write.
pub const SANDBOX_GRANTS: usize = 10_000;
/// How long the try of a sandbox may take; then it counts as not there.
pub const SANDBOX_PROBE_TIME: Duration = Duration::from_secs(10);
