//! The way to the model: one request, its deltas told as they come, its answer.

use super::Turn;
use crate::event::{CallStatus, EventKind, Level, StopReason, ToolCallState, ToolKind};
use crate::limits;
use crate::model::{Answer, Delta, ModelError, Stop};
use assent_base::chat::{Part, Record};
use serde_json::Value;
use tokio::sync::mpsc;

/// Ask the model and tell the world what it says. Words that were shown before a cancel stay in
/// the conversation; anything else of a broken answer is void.
pub(super) async fn answer(turn: &mut Turn) -> Result<Answer, StopReason> {
    let request = turn.request();
    let (deltas, mut coming) = mpsc::channel(limits::DELTAS);
    let mut shown = String::new();
    let finished = {
        let run = turn.model.run(&request, &deltas);
        tokio::pin!(run);
        loop {
            tokio::select! {
                biased;
                () = turn.ctx.cancel.cancelled() => break None,
                Some(delta) = coming.recv() => tell(turn, delta, &mut shown),
                answer = &mut run => break Some(answer),
            }
        }
    };
    let Some(finished) = finished else {
        return Err(cancelled(turn, shown).await);
    };
    while let Ok(delta) = coming.try_recv() {
        tell(turn, delta, &mut shown);
    }
    match finished {
        Ok(answer) => {
            if answer.stop == Stop::OutputLimit {
                let text = "The answer was cut by the model's output limit.".to_owned();
                turn.tell(EventKind::Notice { level: Level::Warning, text });
            }
            Ok(answer)
        }
        Err(error) => {
            let text = words(&error);
            turn.tell(EventKind::Notice { level: Level::Error, text: text.clone() });
            Err(StopReason::Failed(text))
        }
    }
}

fn tell(turn: &Turn, delta: Delta, shown: &mut String) {
    match delta {
        Delta::Text(text) => {
            shown.push_str(&text);
            turn.tell(EventKind::Text(text));
        }
        Delta::Reasoning(text) => turn.tell(EventKind::Reasoning(text)),
        Delta::CallStarted { id, name } => turn.tell(EventKind::ToolCall(ToolCallState {
            summary: None,
            kind: turn.registry.get(&name).map_or(ToolKind::Other, |tool| tool.kind()),
            title: name.clone(),
            call_id: id,
            tool: name,
            status: CallStatus::Pending,
            arguments: Value::Null,
            locations: Vec::new(),
            content: Vec::new(),
            diffs: Vec::new(),
        })),
        Delta::Retry { after, reason } => {
            shown.clear();
            let text = format!("{reason} Trying again in {} s.", after.as_secs_f32().ceil());
            turn.tell(EventKind::Notice { level: Level::Warning, text });
        }
    }
}

async fn cancelled(turn: &mut Turn, shown: String) -> StopReason {
    if !shown.trim().is_empty() {
        // A log that can't be written costs the words of an interrupted answer, nothing else.
        let _ = turn.ledger.say(Record::Assistant(vec![Part::Text(shown)])).await;
    }
    StopReason::Cancelled
}

fn words(error: &ModelError) -> String {
    match error {
        ModelError::ContextTooLong(text) => {
            format!("{text} Start a new session, or ask for less at a time.")
        }
        other => other.to_string(),
    }
}
