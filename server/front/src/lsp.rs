//! The language server on stdio. Documents, edits, commands, code actions and progress are LSP's;
//! the chat on the same connection is [`crate::conversation`]'s.
//!
//! Modules are listed in reading order. Only [`server`] and [`convert`] name LSP's types.

/// Code actions and code lenses.
mod actions;
/// One edit as `workspace/applyEdit`.
mod apply;
/// What the client can do, as flat flags.
mod capabilities;
/// The client as an editor.
mod client;
/// `workspace/executeCommand`.
mod commands;
/// Slash commands and files.
mod completion;
/// What is known of a connection.
mod connection;
/// Where LSP's types and ours meet.
mod convert;
/// What is wrong with the settings, as diagnostics.
mod diagnostics;
/// LSP's framing, read.
mod frames;
/// What stands between the pipe and the handlers.
mod guard;
/// Clients without a plugin of ours.
mod plain;
/// Work-done progress.
mod progress;
/// The methods.
mod server;
/// Completion and hover in tool files.
mod tool_files;
/// Trust in the workspace folders.
mod trust;

use crate::cli::Exit;
use crate::conversation::Peer;
use crate::conversation::peer::{Dialect, frame_lsp};
use assent_engine::main_loop::Environment;
use frames::{Frame, Frames};
use guard::{Guard, Next};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};

/// How long the end may take: turns end, processes die, logs are closed.
const END_TIME: Duration = Duration::from_secs(4);
/// How long answers may take to leave at the end.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Serve one client on the process's stdio until it says `exit` or closes its end.
pub async fn serve(environment: Environment) -> Exit {
    serve_on(environment, tokio::io::stdin(), tokio::io::stdout()).await
}

async fn serve_on(
    environment: Environment,
    reader: impl AsyncRead + Unpin,
    writer: impl AsyncWrite + Unpin + Send + 'static,
) -> Exit {
    let (peer, outbox) = Peer::new(Dialect::Lsp);
    let mut writing = tokio::spawn(outbox.run(writer, frame_lsp));
    let service = server::service(peer.clone(), environment);
    let mut guard = Guard::new(service.service, peer.clone(), service.capabilities);
    let mut frames = Frames::new(reader);
    let reading = async {
        while let Some(frame) = frames.next().await {
            match frame {
                Frame::Whole(body) if guard.take(&body).await == Next::Exit => break,
                Frame::Whole(_) => {}
                Frame::TooLong(bytes) => guard.too_long(bytes).await,
            }
        }
    };
    tokio::select! {
        () = reading => {}
        // Nobody reads what we say: then nobody can give an answer either.
        _ = &mut writing => {}
    }
    // What was started ends. The engine hears of that before its questions to the client fail:
    // nobody has said no to them.
    if let Some(connection) = service.connection.get() {
        let ending = async { futures::join!(connection.handle.shutdown(), async { peer.lost() }) };
        let _ = tokio::time::timeout(END_TIME, ending).await;
    }
    peer.lost();
    if !writing.is_finished() {
        let last = async {
            peer.close().await;
            let _ = writing.await;
        };
        let _ = tokio::time::timeout(LAST_WORDS, last).await;
    }
    if guard.was_shut_down() { Exit::Done } else { Exit::Failed }
}
