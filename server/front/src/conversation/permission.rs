//! Approvals as `session/request_permission`. Whatever is not plainly a yes is a no.

use super::meta;
mod facts;
pub use facts::facts;

use super::peer::{Peer, PeerError};
use crate::protocol::{ASSENT, AnswerMeta};
use agent_client_protocol_schema::v1 as acp;
use assent_base::clip::visible_line;
use assent_base::policy::Span;
use assent_engine::editor::{Answer, Approval};
use serde_json::{Value, json};

/// The options' ids. The kinds are ACP's; two of them may be `allow_always`.
const ALLOW_ONCE: &str = "allow_once";
const SAVE_THEN_ALLOW: &str = "save_then_allow";
const ALLOW_SESSION: &str = "allow_session";
const ALLOW_ALWAYS: &str = "allow_always";
const REJECT_ONCE: &str = "reject_once";

/// Ask the user. Dropping the future withdraws the question.
pub async fn ask(peer: &Peer, approval: &Approval) -> Answer {
    let params = json!(request(approval));
    answer(approval, peer.request(acp::CLIENT_METHOD_NAMES.session_request_permission, params).await)
}

/// The request: everything that will happen, nothing folded away.
pub fn request(approval: &Approval) -> acp::RequestPermissionRequest {
    let fields = acp::ToolCallUpdateFields::new()
        .title(approval.title.clone())
        .name(approval.call.tool.clone())
        .status(acp::ToolCallStatus::Pending)
        .content(vec![details(approval).into()]);
    let call =
        acp::ToolCallUpdate::new(approval.call.call_id.clone(), fields).meta(meta(json!(facts(approval))));
    acp::RequestPermissionRequest::new(approval.session.0.clone(), call, options(approval))
}

fn options(approval: &Approval) -> Vec<acp::PermissionOption> {
    let option = |id: &'static str, name: String, kind| acp::PermissionOption::new(id, name, kind);
    let mut options = vec![option(ALLOW_ONCE, "Allow once".into(), acp::PermissionOptionKind::AllowOnce)];
    if may_save(approval) {
        let kind = acp::PermissionOptionKind::AllowOnce;
        options.push(option(SAVE_THEN_ALLOW, "Save all, then allow once".into(), kind));
    }
    if let Some(rule) = &approval.remember {
        let kind = acp::PermissionOptionKind::AllowAlways;
        options.push(option(ALLOW_SESSION, format!("Allow `{rule}` in this session"), kind));
        options.push(option(ALLOW_ALWAYS, format!("Always allow `{rule}` in this workspace"), kind));
    }
    options.push(option(REJECT_ONCE, "Reject".into(), acp::PermissionOptionKind::RejectOnce));
    options
}

/// Whether saving first would change anything, and the editor can do it.
fn may_save(approval: &Approval) -> bool {
    approval.can_save && !approval.unsaved.is_empty()
}

/// The same for a reader, as Markdown: what, where, why, and what to look out for.
pub fn details(approval: &Approval) -> String {
    let fence = fence(&approval.shown_subject);
    let mut text = format!("{fence}\n{}\n{fence}\n", approval.shown_subject);
    for line in lines(approval) {
        text.push_str(&format!("\n{line}\n"));
    }
    text
}

