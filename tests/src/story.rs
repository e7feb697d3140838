//! Stories: whole turns as text files (`tests/stories`), so that a new case is a new file and no
//! code. A story is read here; who plays it (over the pipe, or in process) stands with the tests.
//!
//! A line `=== word rest` begins a section, the lines below it are its body. In order of use:
//!
//! | section | body |
//! | --- | --- |
//! | `settings` | more lines of the user's `assent.yaml` |
//! | `file PATH [crlf] [unfinished]` | a file's text; `unfinished`: without its last line end |
//! | `link PATH TARGET` | |
//! | `open PATH` | the editor opens the file |
//! | `prompt` | what the user asks; the turn before has ended |
//! | `model` | one answer: words, `> tool {arguments}`, `(pause)`, `(cut)`, `(close)` |
//! | `model error STATUS [HEADER VALUE]` | an answer that is an HTTP error |
//! | `resume` | the model's pause ends |
//! | `approve once`, `approve always`, `approve no`, `approve dismiss` | for `no`: the reason |
//! | `review open` | wait until something is under review |
//! | `review accept HUNK`, `review reject HUNK` | for `reject`: the reason; `*` is every hunk |
//! | `type PATH` | two lines: what stands there, and what the user makes of it |
//! | `save PATH` | |
//! | `cancel` | the words the user has seen by then, if any |
//! | `expect transcript`, `expect questions`, `expect file PATH` | how it must end |

use crate::Gate;
use crate::model_server::{self, Reply, answer};
use serde_json::Value;

/// What happens next.
#[derive(Clone)]
pub enum Step {
    /// The editor opens a file.
    Open(String),
    /// The user asks.
    Prompt(String),
    /// The model's pause ends.
    Resume,
    /// The user answers an approval: the kind of the option, and the reason.
    Approve(Answer, String),
    /// Wait until something is under review.
    ReviewOpens,
    /// The user decides a hunk or `*`: accept or not, and the reason.
    Review {
        /// `h1`, `*`.
        hunk: String,
        /// Yes or no.
        accept: bool,
        /// Why not.
        feedback: String,
    },
    /// The user types.
    Type {
        /// Where.
        path: String,
        /// What stood there.
        old: String,
        /// What stands there now.
        new: String,
    },
    /// The user saves a document.
    Save(String),
    /// The user cancels the turn, once these words were seen.
    Cancel(String),
}

/// How an approval is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// This once.
    Once,
    /// And from now on.
    Always,
    /// No.
    No,
    /// The dialog is closed.
    Dismiss,
}

/// A story as it stands in its file.
pub struct Story {
    /// The words before the first section.
    pub about: String,
    /// More lines of `assent.yaml`.
    pub settings: String,
    /// The files at the start.
    pub files: Vec<(String, String)>,
    /// Symbolic links: path and target.
    pub links: Vec<(String, String)>,
    /// The model's answers, in order.
    pub replies: Vec<Reply>,
    /// Where the model pauses, in order.
    pub gates: Vec<Gate>,
    /// What happens, in order.
    pub steps: Vec<Step>,
    /// What must be at the end, as (what, text).
    pub expected: Vec<(String, String)>,
}

impl Story {
    /// Read a story.
    ///
    /// # Panics
    /// On a section that does not exist: a story is a test.
    pub fn read(text: &str) -> Self {
        let text = format!("\n{text}");
        let mut sections = text.split("\n=== ");
        let about = sections.next().unwrap_or_default().trim().to_owned();
        let mut story = Self {
            about,
            settings: String::new(),
            files: Vec::new(),
            links: Vec::new(),
            replies: Vec::new(),
            gates: Vec::new(),
            steps: Vec::new(),
            expected: Vec::new(),
        };
        for section in sections {
            let (head, body) = section.split_once('\n').unwrap_or((section, ""));
            // An empty line before the next section is there for the eye.
            let mut body = body.strip_suffix('\n').unwrap_or(body).to_owned();
            if !body.is_empty() {
                body.push('\n');
            }
            story.take(&head.split(' ').collect::<Vec<_>>(), &body);
        }
        story
    }

