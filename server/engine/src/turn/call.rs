//! What each tool call goes through: schema, resolution, the gate, dispatch, the output rule.
//! Whatever goes wrong on the way is a failed result for the model, never an error of the turn.

use super::repeats::{Repeats, Verdict};
use super::{StopReason, Turn};
use crate::event::{CallStatus, Diff, EventKind, ToolCallState, ToolKind};
use crate::limits;
use crate::permission::Granted;
use crate::store::Entry;
use crate::tools::{Proposal, Reviewer, Tool, ToolContext, ToolOutput};
use assent_base::chat::Record;
use assent_base::policy::ResolvedCall;
use assent_base::tool::{Arguments, Call, CallResult, Content, Exec, Writes};
use async_trait::async_trait;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt};
use serde_json::Value;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// What came of one call.
struct Done {
    output: ToolOutput,
    /// The user said no and wants the turn to end.
    stop: bool,
}

/// Run the calls of one answer: what only reads side by side, the rest in order. Every result is
/// in the conversation when this returns.
pub(super) async fn run_all(
    turn: &mut Turn,
    calls: Vec<Call>,
    repeats: &mut Repeats,
) -> Result<Verdict, StopReason> {
    let mut done: Vec<Done> = Vec::with_capacity(calls.len());
    let mut at = 0;
    while at < calls.len() {
        let group = 1 + calls[at..]
            .iter()
            .skip(1)
            .take_while(|next| only_reads(turn, &calls[at]) && only_reads(turn, next))
            .count();
        let turn_now = &*turn;
        // Boxed: the compiler can't see through a closure that borrows that each is `Send`.
        let running: Vec<BoxFuture<'_, Done>> = calls[at..at + group]
            .iter()
            .enumerate()
            .map(|(nth, call)| run_one(turn_now, call, at + nth).boxed())
            .collect();
        let ran: Vec<Done> = futures::stream::iter(running).buffered(limits::CALLS_AT_ONCE).collect().await;
        let stop = ran.iter().any(|done| done.stop);
        done.extend(ran);
        at += group;
        if stop || turn.ctx.cancel.is_cancelled() {
            break;
        }
    }
    let failed: Vec<bool> = done.iter().map(|done| done.output.is_error).collect();
    let verdict = repeats.saw(&calls[..done.len()], &failed);
    if let (Verdict::Tell(words), Some(last)) = (&verdict, done.last_mut()) {
        last.output.content.push(Content::Text(words.clone()));
    }
    let stop = done.iter().any(|done| done.stop);
    for (call, done) in calls.iter().zip(done) {
        let result = CallResult {
            call_id: call.id.clone(),
            content: done.output.content,
            is_error: done.output.is_error,
        };
        turn.ledger.say(Record::Result(result)).await.map_err(StopReason::Failed)?;
    }
    if calls.iter().any(|call| call.name == "todowrite") {
        let todos = turn.ctx.todos.lock().clone();
        turn.ledger.note(Entry::Todos(todos)).await.map_err(StopReason::Failed)?;
    }
    match () {
        () if turn.ctx.cancel.is_cancelled() => Err(StopReason::Cancelled),
        () if stop => Err(StopReason::EndTurn),
        () => Ok(verdict),
    }
}

fn only_reads(turn: &Turn, call: &Call) -> bool {
    turn.registry.get(&call.name).is_some_and(|tool| {
        let effects = tool.definition().effects;
        effects.writes == Writes::None && effects.exec == Exec::None
    })
}

/// One call, told from beginning to end.
async fn run_one(turn: &Turn, call: &Call, nth: usize) -> Done {
    let mut state = ToolCallState {
        call_id: call.id.clone(),
        tool: call.name.clone(),
        title: call.name.clone(),
        kind: turn.registry.get(&call.name).map_or(ToolKind::Other, |tool| tool.kind()),
        status: CallStatus::Pending,
        arguments: arguments(call),
        locations: Vec::new(),
        content: Vec::new(),
        diffs: Vec::new(),
    };
    turn.tell(EventKind::ToolCall(state.clone()));
    let done = if nth >= limits::CALLS_IN_ANSWER {
        refused(format!("Not run: more than {} calls in one answer.", limits::CALLS_IN_ANSWER))
    } else {
        judge_and_run(turn, call, &mut state).await
    };
    state.status = if done.output.is_error { CallStatus::Failed } else { CallStatus::Completed };
    state.content = done.output.content.clone();
    turn.tell(EventKind::ToolCall(state));
    if call.name == "todowrite" && !done.output.is_error {
        turn.tell(EventKind::Plan(turn.ctx.todos.lock().clone()));
    }
    done
}

