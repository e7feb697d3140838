//! Events on their way from the engine to a client: the engine never waits, the client's pace is
//! kept, order too.
//!
//! Pieces of one text are joined while they wait, for at most [`PAUSE`] and for as long as the
//! client is slower than the model; so what can come by the thousand takes up one place.

use assent_engine::event::{Event, EventKind};
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
            waiting.items.push_back(Item::Event(event));
        }
        drop(waiting);
        self.0.changed.notify_one();
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
            let items = self.take(earliest).await;
            for item in items {
                match item {
                    Item::Event(event) => sink(event).await,
                    Item::Flush(sender) => drop(sender.send(())),
                }
            }
            earliest = Instant::now() + PAUSE;
        }
    }

    /// Everything that waits: at once where something is urgent, else not before `earliest`.
    async fn take(&self, earliest: Instant) -> VecDeque<Item> {
        loop {
            let empty = {
                let mut waiting = self.0.waiting.lock();
                let due = waiting.urgent || Instant::now() >= earliest;
                if due && !waiting.items.is_empty() {
                    waiting.urgent = false;
                    return std::mem::take(&mut waiting.items);
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

/// Join a piece to the last event of its session, if that is the same text; else give it back.
fn joined(items: &mut VecDeque<Item>, event: Event) -> Option<Event> {
    let last = items.iter_mut().rev().find_map(|item| match item {
        Item::Event(other) if other.session == event.session => Some(Some(&mut other.kind)),
        Item::Event(_) => None,
        Item::Flush(_) => Some(None),
    });
    match (last.flatten(), &event.kind) {
        (Some(EventKind::Text(text)), EventKind::Text(more))
        | (Some(EventKind::Reasoning(text)), EventKind::Reasoning(more)) => text.push_str(more),
        (
            Some(EventKind::ToolOutput { call_id, text }),
            EventKind::ToolOutput { call_id: id, text: more },
        ) if call_id == id => {
            text.push_str(more);
        }
        _ => return Some(event),
    }
    None
}

#[cfg(test)]
mod tests;
