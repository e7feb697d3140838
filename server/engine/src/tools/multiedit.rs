//! `multiedit`: several replacements in one document, all or none.

use super::{Tool, ToolContext, ToolOutput, change, edit, target};
use crate::event::ToolKind;
use crate::permission::Granted;
use assent_base::find::{self, Wanted};
use assent_base::policy::ResolvedCall;
use assent_base::tool::Definition;
use async_trait::async_trait;
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) struct MultiEdit(pub(super) Arc<Definition>);

#[async_trait]
impl Tool for MultiEdit {
    fn definition(&self) -> &Arc<Definition> {
        &self.0
    }

    fn kind(&self) -> ToolKind {
        ToolKind::Edit
    }

    fn title(&self, call: &ResolvedCall) -> String {
        match wanted(&call.arguments).count() {
            1 => format!("Edit {}", call.subject),
            count => format!("Edit {} in {count} places", call.subject),
        }
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        ctx: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        change::resolve("multiedit", call_id, arguments, ctx).await
    }

    async fn run(&self, granted: Granted, ctx: &ToolContext) -> ToolOutput {
        let call = granted.call();
        let snapshot = match change::load_to_edit(call, ctx).await {
            Ok(snapshot) => snapshot,
            Err(output) => return output,
        };
        let old = snapshot.text.to_string();
        let wanted: Vec<Wanted<'_>> = wanted(&call.arguments).collect();
        match find::locate_all(&old, &wanted) {
            Ok(located) => change::propose_located(&granted, &snapshot, &old, &located, ctx).await,
            Err(problem) => ToolOutput::error(format!("{}: {problem}", call.subject)),
        }
    }
}

fn wanted(arguments: &Map<String, Value>) -> impl Iterator<Item = Wanted<'_>> {
    let edits = arguments.get("edits").and_then(Value::as_array).into_iter().flatten();
    edits.filter_map(Value::as_object).map(|one| Wanted {
        old: target::text(one, "oldString"),
        new: target::text(one, "newString"),
        all: edit::replace_all(one),
    })
}
