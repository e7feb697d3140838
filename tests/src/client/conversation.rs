//! The conversation: ACP's methods, which are the same under either framing.

use super::{Client, ServerRequest};
use crate::connection::Framing;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A turn that has ended.
#[derive(Debug, Clone)]
pub struct Turn {
    /// Why it ended.
    pub stop_reason: String,
    /// Which of the session's prompts it was.
    pub prompt: Option<u64>,
    /// The updates of the session since the turn before, in order.
    pub updates: Vec<Value>,
}

impl Turn {
    /// The model's words.
    pub fn text(&self) -> String {
        self.chunks("agent_message_chunk")
    }

    /// The model's thinking.
    pub fn thinking(&self) -> String {
        self.chunks("agent_thought_chunk")
    }

    /// What Assent itself had to say, each a line.
    pub fn notices(&self) -> String {
        let said = self.updates.iter().filter(|update| is_notice(update));
        said.filter_map(|update| update["content"]["text"].as_str()).collect::<Vec<_>>().join("\n")
    }

    fn chunks(&self, kind: &str) -> String {
        let chunks =
            self.updates.iter().filter(|update| update["sessionUpdate"] == kind && !is_notice(update));
        chunks.filter_map(|update| update["content"]["text"].as_str()).collect()
    }

    /// Each tool call as its last update left it, in the order they appeared.
    pub fn calls(&self) -> Vec<Value> {
        let mut order: Vec<String> = Vec::new();
        let mut calls: BTreeMap<String, Value> = BTreeMap::new();
        for update in &self.updates {
            let kind = update["sessionUpdate"].as_str().unwrap_or_default();
            if !matches!(kind, "tool_call" | "tool_call_update") {
                continue;
            }
            let id = update["toolCallId"].as_str().unwrap_or_default().to_owned();
            let call = calls.entry(id.clone()).or_insert_with(|| {
                order.push(id);
                json!({})
            });
            for (name, value) in update.as_object().into_iter().flatten() {
                call[name] = value.clone();
            }
        }
        order.iter().map(|id| calls[id].clone()).collect()
    }

    /// The status of each call, by its id.
    pub fn statuses(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        self.calls().iter().map(|call| (text(&call["toolCallId"]), text(&call["status"]))).collect()
    }
}

/// Assent's own words come as the agent's, with a mark.
fn is_notice(update: &Value) -> bool {
    !update["_meta"]["assent"]["notice"].is_null()
}

/// An approval that waits for the user.
#[derive(Debug, Clone)]
pub struct Approval {
    /// The request.
    pub request: ServerRequest,
}

impl Approval {
    /// What is judged.
    pub fn subject(&self) -> &str {
        self.meta()["subject"].as_str().unwrap_or_default()
    }

    /// `toolCall._meta.assent`.
    pub fn meta(&self) -> &Value {
        &self.request.params["toolCall"]["_meta"]["assent"]
    }

    /// The id of the tool call.
    pub fn call(&self) -> &str {
        self.request.params["toolCall"]["toolCallId"].as_str().unwrap_or_default()
    }

    /// The id of the option of a kind, if it is offered; the furthest reaching where there are
    /// several (a session, then the workspace).
    pub fn option(&self, kind: &str) -> Option<&str> {
        let options = self.request.params["options"].as_array()?;
        options.iter().rfind(|option| option["kind"] == kind)?["optionId"].as_str()
    }
}

/// Kinds of updates that tell a state and belong to no turn.
const STATE: [&str; 6] = [
    "available_commands_update",
    "config_option_update",
    "config_options_update",
    "current_mode_update",
    "session_info_update",
    "usage_update",
];

impl Client {
    /// Shake hands as an ACP client.
    #[track_caller]
    pub fn initialize_acp(&mut self) -> Value {
        assert_eq!(self.framing, Framing::Lines, "an LSP client says `initialize` itself");
        let capabilities =
            json!({ "fs": { "readTextFile": false, "writeTextFile": false }, "terminal": false });
        self.request("initialize", json!({ "protocolVersion": 1, "clientCapabilities": capabilities }))
    }

    /// A new session in the workspace's folder.
    #[track_caller]
    pub fn new_session(&mut self) -> String {
        let cwd = self.root.clone();
        let result = self.request("session/new", json!({ "cwd": cwd, "mcpServers": [] }));
        match result["sessionId"].as_str() {
            Some(id) => id.to_owned(),
            None => self.fail(&format!("session/new gave no sessionId: {result}")),
        }
    }

    /// Send a prompt and give the id of the request.
    pub fn start_prompt(&mut self, session: &str, text: &str) -> i64 {
        self.start_prompt_with(session, json!([{ "type": "text", "text": text }]))
    }

    /// Send a prompt of any content blocks.
    pub fn start_prompt_with(&mut self, session: &str, blocks: Value) -> i64 {
        self.send_request("session/prompt", json!({ "sessionId": session, "prompt": blocks }))
    }

    /// Send a prompt and wait for the end of its turn.
    #[track_caller]
    pub fn prompt(&mut self, session: &str, text: &str) -> Turn {
        let id = self.start_prompt(session, text);
        self.finish_turn(session, id)
    }

