//! What is shown: the answer on one stream, everything else on the other.

use super::hunks;
use super::plain::{Plain, plain};
use super::style::{Paint, Style};
use crate::conversation::updates::origin;
use assent_base::review::{HunkStatus, Review};
use assent_base::tool::Content;
use assent_engine::event::{CallStatus, Event, EventKind, Level, Todo, ToolCallState, ToolKind, UsageReport};
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::PathBuf;

/// The two streams and what stands on them.
pub struct Screen {
    answer: Box<dyn Write + Send>,
    rest: Box<dyn Write + Send>,
    style: Style,
    folder: PathBuf,
    /// Takes escapes out of the answer, across its pieces.
    text: Plain,
    /// The last line of this stream has no end yet.
    open: Open,
    outputs: HashMap<String, Plain>,
    /// Reviews that were drawn already.
    drawn: HashSet<String>,
    /// What we wait for, where a spinner may say so.
    busy: Option<&'static str>,
    spinner: Option<usize>,
    usage: Option<UsageReport>,
    last_error: Option<String>,
    failed_call: bool,
}

/// Which stream has a line without an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    None,
    Answer,
    Rest,
}

/// The spinner's pictures.
const FRAMES: [&str; 4] = ["|", "/", "-", "\\"];

impl Screen {
    /// A screen on two streams. `spins`: a spinner may be drawn on the second.
    pub fn new(
        answer: Box<dyn Write + Send>,
        rest: Box<dyn Write + Send>,
        style: Style,
        spins: bool,
        folder: PathBuf,
    ) -> Self {
        Self {
            answer,
            rest,
            style,
            folder,
            text: Plain::default(),
            open: Open::None,
            outputs: HashMap::new(),
            drawn: HashSet::new(),
            busy: None,
            spinner: spins.then_some(0),
            usage: None,
            last_error: None,
            failed_call: false,
        }
    }

    /// Its colours.
    pub fn style(&self) -> Style {
        self.style
    }

    /// Show an event.
    pub fn show(&mut self, event: &Event) {
        match &event.kind {
            EventKind::TurnStarted => self.busy = Some("waiting for the model"),
            EventKind::Text(piece) => self.answer(piece),
            EventKind::Reasoning(_) => self.busy = Some("the model thinks"),
            EventKind::ToolCall(call) => self.call(call),
            EventKind::ToolOutput { call_id, text } => self.output(call_id, text),
            EventKind::Plan(todos) => self.plan(todos),
            EventKind::Notice { level, text } => self.notice(*level, text),
            EventKind::Review(review) => self.review_changed(review),
            EventKind::UserMessage { content, .. } => self.user(content),
            EventKind::Usage(usage) => self.usage = Some(*usage),
            EventKind::TurnEnded(_) => {
                self.close();
                self.busy = None;
            }
            EventKind::ApprovalClosed { .. }
            | EventKind::ModeChanged(_)
            | EventKind::ConfigChanged
            | EventKind::Commands(_)
            | EventKind::Title(_) => {}
        }
    }

    /// Show an event where only what tools give back is of interest: that goes to the answer's
    /// stream, whole.
    pub fn show_result(&mut self, event: &Event) {
        match &event.kind {
            EventKind::ToolCall(call)
                if matches!(call.status, CallStatus::Completed | CallStatus::Failed) =>
            {
                self.failed_call = call.status == CallStatus::Failed;
                for content in &call.content {
                    let text = match content {
                        Content::Text(text) | Content::Expanded { text, .. } => plain(text),
                        Content::Image { media_type, data } => {
                            format!("[{}, {} bytes as base64]", plain(media_type), data.len())
                        }
                    };
                    self.line(text.trim_end_matches('\n'));
                }
            }
            EventKind::Text(_)
            | EventKind::Reasoning(_)
            | EventKind::ToolCall(_)
            | EventKind::ToolOutput { .. } => {}
            _ => self.show(event),
        }
    }

    /// Whether the last call of a tool failed.
    pub fn has_failed_call(&self) -> bool {
        self.failed_call
    }

    /// A line of our own on the second stream.
    pub fn say(&mut self, line: &str) {
        self.close();
        self.write_rest(&format!("{line}\n"));
    }

    /// A line of our own that matters less.
    pub fn say_aside(&mut self, line: &str) {
        self.say(&self.style.paint(Paint::Dim, line));
    }

    /// A question without a line end: the user's answer ends the line.
    pub fn prompt(&mut self, question: &str) {
        self.close();
        self.write_rest(question);
    }

    /// The user's Enter has ended the line that [`Screen::prompt`] began; at the end of the input
    /// nobody has.
    pub fn answered(&mut self, answered: bool) {
        if answered {
            self.open = Open::None;
        } else {
            self.write_rest("\n");
        }
    }

    /// A whole line of the answer's stream, as it is.
    pub fn line(&mut self, line: &str) {
        // A reader that has gone away is no reason to end the turn half way.
        let _ = writeln!(self.answer, "{line}").and_then(|()| self.answer.flush());
    }

    /// This review is drawn elsewhere: do not draw it again once it is decided.
    pub fn mark_drawn(&mut self, review: &Review) {
        self.drawn.insert(review.id.clone());
    }

    /// Move the spinner on.
    pub fn tick(&mut self) {
        let (Some(frame), Some(busy), Open::None) = (self.spinner, self.busy, self.open) else { return };
        let frame = (frame + 1) % FRAMES.len();
        self.spinner = Some(frame);
        let picture = format!("\r\u{1b}[K{} {busy} (Ctrl-C cancels)", FRAMES[frame]);
        self.write_raw(&self.style.paint(Paint::Dim, &picture));
    }

