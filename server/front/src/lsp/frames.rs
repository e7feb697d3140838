//! LSP's framing, read: a header with the length, then as many bytes of JSON.

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, BufReader};

/// Longest message that is read; a longer one is skipped and complained about.
const MESSAGE_BYTES: u64 = 256 * 1024 * 1024;
/// Longest line of a header.
const HEADER_BYTES: u64 = 8 * 1024;

/// A message as it came.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    /// Its body.
    Whole(Vec<u8>),
    /// Its body was longer than we read.
    TooLong(u64),
}

/// Reads frames one after the other.
pub struct Frames<R> {
    reader: BufReader<R>,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    /// Frames from `reader`.
    pub fn new(reader: R) -> Self {
        Self { reader: BufReader::new(reader) }
    }

    /// The next frame; `None` at the end of the input, or when it breaks. Not to be dropped half
    /// way. Lines that are no header are skipped, so that one bad message does not end it all.
    pub async fn next(&mut self) -> Option<Frame> {
        let mut length = None;
        let mut line = Vec::new();
        loop {
            line.clear();
            let read = (&mut self.reader).take(HEADER_BYTES).read_until(b'\n', &mut line).await.ok()?;
            if read == 0 {
                return None;
            }
            match (content_length(&line), length) {
                (Some(found), _) => length = Some(found),
                (None, Some(length)) if line.trim_ascii().is_empty() => return self.body(length).await,
                (None, _) => {}
            }
        }
    }

    async fn body(&mut self, length: u64) -> Option<Frame> {
        let mut body = (&mut self.reader).take(length);
        if length > MESSAGE_BYTES {
            tokio::io::copy(&mut body, &mut tokio::io::sink()).await.ok()?;
            return Some(Frame::TooLong(length));
        }
        let mut bytes = Vec::new();
        body.read_to_end(&mut bytes).await.ok()?;
        (bytes.len() as u64 == length).then_some(Frame::Whole(bytes))
    }
}

fn content_length(line: &[u8]) -> Option<u64> {
    let (name, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
    name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
}

#[cfg(test)]
mod tests;
