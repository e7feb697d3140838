//! The agent loop. One turn: stream the model's answer, run its calls, hand their results back,
//! until it makes no call. Each step is a function below; which calls run side by side is in
//! [`calls`], what each of them goes through in [`call`], the way to the model in [`stream`].
//!
//! A turn that waited for the user when the server ended is taken up with the calls that have no
//! result yet. It asks the model only if the user was asked before.

mod call;
mod calls;
mod delegate;
mod kept;
mod recording;
mod repeats;
mod stream;

pub use delegate::Delegation;
pub use kept::{keep_secrets, told as told_of_secrets};

use crate::documents::Seen;
use crate::event::{EventKind, Level, SessionId, StopReason, Usage};
use crate::limits;
use crate::model::{Answer, Model, Request, Stop};
use crate::permission::Gate;
use crate::session::{Interrupted, Ledger};
use crate::store::{Entry, Journal};
use crate::tools::{Registry, ToolContext};
use assent_base::chat::{Part, Record};
use assent_base::tool::{Call, Definition};
use parking_lot::Mutex;
use repeats::{Repeats, Verdict};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Everything one turn works with.
pub struct Turn {
    /// The session.
    pub session: SessionId,
    /// Its conversation; the user's message is already in it.
    pub ledger: Ledger,
    /// The model.
    pub model: Arc<dyn Model>,
    /// The system prompt.
    pub system: Arc<str>,
    /// The tools offered to the model.
    pub offered: Arc<[Arc<Definition>]>,
    /// All tools.
    pub registry: Arc<Registry>,
    /// The gate.
    pub gate: Arc<Gate>,
    /// What tools work with; its token cancels the turn.
    pub ctx: ToolContext,
    /// Where events go, in order.
    pub events: Arc<dyn Fn(EventKind) + Send + Sync>,
    /// The thought level.
    pub effort: Option<String>,
    /// Tokens of the session before this turn.
    pub used: Usage,
    /// Tokens that other agents used and that are not counted yet.
    pub delegated: Arc<Mutex<Usage>>,
    /// What is known of the calls that the turn is taken up with.
    pub interrupted: Option<Interrupted>,
    /// A call that the user made, by a slash command: it comes before the model is asked.
    pub first: Option<Call>,
    /// The process ends: a turn that waits for the user is left as it is.
    pub leave: CancellationToken,
}

/// What is left of a turn.
pub struct Ended {
    /// The conversation: every call has its result, unless the process ended while the turn waited
    /// for the user.
    pub ledger: Ledger,
    /// Why it ended.
    pub stop: StopReason,
    /// Tokens of the session.
    pub used: Usage,
}

/// Run a turn to its end.
pub async fn run(mut turn: Turn) -> Ended {
    let left = left(turn.leave.clone(), turn.ledger.journal().clone());
    let stop = tokio::select! {
        biased;
        () = left => None,
        stop = steps(&mut turn) => Some(stop.unwrap_or_else(|stop| stop)),
    };
    let words = match &stop {
        // Everything that waits is in the log, and is taken up when the session is loaded again.
        None => None,
        Some(StopReason::Cancelled) => Some("The call was interrupted by the user before it finished."),
        Some(_) => Some("Not run: the turn ended before it."),
    };
    if let Some(words) = words {
        // Nothing more can be done here about a log that can't be written; the turn's stop says so.
        let _ = turn.ledger.close_open_calls(words).await;
    }
    turn.ledger.sync().await;
    Ended { ledger: turn.ledger, stop: stop.unwrap_or(StopReason::Cancelled), used: turn.used }
}

/// The process ends while something waits for the user.
async fn left(leave: CancellationToken, journal: Journal) {
    leave.cancelled().await;
    if !journal.waits() {
        std::future::pending::<()>().await;
    }
}

