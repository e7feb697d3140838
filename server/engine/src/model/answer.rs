//! An answer, put together from its stream. An adapter translates events into calls of
//! [`Assembly`]; the deltas for the user and the parts of the answer come out of the same calls, so
//! they cannot disagree.

use crate::event::Usage;
use crate::model::endpoint::Endpoint;
use crate::model::failure::Trouble;
use crate::model::{Answer, Delta, ModelError, Request, Stop, arguments, sse};
use assent_base::chat::{Part, Reasoning, ReasoningBlock};
use assent_base::tool::Call;
use futures::StreamExt;
use std::collections::HashSet;
use tokio::sync::mpsc;

/// Translates the events of one wire format.
pub(crate) trait Decoder: Send {
    /// Takes the data of one event.
    fn event(&mut self, data: &str) -> Result<(), Trouble>;
    /// Whether nothing more is expected.
    fn is_done(&self) -> bool;
    /// Whether the stream may end here: the answer is whole, though usage may still follow.
    fn is_complete(&self) -> bool;
    /// What is being put together.
    fn assembly(&mut self) -> &mut Assembly;
    /// The answer.
    fn finish(self) -> Answer;
}

/// Reads a streamed answer to its end, sending deltas as they come.
pub(crate) async fn read<D: Decoder>(
    endpoint: &Endpoint,
    response: reqwest::Response,
    mut decoder: D,
    deltas: &mpsc::Sender<Delta>,
) -> Result<Answer, ModelError> {
    let mut events = sse::events(response);
    while let Some(event) = events.next().await {
        let taken = event.and_then(|data| decoder.event(&data));
        for delta in decoder.assembly().take_deltas() {
            // Whoever stopped listening still gets the answer.
            let _ = deltas.send(delta).await;
        }
        match taken {
            Ok(()) if decoder.is_done() => break,
            Ok(()) => {}
            // A whole answer is not lost to a connection that ends badly.
            Err(Trouble::Network(_)) if decoder.is_complete() => break,
            Err(trouble) => return Err(endpoint.explain(trouble)),
        }
    }
    if decoder.is_complete() { Ok(decoder.finish()) } else { Err(endpoint.explain(Trouble::Cut)) }
}

/// The pieces of an answer.
pub(crate) struct Assembly {
    pieces: Vec<Piece>,
    deltas: Vec<Delta>,
    /// Ids that a new call may not have: those of the conversation and of this answer.
    taken: HashSet<String>,
}

enum Piece {
    Text(String),
    Reasoning(Reasoning),
    Call(OpenCall),
}

struct OpenCall {
    id: String,
    name: String,
    arguments: String,
}

impl Assembly {
    /// Starts the answer to `request`.
    pub(crate) fn new(request: &Request) -> Self {
        use assent_base::chat::Message;
        let parts = request.conversation().filter_map(|message| match message {
            Message::Assistant(parts) => Some(parts),
            Message::User(_) | Message::Results(_) => None,
        });
        let taken = parts.flatten().filter_map(|part| match part {
            Part::Call(call) => Some(call.id.clone()),
            Part::Text(_) | Part::Reasoning(_) => None,
        });
        Self { pieces: Vec::new(), deltas: Vec::new(), taken: taken.collect() }
    }

    /// More words.
    pub(crate) fn text(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        match self.pieces.last_mut() {
            Some(Piece::Text(text)) => text.push_str(piece),
            _ => self.pieces.push(Piece::Text(piece.to_owned())),
        }
        self.deltas.push(Delta::Text(piece.to_owned()));
    }

    /// More thinking, to the last piece if that is thinking too. Gives the piece's place.
    pub(crate) fn reasoning(&mut self, piece: &str) -> usize {
        if !matches!(self.pieces.last(), Some(Piece::Reasoning(_))) {
            self.start_reasoning();
        }
        let place = self.pieces.len() - 1;
        self.more_reasoning(place, piece);
        place
    }

    /// A new piece of thinking. Gives its place.
    pub(crate) fn start_reasoning(&mut self) -> usize {
        self.pieces.push(Piece::Reasoning(Reasoning { text: String::new(), block: None }));
        self.pieces.len() - 1
    }