    fn take(&mut self, head: &[&str], body: &str) {
        let line = body.trim_end().to_owned();
        match *head {
            ["settings"] => self.settings = body.to_owned(),
            ["file", path, ref how @ ..] => self.files.push((path.to_owned(), file(body, how))),
            ["link", path, target] => self.links.push((path.to_owned(), target.to_owned())),
            ["open", path] => self.steps.push(Step::Open(path.to_owned())),
            ["prompt"] => self.steps.push(Step::Prompt(line)),
            ["model"] => {
                let reply = self.reply(body);
                self.replies.push(reply);
            }
            ["model", "error", status, ref header @ ..] => {
                let reply = model_server::error(status.parse().unwrap(), &line);
                self.replies.push(match header {
                    [name, value] => reply.header(name, value),
                    _ => reply,
                });
            }
            ["resume"] => self.steps.push(Step::Resume),
            ["approve", how] => self.steps.push(Step::Approve(approval(how), line)),
            ["review", "open"] => self.steps.push(Step::ReviewOpens),
            ["review", how @ ("accept" | "reject"), hunk] => {
                let step = Step::Review { hunk: hunk.to_owned(), accept: how == "accept", feedback: line };
                self.steps.push(step);
            }
            ["type", path] => {
                let (old, new) = line.split_once('\n').expect("two lines: old and new");
                let step = Step::Type { path: path.to_owned(), old: old.to_owned(), new: new.to_owned() };
                self.steps.push(step);
            }
            ["save", path] => self.steps.push(Step::Save(path.to_owned())),
            ["cancel"] => self.steps.push(Step::Cancel(line)),
            ["expect", "file", _, ref how @ ..] => {
                self.expected.push((head[1..].join(" "), file(body, how)));
            }
            ["expect", what] => self.expected.push((what.to_owned(), body.to_owned())),
            _ => panic!("a story has no section {:?}", head.join(" ")),
        }
    }

    fn reply(&mut self, body: &str) -> Reply {
        let mut reply = answer();
        for line in body.trim_end().lines() {
            reply = match line.strip_prefix("> ").and_then(|call| call.split_once(' ')) {
                Some((tool, arguments)) => {
                    let id = format!("c{}-{}", self.replies.len() + 1, reply.calls() + 1);
                    reply.call_text(&id, tool, arguments)
                }
                None => match line {
                    "(pause)" => {
                        let gate = Gate::new();
                        self.gates.push(gate.clone());
                        reply.hold(&gate)
                    }
                    "(cut)" => reply.cut(),
                    "(close)" => reply.close(),
                    words => reply.text(words),
                },
            };
        }
        reply
    }
}

fn file(body: &str, how: &[&str]) -> String {
    let mut text = body.to_owned();
    for word in how {
        match *word {
            "crlf" => text = text.replace('\n', "\r\n"),
            "unfinished" => text.truncate(text.trim_end_matches(['\r', '\n']).len()),
            other => panic!("a file can't be {other:?}"),
        }
    }
    text
}

fn approval(how: &str) -> Answer {
    match how {
        "once" => Answer::Once,
        "always" => Answer::Always,
        "no" => Answer::No,
        "dismiss" => Answer::Dismiss,
        other => panic!("nobody approves {other:?}"),
    }
}

/// Put new expected texts into a story, leaving everything else as it stands.
pub fn rewrite(text: &str, actual: &[(String, String)]) -> String {
    let cut = text.find("=== expect ").unwrap_or(text.len());
    let mut rewritten = text[..cut].trim_end().to_owned();
    for (what, body) in actual {
        rewritten.push_str(&format!(
            "\n\n=== expect {what}\n{}",
            body.replace("\r\n", "\n").trim_end_matches('\n')
        ));
    }
    rewritten + "\n"
}

/// The value of a call's arguments on one line, keys in the model's order.
pub fn one_line(arguments: &str) -> String {
    serde_json::from_str::<Value>(arguments).map_or_else(|_| arguments.to_owned(), |value| value.to_string())
}

#[cfg(test)]
mod tests;
