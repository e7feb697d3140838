//! What each tool call goes through: schema, resolution, the gate, dispatch, the output rule.
//! Whatever goes wrong on the way is a failed result for the model, never an error of the turn.

use super::Turn;
use super::kept;
use super::recording::Recording;
use crate::documents::{self, LoadError, Snapshot};
use crate::event::{CallStatus, EventKind, Level, ToolCallState, ToolKind};
use crate::limits;
use crate::permission::Granted;
use crate::review;
use crate::store::{Entry, KeptReview};
use crate::tools::{Reviewer, Tool, ToolContext, ToolOutput};
use assent_base::policy::ResolvedCall;
use assent_base::review::Change;
use assent_base::tool::{Arguments, Call};
use futures::FutureExt;
use serde_json::Value;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// What came of one call.
pub(super) struct Done {
    pub(super) output: ToolOutput,
    /// The user said no and wants the turn to end.
    pub(super) stop: bool,
    /// Secrets that were taken out of the result.
    pub(super) kept: Vec<&'static str>,
    /// What is told of it once its result is in the log.
    pub(super) told: Vec<EventKind>,
}

/// One call, told from its beginning.
pub(super) async fn run_one(turn: &Turn, call: &Call, nth: usize) -> Done {
    let mut state = ToolCallState {
        summary: None,
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
    let mut done = if nth >= limits::CALLS_IN_ANSWER {
        refused(format!("Not run: more than {} calls in one answer.", limits::CALLS_IN_ANSWER))
    } else {
        judge_and_run(turn, call, &mut state).await
    };
    if turn.ctx.keep_secrets {
        let mut kinds = std::mem::take(&mut done.kept);
        kinds.extend(kept::keep_secrets(&mut done.output.content));
        done.told.extend(kept::told(kinds, &format!("the result of {}", call.name)));
    }
    state.status = if done.output.is_error { CallStatus::Failed } else { CallStatus::Completed };
    state.content = done.output.content.clone();
    state.summary = done.output.summary.clone();
    done.told.push(EventKind::ToolCall(state));
    if call.name == "todowrite" && !done.output.is_error {
        done.told.push(EventKind::Plan(turn.ctx.todos.lock().clone()));
    }
    done
}

/// 1. The tool and its schema. 2. Resolution into the one value that is judged, shown and run.
/// 3. The gate, which may ask. 4. Dispatch with the grant. 5. The output rule.
///
/// A call whose edit stood in review when the server ended has been through it: what is left is
/// to look whether it still may, and to open the review again.
async fn judge_and_run(turn: &Turn, call: &Call, state: &mut ToolCallState) -> Done {
    let kept = turn.interrupted.as_ref().and_then(|interrupted| interrupted.review(&call.id));
    let (tool, checked) = match turn.registry.check(call) {
        Ok(found) => found,
        Err(output) => return done(output),
    };
    let ctx = context(turn, call);
    let resolved = match tool.resolve(&call.id, checked, &ctx).await {
        Ok(resolved) => resolved,
        Err(reason) => {
            return kept.map_or_else(|| refused(reason.clone()), |kept| ended(turn, kept, &reason));
        }
    };
    let secrets = kept::secret_file(&resolved).filter(|_| ctx.keep_secrets);
    let only_reads = tool.only_reads();
    show(&*tool, &resolved, state);
    turn.tell(EventKind::ToolCall(state.clone()));
    if let Some(kept) = kept {
        return reopen(turn, resolved, kept.clone(), state).await;
    }
    let Some(identity) = turn.registry.identity(&resolved.tool) else {
        return refused(format!("{} is no tool that is known here.", resolved.tool));
    };
    let granted = tokio::select! {
        biased;
        () = ctx.cancel.cancelled() => return refused("The call was interrupted by the user before it ran.".into()),
        answer = turn.gate.check(resolved, identity) => match answer {
            Ok(granted) => granted,
            Err(refusal) => return Done { stop: refusal.stop, ..refused(refusal.words) },
        },
    };
    let journal = turn.ledger.journal();
    if let Err(words) = journal.note(&Entry::Granted(call.id.clone())).await {
        return refused(words);
    }
    state.status = CallStatus::Running;
    turn.tell(EventKind::ToolCall(state.clone()));
    let mut waiting = None;
    if tool.asks_user() {
        if let Err(words) = journal.note(&Entry::Asked(call.id.clone())).await {
            return refused(words);
        }
        journal.note_asked();
        waiting = Some(journal.wait());
    }
    let recording = Arc::new(Recording::new(turn, state.clone()));
    let ctx = ToolContext { reviewer: recording.clone(), ..ctx };
    let output = run(&*tool, granted, &ctx).await;
    drop(waiting);
    state.diffs = recording.diffs();
    let mut done = done(crate::tools::finish(output, &ctx).await);
    // What an edit that went well says, or a read that did not, holds nothing of the file.
    if let Some(file) = secrets.filter(|_| only_reads != done.output.is_error) {
        done.kept = kept::keep_file(&mut done.output.content, file);
    }
    done
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

/// Open a review again, over the text as it is, if its file still is where it was and the rules of
/// today do not forbid the call.
async fn reopen(turn: &Turn, resolved: ResolvedCall, kept: KeptReview, state: &mut ToolCallState) -> Done {
    let granted = match turn.gate.check_again(resolved).await {
        Ok(granted) => granted,
        Err(refusal) => return ended(turn, &kept, &refusal.words),
    };
    let now = match texts(turn, &kept).await {
        Ok(now) => now,
        Err(reason) => return ended(turn, &kept, &reason),
    };
    state.status = CallStatus::Running;
    turn.tell(EventKind::ToolCall(state.clone()));
    let recording = Recording::new(turn, state.clone());
    let output = recording.reopen(&granted, kept, now).await;
    state.diffs = recording.diffs();
    done(output)
}

/// The text of each file of a review as it is now, or why the review can't be opened again.
async fn texts(turn: &Turn, kept: &KeptReview) -> Result<Vec<Option<Arc<Snapshot>>>, String> {
    let mut texts = Vec::with_capacity(kept.files.len());
    for file in &kept.files {
        if let (Some(path), Some(place)) = (file.uri.to_path(), &file.place)
            && documents::real_path(&path).await.as_ref() != Some(place)
        {
            return Err(format!("{} leads elsewhere than when the edit was proposed.", path.display()));
        }
        let ctx = &turn.ctx;
        texts.push(match documents::load_uri(&ctx.documents, &*ctx.editor, &ctx.session, &file.uri).await {
            Ok(text) => Some(text),
            Err(LoadError::NotFound(_)) if file.change == Change::Create => None,
            Err(problem) => return Err(problem.to_string()),
        });
    }
    Ok(texts)
}

/// A review that stood open when the server ended, and can't be opened again.
fn ended(turn: &Turn, kept: &KeptReview, reason: &str) -> Done {
    let text = format!("What was still to be reviewed of an edit is closed: {reason}");
    turn.tell(EventKind::Notice { level: Level::Warning, text });
    let reason = format!("{reason} Nothing more of it was applied; read the file before another try.");
    done(review::end_kept(kept, &reason))
}

fn done(output: ToolOutput) -> Done {
    Done { output, stop: false, kept: Vec::new(), told: Vec::new() }
}

fn refused(words: String) -> Done {
    done(ToolOutput::error(words))
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
fn context(turn: &Turn, call: &Call) -> ToolContext {
    let (events, call_id) = (Arc::clone(&turn.events), call.id.clone());
    let output = move |text: &str| {
        events(EventKind::ToolOutput { call_id: call_id.clone(), text: text.to_owned() });
    };
    ToolContext { output: Arc::new(output), ..turn.ctx.clone() }
}