/// Everything that an approval says besides its subject, a line each, for whoever can only show
/// words.
pub fn lines(approval: &Approval) -> Vec<String> {
    let facts = &approval.facts;
    let mut lines = Vec::new();
    if let Some(command) = &approval.call.command {
        lines.push(format!("In: {}", visible_line(&command.directory.canonical.to_string_lossy())));
    } else {
        lines.extend(facts.cwd.iter().map(|cwd| format!("In: {}", cwd.path)));
        lines.push(format!("Tool: {}", tool(approval)));
        if facts.arguments.len() > "{}".len() {
            lines.push(format!("Arguments: {}", facts.arguments));
        }
    }
    if let Some(sandbox) = &approval.sandbox {
        lines.push(format!("Sandbox: {}", visible_line(&sandbox.words)));
    }
    for part in facts.command.iter().flat_map(|command| &command.parsed) {
        let program = part.program.as_ref().map(|program| program.display().to_string());
        let marks: Vec<_> = part.marks.iter().map(|mark| mark.words()).collect();
        let what = [program, (!marks.is_empty()).then(|| marks.join(", "))];
        let what: Vec<_> = what.into_iter().flatten().collect();
        if !what.is_empty() {
            lines.push(format!(
                "Runs: {} ({})",
                part.argv.first().map_or("", String::as_str),
                what.join("; ")
            ));
        }
    }
    lines.extend(facts.env.iter().map(|(name, value)| format!("With: {name}={value}")));
    lines.push(format!("Why it asks: {}", approval.rule));
    lines.extend(approval.warnings.iter().map(|warning| format!("Warning: {warning}")));
    if let [_, .., last] = &approval.agent_path[..] {
        lines.push(format!("Asked by the agent {last} ({})", approval.agent_path.join(" → ")));
    }
    let unsaved = approval.unsaved.iter();
    lines.extend(unsaved.map(|uri| format!("Not saved, so a command sees the old text: {}", uri.as_str())));
    lines
}

fn tool(approval: &Approval) -> String {
    let tool = &approval.facts.tool;
    let mut text = visible_line(&approval.call.tool);
    if let Some(source) = &tool.source {
        text.push_str(&format!(", from {source}"));
    }
    if let Some(replaced) = &tool.overrides {
        text.push_str(&format!(", instead of {replaced}"));
    }
    text
}

/// A fence longer than any in the text.
fn fence(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}

/// For the model, when an answer was not about this question.
const OTHER_DIGEST: &str = "the answer was about another state of the call than the one that was asked about";

/// For the model, when a rule was to hold for longer than was offered.
const OTHER_SCOPE: &str = "the rule was to be kept in a way that was not offered";

/// What the user said. Null, cancelled, an option that was not offered, an error, a lost client: no.
/// An answer to anything else than what was asked is a no too.
pub fn answer(approval: &Approval, result: Result<Value, PeerError>) -> Answer {
    let no = Answer::Reject { feedback: None, stop: false };
    let Ok(mut result) = result else { return no };
    let said: AnswerMeta = result
        .pointer_mut(&format!("/_meta/{ASSENT}"))
        .map(Value::take)
        .and_then(|said| serde_json::from_value(said).ok())
        .unwrap_or_default();
    let chosen = match serde_json::from_value::<acp::RequestPermissionResponse>(result) {
        Ok(acp::RequestPermissionResponse {
            outcome: acp::RequestPermissionOutcome::Selected(selected),
            ..
        }) => selected.option_id,
        _ => return Answer::Reject { feedback: said.feedback, stop: said.stop },
    };
    if said.digest.as_ref().is_some_and(|digest| *digest != approval.digest) {
        return Answer::Reject { feedback: Some(OTHER_DIGEST.into()), stop: said.stop };
    }
    let lasting = approval.remember.is_some();
    match &*chosen.0 {
        ALLOW_ONCE => Answer::AllowOnce,
        SAVE_THEN_ALLOW if may_save(approval) => Answer::SaveThenAllow,
        ALLOW_SESSION if lasting => remember(approval, Span::Session, said),
        ALLOW_ALWAYS if lasting => remember(approval, Span::Workspace, said),
        _ => Answer::Reject { feedback: said.feedback, stop: said.stop },
    }
}

/// A yes with a rule. A scope that was not offered makes it a no: the user meant something else.
fn remember(approval: &Approval, span: Span, said: AnswerMeta) -> Answer {
    let named = |name: String| serde_json::from_value::<Span>(Value::String(name)).ok();
    match said.scope.map(named) {
        None => Answer::Remember { span, rule: said.rule },
        Some(Some(span)) if approval.facts.scopes.contains(&span) => {
            Answer::Remember { span, rule: said.rule }
        }
        Some(_) => Answer::Reject { feedback: Some(OTHER_SCOPE.into()), stop: said.stop },
    }
}

#[cfg(test)]
mod tests;