    /// What was used, where the provider said.
    pub fn usage(&self) -> Option<UsageReport> {
        self.usage
    }

    /// Whether the user was told these words already.
    pub fn has_told(&self, words: &str) -> bool {
        self.last_error.as_deref() == Some(words)
    }

    /// End a line that is open, and take the spinner away.
    pub fn close(&mut self) {
        match self.open {
            Open::None if self.spinner.is_some() && self.busy.is_some() => self.write_raw("\r\u{1b}[K"),
            Open::None => {}
            Open::Answer => {
                let _ = self.answer.write_all(b"\n").and_then(|()| self.answer.flush());
            }
            Open::Rest => self.write_raw("\n"),
        }
        self.open = Open::None;
    }

    fn answer(&mut self, piece: &str) {
        let piece = self.text.push(piece);
        if piece.is_empty() {
            return;
        }
        if self.open != Open::Answer {
            self.close();
        }
        self.busy = None;
        let _ = self.answer.write_all(piece.as_bytes()).and_then(|()| self.answer.flush());
        self.open = if piece.ends_with('\n') { Open::None } else { Open::Answer };
    }

    /// A command says when it begins, because its output follows; any other call when it ended.
    fn call(&mut self, call: &ToolCallState) {
        let title = plain(&call.title);
        let runs = call.kind == ToolKind::Execute;
        match call.status {
            CallStatus::Pending => {}
            CallStatus::Running => {
                self.busy = Some("working");
                if runs && !self.outputs.contains_key(&call.call_id) {
                    self.outputs.insert(call.call_id.clone(), Plain::default());
                    self.say(&self.style.paint(Paint::Strong, &format!("▸ {title}")));
                }
            }
            CallStatus::Completed => {
                let began = self.outputs.remove(&call.call_id).is_some();
                self.busy = Some("waiting for the model");
                match &call.summary {
                    Some(summary) => self.say(&format!("✓ {}", plain(summary))),
                    None if !began => self.say(&format!("✓ {title}")),
                    None => {}
                }
            }
            CallStatus::Failed => {
                let began = self.outputs.remove(&call.call_id).is_some();
                self.busy = Some("waiting for the model");
                let reason = reason(&call.content);
                let line = match (began, reason) {
                    (true, reason) => format!("✗ {reason}"),
                    (false, reason) if reason.is_empty() => format!("✗ {title}"),
                    (false, reason) => format!("✗ {title}: {reason}"),
                };
                self.say(&self.style.paint(Paint::Warning, &line));
            }
        }
    }

    fn output(&mut self, call_id: &str, text: &str) {
        let text = match self.outputs.get_mut(call_id) {
            Some(stripped) => stripped.push(text),
            None => plain(text),
        };
        if text.is_empty() {
            return;
        }
        if self.open != Open::Rest {
            self.close();
        }
        self.busy = None;
        self.write_rest(&self.style.paint(Paint::Dim, &text));
    }

    fn plan(&mut self, todos: &[Todo]) {
        for todo in todos {
            let mark = match todo.status.as_str() {
                "completed" => "[x]",
                "in_progress" => "[>]",
                "cancelled" => "[-]",
                _ => "[ ]",
            };
            self.say(&format!("  {mark} {}", plain(&todo.content)));
        }
    }

    fn notice(&mut self, level: Level, text: &str) {
        let text = plain(text);
        let line = match level {
            Level::Info => text.clone(),
            Level::Warning => self.style.paint(Paint::Warning, &format!("warning: {text}")),
            Level::Error => self.style.paint(Paint::Removed, &format!("error: {text}")),
        };
        if level == Level::Error {
            self.last_error = Some(text);
        }
        self.say(&line);
    }

    /// Edits that nobody was asked about are shown once they are in.
    fn review_changed(&mut self, review: &Review) {
        let done = |status| matches!(status, HunkStatus::Accepted | HunkStatus::Stale | HunkStatus::Rejected);
        let mut hunks = review.files.iter().flat_map(|file| &file.hunks);
        if !hunks.all(|hunk| done(hunk.status)) || !self.drawn.insert(review.id.clone()) {
            return;
        }
        for file in &review.files {
            self.say(&self.style.paint(Paint::Strong, &hunks::heading(file, &self.folder)));
            for hunk in file.hunks.iter().filter(|hunk| hunk.status == HunkStatus::Accepted) {
                self.write_rest(&hunks::hunk(file, hunk, self.style));
            }
        }
    }

    fn user(&mut self, content: &[Content]) {
        for content in content {
            let text = match content {
                Content::Text(text) => Some(plain(text)),
                Content::Image { media_type, .. } => Some(format!("[{}]", plain(media_type))),
                Content::Expanded { of, .. } => origin(of).map(|text| plain(&text)),
            };
            let Some(text) = text else { continue };
            let quoted: Vec<String> = text.lines().map(|line| format!("> {line}")).collect();
            self.say(&self.style.paint(Paint::Strong, &quoted.join("\n")));
        }
    }

    fn write_rest(&mut self, text: &str) {
        self.write_raw(text);
        self.open =
            if text.ends_with('\n') || text.ends_with("\n\u{1b}[0m") { Open::None } else { Open::Rest };
    }

    fn write_raw(&mut self, text: &str) {
        // As above: nobody reads any more.
        let _ = self.rest.write_all(text.as_bytes()).and_then(|()| self.rest.flush());
    }
}

/// The first line of why a call failed.
fn reason(content: &[Content]) -> String {
    content
        .iter()
        .filter_map(Content::text)
        .find_map(|text| text.lines().map(str::trim).find(|line| !line.is_empty()).map(plain))
        .unwrap_or_default()
}

#[cfg(test)]
pub mod tests;
