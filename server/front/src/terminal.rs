//! The terminal as an editor: it shows the turn as it runs, draws hunks, and asks for yes and no.
//! Without somebody at the terminal every question is answered no, and the model is told.
//!
//! Events wait in a [`Feed`] and are shown by one task, which stands still while a question is
//! open: nothing is written over a question.

/// Hunks as a unified diff.
pub mod hunks;
/// What the user types.
pub mod input;
/// What a terminal would obey is taken out of text.
pub mod plain;
/// Questions in words, and what an answer means.
pub mod questions;
/// What is shown, and where.
pub mod screen;
/// Colours.
pub mod style;

use crate::conversation::updates::Updates;
use crate::conversation::{Feed, notification};
use assent_base::path::DocumentUri;
use assent_base::review::{HunkStatus, Review};
use assent_engine::editor::{
    Abilities, Answer, Applied, Approval, DocumentEdit, Editor, HunkDecision, UserQuestion,
};
use assent_engine::event::Event;
use async_trait::async_trait;
use input::Typed;
use questions::HunkAnswer;
use screen::Screen;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use style::Style;
use tokio::sync::Mutex;

/// How often the spinner moves.
const SPIN: Duration = Duration::from_millis(120);

/// What stands on the answer's stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The answer in words.
    Words,
    /// One ACP `session/update` a line.
    Json,
    /// What tools gave back, whole.
    Results,
}

/// The terminal. Its events are shown by [`Terminal::run`].
pub struct Terminal {
    feed: Feed,
    stage: Mutex<Stage>,
    folder: PathBuf,
    form: Form,
    interactive: bool,
}

struct Stage {
    screen: Screen,
    typed: Typed,
    updates: Updates,
}

impl Terminal {
    /// The process's own terminal: the answer on stdout, everything else on stderr.
    pub fn of_process(form: Form, folder: &Path) -> Arc<Self> {
        let (input, rest) = (std::io::stdin(), std::io::stderr());
        let style = Style::of_stream(rest.is_terminal(), |name| std::env::var(name).ok());
        let spins = style != Style::PLAIN;
        let screen =
            Screen::new(Box::new(std::io::stdout()), Box::new(rest), style, spins, folder.to_owned());
        let interactive = input.is_terminal() && std::io::stderr().is_terminal();
        Arc::new(Self::new(screen, Typed::default(), form, folder, interactive))
    }

    /// Everything on stdout: for a show, and for looking at what is over.
    pub fn on_stdout(folder: &Path) -> Arc<Self> {
        let output = std::io::stdout();
        let style = Style::of_stream(output.is_terminal(), |name| std::env::var(name).ok());
        let spins = style != Style::PLAIN;
        let interactive = std::io::stdin().is_terminal() && output.is_terminal();
        let screen =
            Screen::new(Box::new(std::io::stdout()), Box::new(output), style, spins, folder.to_owned());
        Arc::new(Self::new(screen, Typed::default(), Form::Words, folder, interactive))
    }

    fn new(screen: Screen, typed: Typed, form: Form, folder: &Path, interactive: bool) -> Self {
        let stage = Stage { screen, typed, updates: Updates::default() };
        Self { feed: Feed::default(), stage: Mutex::new(stage), folder: folder.to_owned(), form, interactive }
    }

    /// Show events as they come, for ever.
    pub async fn run(&self) {
        if self.interactive {
            // From now on what is typed is read, so that a question can tell what came before it.
            self.stage.lock().await.typed.forget();
        }
        let show = self.feed.tell(|event| self.show(event));
        let spin = async {
            loop {
                tokio::time::sleep(SPIN).await;
                if let Ok(mut stage) = self.stage.try_lock() {
                    stage.screen.tick();
                }
            }
        };
        tokio::join!(show, spin);
    }

    /// What stands on the answer's stream.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Whether somebody can answer.
    pub fn is_interactive(&self) -> bool {
        self.interactive
    }

    /// Wait until everything so far is shown, then do something with the screen.
    pub async fn with_screen<T>(&self, act: impl FnOnce(&mut Screen) -> T) -> T {
        self.feed.flush().await;
        act(&mut self.stage.lock().await.screen)
    }

    async fn show(&self, event: Event) {
        let mut stage = self.stage.lock().await;
        match self.form {
            Form::Words => stage.screen.show(&event),
            Form::Results => stage.screen.show_result(&event),
            Form::Json => {
                for update in stage.updates.of(&event) {
                    let (_, params) = notification(&event.session, update);
                    stage.screen.line(&params.to_string());
                }
            }
        }
    }
}

