//! A turn without an editor: what `run`, `demo` and `tools call` have in common.

use super::Exit;
use crate::terminal::{Form, Terminal};
use assent_base::policy::Mode;
use assent_base::text::PositionEncoding;
use assent_engine::event::{SessionId, StopReason, Usage};
use assent_engine::main_loop::{self, Environment, Handle, Setup};
use assent_engine::permission::Explain;
use assent_engine::session::{PromptBlock, SessionState};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

/// What a headless turn starts from.
pub struct Headless {
    /// The process's surroundings.
    pub environment: Environment,
    /// The workspace folder.
    pub folder: PathBuf,
    /// `-m`.
    pub model: Option<String>,
    /// `--mode`.
    pub mode: Option<Mode>,
    /// `--yes`.
    pub approve: bool,
    /// Calls are explained and not run.
    pub explain: Option<Explain>,
}

/// An engine with a terminal in front.
pub struct Running {
    /// The terminal.
    pub terminal: Arc<Terminal>,
    /// The engine.
    pub handle: Handle,
}

impl Headless {
    /// Start the engine behind a terminal.
    pub fn start(self, terminal: Arc<Terminal>) -> Running {
        let shown = Arc::clone(&terminal);
        tokio::spawn(async move { shown.run().await });
        let handle = main_loop::start(Setup {
            editor: Arc::clone(&terminal) as _,
            encoding: PositionEncoding::Utf8,
            folders: vec![self.folder],
            environment: self.environment,
            settings: Value::Null,
            restricted: false,
            model: self.model,
            mode: self.mode,
            approve: self.approve,
            explain: self.explain,
        });
        Running { terminal, handle }
    }
}

impl Running {
    /// Run one turn to its end, or until the user interrupts it; says how it ended.
    pub async fn turn(&self, prompt: String) -> anyhow::Result<Exit> {
        let session = self.begin().await?;
        self.turn_in(session.id, prompt).await
    }

    /// The same, in a session that leaves nothing behind.
    pub async fn passing_turn(&self, prompt: String) -> anyhow::Result<Exit> {
        let session = self.begin().await?;
        let exit = self.turn_in(session.id.clone(), prompt).await;
        self.handle.delete_session(session.id).await?;
        exit
    }

    /// A session, and a word on what of the project does not count in it.
    async fn begin(&self) -> anyhow::Result<SessionState> {
        let session = self.handle.new_session(None).await?;
        if let Some(words) = session.notice.clone() {
            self.terminal.with_screen(|screen| screen.say_aside(&words)).await;
        }
        Ok(session)
    }

    async fn turn_in(&self, id: SessionId, prompt: String) -> anyhow::Result<Exit> {
        let stop = self.run(id, vec![PromptBlock::Text(prompt)]).await?;
        let (exit, word) = outcome(&stop);
        let form = self.terminal.form();
        self.terminal
            .with_screen(|screen| {
                if form == Form::Json {
                    screen.line(&last_line(&stop).to_string());
                }
                if let (Form::Words, Some(usage)) = (form, screen.usage()) {
                    screen.say_aside(&tokens(usage.total));
                }
                match word {
                    Some(word) if !screen.has_told(&word) => screen.say(&word),
                    Some(_) | None => screen.close(),
                }
            })
            .await;
        Ok(exit)
    }

    /// The first interrupt cancels the turn; a second one does not wait for it to end.
    async fn run(&self, id: SessionId, blocks: Vec<PromptBlock>) -> anyhow::Result<StopReason> {
        let mut turn = std::pin::pin!(self.handle.prompt(id.clone(), blocks));
        tokio::select! {
            ended = &mut turn => return Ok(ended?.stop),
            () = interrupted() => self.handle.cancel(id).await,
        }
        tokio::select! {
            ended = &mut turn => Ok(ended.map(|_| StopReason::Cancelled)?),
            () = interrupted() => Ok(StopReason::Cancelled),
        }
    }
}

/// The exit code, and what is said where the turn did not end by itself.
fn outcome(stop: &StopReason) -> (Exit, Option<String>) {
    match stop {
        StopReason::EndTurn => (Exit::Done, None),
        StopReason::Cancelled => (Exit::Interrupted, Some("Cancelled.".into())),
        StopReason::MaxTokens => {
            (Exit::Failed, Some("The answer was cut at the model's output limit.".into()))
        }
        StopReason::MaxTurnRequests => {
            (Exit::Failed, Some("The turn was stopped before the model was done.".into()))
        }
        StopReason::Refusal => (Exit::Failed, Some("The model refused.".into())),
        StopReason::Failed(words) => (Exit::Failed, Some(words.clone())),
    }
}

/// What the turn used, in words.
fn tokens(used: Usage) -> String {
    format!("{} tokens in ({} from the cache), {} out", used.input, used.cached, used.output)
}

/// The last line of `--json`. ACP has no stop reason for a failure; there it is an error answer.
fn last_line(stop: &StopReason) -> Value {
    let reason = match stop {
        StopReason::EndTurn => "end_turn",
        StopReason::Cancelled => "cancelled",
        StopReason::MaxTokens => "max_tokens",
        StopReason::MaxTurnRequests => "max_turn_requests",
        StopReason::Refusal => "refusal",
        StopReason::Failed(words) => return json!({ "stopReason": "error", "error": words }),
    };
    json!({ "stopReason": reason })
}

/// Waits for a signal that asks the process to end.
pub async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let next = async |kind| match signal(kind) {
            Ok(mut signals) => drop(signals.recv().await),
            Err(_) => std::future::pending().await,
        };
        tokio::select! {
            () = next(SignalKind::interrupt()) => {}
            () = next(SignalKind::terminate()) => {}
            () = next(SignalKind::hangup()) => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
