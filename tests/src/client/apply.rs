//! What editors really do with `workspace/applyEdit`, and what they then say they did.

use super::{Client, ServerRequest};
use serde_json::{Value, json};

/// When the changed text comes back to the server, beside the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Echo {
    /// The change notice comes first, then the answer (Neovim).
    Before,
    /// The answer comes first (VS Code).
    After,
    /// The answer comes first, and the change notice carries the user's next key as well.
    WithKeystroke,
}

/// How an editor deals with edits, most of all with those for an older version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Temperament {
    /// Refuses a stale edit and says so (VS Code).
    Honest,
    /// Drops a stale edit and says that it is applied (Neovim without a plugin).
    Lying,
    /// Applies a stale edit to the newer text (Kakoune).
    AppliesStale,
    /// Answers a stale edit with an error (eglot).
    Error,
    /// Says no to every edit.
    Refusing,
    /// Never answers, and does nothing.
    Silent,
    /// Honest, with a certain order of answer and change notice.
    Late(Echo),
}

/// An edit that the server sent.
#[derive(Debug, Clone)]
pub struct AppliedEdit {
    /// The label.
    pub label: String,
    /// The one entry of `documentChanges`, or the several around a created file.
    pub changes: Vec<Value>,
    /// Whether it was done.
    pub done: bool,
}

impl AppliedEdit {
    /// The URI of the document it is for.
    pub fn uri(&self) -> &str {
        self.changes.last().map(uri_of).unwrap_or_default()
    }

    /// The version it is for.
    pub fn version(&self) -> &Value {
        self.changes.last().map_or(&Value::Null, |change| &change["textDocument"]["version"])
    }

    /// Its text edits.
    pub fn edits(&self) -> &[Value] {
        self.changes.last().and_then(|change| change["edits"].as_array()).map_or(&[], Vec::as_slice)
    }
}

fn uri_of(change: &Value) -> &str {
    let uri = if change["kind"].is_string() { &change["uri"] } else { &change["textDocument"]["uri"] };
    uri.as_str().or_else(|| change["oldUri"].as_str()).unwrap_or_default()
}

impl Client {
    /// Deal with an edit as the client's temperament has it: at once where there is one, and
    /// when the test says so for an edit that it held back.
    pub fn apply_edit(&mut self, request: &ServerRequest) {
        let label = request.params["label"].as_str().unwrap_or_default().to_owned();
        let changes = request.params["edit"]["documentChanges"].as_array().cloned().unwrap_or_default();
        self.check_edit(&label, &changes, request);
        let stale = changes.iter().any(|change| self.is_stale(change));
        let temperament = self.temperament.unwrap_or(Temperament::Honest);
        let done = !matches!(temperament, Temperament::Silent | Temperament::Refusing)
            && (!stale || temperament == Temperament::AppliesStale);
        self.edits.push(AppliedEdit { label, changes: changes.clone(), done });
        let yes = json!({ "applied": true });
        if done {
            let echoes = self.perform(&changes);
            match temperament {
                Temperament::Lying | Temperament::Late(Echo::Before) => {
                    self.send_echoes(echoes);
                    self.answer(request, yes);
                }
                Temperament::Late(Echo::WithKeystroke) => {
                    self.answer(request, yes);
                    self.send_with_key(echoes);
                }
                _ => {
                    self.answer(request, yes);
                    self.send_echoes(echoes);
                }
            }
            return;
        }
        match temperament {
            Temperament::Silent => {}
            Temperament::Lying => self.answer(request, yes),
            Temperament::Error => self.answer_error(request, -32603, "the document has changed"),
            _ => self.answer(request, json!({ "applied": false })),
        }
    }

    /// Run a code action as an editor does: its edit first, then its command.
    #[track_caller]
    pub fn apply_action(&mut self, action: &Value) {
        let changes = action["edit"]["documentChanges"].as_array().cloned().unwrap_or_default();
        let echoes = self.perform(&changes);
        self.send_echoes(echoes);
        let Some(command) = action["command"]["command"].as_str() else { return };
        let arguments = action["command"]["arguments"].as_array().cloned().unwrap_or_default();
        let params = json!({ "command": command, "arguments": arguments });
        self.request("workspace/executeCommand", params);
    }

