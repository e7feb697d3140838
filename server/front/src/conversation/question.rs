//! Questions of the model to the user: a form where the client has forms, else a choice of options.

use super::peer::Peer;
use agent_client_protocol_schema::v1 as acp;
use assent_engine::editor::UserQuestion;
use serde_json::{Value, json};

/// The form's fields.
const ANSWER: &str = "answer";
const OTHER: &str = "other";
/// The option that gives no answer.
const DISMISS: &str = "dismiss";

/// Whether a client can be asked anything at all.
pub fn has_forms(client: &acp::ClientCapabilities) -> bool {
    client.elicitation.as_ref().is_some_and(|elicitation| elicitation.form.is_some())
}

/// Ask the user; `None` when the question was dismissed or can't be put.
pub async fn ask(
    peer: &Peer,
    client: &acp::ClientCapabilities,
    question: &UserQuestion,
) -> Option<Vec<String>> {
    if has_forms(client) {
        let params = json!(form(question));
        let result = peer.request(acp::CLIENT_METHOD_NAMES.elicitation_create, params).await.ok()?;
        return form_answer(result);
    }
    if question.options.is_empty() || question.multiple {
        return None;
    }
    let params = json!(choice(question));
    let result = peer.request(acp::CLIENT_METHOD_NAMES.session_request_permission, params).await.ok()?;
    choice_answer(question, result)
}

/// The question as a form.
pub fn form(question: &UserQuestion) -> acp::CreateElicitationRequest {
    let options = || {
        question
            .options
            .iter()
            .map(|(label, description)| {
                let option = acp::EnumOption::new(label.clone(), label.clone());
                if description.is_empty() { option } else { option.description(description.clone()) }
            })
            .collect::<Vec<_>>()
    };
    let schema = acp::ElicitationSchema::new();
    let schema = match (question.options.is_empty(), question.multiple) {
        (true, _) => schema.string(ANSWER, true),
        (false, true) => schema
            .property(ANSWER, acp::MultiSelectPropertySchema::titled(options()), false)
            .property(OTHER, other(), false),
        (false, false) => schema
            .property(ANSWER, acp::StringPropertySchema::new().one_of(options()), false)
            .property(OTHER, other(), false),
    };
    let scope = acp::ElicitationSessionScope::new(question.session.0.clone())
        .tool_call_id(acp::ToolCallId::new(question.call_id.clone()));
    acp::CreateElicitationRequest::new(
        acp::ElicitationFormMode::new(scope, schema),
        question.question.clone(),
    )
}

fn other() -> acp::StringPropertySchema {
    acp::StringPropertySchema::new().title("Something else")
}

fn form_answer(result: Value) -> Option<Vec<String>> {
    let response: acp::CreateElicitationResponse = serde_json::from_value(result).ok()?;
    let acp::ElicitationAction::Accept(accepted) = response.action else { return None };
    let mut content = accepted.content?;
    let mut answers = match content.remove(ANSWER) {
        Some(acp::ElicitationContentValue::String(answer)) => vec![answer],
        Some(acp::ElicitationContentValue::StringArray(answers)) => answers,
        _ => Vec::new(),
    };
    if let Some(acp::ElicitationContentValue::String(other)) = content.remove(OTHER) {
        answers.push(other);
    }
    answers.retain(|answer| !answer.trim().is_empty());
    (!answers.is_empty()).then_some(answers)
}

/// The question as a choice, for clients without forms.
fn choice(question: &UserQuestion) -> acp::RequestPermissionRequest {
    let fields = acp::ToolCallUpdateFields::new()
        .title(question.question.clone())
        .content(vec![described(question).into()]);
    let mut options: Vec<_> = question
        .options
        .iter()
        .enumerate()
        .map(|(at, (label, _))| {
            acp::PermissionOption::new(at.to_string(), label.clone(), acp::PermissionOptionKind::AllowOnce)
        })
        .collect();
    options.push(acp::PermissionOption::new(DISMISS, "No answer", acp::PermissionOptionKind::RejectOnce));
    let call = acp::ToolCallUpdate::new(question.call_id.clone(), fields);
    acp::RequestPermissionRequest::new(question.session.0.clone(), call, options)
}

fn described(question: &UserQuestion) -> String {
    let mut text = question.question.clone();
    for (label, description) in &question.options {
        text.push_str(&format!("\n- {label}"));
        if !description.is_empty() {
            text.push_str(&format!(": {description}"));
        }
    }
    text
}

fn choice_answer(question: &UserQuestion, result: Value) -> Option<Vec<String>> {
    let response: acp::RequestPermissionResponse = serde_json::from_value(result).ok()?;
    let acp::RequestPermissionOutcome::Selected(selected) = response.outcome else { return None };
    let at = selected.option_id.0.parse::<usize>().ok()?;
    question.options.get(at).map(|(label, _)| vec![label.clone()])
}

#[cfg(test)]
mod tests;
