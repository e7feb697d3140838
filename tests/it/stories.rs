//! Plays `tests/stories/*.txt` over the pipe. `UPDATE_STORIES=1` writes what happened into the
//! files as what is expected; read the difference before it is committed.

use crate::scene::{ASSENT, Scene};
use assent_tests::model_server::Item;
use assent_tests::story::{Answer, Step, Story, one_line, rewrite};
use assent_tests::{ModelServer, Workspace};
use serde_json::json;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/stories")
}

#[test]
fn stories_end_as_they_should() {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut failed = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        eprintln!("story {name} with {ASSENT}");
        let story = Story::read(&text);
        let actual = play(&story);
        if std::env::var_os("UPDATE_STORIES").is_some() {
            std::fs::write(&path, rewrite(&text, &actual)).unwrap();
        } else if actual != story.expected {
            failed.push(format!("{name}: {}\n{}", story.about, rewrite("", &actual)));
        }
    }
    assert!(failed.is_empty(), "these stories ended in another way:\n\n{}", failed.join("\n\n"));
}

/// Play a story and give how it ended, in the form of its `expect` sections.
fn play(story: &Story) -> Vec<(String, String)> {
    let model = ModelServer::start();
    let ws = Workspace::new();
    for (path, text) in &story.files {
        ws.write(path, text);
    }
    for (path, target) in &story.links {
        ws.link(path, target);
    }
    ws.use_model_and(&model, assent_tests::model_server::Dialect::Chat, &story.settings);
    for reply in &story.replies {
        model.reply(reply.clone());
    }
    let mut player = Player {
        scene: Scene::on(model, ws),
        turn: None,
        gate: 0,
        questions: Vec::new(),
        decided: HashSet::new(),
    };
    for step in &story.steps {
        player.step(story, step);
    }
    player.end(story)
}

struct Player {
    scene: Scene,
    /// The prompt whose turn runs.
    turn: Option<i64>,
    gate: usize,
    questions: Vec<String>,
    /// Reviews without an open hunk; what the client last heard of them may be older.
    decided: HashSet<String>,
}

impl Player {
    fn step(&mut self, story: &Story, step: &Step) {
        let uri = |path: &str| if path.contains(':') { path.to_owned() } else { self.scene.ws.uri(path) };
        match step {
            Step::Open(path) => drop(self.scene.client.open(path)),
            Step::Prompt(words) => {
                self.finish_turn();
                self.turn = Some(self.scene.start(words));
            }
            Step::Resume => {
                story.gates[self.gate].wait_reached();
                story.gates[self.gate].open();
                self.gate += 1;
            }
            Step::Approve(answer, reason) => self.approve(*answer, reason),
            Step::ReviewOpens => {
                self.scene.client.wait_for_review(|review| !review.pending().is_empty());
            }
            Step::Review { hunk, accept, feedback } => {
                let decided = &self.decided;
                let review = self.scene.client.wait_for_review(|review| {
                    !decided.contains(review.id())
                        && review.pending().iter().any(|pending| hunk == "*" || *hunk == pending.id)
                });
                let mut params =
                    json!({ "reviewId": review.id(), "decisions": [{ "hunk": hunk, "accept": accept }] });
                if !feedback.is_empty() {
                    params["feedback"] = json!(feedback);
                }
                let result = self.scene.client.request("_assent/review/decide", params);
                if result["open"] == 0 {
                    self.decided.insert(review.id().to_owned());
                }
            }
            Step::Type { path, old, new } => {
                let uri = uri(path);
                self.scene.client.replace(&uri, old, new);
            }
            Step::Save(path) => {
                let uri = uri(path);
                self.scene.client.save(&uri);
            }
            Step::Cancel(words) => {
                let session = self.scene.session.clone();
                if !words.is_empty() {
                    self.scene.client.wait_for_words(&session, words);
                }
                self.scene.client.cancel(&session);
            }
        }
    }

    fn approve(&mut self, answer: Answer, reason: &str) {
        let approval = self.scene.client.expect_approval();
        self.questions.push(approval.subject().to_owned());
        let client = &mut self.scene.client;
        match answer {
            Answer::Once => client.choose(&approval, "allow_once"),
            Answer::Always => client.choose(&approval, "allow_always"),
            Answer::No => client.reject(&approval, reason, false),
            Answer::Dismiss => {
                client.answer(&approval.request, json!({ "outcome": { "outcome": "cancelled" } }));
            }
        }
    }

    fn finish_turn(&mut self) {
        if let Some(prompt) = self.turn.take() {
            self.scene.finish(prompt);
        }
    }

    fn end(mut self, story: &Story) -> Vec<(String, String)> {
        let mut actual = Vec::new();
        let (words, stop) = match self.turn.take() {
            Some(prompt) => {
                let turn = self.scene.finish(prompt);
                (turn.text(), turn.stop_reason)
            }
            None => Default::default(),
        };
        let items = self.scene.model.requests().pop().map(|request| request.items).unwrap_or_default();
        let mut transcript: String = items.iter().map(line).collect();
        // The words of the whole last turn, for the last answer is in no request.
        transcript.push_str(&format!("turn> {}\nend> {stop}\n", words.trim().replace('\n', "\n     ")));
        let (root, around) = (self.scene.ws.root().to_owned(), self.scene.ws.outside().to_owned());
        // No folder of this machine, and no space at a line's end that nobody sees.
        let plain = |text: &str| {
            let text = text.replace(&*root.to_string_lossy(), "/ws").replace(&*around.to_string_lossy(), "/");
            let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
            lines.join("\n").replace("//", "/") + "\n"
        };
        actual.push(("transcript".to_owned(), plain(&transcript)));
        if !self.questions.is_empty() {
            actual.push(("questions".to_owned(), plain(&self.questions.join("\n"))));
        }
        for (what, _) in &story.expected {
            let Some(path) = what.strip_prefix("file ") else { continue };
            let path = path.split(' ').next().unwrap_or_default();
            let text =
                if self.scene.ws.exists(path) { self.scene.ws.read(path) } else { "(absent)\n".to_owned() };
            actual.push((what.clone(), text));
        }
        actual
    }
}

fn line(item: &Item) -> String {
    let (who, text) = match item {
        Item::User { text, .. } => ("user", text.clone()),
        Item::Assistant { text } => ("model", text.clone()),
        Item::Reasoning { .. } => ("model", "(thinking)".to_owned()),
        Item::Call { name, arguments, .. } => ("call", format!("{name} {}", one_line(arguments))),
        Item::Result { text, .. } => ("result", text.clone()),
    };
    format!("{who}> {}\n", text.trim_end().replace('\n', "\n     "))
}
