//! `edit`: one replacement in one document.

use super::{Tool, ToolContext, ToolOutput, change, target};
use crate::event::ToolKind;
use crate::permission::Granted;
use assent_base::find;
use assent_base::policy::ResolvedCall;
use assent_base::tool::Definition;
use async_trait::async_trait;
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) struct Edit(pub(super) Arc<Definition>);

#[async_trait]
impl Tool for Edit {
    fn definition(&self) -> &Arc<Definition> {
        &self.0
    }

    fn kind(&self) -> ToolKind {
        ToolKind::Edit
    }

    fn title(&self, call: &ResolvedCall) -> String {
        format!("Edit {}", call.subject)
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        ctx: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        change::resolve("edit", call_id, arguments, ctx).await
    }

    async fn run(&self, granted: Granted, ctx: &ToolContext) -> ToolOutput {
        let arguments = &granted.call().arguments;
        replace(&granted, target::text(arguments, "oldString"), target::text(arguments, "newString"), ctx)
            .await
    }
}

/// Propose one text for another in the document of a call.
pub(super) async fn replace(granted: &Granted, from: &str, to: &str, ctx: &ToolContext) -> ToolOutput {
    let call = granted.call();
    let snapshot = match change::load_to_edit(call, ctx).await {
        Ok(snapshot) => snapshot,
        Err(output) => return output,
    };
    let old = snapshot.text.to_string();
    match find::locate(&old, from, to, replace_all(&call.arguments)) {
        Ok(located) => change::propose_located(granted, &snapshot, &old, &located, ctx).await,
        Err(problem) => ToolOutput::error(format!("{}: {problem}", call.subject)),
    }
}

/// Whether every occurrence is meant.
pub(super) fn replace_all(arguments: &Map<String, Value>) -> bool {
    arguments.get("replaceAll").and_then(Value::as_bool).unwrap_or(false)
}
