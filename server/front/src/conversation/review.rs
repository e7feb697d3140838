//! Reviews on the wire: as `_assent/review/updated` for clients that draw hunks, as a permission
//! with diffs for those that don't.

use super::meta;
use super::peer::Peer;
use crate::protocol::{
    FileChange, HunkStatus as WireStatus, Position, Range, ReviewDecide, ReviewFile, ReviewHunk,
    ReviewStatus, ReviewUpdated,
};
use agent_client_protocol_schema::v1 as acp;
use assent_base::review::{Change, FileReview, Hunk, HunkStatus, Review};
use assent_base::text::PositionEncoding;
use assent_engine::editor::HunkDecision;
use ropey::Rope;
use serde_json::json;

/// The options of a review put as a permission.
const ACCEPT: &str = "accept";
const REJECT: &str = "reject";

/// The whole state of a review.
pub fn state(review: &Review, encoding: PositionEncoding) -> ReviewUpdated {
    let files: Vec<_> = review.files.iter().map(|file| file_state(file, encoding)).collect();
    ReviewUpdated {
        review_id: review.id.clone(),
        session_id: review.session.clone(),
        tool_call_id: review.call_id.clone(),
        status: if open(review) > 0 { ReviewStatus::Open } else { ReviewStatus::Closed },
        files,
    }
}

fn file_state(file: &FileReview, encoding: PositionEncoding) -> ReviewFile {
    let (change, new_uri) = match &file.change {
        Change::Edit => (FileChange::Edit, None),
        Change::Create => (FileChange::Create, None),
        Change::Delete => (FileChange::Delete, None),
        Change::Rename { to } => (FileChange::Rename, Some(to.as_str().to_owned())),
    };
    ReviewFile {
        uri: file.uri.as_str().to_owned(),
        version: file.version,
        change,
        new_uri,
        hunks: file.hunks.iter().map(|hunk| hunk_state(hunk, &file.text, encoding)).collect(),
    }
}

fn hunk_state(hunk: &Hunk, text: &Rope, encoding: PositionEncoding) -> ReviewHunk {
    ReviewHunk {
        id: hunk.id.clone(),
        status: status(hunk, text),
        range: range(text, &hunk.range, encoding),
        old_text: hunk.old_text.clone(),
        new_text: new_text(hunk).clone(),
    }
}

/// Where a hunk stands for a client: on its way into the document it still waits, until the text
/// has it.
fn status(hunk: &Hunk, text: &Rope) -> WireStatus {
    match hunk.status {
        HunkStatus::Pending => WireStatus::Pending,
        HunkStatus::Applying => {
            let end = text.len_bytes();
            let range = hunk.range.start.min(end)..hunk.range.end.min(end);
            let landed = text.get_byte_slice(range).is_some_and(|found| found == new_text(hunk).as_str());
            if landed { WireStatus::Accepted } else { WireStatus::Pending }
        }
        HunkStatus::Accepted => WireStatus::Accepted,
        HunkStatus::Rejected => WireStatus::Rejected,
        HunkStatus::Stale => WireStatus::Stale,
    }
}

/// What a hunk puts there: the user's own version, where there is one.
fn new_text(hunk: &Hunk) -> &String {
    hunk.changed.as_ref().unwrap_or(&hunk.new_text)
}

/// A range of bytes as the client counts.
pub fn range(text: &Rope, bytes: &std::ops::Range<usize>, encoding: PositionEncoding) -> Range {
    Range { start: position(text, bytes.start, encoding), end: position(text, bytes.end, encoding) }
}

fn position(text: &Rope, byte: usize, encoding: PositionEncoding) -> Position {
    let position = assent_base::text::position(text, byte, encoding);
    Position { line: position.line, character: position.character }
}

/// How many hunks of a review still wait.
pub fn open(review: &Review) -> usize {
    let waits = |file: &FileReview| {
        file.hunks.iter().filter(|hunk| status(hunk, &file.text) == WireStatus::Pending).count()
    };
    review.files.iter().map(waits).sum()
}

