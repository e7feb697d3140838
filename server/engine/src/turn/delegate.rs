//! Another agent at work within a call: a turn of its own, with its own prompt, tools and
//! conversation, through the same gate. Only its last answer comes back; what it does on the way
//! is the call's live output.

use super::{Turn, words};
use crate::documents::Seen;
use crate::editor::{Answer, Approval};
use crate::event::{CallStatus, EventKind, Level, StopReason, Usage};
use crate::model::{Model, surroundings};
use crate::permission::{Asker, Gate};
use crate::prompt::{self, Surroundings};
use crate::session::Ledger;
use crate::settings;
use crate::store::Store;
use crate::tools::{Delegate, NoDelegate, Registry, Task, ToolContext, ToolOutput};
use assent_base::chat::{Message, Record};
use assent_base::manifest::Agent;
use assent_base::tool::Content;
use async_trait::async_trait;
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// What a turn has other agents work with.
pub struct Delegation {
    /// The gate of the turn.
    pub gate: Arc<Gate>,
    /// All tools.
    pub registry: Arc<Registry>,
    /// The turn's model, for agents that name none.
    pub model: Arc<dyn Model>,
    /// Where keys come from, for agents that name one.
    pub variable: surroundings::Environment,
    /// The state folder, where stored keys are.
    pub state: PathBuf,
    /// The thought level.
    pub effort: Option<String>,
    /// The sessions on disk; of an agent's conversation nothing is kept there.
    pub store: Store,
    /// Tokens that other agents used and that the turn has not counted yet.
    pub used: Arc<Mutex<Usage>>,
}

#[async_trait]
impl Delegate for Delegation {
    async fn delegate(&self, task: Task, ctx: &ToolContext) -> ToolOutput {
        let Some(agent) = self.gate.settings().agents.get(&task.agent).cloned() else {
            return ToolOutput::error(format!("There is no agent {} in the settings.", task.agent));
        };
        match self.turn(&agent, task, ctx).await {
            Ok(turn) => {
                let ended = super::run(turn).await;
                let mut used = self.used.lock();
                *used = used.plus(ended.used);
                answer(&ended.ledger, ended.stop)
            }
            Err(words) => ToolOutput::error(words),
        }
    }
}

impl Delegation {
    async fn turn(&self, agent: &Agent, task: Task, ctx: &ToolContext) -> Result<Turn, String> {
        let model = match &agent.model {
            None => Arc::clone(&self.model),
            wanted => {
                let folder = ctx.folders.first().cloned().unwrap_or_default();
                settings::model(self.gate.settings(), &self.variable, &self.state, &folder, wanted.as_deref())
                    .await
                    .map_err(|problem| problem.message)?
            }
        };
        let inner = Arc::clone(self.gate.asker());
        let asker = SubAsker { inner, call_id: task.call_id, turn: ctx.cancel.clone() };
        let gate = self.gate.of_agent(&task.agent, agent, Arc::new(asker));
        let offered = self.registry.offered(|name| gate.agent().tools.allows(name)).into();
        let surroundings = Surroundings::of(&ctx.folders, agent.prompt.clone()).await;
        let mut ledger = Ledger::unkept(ctx.session.clone(), self.store.clone());
        let mut said = vec![Content::Text(task.prompt)];
        said.extend(prompt::mode_note(gate.mode()).map(Content::note));
        ledger.say(Record::User(said)).await?;
        Ok(Turn {
            session: ctx.session.clone(),
            ledger,
            model,
            system: prompt::system_of_sub_agent(&surroundings).into(),
            offered,
            registry: Arc::clone(&self.registry),
            gate: Arc::new(gate),
            ctx: ToolContext {
                seen: Arc::new(Seen::default()),
                todos: Arc::default(),
                cancel: ctx.cancel.child_token(),
                output: Arc::new(|_| {}),
                delegate: Arc::new(NoDelegate),
                ..ctx.clone()
            },
            events: progress(Arc::clone(&ctx.output)),
            effort: self.effort.clone(),
            used: Usage::default(),
            delegated: Arc::default(),
            interrupted: None,
            first: None,
            leave: CancellationToken::new(),
        })
    }
}

/// What the agent does, a line for each call and each trouble.
fn progress(output: Arc<dyn Fn(&str) + Send + Sync>) -> Arc<dyn Fn(EventKind) + Send + Sync> {
    let told = Mutex::new(BTreeSet::new());
    Arc::new(move |kind| match kind {
        EventKind::ToolCall(call) if call.status != CallStatus::Pending => {
            if told.lock().insert(call.call_id) {
                output(&format!("{}\n", call.title));
            }
        }
        EventKind::Notice { level: Level::Warning | Level::Error, text } => output(&format!("{text}\n")),
        _ => {}
    })
}

/// The last words of the agent, and why it stopped where that was not its own decision.
fn answer(ledger: &Ledger, stop: StopReason) -> ToolOutput {
    let messages = ledger.transcript().messages();
    let last = messages.iter().rev().find_map(|message| match &**message {
        Message::Assistant(parts) => Some(words(parts)),
        _ => None,
    });
    let last = last.filter(|words| !words.trim().is_empty());
    match (stop, last) {
        (StopReason::EndTurn, Some(last)) => ToolOutput::text(last),
        (StopReason::EndTurn, None) => ToolOutput::error("The agent ended without an answer."),
        (StopReason::Cancelled, _) => {
            ToolOutput::error("The agent was interrupted by the user before it had an answer.")
        }
        (StopReason::Failed(reason), _) => ToolOutput::error(format!("The agent could not go on: {reason}")),
        (StopReason::Refusal, _) => ToolOutput::error("The agent's model refused to answer."),
        (StopReason::MaxTokens, Some(last)) => {
            ToolOutput::text(format!("{last}\n\n(The answer was cut by the model's output limit.)"))
        }
        (StopReason::MaxTurnRequests, Some(last)) => {
            ToolOutput::text(format!("{last}\n\n(The agent was stopped before its end; this is not all.)"))
        }
        (StopReason::MaxTokens | StopReason::MaxTurnRequests, None) => {
            ToolOutput::error("The agent was stopped before it had an answer. Ask it for less at a time.")
        }
    }
}

/// The way to the user for an agent within a call. The ids of its calls are its own, so each goes
/// with the id of the call it works for.
struct SubAsker {
    inner: Arc<dyn Asker>,
    call_id: String,
    /// The user may end the turn from here, too.
    turn: CancellationToken,
}

#[async_trait]
impl Asker for SubAsker {
    async fn ask(&self, mut approval: Approval) -> Answer {
        approval.call.call_id = format!("{}/{}", self.call_id, approval.call.call_id);
        let answer = self.inner.ask(approval).await;
        if matches!(answer, Answer::Reject { stop: true, .. }) {
            self.turn.cancel();
        }
        answer
    }
}
