//! `assent sessions`: what sessions left behind.

use super::Exit;
use super::headless::Headless;
use crate::terminal::Terminal;
use crate::terminal::plain::plain;
use assent_engine::event::SessionId;
use assent_engine::main_loop::{Environment, Handle};
use assent_engine::session::SessionSummary;
use std::sync::Arc;

/// What `assent sessions` takes.
#[derive(clap::Subcommand)]
pub enum Arguments {
    /// List sessions, newest first.
    Ls,
    /// Show a conversation.
    Show {
        /// The session's id, or the beginning of it.
        id: String,
    },
    /// Delete sessions for good.
    Rm {
        /// Their ids, or the beginnings of them.
        #[arg(required = true)]
        ids: Vec<String>,
    },
}

/// Do it.
pub async fn run(arguments: Arguments, environment: Environment) -> anyhow::Result<Exit> {
    let folder = std::env::current_dir().unwrap_or_default();
    let terminal = Terminal::on_stdout(&folder);
    let headless = Headless { environment, folder, model: None, mode: None, approve: false, explain: None };
    let running = headless.start(terminal);
    let done = act(arguments, &running.handle, &running.terminal).await;
    running.handle.shutdown().await;
    done.map(|()| Exit::Done)
}

async fn act(arguments: Arguments, handle: &Handle, terminal: &Arc<Terminal>) -> anyhow::Result<()> {
    let sessions = all(handle).await?;
    match arguments {
        Arguments::Ls => {
            let text = list(&sessions);
            terminal.with_screen(|screen| screen.say(text.trim_end())).await;
        }
        Arguments::Show { id } => {
            handle.load_session(find(&sessions, &id)?, true).await?;
            terminal.with_screen(|screen| screen.close()).await;
        }
        Arguments::Rm { ids } => {
            let found: Vec<SessionId> =
                ids.iter().map(|id| find(&sessions, id)).collect::<anyhow::Result<_>>()?;
            for id in found {
                handle.delete_session(id).await?;
            }
        }
    }
    Ok(())
}

async fn all(handle: &Handle) -> anyhow::Result<Vec<SessionSummary>> {
    let mut page = handle.list_sessions(None, None).await?;
    let mut rows = page.rows;
    while page.next.is_some() {
        page = handle.list_sessions(None, page.next).await?;
        rows.append(&mut page.rows);
    }
    Ok(rows)
}

fn list(sessions: &[SessionSummary]) -> String {
    if sessions.is_empty() {
        return "There are no sessions yet.".into();
    }
    let rows = sessions.iter().map(|session| {
        let folder = session.folder.as_deref().map(|folder| folder.display().to_string());
        format!(
            "{}  {}  {}  {}\n",
            session.id,
            session.updated,
            plain(&session.title),
            plain(folder.as_deref().unwrap_or("-"))
        )
    });
    rows.collect()
}

/// The one session whose id begins so.
fn find(sessions: &[SessionSummary], id: &str) -> anyhow::Result<SessionId> {
    let mut found = sessions.iter().filter(|session| session.id.0.starts_with(id));
    match (found.next(), found.next()) {
        (Some(session), None) => Ok(session.id.clone()),
        (Some(exact), Some(_)) if *exact.id.0 == *id => Ok(exact.id.clone()),
        (Some(_), Some(_)) => anyhow::bail!("Several sessions begin with {id}: give more of the id."),
        (None, _) => anyhow::bail!("There is no session {id}: `assent sessions ls` lists them."),
    }
}