/// The decisions of a request.
pub fn decisions(decide: ReviewDecide) -> (String, Vec<HunkDecision>, Option<String>) {
    let decisions = decide
        .decisions
        .into_iter()
        .map(|decision| HunkDecision {
            hunk: decision.hunk,
            accept: decision.accept,
            new_text: decision.new_text,
        })
        .collect();
    (decide.review_id, decisions, decide.feedback)
}

/// Put a review to the user at once, one permission a file.
pub async fn ask(peer: &Peer, review: &Review) -> (Vec<HunkDecision>, Option<String>) {
    let mut decisions = Vec::new();
    let mut feedback = None;
    for file in &review.files {
        let params = json!(request(review, file));
        let result = peer.request(acp::CLIENT_METHOD_NAMES.session_request_permission, params).await;
        let said = result.as_ref().ok().and_then(|result| result.pointer("/_meta/assent/feedback"));
        feedback = feedback.or_else(|| said.and_then(|said| said.as_str()).map(str::to_owned));
        let accept = result.ok().and_then(|result| serde_json::from_value(result).ok()).is_some_and(accepted);
        decisions.extend(pending(file).map(|hunk| HunkDecision {
            hunk: hunk.id.clone(),
            accept,
            new_text: None,
        }));
    }
    (decisions, feedback)
}

fn accepted(response: acp::RequestPermissionResponse) -> bool {
    matches!(response.outcome, acp::RequestPermissionOutcome::Selected(selected) if &*selected.option_id.0 == ACCEPT)
}

fn pending(file: &FileReview) -> impl Iterator<Item = &Hunk> {
    file.hunks.iter().filter(|hunk| hunk.status == HunkStatus::Pending)
}

/// The request for one file.
pub fn request(review: &Review, file: &FileReview) -> acp::RequestPermissionRequest {
    let name =
        file.uri.to_path().map_or_else(|| file.uri.as_str().to_owned(), |path| path.display().to_string());
    let title = match &file.change {
        Change::Edit => format!("Edit {name}"),
        Change::Create => format!("Create {name}"),
        Change::Delete => format!("Delete {name}"),
        Change::Rename { to } => format!("Move {name} to {}", to.as_str()),
    };
    let kind = match &file.change {
        Change::Edit | Change::Create => acp::ToolKind::Edit,
        Change::Delete => acp::ToolKind::Delete,
        Change::Rename { .. } => acp::ToolKind::Move,
    };
    let diff = acp::Diff::new(name, proposed(file));
    let diff = if file.change == Change::Create { diff } else { diff.old_text(file.text.to_string()) };
    let fields = acp::ToolCallUpdateFields::new()
        .title(title)
        .kind(kind)
        .status(acp::ToolCallStatus::Pending)
        .content(vec![acp::ToolCallContent::Diff(diff)]);
    let call = acp::ToolCallUpdate::new(review.call_id.clone(), fields)
        .meta(meta(json!({ "reviewId": review.id, "uri": file.uri.as_str() })));
    let options = vec![
        acp::PermissionOption::new(ACCEPT, "Accept", acp::PermissionOptionKind::AllowOnce),
        acp::PermissionOption::new(REJECT, "Reject", acp::PermissionOptionKind::RejectOnce),
    ];
    acp::RequestPermissionRequest::new(review.session.clone(), call, options)
}

/// The file's text as it would be with every hunk that waits.
fn proposed(file: &FileReview) -> String {
    if file.change == Change::Delete {
        return String::new();
    }
    let mut text = file.text.clone();
    // From the end, so that the ranges before stay what they are.
    let mut hunks: Vec<_> = pending(file).collect();
    hunks.sort_by_key(|hunk| std::cmp::Reverse(hunk.range.start));
    for hunk in hunks {
        let end = text.len_bytes();
        let start = text.byte_to_char(hunk.range.start.min(end));
        text.remove(start..text.byte_to_char(hunk.range.end.min(end)));
        text.insert(start, new_text(hunk));
    }
    text.to_string()
}

#[cfg(test)]
mod tests;