impl Stage {
    /// Put a question and take the answer; `None` at the end of the input.
    async fn ask(&mut self, text: &str, choices: &str) -> Option<String> {
        self.typed.forget();
        self.screen.prompt(&format!("{text}{choices}"));
        let line = self.typed.line().await;
        self.screen.answered(line.is_some());
        line
    }

    /// A reason for a no.
    async fn reason(&mut self) -> Option<String> {
        self.ask("", questions::REASON).await.filter(|reason| !reason.is_empty())
    }
}

#[async_trait]
impl Editor for Terminal {
    fn abilities(&self) -> Abilities {
        Abilities {
            applies_edits: false,
            saves: false,
            deletes: false,
            decides_later: false,
            questions: self.interactive,
            interactive: self.interactive,
        }
    }

    fn notify(&self, event: Event) {
        self.feed.push(event);
    }

    async fn keep_pace(&self) {
        self.feed.room().await;
    }

    async fn apply(&self, _edit: DocumentEdit) -> Applied {
        Applied::No { reason: Some("A terminal holds no documents.".into()) }
    }

    async fn save(&self, _uris: Vec<DocumentUri>) -> Vec<DocumentUri> {
        Vec::new()
    }

    async fn ask(&self, approval: Approval) -> Answer {
        if !self.interactive {
            return Answer::Reject { feedback: Some(NOBODY.into()), stop: false };
        }
        self.feed.flush().await;
        let mut stage = self.stage.lock().await;
        let text = questions::approval(&approval, stage.screen.style());
        let Some(line) = stage.ask(&text, &questions::approval_choices(&approval)).await else {
            return Answer::Reject { feedback: None, stop: false };
        };
        match questions::approval_answer(&approval, &line) {
            Some(answer) => answer,
            None => Answer::Reject { feedback: stage.reason().await, stop: false },
        }
    }

    async fn question(&self, question: UserQuestion) -> Option<Vec<String>> {
        if !self.interactive {
            return None;
        }
        self.feed.flush().await;
        let mut stage = self.stage.lock().await;
        let text = questions::question(&question, stage.screen.style());
        let line = stage.ask(&text, questions::question_choices(&question)).await?;
        questions::question_answer(&question, &line)
    }

    async fn review(&self, review: &Review) -> (Vec<HunkDecision>, Option<String>) {
        if !self.interactive {
            return (vec![decision("*", false)], Some(NOBODY.into()));
        }
        self.feed.flush().await;
        let mut stage = self.stage.lock().await;
        stage.screen.mark_drawn(review);
        let mut decisions = Vec::new();
        let mut reasons = Vec::new();
        for file in &review.files {
            let style = stage.screen.style();
            stage.screen.say(&style.paint(style::Paint::Strong, &hunks::heading(file, &self.folder)));
            for hunk in file.hunks.iter().filter(|hunk| hunk.status == HunkStatus::Pending) {
                let drawn = hunks::hunk(file, hunk, style);
                let line = stage.ask(&drawn, questions::HUNK_CHOICES).await;
                match questions::hunk_answer(line.as_deref().unwrap_or("q")) {
                    HunkAnswer::Yes => decisions.push(decision(&hunk.id, true)),
                    HunkAnswer::All => {
                        decisions.push(decision("*", true));
                        return (decisions, joined(reasons));
                    }
                    HunkAnswer::No => {
                        decisions.push(decision(&hunk.id, false));
                        reasons.extend(stage.reason().await);
                    }
                    HunkAnswer::NoMore => {
                        decisions.push(decision("*", false));
                        reasons.extend(stage.reason().await);
                        return (decisions, joined(reasons));
                    }
                }
            }
        }
        (decisions, joined(reasons))
    }
}

/// Told to the model where nobody can answer.
const NOBODY: &str =
    "Nobody is at the terminal to answer. The user can run it again on a terminal, or with --yes.";

fn decision(hunk: &str, accept: bool) -> HunkDecision {
    HunkDecision { hunk: hunk.to_owned(), accept, new_text: None }
}

fn joined(reasons: Vec<String>) -> Option<String> {
    (!reasons.is_empty()).then(|| reasons.join("\n"))
}

#[cfg(test)]
mod tests;
