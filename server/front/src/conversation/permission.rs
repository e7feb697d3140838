//! Approvals as `session/request_permission`. Whatever is not plainly a yes is a no.

use super::meta;
use super::peer::{Peer, PeerError};
use crate::protocol::{ASSENT, AnswerMeta, PermissionMeta, SandboxMeta};
use agent_client_protocol_schema::v1 as acp;
use assent_engine::editor::{Answer, Approval, ShownSandbox};
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

/// What is judged and why it is asked, as data.
pub fn facts(approval: &Approval) -> PermissionMeta {
    let call = &approval.call;
    PermissionMeta {
        id: approval.id.clone(),
        subject: approval.shown_subject.clone(),
        reads: call.effects.reads,
        writes: call.effects.writes,
        exec: call.effects.exec,
        rule: approval.rule.clone(),
        remember: approval.remember.clone(),
        warnings: approval.warnings.clone(),
        agent_path: approval.agent_path.clone(),
        unsaved: approval.unsaved.iter().map(|uri| uri.as_str().to_owned()).collect(),
        directory: call.command.as_ref().map(|command| command.directory.canonical.display().to_string()),
        sandbox: approval.sandbox.as_ref().map(sandbox),
    }
}

fn sandbox(shown: &ShownSandbox) -> SandboxMeta {
    SandboxMeta {
        name: shown.name.to_owned(),
        network: shown.network,
        writable: shown.writable.iter().map(|path| path.display().to_string()).collect(),
        words: shown.words.clone(),
    }
}

/// The same for a reader, as Markdown: what, where, why, and what to look out for.
pub fn details(approval: &Approval) -> String {
    let fence = fence(&approval.shown_subject);
    let mut text = format!("{fence}\n{}\n{fence}\n", approval.shown_subject);
    if let Some(command) = &approval.call.command {
        text.push_str(&format!("\nIn: {}\n", command.directory.canonical.display()));
    }
    if let Some(sandbox) = &approval.sandbox {
        text.push_str(&format!("\nSandbox: {}\n", sandbox.words));
    }
    text.push_str(&format!("\nWhy it asks: {}\n", approval.rule));
    for warning in &approval.warnings {
        text.push_str(&format!("\nWarning: {warning}\n"));
    }
    if let [_, .., last] = &approval.agent_path[..] {
        text.push_str(&format!("\nAsked by the agent {last} ({})\n", approval.agent_path.join(" → ")));
    }
    for uri in &approval.unsaved {
        text.push_str(&format!("\nNot saved, so a command sees the old text: {}\n", uri.as_str()));
    }
    text
}

/// A fence longer than any in the text.
fn fence(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}

/// What the user said. Null, cancelled, an option that was not offered, an error, a lost client: no.
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
    match &*chosen.0 {
        ALLOW_ONCE => Answer::AllowOnce,
        SAVE_THEN_ALLOW if may_save(approval) => Answer::SaveThenAllow,
        ALLOW_SESSION if approval.remember.is_some() => Answer::AllowSession,
        ALLOW_ALWAYS if approval.remember.is_some() => Answer::AllowAlways,
        _ => Answer::Reject { feedback: said.feedback, stop: said.stop },
    }
}

#[cfg(test)]
mod tests;
