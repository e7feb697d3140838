//! Plain mode: a client without a plugin of ours is asked by `window/showMessageRequest`, and reads
//! along in a transcript, a Markdown file that is shown when a turn begins.

/// The transcript.
pub mod transcript;

use super::capabilities::Capabilities;
use crate::conversation::{Peer, permission};
use assent_base::path::DocumentUri;
use assent_base::policy::Span;
use assent_engine::editor::{Answer, Approval, UserQuestion};
use serde_json::{Value, json};
use std::io;
use std::path::{Path, PathBuf};

/// A message longer than this is also shown as a document, because editors cut messages.
const LONG_MESSAGE: usize = 400;
/// LSP's `MessageType.Warning`.
const WARNING: u8 = 2;

const ALLOW_ONCE: &str = "Allow once";
const ALLOW_SESSION: &str = "Allow in this session";
const ALLOW_ALWAYS: &str = "Always allow in this workspace";
const REJECT: &str = "Reject";

/// Ask for an approval. Whatever is not plainly a yes is a no.
pub async fn ask(peer: &Peer, client: &Capabilities, state: &Path, approval: &Approval) -> Answer {
    let message = message(approval);
    let text = || format!("# {}\n\n{}", approval.title, permission::details(approval));
    let long = client.show_document && message.len() > LONG_MESSAGE;
    let shown = long.then(|| show_whole(peer, state, &approval.id, &text())).flatten();
    let mut actions = vec![ALLOW_ONCE];
    if approval.remember.is_some() {
        actions.extend([ALLOW_SESSION, ALLOW_ALWAYS]);
    }
    actions.push(REJECT);
    let chosen = request(peer, &message, &actions).await;
    drop(shown);
    match chosen.as_deref() {
        Some(ALLOW_ONCE) => Answer::AllowOnce,
        Some(ALLOW_SESSION) if approval.remember.is_some() => {
            Answer::Remember { span: Span::Session, rule: None }
        }
        Some(ALLOW_ALWAYS) if approval.remember.is_some() => {
            Answer::Remember { span: Span::Workspace, rule: None }
        }
        _ => Answer::Reject { feedback: None, stop: false },
    }
}

/// Show the whole of a message that editors would cut, for as long as what this gives lives.
pub fn show_long(
    peer: &Peer,
    client: &Capabilities,
    state: &Path,
    name: &str,
    message: &str,
) -> Option<Shown> {
    let long = client.show_document && message.len() > LONG_MESSAGE;
    long.then(|| show_whole(peer, state, name, message)).flatten()
}

/// Put a question; only a choice of one can be put.
pub async fn question(peer: &Peer, question: &UserQuestion) -> Option<Vec<String>> {
    if question.options.is_empty() || question.multiple {
        return None;
    }
    let labels: Vec<_> = question.options.iter().map(|(label, _)| label.as_str()).collect();
    let chosen = request(peer, &question.question, &labels).await?;
    labels.contains(&chosen.as_str()).then(|| vec![chosen])
}

/// Everything that is asked: what, where, why, and what "always" would save.
fn message(approval: &Approval) -> String {
    let mut text = format!("Assent: {}\n{}", approval.title, approval.shown_subject);
    for line in permission::lines(approval) {
        text.push_str(&format!("\n{line}"));
    }
    if let Some(rule) = &approval.remember {
        text.push_str(&format!("\n\"Always\" saves the rule: {rule}"));
    }
    text
}

/// Put a message with choices; the title of the one that was chosen.
pub async fn request(peer: &Peer, message: &str, actions: &[&str]) -> Option<String> {
    let actions: Vec<_> = actions.iter().map(|title| json!({ "title": title })).collect();
    let params = json!({ "type": WARNING, "message": message, "actions": actions });
    let answer = peer.request("window/showMessageRequest", params).await.ok()?;
    answer.get("title").and_then(Value::as_str).map(str::to_owned)
}

/// A file that is shown for as long as something is asked.
pub struct Shown(PathBuf);

impl Drop for Shown {
    fn drop(&mut self) {
        // What can't be removed lies in our own folder.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn show_whole(peer: &Peer, state: &Path, id: &str, text: &str) -> Option<Shown> {
    let folder = state.join("approvals");
    let name = id.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
    let path = folder.join(format!("{name}.md"));
    match private_file(&folder, &path).and_then(|mut file| io::Write::write_all(&mut file, text.as_bytes())) {
        Ok(()) => show(peer, &path),
        Err(error) => {
            tracing::warn!("an approval could not be written to {}: {error}", path.display());
            return None;
        }
    }
    Some(Shown(path))
}

/// Show a document beside what the user does; nobody waits for it.
pub fn show(peer: &Peer, path: &Path) {
    let params = json!({ "uri": DocumentUri::from_path(path).as_str(), "takeFocus": false });
    let peer = peer.clone();
    tokio::spawn(async move { peer.request("window/showDocument", params).await });
}

/// A file that only its owner can read, emptied, in a folder that only its owner can look into.
fn private_file(folder: &Path, path: &Path) -> io::Result<std::fs::File> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    let mut options = std::fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    builder.create(folder)?;
    options.open(path)
}

#[cfg(test)]
mod tests;
