//! Events of the engine as ACP session updates.

use super::{meta, state};
use crate::protocol::{CallMeta, PromptMeta};
use agent_client_protocol_schema::v1 as acp;
use assent_base::path::DocumentUri;
use assent_base::tool::{Content, Origin};
use assent_engine::commands::SlashCommand;
use assent_engine::event::{
    CallStatus, Event, EventKind, Level, SessionId, Todo, ToolCallState, ToolKind, UsageReport,
};
use serde_json::json;
use std::collections::HashMap;

/// How much of a running call's output an update shows: its end.
const OUTPUT_BYTES: usize = 8 * 1024;

/// What a connection has been told already, as far as the next update depends on it.
#[derive(Default)]
pub struct Updates {
    /// Calls that have been announced, with the end of their output so far.
    calls: HashMap<(SessionId, String), String>,
    /// The tools' slash commands that each session's client knows.
    commands: HashMap<SessionId, Vec<SlashCommand>>,
}

impl Updates {
    /// A client was told these slash commands of tools.
    pub fn told_commands(&mut self, session: &SessionId, commands: &[SlashCommand]) {
        self.commands.insert(session.clone(), commands.to_vec());
    }

    /// What a client is told of an event. Empty for what is not said by `session/update`: the begin
    /// and end of a turn, reviews, closed approvals, and a changed option, which needs the
    /// session's state (see [`super::Conversation::updates`]).
    pub fn of(&mut self, event: &Event) -> Vec<acp::SessionUpdate> {
        let update = match &event.kind {
            EventKind::UserMessage { prompt, content } => {
                let which = meta(json!(PromptMeta { prompt: *prompt }));
                return content
                    .iter()
                    .filter_map(shown)
                    .map(|block| chunk(block).meta(which.clone()))
                    .map(acp::SessionUpdate::UserMessageChunk)
                    .collect();
            }
            EventKind::Text(text) => acp::SessionUpdate::AgentMessageChunk(chunk(text.as_str().into())),
            EventKind::Reasoning(text) => acp::SessionUpdate::AgentThoughtChunk(chunk(text.as_str().into())),
            EventKind::ToolCall(call) => self.tool_call(&event.session, call),
            EventKind::ToolOutput { call_id, text } => match self.output(&event.session, call_id, text) {
                Some(update) => update,
                None => return Vec::new(),
            },
            EventKind::Plan(todos) => {
                acp::SessionUpdate::Plan(acp::Plan::new(todos.iter().map(plan_entry).collect()))
            }
            EventKind::Notice { level, text } => notice(*level, text),
            EventKind::ModeChanged(mode) => {
                acp::SessionUpdate::CurrentModeUpdate(acp::CurrentModeUpdate::new(state::mode_id(*mode)))
            }
            EventKind::Title(title) => {
                acp::SessionUpdate::SessionInfoUpdate(acp::SessionInfoUpdate::new().title(title.clone()))
            }
            EventKind::Usage(usage) => acp::SessionUpdate::UsageUpdate(usage_update(usage)),
            EventKind::Commands(commands) => {
                if self.commands.get(&event.session) == Some(commands) {
                    return Vec::new();
                }
                self.told_commands(&event.session, commands);
                acp::SessionUpdate::AvailableCommandsUpdate(state::available_commands(commands))
            }
            EventKind::TurnEnded(_) => {
                self.calls.retain(|(session, _), _| *session != event.session);
                return Vec::new();
            }
            EventKind::TurnStarted
            | EventKind::Review(_)
            | EventKind::ApprovalClosed { .. }
            | EventKind::ConfigChanged => return Vec::new(),
        };
        vec![update]
    }

    fn tool_call(&mut self, session: &SessionId, call: &ToolCallState) -> acp::SessionUpdate {
        let content = call_content(call);
        let locations: Vec<_> = call
            .locations
            .iter()
            .map(|(path, line)| acp::ToolCallLocation::new(path.clone()).line(*line))
            .collect();
        let key = (session.clone(), call.call_id.clone());
        if self.calls.contains_key(&key) {
            let mut fields = acp::ToolCallUpdateFields::new()
                .title(call.title.clone())
                .kind(kind(call.kind))
                .status(status(call.status))
                .locations(locations)
                .raw_input(raw_input(call));
            // Absent means unchanged: the output told so far stays until there is a result.
            if !content.is_empty() {
                fields = fields.content(content);
            }
            let summary = call.summary.clone().map(|summary| meta(json!(CallMeta { summary })));
            let update = acp::ToolCallUpdate::new(call.call_id.clone(), fields).meta(summary);
            return acp::SessionUpdate::ToolCallUpdate(update);
        }
        self.calls.insert(key, String::new());
        acp::SessionUpdate::ToolCall(
            acp::ToolCall::new(call.call_id.clone(), call.title.clone())
                .name(call.tool.clone())
                .kind(kind(call.kind))
                .status(status(call.status))
                .content(content)
                .locations(locations)
                .raw_input(raw_input(call)),
        )
    }

