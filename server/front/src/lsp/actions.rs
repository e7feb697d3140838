//! Code actions and code lenses: what can be asked about a range, and the decisions about hunks.

use super::apply;
use super::capabilities::Capabilities;
use crate::conversation::review::range;
use crate::protocol::{Range, commands};
use assent_base::edit::Edit;
use assent_base::path::DocumentUri;
use assent_base::review::{Change, FileReview, Hunk, HunkStatus, Review};
use assent_engine::editor::{DocumentChange, DocumentEdit};
use assent_engine::event::SessionId;
use serde_json::{Value, json};
use std::sync::Arc;

/// LSP's `CodeActionKind`s that we use.
const QUICKFIX: &str = "quickfix";
const REFACTOR: &str = "refactor";
const REWRITE: &str = "refactor.rewrite";

/// A code action.
#[derive(Debug, Clone, PartialEq)]
pub struct Action {
    /// What the user reads.
    pub title: String,
    /// LSP's kind.
    pub kind: &'static str,
    /// The command it runs.
    pub command: &'static str,
    /// The command's one argument.
    pub arguments: Value,
    /// Whether it is the one to take when only one can be.
    pub preferred: bool,
    /// The diagnostics that it mends, as the client sent them.
    pub diagnostics: Vec<Value>,
    /// An edit that the client applies before it runs the command.
    pub edit: Option<Value>,
    /// What `codeAction/resolve` needs to make the edit.
    pub data: Option<commands::HunkArgs>,
}

/// A code lens.
#[derive(Debug, Clone, PartialEq)]
pub struct Lens {
    /// Where it stands.
    pub range: Range,
    /// What the user reads.
    pub title: String,
    /// The command it runs.
    pub command: &'static str,
    /// The command's one argument.
    pub arguments: Value,
}

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The document.
    pub uri: String,
    /// The selection, or the cursor.
    pub range: Range,
    /// The diagnostics there, as the client sent them.
    pub diagnostics: Vec<Value>,
    /// The kinds wanted; empty for all.
    pub only: Vec<String>,
    /// The editor asks by itself (to show a light bulb), not the user.
    pub automatic: bool,
}

