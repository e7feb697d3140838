//! Events on their way from the engine to a client: the engine never waits, the client's pace is
//! kept, order too.
//!
//! Pieces of one text are joined while they wait, for at most [`PAUSE`] and for as long as the
//! client is slower than the model; so what can come by the thousand takes up one place. When a
//! client falls far behind, a state makes older ones of the same thing needless, and turns wait
//! for [`Feed::room`]. What has no such bound is a conversation that is told again: it takes up
//! what the conversation itself does.

use assent_engine::event::{CallStatus, Event, EventKind};
use assent_engine::limits;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

/// How long pieces of text are collected before they are told.
const PAUSE: Duration = Duration::from_millis(16);

/// The queue of events of one connection. Cheap to clone.
#[derive(Clone, Default)]
pub struct Feed(Arc<Inner>);

#[derive(Default)]
struct Inner {
    waiting: Mutex<Waiting>,
    changed: Notify,
    /// Something was told, so there may be room again.
    told: Notify,
}

#[derive(Default)]
struct Waiting {
    items: VecDeque<Item>,
    /// Something waits that is not a piece of text.
    urgent: bool,
}

enum Item {
    Event(Event),
    /// Whoever waits for everything before it.
    Flush(oneshot::Sender<()>),
}

impl Feed {
    /// Add an event. Never waits.
    pub fn push(&self, event: Event) {
        let mut waiting = self.0.waiting.lock();
        waiting.urgent |= !is_piece(&event.kind);
        if let Some(event) = joined(&mut waiting.items, event) {
            if waiting.items.len() >= limits::EVENTS_JOINED {
                leave_out_older(&mut waiting.items, &event);
            }
            waiting.items.push_back(Item::Event(event));
        }
        drop(waiting);
        self.0.changed.notify_one();
    }

    /// Wait while the client is too far behind for a turn to go on.
    pub async fn room(&self) {
        loop {
            let told = self.0.told.notified();
            if self.0.waiting.lock().items.len() < limits::EVENTS_WAITING {
                return;
            }
            told.await;
        }
    }

    /// Wait until everything pushed before has been told.
    pub async fn flush(&self) {
        let (sender, told) = oneshot::channel();
        {
            let mut waiting = self.0.waiting.lock();
            waiting.urgent = true;
            waiting.items.push_back(Item::Flush(sender));
        }
        self.0.changed.notify_one();
        // An error means that nobody tells any more: then there is nothing to wait for.
        let _ = told.await;
    }

    /// Tell events one after the other, for ever.
    pub async fn tell<F: Future<Output = ()>>(&self, mut sink: impl FnMut(Event) -> F) {
        let mut earliest = Instant::now();
        loop {
            // What comes while these are told waits for the next round, and is joined there.
            for _ in 0..self.due(earliest).await {
                let Some(item) = self.0.waiting.lock().items.pop_front() else { break };
                match item {
                    Item::Event(event) => sink(event).await,
                    Item::Flush(sender) => drop(sender.send(())),
                }
                self.0.told.notify_waiters();
            }
            earliest = Instant::now() + PAUSE;
        }
    }

    /// Wait until something is to be told: at once where it is urgent, else not before `earliest`.
    /// Gives how much waits then.
    async fn due(&self, earliest: Instant) -> usize {
        loop {
            let empty = {
                let mut waiting = self.0.waiting.lock();
                let due = waiting.urgent || Instant::now() >= earliest;
                if due && !waiting.items.is_empty() {
                    waiting.urgent = false;
                    return waiting.items.len();
                }
                waiting.items.is_empty()
            };
            let pause = async {
                match empty {
                    true => std::future::pending().await,
                    false => tokio::time::sleep_until(earliest).await,
                }
            };
            tokio::select! {
                () = pause => {}
                () = self.0.changed.notified() => {}
            }
        }
    }
}

fn is_piece(kind: &EventKind) -> bool {
    matches!(kind, EventKind::Text(_) | EventKind::Reasoning(_) | EventKind::ToolOutput { .. })
}

/// Join a piece to the last event of its session, if that is the same text, or to the output of its
/// call, if nothing was said of that call since; else give it back.
fn joined(items: &mut VecDeque<Item>, event: Event) -> Option<Event> {
    for item in items.iter_mut().rev().take(limits::EVENTS_WAITING) {
        let Item::Event(other) = item else { break };
        if other.session != event.session {
            continue;
        }
        match (&mut other.kind, &event.kind) {
            (EventKind::Text(text), EventKind::Text(more))
            | (EventKind::Reasoning(text), EventKind::Reasoning(more)) => text.push_str(more),
            (EventKind::ToolOutput { call_id, text }, EventKind::ToolOutput { call_id: id, text: more })
                if call_id == id =>
            {
                text.push_str(more)
            }
            // Calls run side by side, and so their outputs take turns.
            (EventKind::ToolCall(call), EventKind::ToolOutput { call_id, .. })
                if call.call_id == *call_id =>
            {
                break;
            }
            (_, EventKind::ToolOutput { .. }) => continue,
            _ => break,
        }
        return None;
    }
    Some(event)
}

/// Take out what waits and says less than this event: older states of the same thing, and the
/// output of a call whose result is there. What somebody waits to have been told stays, and so does
/// what lies so far back that only a conversation that is told again can have put it there.
fn leave_out_older(items: &mut VecDeque<Item>, event: &Event) {
    let last = items.len().saturating_sub(limits::EVENTS_WAITING);
    for at in (last..items.len()).rev() {
        match &items[at] {
            Item::Flush(_) => break,
            Item::Event(older) if older.session == event.session && says_less(&older.kind, &event.kind) => {
                items.remove(at);
            }
            Item::Event(_) => {}
        }
    }
}

fn says_less(older: &EventKind, newer: &EventKind) -> bool {
    match (older, newer) {
        (EventKind::ToolCall(older), EventKind::ToolCall(newer)) => older.call_id == newer.call_id,
        (EventKind::ToolOutput { call_id, .. }, EventKind::ToolCall(newer)) => {
            *call_id == newer.call_id && matches!(newer.status, CallStatus::Completed | CallStatus::Failed)
        }
        (EventKind::Review(older), EventKind::Review(newer)) => older.id == newer.id,
        (EventKind::Plan(_), EventKind::Plan(_))
        | (EventKind::Usage(_), EventKind::Usage(_))
        | (EventKind::Title(_), EventKind::Title(_))
        | (EventKind::ModeChanged(_), EventKind::ModeChanged(_))
        | (EventKind::Commands(_), EventKind::Commands(_))
        | (EventKind::ConfigChanged, EventKind::ConfigChanged) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