    fn output(&mut self, session: &SessionId, call_id: &str, text: &str) -> Option<acp::SessionUpdate> {
        let shown = self.calls.get_mut(&(session.clone(), call_id.to_owned()))?;
        shown.push_str(text);
        if shown.len() > OUTPUT_BYTES {
            let mut cut = shown.len() - OUTPUT_BYTES;
            while !shown.is_char_boundary(cut) {
                cut += 1;
            }
            shown.drain(..cut);
        }
        let fields = acp::ToolCallUpdateFields::new().content(vec![shown.as_str().into()]);
        Some(acp::SessionUpdate::ToolCallUpdate(acp::ToolCallUpdate::new(call_id.to_owned(), fields)))
    }
}

fn chunk(content: acp::ContentBlock) -> acp::ContentChunk {
    acp::ContentChunk::new(content)
}

/// Our own words go where the model's go, so that every client shows them, and carry a mark.
pub fn notice(level: Level, text: &str) -> acp::SessionUpdate {
    let level = match level {
        Level::Info => "info",
        Level::Warning => "warning",
        Level::Error => "error",
    };
    acp::SessionUpdate::AgentMessageChunk(chunk(text.into()).meta(meta(json!({ "notice": level }))))
}

/// A piece of a user's message as its user knows it.
fn shown(content: &Content) -> Option<acp::ContentBlock> {
    let Content::Expanded { of, .. } = content else { return Some(block(content)) };
    match of {
        Origin::Command(typed) => Some(typed.as_str().into()),
        Origin::Document { uri, lines } => {
            let part = lines.map(|(first, last)| format!("#L{first}-{last}")).unwrap_or_default();
            let name = origin(of).unwrap_or_default();
            Some(acp::ContentBlock::ResourceLink(acp::ResourceLink::new(name, format!("{uri}{part}"))))
        }
        Origin::Note => None,
    }
}

/// What an expanded text stands for, in words; nothing for what is not the user's.
pub fn origin(of: &Origin) -> Option<String> {
    match of {
        Origin::Command(typed) => Some(typed.clone()),
        Origin::Document { uri, lines } => {
            let path = DocumentUri::new(uri).to_path();
            let name = path.map_or_else(|| uri.clone(), |path| path.display().to_string());
            let lines = lines.map(|(first, last)| format!(":{first}-{last}")).unwrap_or_default();
            Some(format!("{name}{lines}"))
        }
        Origin::Note => None,
    }
}

fn block(content: &Content) -> acp::ContentBlock {
    match content {
        Content::Text(text) | Content::Expanded { text, .. } => text.as_str().into(),
        Content::Image { media_type, data } => {
            acp::ContentBlock::Image(acp::ImageContent::new(data.clone(), media_type.clone()))
        }
    }
}

fn call_content(call: &ToolCallState) -> Vec<acp::ToolCallContent> {
    let diffs = call.diffs.iter().map(|diff| {
        acp::ToolCallContent::Diff(
            acp::Diff::new(diff.path.clone(), diff.new_text.clone()).old_text(diff.old_text.clone()),
        )
    });
    diffs.chain(call.content.iter().map(|content| block(content).into())).collect()
}

/// Null while the arguments have not come yet.
fn raw_input(call: &ToolCallState) -> Option<serde_json::Value> {
    Some(call.arguments.clone()).filter(|arguments| !arguments.is_null())
}

fn plan_entry(todo: &Todo) -> acp::PlanEntry {
    let priority = match todo.priority.as_str() {
        "high" => acp::PlanEntryPriority::High,
        "low" => acp::PlanEntryPriority::Low,
        _ => acp::PlanEntryPriority::Medium,
    };
    // ACP has no word for an item that was given up; nothing is left to be done for it.
    let status = match todo.status.as_str() {
        "in_progress" => acp::PlanEntryStatus::InProgress,
        "completed" | "cancelled" => acp::PlanEntryStatus::Completed,
        _ => acp::PlanEntryStatus::Pending,
    };
    acp::PlanEntry::new(todo.content.clone(), priority, status)
}

/// `size` is 0 where the model's window is not known.
fn usage_update(usage: &UsageReport) -> acp::UsageUpdate {
    acp::UsageUpdate::new(usage.last.input + usage.last.output, usage.window.unwrap_or(0)).meta(meta(json!({
        "last": usage.last,
        "total": usage.total,
    })))
}

fn status(status: CallStatus) -> acp::ToolCallStatus {
    match status {
        CallStatus::Pending => acp::ToolCallStatus::Pending,
        CallStatus::Running => acp::ToolCallStatus::InProgress,
        CallStatus::Completed => acp::ToolCallStatus::Completed,
        CallStatus::Failed => acp::ToolCallStatus::Failed,
    }
}

fn kind(kind: ToolKind) -> acp::ToolKind {
    match kind {
        ToolKind::Read => acp::ToolKind::Read,
        ToolKind::Edit => acp::ToolKind::Edit,
        ToolKind::Delete => acp::ToolKind::Delete,
        ToolKind::Move => acp::ToolKind::Move,
        ToolKind::Search => acp::ToolKind::Search,
        ToolKind::Execute => acp::ToolKind::Execute,
        ToolKind::Think => acp::ToolKind::Think,
        ToolKind::Fetch => acp::ToolKind::Fetch,
        ToolKind::Other => acp::ToolKind::Other,
    }
}

#[cfg(test)]
mod tests;