    /// Wait for the end of a turn. Claims the session's updates that came before the answer;
    /// one of the turn's that came behind it stays unclaimed and fails the test.
    #[track_caller]
    pub fn finish_turn(&mut self, session: &str, id: i64) -> Turn {
        let response = self.wait_for_response(id);
        let result = match response.outcome {
            Ok(result) => result,
            Err(error) => self.fail(&format!("the turn failed: {error:?}")),
        };
        let updates = self.claim_updates(session, response.sequence);
        Turn {
            stop_reason: result["stopReason"].as_str().unwrap_or_default().to_owned(),
            prompt: result["_meta"]["assent"]["prompt"].as_u64(),
            updates,
        }
    }

    /// Wait for a turn that fails as a whole, and give its error.
    #[track_caller]
    pub fn finish_failed_turn(&mut self, session: &str, id: i64) -> (super::RpcError, Vec<Value>) {
        let response = self.wait_for_response(id);
        let updates = self.claim_updates(session, response.sequence);
        match response.outcome {
            Err(error) => (error, updates),
            Ok(result) => self.fail(&format!("the turn should have failed: {result}")),
        }
    }

    /// Claim the updates of a session that came so far.
    pub fn claim_all_updates(&mut self, session: &str) -> Vec<Value> {
        self.claim_updates(session, usize::MAX)
    }

    fn claim_updates(&mut self, session: &str, before: usize) -> Vec<Value> {
        let mut updates = Vec::new();
        self.notifications.retain(|found| {
            let claimed = found.method == "session/update"
                && found.sequence < before
                && found.params["sessionId"] == session;
            if claimed {
                updates.push(found.params["update"].clone());
            }
            !claimed
        });
        updates
    }

    /// Wait until an update of a session fits; it stays to be claimed with its turn.
    #[track_caller]
    pub fn wait_for_update(&mut self, session: &str, fits: impl Fn(&Value) -> bool) -> Value {
        self.wait("a session update", |client| {
            let mut queue = client.notifications.iter();
            let found = queue.find(|found| {
                found.method == "session/update"
                    && found.params["sessionId"] == session
                    && fits(&found.params["update"])
            });
            found.map(|found| found.params["update"].clone())
        })
    }

    /// Wait until the model's words contain a text.
    #[track_caller]
    pub fn wait_for_words(&mut self, session: &str, words: &str) {
        self.wait_for_update(session, |update| {
            update["sessionUpdate"] == "agent_message_chunk"
                && update["content"]["text"].as_str().is_some_and(|text| text.contains(words))
        });
    }

    /// Wait until a call has a status.
    #[track_caller]
    pub fn wait_for_status(&mut self, session: &str, call: &str, status: &str) -> Value {
        self.wait_for_update(session, |update| update["toolCallId"] == call && update["status"] == status)
    }

    pub(super) fn forget_state_updates(&mut self) {
        self.notifications.retain(|found| {
            let kind = found.params["update"]["sessionUpdate"].as_str().unwrap_or_default();
            found.method != "session/update" || !STATE.contains(&kind)
        });
    }

    /// Send a command of the palette and give the id of the request.
    pub fn send_command(&mut self, command: &str, argument: Value) -> i64 {
        let arguments = if argument.is_null() { json!([]) } else { json!([argument]) };
        self.send_request("workspace/executeCommand", json!({ "command": command, "arguments": arguments }))
    }

    /// Run a command of the palette.
    #[track_caller]
    pub fn command(&mut self, command: &str, argument: Value) -> Value {
        let id = self.send_command(command, argument);
        self.expect_result(id)
    }

    /// Cancel the turn of a session.
    pub fn cancel(&mut self, session: &str) {
        self.notify("session/cancel", json!({ "sessionId": session }));
    }

    /// Wait for an approval, and check what every one must carry.
    #[track_caller]
    pub fn expect_approval(&mut self) -> Approval {
        let approval = Approval { request: self.expect_request("session/request_permission") };
        for kind in ["allow_once", "reject_once"] {
            if approval.option(kind).is_none() {
                self.fail(&format!("an approval without the option {kind}: {}", approval.request.params));
            }
        }
        for field in ["subject", "reads", "writes", "exec", "rule"] {
            if approval.meta()[field].is_null() {
                self.fail(&format!("an approval does not say its {field}: {}", approval.request.params));
            }
        }
        approval
    }

    /// Choose an option of an approval by its kind.
    #[track_caller]
    pub fn choose(&mut self, approval: &Approval, kind: &str) {
        let Some(option) = approval.option(kind) else {
            self.fail(&format!("the option {kind} is not offered: {}", approval.request.params))
        };
        let answer = json!({ "outcome": { "outcome": "selected", "optionId": option } });
        self.answer(&approval.request, answer);
    }

    /// Allow once.
    #[track_caller]
    pub fn allow(&mut self, approval: &Approval) {
        self.choose(approval, "allow_once");
    }

    /// Reject once, with a reason for the model, and perhaps the end of the turn.
    #[track_caller]
    pub fn reject(&mut self, approval: &Approval, feedback: &str, stop: bool) {
        let option = approval.option("reject_once").unwrap_or_default();
        let answer = json!({ "outcome": { "outcome": "selected", "optionId": option },
            "_meta": { "assent": { "feedback": feedback, "stop": stop } } });
        self.answer(&approval.request, answer);
    }
}