    /// More thinking to the piece at `place`.
    pub(crate) fn more_reasoning(&mut self, place: usize, piece: &str) {
        if let Some(Piece::Reasoning(reasoning)) = self.pieces.get_mut(place)
            && !piece.is_empty()
        {
            reasoning.text.push_str(piece);
            self.deltas.push(Delta::Reasoning(piece.to_owned()));
        }
    }

    /// The thinking at `place` so far.
    pub(crate) fn reasoning_text(&self, place: usize) -> &str {
        match self.pieces.get(place) {
            Some(Piece::Reasoning(reasoning)) => &reasoning.text,
            _ => "",
        }
    }

    /// Sets the provider's own form of the thinking at `place`.
    pub(crate) fn set_block(&mut self, place: usize, block: ReasoningBlock) {
        if let Some(Piece::Reasoning(reasoning)) = self.pieces.get_mut(place) {
            reasoning.block = Some(block);
        }
    }

    /// A new call. An id that is missing, or that the conversation has already, is replaced by one
    /// of ours. Gives the call's place.
    pub(crate) fn start_call(&mut self, id: &str, name: &str) -> usize {
        let mut id = id.to_owned();
        if id.is_empty() || self.taken.contains(&id) {
            id = format!("call_{}", uuid::Uuid::now_v7().simple());
        }
        self.taken.insert(id.clone());
        if !name.is_empty() {
            self.deltas.push(Delta::CallStarted { id: id.clone(), name: name.to_owned() });
        }
        self.pieces.push(Piece::Call(OpenCall { id, name: name.to_owned(), arguments: String::new() }));
        self.pieces.len() - 1
    }

    /// More of the arguments of the call at `place`.
    pub(crate) fn more_arguments(&mut self, place: usize, piece: &str) {
        if let Some(Piece::Call(call)) = self.pieces.get_mut(place) {
            call.arguments.push_str(piece);
        }
    }

    /// Replaces the arguments of the call at `place`, for formats that repeat them whole.
    pub(crate) fn set_arguments(&mut self, place: usize, whole: &str) {
        if let Some(Piece::Call(call)) = self.pieces.get_mut(place) {
            whole.clone_into(&mut call.arguments);
        }
    }

    /// The name, where the call at `place` began without one.
    pub(crate) fn name_call(&mut self, place: usize, name: &str) {
        if let Some(Piece::Call(call)) = self.pieces.get_mut(place)
            && call.name.is_empty()
            && !name.is_empty()
        {
            name.clone_into(&mut call.name);
            self.deltas.push(Delta::CallStarted { id: call.id.clone(), name: call.name.clone() });
        }
    }

    /// Name and arguments so far of the call at `place`.
    pub(crate) fn call(&self, place: usize) -> Option<(&str, &str)> {
        match self.pieces.get(place) {
            Some(Piece::Call(call)) => Some((&call.name, &call.arguments)),
            _ => None,
        }
    }

    /// The id of the call at `place`.
    pub(crate) fn call_id(&self, place: usize) -> Option<&str> {
        match self.pieces.get(place) {
            Some(Piece::Call(call)) => Some(&call.id),
            _ => None,
        }
    }

    /// What came since the last time, for the user.
    pub(crate) fn take_deltas(&mut self) -> Vec<Delta> {
        std::mem::take(&mut self.deltas)
    }

    /// The finished answer.
    pub(crate) fn finish(self, stop: Stop, usage: Option<Usage>) -> Answer {
        let last = self.pieces.iter().rposition(|piece| !matches!(piece, Piece::Reasoning(_)));
        let parts = self.pieces.into_iter().enumerate().filter_map(|(place, piece)| match piece {
            Piece::Text(text) => (!text.trim().is_empty()).then_some(Part::Text(text)),
            Piece::Reasoning(reasoning) => (!reasoning.text.is_empty() || reasoning.block.is_some())
                .then_some(Part::Reasoning(reasoning)),
            Piece::Call(call) => {
                let cut = stop == Stop::OutputLimit && Some(place) == last;
                let arguments = arguments::parse(&call.arguments, cut);
                Some(Part::Call(Call { id: call.id, name: call.name, arguments }))
            }
        });
        Answer { parts: parts.collect(), stop, usage }
    }
}
