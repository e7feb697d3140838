//! Which calls of one answer run side by side. What only reads does; so do edits, each of which
//! would otherwise keep the next from being shown until the user has decided; everything else
//! waits for what stands before it. Edits of one document follow each other: each is made against
//! the text as the one before leaves it.

use super::call::{self, Done};
use super::repeats::{Repeats, Verdict};
use super::{StopReason, Turn};
use crate::limits;
use crate::store::Entry;
use assent_base::tool::{Call, CallResult, Content};
use futures::stream::{BoxStream, SelectAll};
use futures::{FutureExt, StreamExt};
use std::collections::VecDeque;

/// How a run of calls may be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Together {
    /// It changes nothing.
    Reads,
    /// It ends in a review.
    Edits,
    /// One at a time.
    Alone,
}

/// Run the calls of one answer. Every result is in the log as soon as its call ends, and all are
/// in the conversation when this returns.
pub(super) async fn run_all(
    turn: &mut Turn,
    calls: Vec<Call>,
    repeats: &mut Repeats,
) -> Result<Verdict, StopReason> {
    let mut failed: Vec<bool> = Vec::with_capacity(calls.len());
    let mut verdict = Verdict::Go;
    while failed.len() < calls.len() {
        let at = failed.len();
        let together = together(turn, &calls[at]);
        let group = match together {
            Together::Alone => 1,
            _ => calls[at..].iter().take_while(|next| self::together(turn, next) == together).count(),
        };
        let ran = run_group(turn, &calls, at..at + group, together).await?;
        failed.extend(&ran.failed);
        let ends = ran.stop || turn.ctx.cancel.is_cancelled() || failed.len() == calls.len();
        let (nth, mut last) = ran.last;
        if ends {
            verdict = repeats.saw(&calls[..failed.len()], &failed);
            if let Verdict::Tell(words) = &verdict {
                last.output.content.push(Content::Text(words.clone()));
            }
        }
        let mut facts = Vec::new();
        if calls[at..at + group].iter().any(|call| call.name == "todowrite") {
            facts.push(Entry::Todos(turn.ctx.todos.lock().clone()));
        }
        end(turn, &calls[nth], last, facts).await?;
        match () {
            () if ran.stop => return Err(StopReason::EndTurn),
            () if turn.ctx.cancel.is_cancelled() => return Err(StopReason::Cancelled),
            () => {}
        }
    }
    Ok(verdict)
}

/// What came of a group.
struct Ran {
    /// Which of its calls failed, in order.
    failed: Vec<bool>,
    /// The last of them to end, whose result may get a word more.
    last: (usize, Done),
    /// The user said no and wants the turn to end.
    stop: bool,
}

async fn run_group(
    turn: &Turn,
    calls: &[Call],
    group: std::ops::Range<usize>,
    together: Together,
) -> Result<Ran, StopReason> {
    let (first, count) = (group.start, group.len());
    let mut rows: VecDeque<Vec<usize>> = match together {
        Together::Edits => by_document(turn, calls, group).await,
        Together::Reads | Together::Alone => group.map(|nth| vec![nth]).collect(),
    };
    let ends: Vec<usize> = rows.iter().filter_map(|row| row.last().copied()).collect();
    let mut running = SelectAll::new();
    let mut unfinished = 0;
    let (mut failed, mut last, mut stop) = (vec![true; count], None, false);
    loop {
        let (nth, done): (usize, Done) = tokio::select! {
            biased;
            Some(ended) = running.next(), if unfinished > 0 => ended,
            () = may_start(turn, together, unfinished), if !rows.is_empty() => {
                running.extend(rows.pop_front().map(|row| run_row(turn, calls, row)));
                unfinished += 1;
                continue;
            }
            else => break,
        };
        unfinished -= usize::from(ends.contains(&nth));
        failed[nth - first] = done.output.is_error;
        if done.stop && !stop {
            stop = true;
            // What runs beside it is taken back, and says so.
            if count > 1 {
                turn.ctx.cancel.cancel();
            }
        }
        if unfinished == 0 && rows.is_empty() {
            last = Some((nth, done));
        } else {
            end(turn, &calls[nth], done, Vec::new()).await?;
        }
    }
    let last = last.expect("a group has a call, and every row was run to its end");
    Ok(Ran { failed, last, stop })
}

/// Calls one after the other. Boxed: the compiler can't see through a closure that borrows that
/// each is `Send`.
fn run_row<'a>(turn: &'a Turn, calls: &'a [Call], row: Vec<usize>) -> BoxStream<'a, (usize, Done)> {
    let run = move |nth: usize| async move { (nth, call::run_one(turn, &calls[nth], nth).await) }.boxed();
    futures::stream::iter(row).then(run).boxed()
}

/// Returns when the next row may start: an edit when all before it are decided or wait for the
/// user, so that they are shown in the order of the calls.
async fn may_start(turn: &Turn, together: Together, unfinished: usize) {
    match together {
        Together::Edits => turn.ledger.journal().until_waiting(unfinished).await,
        Together::Reads | Together::Alone if unfinished < limits::CALLS_AT_ONCE => {}
        Together::Reads | Together::Alone => std::future::pending().await,
    }
}

/// A call has its result: in the log, with what else is known then, and only then told.
async fn end(turn: &Turn, call: &Call, done: Done, mut facts: Vec<Entry>) -> Result<(), StopReason> {
    let Done { output, told, .. } = done;
    let (content, is_error) = (output.content, output.is_error);
    let result = CallResult { call_id: call.id.clone(), content, is_error };
    facts.extend(super::newly_seen(&turn.ctx.seen));
    turn.ledger.answer(result, facts).await.map_err(StopReason::Failed)?;
    told.into_iter().for_each(|kind| turn.tell(kind));
    Ok(())
}

fn together(turn: &Turn, call: &Call) -> Together {
    match turn.registry.get(&call.name) {
        Some(tool) if tool.only_reads() => Together::Reads,
        Some(tool) if tool.edits_one() => Together::Edits,
        _ => Together::Alone,
    }
}

/// The calls of a group by the document they change, in order.
async fn by_document(turn: &Turn, calls: &[Call], group: std::ops::Range<usize>) -> VecDeque<Vec<usize>> {
    let mut rows: Vec<(Option<String>, Vec<usize>)> = Vec::new();
    for nth in group {
        let document = document(turn, &calls[nth]).await;
        match rows.iter_mut().find(|(other, _)| document.is_some() && *other == document) {
            Some((_, row)) => row.push(nth),
            None => rows.push((document, vec![nth])),
        }
    }
    rows.into_iter().map(|(_, row)| row).collect()
}

/// What a call would change; `None` where it can't be told, and then the call fails anyway.
async fn document(turn: &Turn, call: &Call) -> Option<String> {
    let (tool, arguments) = turn.registry.check(call).ok()?;
    let resolved = tool.resolve(&call.id, arguments, &turn.ctx).await.ok()?;
    let place = resolved.paths.first().map(|(_, path)| path.canonical.display().to_string());
    Some(place.unwrap_or(resolved.subject))
}
