//! Calls that a model wrote as text. Small local models know how a call looks but not how to make
//! one, and write it into their answer: in a code fence, as a bare object, or between
//! `<tool_call>` tags. Where this is switched on for a provider, such a text is taken as the call
//! it is: only if it names a tool that was offered, and only if the object holds a name and
//! arguments and nothing else.
//!
//! While the answer streams, text that may still become a call is held back, so that nobody sees
//! JSON flash by; it is bounded by [`TEXT_CALL_BYTES`](crate::limits::TEXT_CALL_BYTES).

mod splitter;

use crate::limits;
use crate::model::{Answer, Delta, Model, ModelError, Request};
use assent_base::chat::Part;
use assent_base::tool::Call;
use async_trait::async_trait;
use splitter::{Piece, Splitter};
use std::sync::Arc;
use tokio::sync::mpsc;

/// A model whose written calls are taken as calls.
pub(crate) struct TextCalls {
    inner: Arc<dyn Model>,
}

impl TextCalls {
    pub(crate) fn new(inner: Arc<dyn Model>) -> Self {
        Self { inner }
    }
}

#[async_trait]
impl Model for TextCalls {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn window(&self) -> Option<u64> {
        self.inner.window()
    }

    fn takes_images(&self) -> bool {
        self.inner.takes_images()
    }

    async fn run(&self, request: &Request, deltas: &mpsc::Sender<Delta>) -> Result<Answer, ModelError> {
        let tools: Vec<&str> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
        let (sender, receiver) = mpsc::channel(limits::DELTAS);
        let answer = async {
            let answer = self.inner.run(request, &sender).await;
            drop(sender);
            answer
        };
        let (answer, held) = tokio::join!(answer, forward(receiver, deltas, &tools));
        let answer = answer?;
        if answer.parts.iter().any(|part| matches!(part, Part::Call(_))) {
            // A model that makes real calls only talks about the written ones.
            for raw in held {
                send(deltas, Delta::Text(raw)).await;
            }
            return Ok(answer);
        }
        let parts: Vec<Part> = answer.parts.into_iter().flat_map(|part| split(part, &tools)).collect();
        for part in &parts {
            if let Part::Call(call) = part {
                send(deltas, Delta::CallStarted { id: call.id.clone(), name: call.name.clone() }).await;
            }
        }
        Ok(Answer { parts, ..answer })
    }
}

/// Passes deltas on, less the texts that are calls. Gives those texts.
async fn forward(
    mut receiver: mpsc::Receiver<Delta>,
    deltas: &mpsc::Sender<Delta>,
    tools: &[&str],
) -> Vec<String> {
    let mut splitter = Splitter::new(tools);
    let mut held = Vec::new();
    while let Some(delta) = receiver.recv().await {
        if let Delta::Text(text) = &delta {
            show(splitter.feed(text), deltas, &mut held).await;
        } else {
            // A part ends where another begins.
            show(splitter.finish(), deltas, &mut held).await;
            send(deltas, delta).await;
        }
    }
    show(splitter.finish(), deltas, &mut held).await;
    held
}

async fn show(pieces: Vec<Piece>, deltas: &mpsc::Sender<Delta>, held: &mut Vec<String>) {
    for piece in pieces {
        match piece {
            Piece::Text(text) => send(deltas, Delta::Text(text)).await,
            Piece::Call { raw, .. } => held.push(raw),
        }
    }
}

async fn send(deltas: &mpsc::Sender<Delta>, delta: Delta) {
    // Whoever stopped listening still gets the answer.
    let _ = deltas.send(delta).await;
}

/// A part of the finished answer, its text taken apart.
fn split(part: Part, tools: &[&str]) -> Vec<Part> {
    let Part::Text(text) = part else { return vec![part] };
    let mut splitter = Splitter::new(tools);
    let mut parts: Vec<Part> = Vec::new();
    for piece in splitter.feed(&text).into_iter().chain(splitter.finish()) {
        match (piece, parts.last_mut()) {
            (Piece::Text(text), Some(Part::Text(last))) => last.push_str(&text),
            (Piece::Text(text), _) => parts.push(Part::Text(text)),
            (Piece::Call { name, arguments, .. }, _) => {
                let id = format!("call_{}", uuid::Uuid::now_v7().simple());
                parts.push(Part::Call(Call { id, name, arguments }));
            }
        }
    }
    parts.retain(|part| !matches!(part, Part::Text(text) if text.trim().is_empty()));
    parts
}

#[cfg(test)]
mod tests;