    /// What holds for every edit that Assent sends.
    fn check_edit(&mut self, label: &str, changes: &[Value], request: &ServerRequest) {
        let mut problem = |what: &str| self.problems.push(format!("{what}: {}", request.params));
        if !label.starts_with("Assent: ") {
            problem("the label of an edit does not begin with `Assent: `");
        }
        let Some(first) = changes.first() else {
            return problem("an edit without documentChanges");
        };
        if changes.iter().any(|change| uri_of(change) != uri_of(first)) {
            problem("an edit for several documents in one request");
        }
        for change in changes {
            let Some(document) = self.documents.open.get(uri_of(change)) else { continue };
            let version = &change["textDocument"]["version"];
            if change["edits"].is_array() && !version.is_i64() {
                problem("an edit of an open document without its version");
            }
            if *version != document.version {
                continue;
            }
            let mut ranges: Vec<(usize, usize)> = change["edits"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|edit| {
                    let encoding = self.documents.encoding;
                    let range = &edit["range"];
                    (
                        encoding.offset(&document.text, &range["start"]),
                        encoding.offset(&document.text, &range["end"]),
                    )
                })
                .collect();
            ranges.sort_unstable();
            if ranges.windows(2).any(|pair| pair[0].1 > pair[1].0) {
                problem("the ranges of an edit overlap");
            }
        }
    }

    fn is_stale(&self, change: &Value) -> bool {
        let document = self.documents.open.get(uri_of(change));
        let version = change["textDocument"]["version"].as_i64();
        document.zip(version).is_some_and(|(document, version)| i64::from(document.version) != version)
    }

    /// Do what the edit says; gives the change notices that are due.
    fn perform(&mut self, changes: &[Value]) -> Vec<(String, Value)> {
        let mut echoes = Vec::new();
        for change in changes {
            let uri = uri_of(change).to_owned();
            let path = super::documents::path_of(&uri);
            match (change["kind"].as_str(), path) {
                (Some("create"), Some(path)) => {
                    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                    std::fs::write(path, "").unwrap();
                }
                (Some("delete"), Some(path)) => {
                    std::fs::remove_file(path).unwrap();
                    if self.is_open(&uri) {
                        self.close(&uri);
                    }
                }
                (Some("rename"), Some(path)) => {
                    let to = change["newUri"].as_str().and_then(super::documents::path_of).unwrap();
                    std::fs::create_dir_all(to.parent().unwrap()).unwrap();
                    std::fs::rename(path, to).unwrap();
                }
                (Some(other), _) => self.problems.push(format!("no client knows the change {other}")),
                (None, _) => {
                    if !self.is_open(&uri) {
                        // An editor opens a document to edit it, hidden from its user.
                        self.open_file(&uri, true);
                    }
                    let changes = self.perform_edits(&uri, &change["edits"]);
                    echoes.push((uri, changes));
                }
            }
        }
        echoes
    }

    fn perform_edits(&mut self, uri: &str, edits: &Value) -> Value {
        let encoding = self.documents.encoding;
        let text = &self.document(uri).text;
        let edits = edits.as_array().into_iter().flatten().map(|edit| {
            let start = encoding.offset(text, &edit["range"]["start"]);
            let end = encoding.offset(text, &edit["range"]["end"]);
            (start..end, edit["newText"].as_str().unwrap_or_default().to_owned())
        });
        let edits = edits.collect();
        self.edit_document(uri, edits)
    }

    fn send_echoes(&mut self, echoes: Vec<(String, Value)>) {
        for (uri, changes) in echoes {
            self.send_changes(&uri, changes);
        }
    }

    /// The user typed before the notice went out: one notice carries both.
    fn send_with_key(&mut self, echoes: Vec<(String, Value)>) {
        for (uri, changes) in echoes {
            let end = self.document(&uri).text.len();
            let key = self.edit_document(&uri, vec![(end..end, "key".to_owned())]);
            let all = [changes, key].into_iter().flat_map(|changes| match changes {
                Value::Array(changes) => changes,
                other => vec![other],
            });
            self.send_changes(&uri, all.collect());
        }
    }
}