/// 1. The tool and its schema. 2. Resolution into the one value that is judged, shown and run.
/// 3. The gate, which may ask. 4. Dispatch with the grant. 5. The output rule.
async fn judge_and_run(turn: &Turn, call: &Call, state: &mut ToolCallState) -> Done {
    let (tool, checked) = match turn.registry.check(call) {
        Ok(found) => found,
        Err(output) => return Done { output, stop: false },
    };
    let ctx = context(turn, call, state);
    let resolved = match tool.resolve(&call.id, checked, &ctx).await {
        Ok(resolved) => resolved,
        Err(reason) => return refused(reason),
    };
    show(&*tool, &resolved, state);
    turn.tell(EventKind::ToolCall(state.clone()));
    let granted = tokio::select! {
        biased;
        () = ctx.cancel.cancelled() => return refused("The call was interrupted by the user before it ran.".into()),
        answer = turn.gate.check(resolved) => match answer {
            Ok(granted) => granted,
            Err(refusal) => return Done { output: ToolOutput::error(refusal.words), stop: refusal.stop },
        },
    };
    state.status = CallStatus::Running;
    turn.tell(EventKind::ToolCall(state.clone()));
    let recording = Arc::new(Recording::new(turn, state.clone()));
    let ctx = ToolContext { reviewer: recording.clone(), ..ctx };
    let output = run(&*tool, granted, &ctx).await;
    state.diffs = recording.diffs();
    Done { output: crate::tools::finish(output, &ctx).await, stop: false }
}

/// Run a granted call; a panic costs that call, and a tool that ignores a cancel is dropped.
async fn run(tool: &dyn Tool, granted: Granted, ctx: &ToolContext) -> ToolOutput {
    let running = AssertUnwindSafe(tool.run(granted, ctx)).catch_unwind();
    let too_late = async {
        ctx.cancel.cancelled().await;
        tokio::time::sleep(limits::CANCEL_GRACE).await;
    };
    tokio::select! {
        output = running => output.unwrap_or_else(|_| {
            ToolOutput::error("The tool failed by a fault of Assent's own. Its effects are unknown: look before you go on.")
        }),
        () = too_late => ToolOutput::error("The call was interrupted by the user. What it had done by then is unknown."),
    }
}

fn refused(words: String) -> Done {
    Done { output: ToolOutput::error(words), stop: false }
}

fn arguments(call: &Call) -> Value {
    match &call.arguments {
        Arguments::Object(map) => Value::Object(map.clone()),
        Arguments::Invalid { text, .. } => Value::String(text.clone()),
    }
}

fn show(tool: &dyn Tool, call: &ResolvedCall, state: &mut ToolCallState) {
    state.title = tool.title(call);
    state.arguments = Value::Object(call.arguments.clone());
    state.locations = call.paths.iter().map(|(_, path)| (path.absolute.clone(), None)).collect();
}

/// The call's own context: its live output carries its id.
fn context(turn: &Turn, call: &Call, _state: &ToolCallState) -> ToolContext {
    let (events, call_id) = (Arc::clone(&turn.events), call.id.clone());
    let output = move |text: &str| {
        events(EventKind::ToolOutput { call_id: call_id.clone(), text: text.to_owned() });
    };
    ToolContext { output: Arc::new(output), ..turn.ctx.clone() }
}

/// Notes what a call proposes on its way to the review, so that the call shows its diffs.
struct Recording {
    inner: Arc<dyn Reviewer>,
    events: Arc<dyn Fn(EventKind) + Send + Sync>,
    state: parking_lot::Mutex<ToolCallState>,
}

impl Recording {
    fn new(turn: &Turn, state: ToolCallState) -> Self {
        Self {
            inner: Arc::clone(&turn.ctx.reviewer),
            events: Arc::clone(&turn.events),
            state: parking_lot::Mutex::new(state),
        }
    }

    fn diffs(&self) -> Vec<Diff> {
        self.state.lock().diffs.clone()
    }
}

#[async_trait]
impl Reviewer for Recording {
    async fn review(&self, granted: &Granted, proposals: Vec<Proposal>) -> ToolOutput {
        let state = {
            let mut state = self.state.lock();
            state.diffs.extend(proposals.iter().filter_map(diff));
            state.clone()
        };
        (self.events)(EventKind::ToolCall(state));
        self.inner.review(granted, proposals).await
    }
}

fn diff(proposal: &Proposal) -> Option<Diff> {
    let created = proposal.change == assent_base::review::Change::Create;
    Some(Diff {
        path: proposal.uri.to_path()?,
        old_text: (!created).then(|| proposal.old.to_string()),
        new_text: proposal.new_text.clone(),
    })
}
