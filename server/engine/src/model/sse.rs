//! The events of a streamed answer.
//!
//! The framing (line ends of every kind, comments, several data lines joined, any chunking) is
//! `sse-stream`'s. Around it stand three things that it leaves to its user: bounds, an end of
//! stream that counts as the end of the last event (some servers close right after `[DONE]`), and
//! errors of our own.

use crate::limits;
use crate::model::endpoint::reason;
use crate::model::failure::Trouble;
use bytes::Bytes;
use futures::{Stream, StreamExt, stream};
use sse_stream::SseByteStream;

/// The data of each event, empty ones left out.
pub(crate) fn events(response: reqwest::Response) -> impl Stream<Item = Result<String, Trouble>> + Unpin {
    let bytes = response.bytes_stream().map(|chunk| chunk.map_err(|error| reason(&error)));
    decode(bytes, Bounds { line: limits::MODEL_LINE_BYTES, total: limits::MODEL_ANSWER_BYTES })
}

/// How much may come.
#[derive(Clone, Copy)]
struct Bounds {
    line: usize,
    total: usize,
}

#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("{0}")]
    Network(String),
    #[error("{0}")]
    TooMuch(String),
}

fn decode(
    bytes: impl Stream<Item = Result<Bytes, String>> + Send + 'static,
    bounds: Bounds,
) -> impl Stream<Item = Result<String, Trouble>> + Unpin {
    let (mut line, mut total) = (0, 0);
    let guarded = bytes.map(move |chunk| {
        let chunk = chunk.map_err(Fault::Network)?;
        total += chunk.len();
        line = match chunk.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => chunk.len() - end - 1,
            None => line + chunk.len(),
        };
        if line > bounds.line || total > bounds.total {
            let (what, limit) =
                if line > bounds.line { ("a line", bounds.line) } else { ("an answer", bounds.total) };
            return Err(Fault::TooMuch(format!("{what} of more than {limit} bytes")));
        }
        Ok(chunk)
    });
    let closed = guarded.chain(stream::iter([Ok(Bytes::from_static(b"\n\n"))]));
    let events = SseByteStream::new(closed).filter_map(|event| async {
        match event {
            Ok(event) => event.data.filter(|data| !data.trim().is_empty()).map(Ok),
            Err(error) => Some(Err(trouble(error))),
        }
    });
    Box::pin(events)
}

fn trouble(error: sse_stream::Error) -> Trouble {
    match error {
        sse_stream::Error::Body(body) => match body.downcast_ref::<Fault>() {
            Some(Fault::TooMuch(what)) => Trouble::Nonsense(what.clone()),
            _ => Trouble::Network(body.to_string()),
        },
        other => Trouble::Nonsense(other.to_string()),
    }
}

#[cfg(test)]
mod tests;
