//! Telling a stored conversation again, as the events it was told by.

use crate::event::{CallStatus, EventKind, ToolCallState, ToolKind};
use crate::tools::Registry;
use assent_base::chat::{Message, Part, Transcript};
use assent_base::tool::{Arguments, Call, CallResult};
use serde_json::Value;

/// Tell the whole conversation, in order. A call that has no result yet still waits.
pub fn replay_events(transcript: &Transcript, registry: &Registry, tell: impl Fn(EventKind)) {
    let messages = transcript.messages();
    let mut prompt = 0;
    let open = transcript.open_calls();
    for (at, message) in messages.iter().enumerate() {
        match &**message {
            Message::User(content) => {
                tell(EventKind::UserMessage { prompt, content: content.clone() });
                prompt += 1;
            }
            Message::Assistant(parts) => {
                let results = match messages.get(at + 1).map(|next| &**next) {
                    Some(Message::Results(results)) => results.as_slice(),
                    _ => &[],
                };
                parts.iter().for_each(|part| tell(part_event(part, results, &open, registry)));
            }
            Message::Results(_) => {}
        }
    }
}

fn part_event(part: &Part, results: &[CallResult], open: &[Call], registry: &Registry) -> EventKind {
    match part {
        Part::Text(text) => EventKind::Text(text.clone()),
        Part::Reasoning(reasoning) => EventKind::Reasoning(reasoning.text.clone()),
        Part::Call(call) => {
            let result = results.iter().find(|result| result.call_id == call.id);
            let mut state = state(call, result, registry);
            if open.contains(call) {
                (state.status, state.content) = (CallStatus::Pending, Vec::new());
            }
            EventKind::ToolCall(state)
        }
    }
}

fn state(call: &Call, result: Option<&CallResult>, registry: &Registry) -> ToolCallState {
    let arguments = match &call.arguments {
        Arguments::Object(map) => Value::Object(map.clone()),
        Arguments::Invalid { text, .. } => Value::String(text.clone()),
    };
    let failed = result.is_none_or(|result| result.is_error);
    ToolCallState {
        call_id: call.id.clone(),
        tool: call.name.clone(),
        title: title(&call.name, &arguments),
        kind: registry.get(&call.name).map_or(ToolKind::Other, |tool| tool.kind()),
        status: if failed { CallStatus::Failed } else { CallStatus::Completed },
        arguments,
        locations: Vec::new(),
        content: result.map(|result| result.content.clone()).unwrap_or_default(),
        diffs: Vec::new(),
    }
}

/// The call is not resolved again only to be shown: its most telling argument does.
fn title(tool: &str, arguments: &Value) -> String {
    let telling =
        ["filePath", "command", "pattern", "path"].iter().find_map(|name| arguments[*name].as_str());
    match telling {
        Some(argument) => format!("{tool} {argument}"),
        None => tool.to_owned(),
    }
}
