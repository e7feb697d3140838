//! What the user types.

use std::io::BufRead;
use tokio::sync::mpsc;

/// Lines that wait to be taken; the reading thread waits when it is full.
const LINES: usize = 16;

/// Lines from standard input, read by a thread of its own: a read that blocks must not keep the
/// process from ending.
#[derive(Default)]
pub struct Typed {
    lines: Option<mpsc::Receiver<String>>,
}

impl Typed {
    /// Lines from elsewhere.
    #[cfg(test)]
    pub fn of(lines: mpsc::Receiver<String>) -> Self {
        Self { lines: Some(lines) }
    }

    /// Forget what was typed before the question stood there: it was meant for something else.
    pub fn forget(&mut self) {
        let lines = self.lines();
        while lines.try_recv().is_ok() {}
    }

    /// The next line, trimmed; `None` at the end of the input.
    pub async fn line(&mut self) -> Option<String> {
        self.lines().recv().await.map(|line| line.trim().to_owned())
    }

    fn lines(&mut self) -> &mut mpsc::Receiver<String> {
        self.lines.get_or_insert_with(|| {
            let (sender, lines) = mpsc::channel(LINES);
            std::thread::spawn(move || {
                for line in std::io::stdin().lock().lines() {
                    let Ok(line) = line else { return };
                    if sender.blocking_send(line).is_err() {
                        return;
                    }
                }
            });
            lines
        })
    }
}