async fn steps(turn: &mut Turn) -> Result<StopReason, StopReason> {
    let mut repeats = Repeats::default();
    if turn.interrupted.is_some() {
        let calls = turn.ledger.transcript().open_calls();
        calls::run_all(turn, calls, &mut repeats).await?;
        if !turn.ledger.journal().has_asked() {
            let text =
                "Nothing waits for you any more in the turn that was cut short. A prompt goes on from here.";
            turn.tell(EventKind::Notice { level: Level::Info, text: text.into() });
            return Ok(StopReason::EndTurn);
        }
    }
    if let Some(call) = turn.first.take() {
        let record = Record::Assistant(vec![Part::Call(call)]);
        turn.ledger.say(record).await.map_err(StopReason::Failed)?;
        let calls = turn.ledger.transcript().open_calls();
        calls::run_all(turn, calls, &mut repeats).await?;
    }
    for _ in 0..limits::TURN_STEPS {
        tokio::select! {
            () = turn.ctx.editor.keep_pace() => {}
            () = turn.ctx.cancel.cancelled() => return Err(StopReason::Cancelled),
        }
        let answer = stream::answer(turn).await?;
        let stop = answer.stop;
        let calls = record(turn, answer).await?;
        if calls.is_empty() {
            return Ok(end_of(stop));
        }
        if let Verdict::Stop(words) = calls::run_all(turn, calls, &mut repeats).await? {
            turn.tell(EventKind::Notice { level: Level::Warning, text: words });
            return Ok(StopReason::MaxTurnRequests);
        }
    }
    let text = format!(
        "Stopped after {} steps without an end. Say how to go on, or \"continue\".",
        limits::TURN_STEPS
    );
    turn.tell(EventKind::Notice { level: Level::Warning, text });
    Ok(StopReason::MaxTurnRequests)
}

/// Put an answer into the conversation and give back its calls.
async fn record(turn: &mut Turn, answer: Answer) -> Result<Vec<Call>, StopReason> {
    let delegated = std::mem::take(&mut *turn.delegated.lock());
    if delegated != Usage::default() {
        turn.used = turn.used.plus(delegated);
        turn.ledger.note(Entry::Usage(delegated)).await.map_err(StopReason::Failed)?;
    }
    if let Some(usage) = answer.usage {
        turn.used = turn.used.plus(usage);
        turn.tell(EventKind::Usage(crate::event::UsageReport {
            last: usage,
            total: turn.used,
            window: turn.model.window(),
        }));
    }
    let mut usage = answer.usage.map(Entry::Usage).into_iter();
    if answer.parts.is_empty() {
        if let Some(usage) = usage.next() {
            turn.ledger.note(usage).await.map_err(StopReason::Failed)?;
        }
        return Ok(Vec::new());
    }
    let record = Record::Assistant(answer.parts);
    turn.ledger.say_with(usage.collect(), record).await.map_err(StopReason::Failed)?;
    Ok(turn.ledger.transcript().open_calls())
}

/// What the model has read since this was called last, for the log.
pub fn newly_seen(seen: &Seen) -> Option<Entry> {
    let news = seen.take_news();
    (!news.is_empty()).then_some(Entry::Seen(news))
}

fn end_of(stop: Stop) -> StopReason {
    match stop {
        Stop::End => StopReason::EndTurn,
        Stop::OutputLimit => StopReason::MaxTokens,
        Stop::Refusal => StopReason::Refusal,
    }
}

impl Turn {
    fn tell(&self, kind: EventKind) {
        (self.events)(kind);
    }

    fn request(&self) -> Request {
        Request {
            system: Arc::clone(&self.system),
            tools: Arc::clone(&self.offered),
            messages: self.ledger.transcript().messages(),
            max_output: None,
            effort: self.effort.clone(),
            cache_key: self.session.to_string(),
        }
    }
}

/// The words of an answer, for a title or a log.
pub fn words(parts: &[Part]) -> String {
    let texts: Vec<&str> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Reasoning(_) | Part::Call(_) => None,
        })
        .collect();
    texts.join("\n")
}