/// Everything that can be done there, decisions first.
pub fn actions(asked: &Asked, reviews: &[Arc<Review>], client: &Capabilities) -> Vec<Action> {
    let mut actions = hunk_actions(asked, reviews, client);
    actions.extend(turn_actions(asked));
    actions.retain(|action| {
        asked.only.is_empty()
            || asked.only.iter().any(|kind| {
                action
                    .kind
                    .strip_prefix(kind.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
    });
    actions
}

fn turn_actions(asked: &Asked) -> Vec<Action> {
    let selected = asked.range.start != asked.range.end;
    let target = json!({ "uri": asked.uri, "range": asked.range });
    let action = |title: &str, kind, command| Action {
        title: title.into(),
        kind,
        command,
        arguments: target.clone(),
        preferred: false,
        diagnostics: Vec::new(),
        edit: None,
        data: None,
    };
    let mut actions = Vec::new();
    let messages: Vec<_> = asked.diagnostics.iter().filter_map(|found| found["message"].as_str()).collect();
    if let Some(first) = messages.first() {
        let mut fix = action(&format!("Assent: fix “{}”", shortened(first)), QUICKFIX, commands::FIX);
        fix.arguments["diagnostics"] = json!(messages);
        fix.diagnostics.clone_from(&asked.diagnostics);
        actions.push(fix);
    }
    // A bulb at every place where nothing is selected would be noise.
    if selected || !asked.automatic {
        actions.push(action("Assent: explain", REFACTOR, commands::EXPLAIN));
        actions.push(action("Assent: write tests", REFACTOR, commands::TESTS));
    }
    if selected {
        actions.push(action("Assent: rewrite selection", REWRITE, commands::REFACTOR));
    }
    actions
}

fn shortened(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    match line.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

fn hunk_actions(asked: &Asked, reviews: &[Arc<Review>], client: &Capabilities) -> Vec<Action> {
    let mut actions = Vec::new();
    for (review, file, hunk) in pending(reviews, &asked.uri) {
        if !touches(range(&file.text, &hunk.range, client.encoding), asked.range) {
            continue;
        }
        let hunk_args =
            |applied| commands::HunkArgs { review_id: review.id.clone(), hunk: hunk.id.clone(), applied };
        let decision = |title: &str, command, args: commands::HunkArgs| Action {
            title: title.into(),
            kind: QUICKFIX,
            command,
            arguments: json!(args),
            preferred: false,
            diagnostics: Vec::new(),
            edit: None,
            data: None,
        };
        // Without a plugin the client applies the edit itself and tells us by the command.
        let carries_edit = client.plain() && client.action_literals && file.change == Change::Edit;
        let mut accept =
            decision("Assent: accept this change", commands::REVIEW_ACCEPT, hunk_args(carries_edit));
        accept.preferred = true;
        if carries_edit && client.resolves_edits {
            accept.data = Some(hunk_args(true));
        } else if carries_edit {
            accept.edit = hunk_edit(review, file, hunk, client);
        }
        actions.push(accept);
        actions.push(decision("Assent: reject this change", commands::REVIEW_REJECT, hunk_args(false)));
    }
    actions
}

/// The edit of a hunk that waits, for a code action that is resolved late.
pub fn resolved(args: &commands::HunkArgs, reviews: &[Arc<Review>], client: &Capabilities) -> Option<Value> {
    let review = reviews.iter().find(|review| review.id == args.review_id)?;
    let found = review.files.iter().find_map(|file| {
        let hunk = file.hunks.iter().find(|hunk| hunk.id == args.hunk)?;
        (hunk.status == HunkStatus::Pending).then_some((file, hunk))
    });
    found.and_then(|(file, hunk)| hunk_edit(review, file, hunk, client))
}

fn hunk_edit(review: &Review, file: &FileReview, hunk: &Hunk, client: &Capabilities) -> Option<Value> {
    let text = hunk.changed.as_ref().unwrap_or(&hunk.new_text).clone();
    let edit = DocumentEdit {
        session: SessionId(review.session.as_str().into()),
        uri: file.uri.clone(),
        version: file.version,
        change: DocumentChange::Edit {
            edits: vec![Edit { range: hunk.range.clone(), text }],
            old_text: file.text.clone(),
        },
        label: String::new(),
    };
    apply::workspace_edit(&edit, client).ok()
}

/// The lenses of a document: accept and reject above every hunk, all of them above the first.
pub fn lenses(uri: &str, reviews: &[Arc<Review>], client: &Capabilities) -> Vec<Lens> {
    let hunks = pending(reviews, uri);
    let mut lenses = Vec::new();
    let mut reviews_begun = Vec::new();
    for (review, file, hunk) in &hunks {
        let start = range(&file.text, &hunk.range, client.encoding).start;
        let lens = |title: String, command, arguments| Lens {
            range: Range { start, end: start },
            title,
            command,
            arguments,
        };
        let args = json!({ "reviewId": review.id, "hunk": hunk.id });
        lenses.push(lens("Accept".into(), commands::REVIEW_ACCEPT, args.clone()));
        lenses.push(lens("Reject".into(), commands::REVIEW_REJECT, args));
        let all = hunks.iter().filter(|(other, ..)| other.id == review.id).count();
        if all > 1 && !reviews_begun.contains(&&review.id) {
            reviews_begun.push(&review.id);
            let args = json!({ "reviewId": review.id });
            lenses.push(lens(format!("Accept all ({all})"), commands::REVIEW_ACCEPT_ALL, args.clone()));
            lenses.push(lens("Reject all".into(), commands::REVIEW_REJECT_ALL, args));
        }
    }
    lenses
}

/// The hunks of a document that wait, by place.
fn pending<'a>(reviews: &'a [Arc<Review>], uri: &str) -> Vec<(&'a Review, &'a FileReview, &'a Hunk)> {
    let uri = DocumentUri::new(uri);
    let mut found: Vec<_> = reviews
        .iter()
        .flat_map(|review| review.files.iter().map(move |file| (&**review, file)))
        .filter(|(_, file)| file.uri == uri)
        .flat_map(|(review, file)| file.hunks.iter().map(move |hunk| (review, file, hunk)))
        .filter(|(_, _, hunk)| hunk.status == HunkStatus::Pending)
        .collect();
    found.sort_by_key(|(_, _, hunk)| hunk.range.start);
    found
}

/// Whether a hunk lies where the user is; a hunk that only inserts lies at its one place.
fn touches(hunk: Range, asked: Range) -> bool {
    let key = |position: crate::protocol::Position| (position.line, position.character);
    let same_line = hunk.start.line == asked.start.line;
    same_line || (key(hunk.start) <= key(asked.end) && key(asked.start) < key(hunk.end))
}

/// The hunk that waits behind or before a place, round the end; for the commands that step.
pub fn step<'a>(
    reviews: &'a [Arc<Review>],
    from: Option<(&str, crate::protocol::Position)>,
    forward: bool,
    client: &Capabilities,
) -> Option<(&'a Review, &'a FileReview, &'a Hunk)> {
    let mut uris: Vec<_> =
        reviews.iter().flat_map(|review| &review.files).map(|file| file.uri.clone()).collect();
    uris.sort();
    uris.dedup();
    let all: Vec<_> = uris.iter().flat_map(|uri| pending(reviews, uri.as_str())).collect();
    let Some((uri, position)) = from else { return if forward { all.first() } else { all.last() }.copied() };
    let here = (DocumentUri::new(uri), position.line);
    let place = |(_, file, hunk): &(&Review, &FileReview, &Hunk)| {
        (file.uri.clone(), range(&file.text, &hunk.range, client.encoding).start.line)
    };
    let next = match forward {
        true => all.iter().find(|found| place(found) > here).or(all.first()),
        false => all.iter().rev().find(|found| place(found) < here).or(all.last()),
    };
    next.copied()
}

#[cfg(test)]
mod tests;
