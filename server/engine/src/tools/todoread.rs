//! `todoread`: the todo list.

use super::{Tool, ToolContext, ToolOutput, target};
use crate::event::{Todo, ToolKind};
use crate::permission::Granted;
use assent_base::policy::ResolvedCall;
use assent_base::tool::Definition;
use async_trait::async_trait;
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) struct TodoRead(pub(super) Arc<Definition>);

#[async_trait]
impl Tool for TodoRead {
    fn definition(&self) -> &Arc<Definition> {
        &self.0
    }

    fn kind(&self) -> ToolKind {
        ToolKind::Think
    }

    fn title(&self, _: &ResolvedCall) -> String {
        "Look at the todo list".to_owned()
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        _: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        Ok(target::pure("todoread", call_id, arguments))
    }

    async fn run(&self, _: Granted, ctx: &ToolContext) -> ToolOutput {
        ToolOutput::text(told(&ctx.todos.lock()))
    }
}

/// The list in words.
pub(super) fn told(todos: &[Todo]) -> String {
    if todos.is_empty() {
        return "The todo list is empty.".to_owned();
    }
    let lines: Vec<String> = todos
        .iter()
        .map(|todo| format!("{}. [{}] {} ({})", todo.id, todo.status, todo.content, todo.priority))
        .collect();
    lines.join("\n")
}
