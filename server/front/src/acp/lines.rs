//! The lines of the wire.

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// Longest line that is read; a longer one is skipped and complained about.
pub const LINE_BYTES: usize = 64 * 1024 * 1024;

/// A line as it came.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// Without its end.
    Whole(Vec<u8>),
    /// Longer than [`LINE_BYTES`].
    TooLong,
}

/// Reads lines; those with nothing in them don't count.
pub struct Lines<R> {
    reader: BufReader<R>,
    /// What has come of the next line. Kept here, so that a read can be dropped half way.
    begun: Vec<u8>,
    too_long: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Lines from `reader`.
    pub fn new(reader: R) -> Self {
        Self { reader: BufReader::new(reader), begun: Vec::new(), too_long: false }
    }

    /// The next line; `None` at the end of the input, or when it breaks.
    pub async fn next(&mut self) -> Option<Line> {
        loop {
            let ended = self.fill().await?;
            if !ended {
                continue;
            }
            let line = std::mem::take(&mut self.begun);
            if std::mem::take(&mut self.too_long) {
                return Some(Line::TooLong);
            }
            if !line.trim_ascii().is_empty() {
                return Some(Line::Whole(line));
            }
        }
    }

    /// Take what has come; says whether the line ended. A last line needs no end.
    async fn fill(&mut self) -> Option<bool> {
        let bytes = self.reader.fill_buf().await.ok()?;
        if bytes.is_empty() {
            let left = !self.begun.trim_ascii().is_empty() || self.too_long;
            return left.then_some(true);
        }
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (taken, used) = match end {
            Some(end) => (&bytes[..end], end + 1),
            None => (bytes, bytes.len()),
        };
        if self.begun.len() + taken.len() > LINE_BYTES {
            self.too_long = true;
            self.begun = Vec::new();
        } else if !self.too_long {
            self.begun.extend_from_slice(taken);
        }
        self.reader.consume(used);
        Some(end.is_some())
    }
}

#[cfg(test)]
mod tests;
