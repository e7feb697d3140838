//! `todowrite`: the todo list, replaced as a whole.

use super::{Tool, ToolContext, ToolOutput, target, todoread};
use crate::event::{Todo, ToolKind};
use crate::permission::Granted;
use assent_base::policy::ResolvedCall;
use assent_base::tool::Definition;
use async_trait::async_trait;
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) struct TodoWrite(pub(super) Arc<Definition>);

#[async_trait]
impl Tool for TodoWrite {
    fn definition(&self) -> &Arc<Definition> {
        &self.0
    }

    fn kind(&self) -> ToolKind {
        ToolKind::Think
    }

    fn title(&self, _: &ResolvedCall) -> String {
        "Update the todo list".to_owned()
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        _: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        Ok(target::pure("todowrite", call_id, arguments))
    }

    async fn run(&self, granted: Granted, ctx: &ToolContext) -> ToolOutput {
        let todos = todos(&granted.call().arguments);
        let told = todoread::told(&todos);
        *ctx.todos.lock() = todos;
        ToolOutput::text(told)
    }
}

fn todos(arguments: &Map<String, Value>) -> Vec<Todo> {
    let items = arguments.get("todos").and_then(Value::as_array).into_iter().flatten();
    let given = |text: &str, otherwise: &str| {
        if text.is_empty() { otherwise.to_owned() } else { text.to_owned() }
    };
    items
        .filter_map(Value::as_object)
        .enumerate()
        .map(|(at, item)| Todo {
            id: given(target::text(item, "id"), &(at + 1).to_string()),
            content: target::text(item, "content").to_owned(),
            status: given(target::text(item, "status"), "pending"),
            priority: given(target::text(item, "priority"), "medium"),
        })
        .collect()
}
