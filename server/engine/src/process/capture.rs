//! A run's output in bounded memory: head and tail for the model, all of it in a file when that
//! is not all, and a live view for the user.

use crate::limits;
use assent_base::clip::OutputDecoder;
use std::collections::VecDeque;
use std::path::PathBuf;
use tokio::io::AsyncWriteExt;

/// What a run wrote, escapes removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Captured {
    /// The beginning; everything, where nothing is missing.
    pub head: String,
    /// The end, where something is missing in between.
    pub tail: Option<String>,
    /// How many characters it wrote.
    pub chars: usize,
    /// The file that holds all of it, where something is missing here.
    pub file: Option<PathBuf>,
    /// Whether even the file has not all of it.
    pub file_is_cut: bool,
}

/// Takes the output as it comes.
pub(super) struct Capture {
    decoder: OutputDecoder,
    /// Characters kept of each end.
    half: usize,
    head: String,
    head_chars: usize,
    /// Pieces of the end; together never much more than `half` characters.
    tail: VecDeque<(String, usize)>,
    tail_chars: usize,
    chars: usize,
    shown: usize,
    spill: Spill,
}

impl Capture {
    pub(super) fn new(limit: usize, spill: PathBuf) -> Self {
        Self {
            decoder: OutputDecoder::new(),
            half: limit / 2,
            head: String::new(),
            head_chars: 0,
            tail: VecDeque::new(),
            tail_chars: 0,
            chars: 0,
            shown: 0,
            spill: Spill::Unused(spill),
        }
    }

    pub(super) async fn push(&mut self, bytes: &[u8], on_output: &(dyn Fn(&str) + Send + Sync)) {
        let text = self.decoder.push(bytes);
        self.take(text, on_output).await;
    }

    pub(super) async fn finish(mut self, on_output: &(dyn Fn(&str) + Send + Sync)) -> Captured {
        let rest = self.decoder.finish();
        self.take(rest, on_output).await;
        let tail: String = self.tail.iter().map(|(piece, _)| piece.as_str()).collect();
        if self.chars <= self.half * 2 {
            self.head.push_str(&tail);
            return Captured {
                head: self.head,
                tail: None,
                chars: self.chars,
                file: None,
                file_is_cut: false,
            };
        }
        let tail = last_chars(&tail, self.half).to_owned();
        let (file, file_is_cut) = self.spill.close().await;
        Captured { head: self.head, tail: Some(tail), chars: self.chars, file, file_is_cut }
    }

    async fn take(&mut self, text: String, on_output: &(dyn Fn(&str) + Send + Sync)) {
        if text.is_empty() {
            return;
        }
        self.show(&text, on_output);
        let count = text.chars().count();
        let fitted = self.chars <= self.half * 2;
        self.chars += count;
        if self.chars > self.half * 2 {
            if fitted {
                // Until now nothing was lost, so the file starts with all of it.
                self.spill.write(&self.head).await;
                for (piece, _) in &self.tail {
                    self.spill.write(piece).await;
                }
            }
            self.spill.write(&text).await;
        }
        self.keep(text, count);
    }

    fn keep(&mut self, text: String, count: usize) {
        let room = self.half - self.head_chars;
        let (first, rest) = text.split_at(chars_end(&text, room));
        self.head.push_str(first);
        let taken = room.min(count);
        self.head_chars += taken;
        if rest.is_empty() {
            return;
        }
        self.tail_chars += count - taken;
        self.tail.push_back((rest.to_owned(), count - taken));
        while let Some((_, first)) = self.tail.front()
            && self.tail_chars - first >= self.half
        {
            self.tail_chars -= first;
            self.tail.pop_front();
        }
    }

    /// The user sees the output as it comes, but not megabytes of it.
    fn show(&mut self, text: &str, on_output: &(dyn Fn(&str) + Send + Sync)) {
        let left = limits::LIVE_OUTPUT_BYTES.saturating_sub(self.shown);
        if left == 0 {
            return;
        }
        self.shown += text.len();
        if text.len() <= left {
            on_output(text);
        } else {
            on_output(&text[..text.floor_char_boundary(left)]);
            on_output("\n[The command goes on; the rest is not shown live.]\n");
            self.shown = limits::LIVE_OUTPUT_BYTES;
        }
    }
}

/// Where the first `count` characters end.
fn chars_end(text: &str, count: usize) -> usize {
    text.char_indices().nth(count).map_or(text.len(), |(at, _)| at)
}

fn last_chars(text: &str, count: usize) -> &str {
    match count.checked_sub(1).and_then(|back| text.char_indices().nth_back(back)) {
        Some((at, _)) => &text[at..],
        None if count == 0 => "",
        None => text,
    }
}

/// The file with the whole output: made only when it is needed, private, bounded.
enum Spill {
    Unused(PathBuf),
    Open { path: PathBuf, file: tokio::fs::File, bytes: u64, cut: bool },
    Failed,
}

impl Spill {
    async fn write(&mut self, text: &str) {
        if let Self::Unused(path) = self {
            *self = match create_private(path).await {
                Ok(file) => Self::Open { path: path.clone(), file, bytes: 0, cut: false },
                Err(error) => {
                    tracing::warn!(path = %path.display(), %error, "a command's output can't be kept");
                    Self::Failed
                }
            };
        }
        let Self::Open { file, bytes, cut, .. } = self else { return };
        let room = limits::SPILL_BYTES.saturating_sub(*bytes);
        let fits = text.floor_char_boundary(usize::try_from(room).unwrap_or(usize::MAX));
        *cut |= fits < text.len();
        *bytes += fits as u64;
        if file.write_all(&text.as_bytes()[..fits]).await.is_err() {
            // A full disk must not end the command.
            *cut = true;
            *bytes = limits::SPILL_BYTES;
        }
    }

    async fn close(self) -> (Option<PathBuf>, bool) {
        match self {
            Self::Open { path, mut file, cut, .. } => {
                let lost = file.flush().await.is_err();
                (Some(path), cut || lost)
            }
            Self::Unused(_) | Self::Failed => (None, true),
        }
    }
}

async fn create_private(path: &PathBuf) -> std::io::Result<tokio::fs::File> {
    if let Some(folder) = path.parent() {
        tokio::fs::create_dir_all(folder).await?;
    }
    let mut options = tokio::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    options.mode(0o600);
    options.open(path).await
}

#[cfg(test)]
mod tests;
