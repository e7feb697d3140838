//! Telling a stored conversation again, as the events it was told by.

use crate::event::{CallStatus, EventKind, ToolCallState, ToolKind};
use crate::tools::Registry;
use assent_base::chat::{Message, Part, Transcript};
use assent_base::path::{absolute, display};
use assent_base::policy::ResolvedCall;
use assent_base::tool::{Arguments, Call, CallResult, Effects};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// Tell the whole conversation, in order. A call that has no result yet still waits.
pub fn replay_events(
    transcript: &Transcript,
    registry: &Registry,
    folder: Option<&Path>,
    tell: impl Fn(EventKind),
) {
    let context = Context { registry, folder };
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
                parts.iter().for_each(|part| tell(part_event(part, results, &open, context)));
            }
            Message::Results(_) => {}
        }
    }
}

/// What calls are told with.
#[derive(Clone, Copy)]
struct Context<'a> {
    registry: &'a Registry,
    /// The session's folder.
    folder: Option<&'a Path>,
}

fn part_event(part: &Part, results: &[CallResult], open: &[Call], context: Context<'_>) -> EventKind {
    match part {
        Part::Text(text) => EventKind::Text(text.clone()),
        Part::Reasoning(reasoning) => EventKind::Reasoning(reasoning.text.clone()),
        Part::Call(call) => {
            let result = results.iter().find(|result| result.call_id == call.id);
            let mut state = state(call, result, context);
            if open.contains(call) {
                (state.status, state.content) = (CallStatus::Pending, Vec::new());
            }
            EventKind::ToolCall(state)
        }
    }
}

fn state(call: &Call, result: Option<&CallResult>, context: Context<'_>) -> ToolCallState {
    let tool = context.registry.get(&call.name);
    let failed = result.is_none_or(|result| result.is_error);
    let path = path(call, context.folder);
    let (arguments, title) = match (&call.arguments, tool) {
        (Arguments::Object(map), Some(tool)) => {
            (Value::Object(map.clone()), tool.title(&as_told(call, map, path.as_deref(), context.folder)))
        }
        (Arguments::Object(map), None) => (Value::Object(map.clone()), call.name.clone()),
        (Arguments::Invalid { text, .. }, _) => (Value::String(text.clone()), call.name.clone()),
    };
    ToolCallState {
        summary: None,
        call_id: call.id.clone(),
        tool: call.name.clone(),
        title,
        kind: tool.map_or(ToolKind::Other, |tool| tool.kind()),
        status: if failed { CallStatus::Failed } else { CallStatus::Completed },
        arguments,
        locations: path.into_iter().map(|path| (path, None)).collect(),
        content: result.map(|result| result.content.clone()).unwrap_or_default(),
        diffs: Vec::new(),
    }
}

/// The call as far as its title needs it. It is not resolved again only to be shown: what the
/// disk would say today is not what it said then.
fn as_told(
    call: &Call,
    arguments: &Map<String, Value>,
    path: Option<&Path>,
    folder: Option<&Path>,
) -> ResolvedCall {
    let roots: Vec<PathBuf> = folder.map(Path::to_owned).into_iter().collect();
    let command = arguments.get("command").and_then(Value::as_str);
    let subject = match (command, path) {
        (Some(command), _) => command.to_owned(),
        (None, Some(path)) => display(&roots, path),
        (None, None) => words(&call.name, arguments),
    };
    ResolvedCall {
        call_id: call.id.clone(),
        tool: call.name.clone(),
        subject,
        effects: Effects::default(),
        paths: Vec::new(),
        command: None,
        program: None,
        arguments: arguments.clone(),
        notes: Vec::new(),
        unsandboxed: false,
    }
}

/// Where a call pointed, by its text. What searches without naming a folder searches the workspace.
fn path(call: &Call, folder: Option<&Path>) -> Option<PathBuf> {
    let Arguments::Object(arguments) = &call.arguments else { return None };
    let named = |name: &str| arguments.get(name).and_then(Value::as_str).filter(|path| !path.is_empty());
    let given = named("filePath").or_else(|| named("path"));
    let given = given.or_else(|| SEARCHES.contains(&call.name.as_str()).then_some("."))?;
    absolute(folder, given).ok()
}

/// The tools that take the workspace where no path is given.
const SEARCHES: &[&str] = &["ls", "glob", "grep"];

/// A program's words, else the tool's name.
fn words(tool: &str, arguments: &Map<String, Value>) -> String {
    let args = arguments.get("args").and_then(Value::as_array).into_iter().flatten();
    let words: Vec<&str> = std::iter::once(tool).chain(args.filter_map(Value::as_str)).collect();
    words.join(" ")
}
