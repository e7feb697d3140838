//! `invalid`: the answer to a call that can't be run. The model is never offered it.

use super::{Tool, ToolContext, ToolOutput, target};
use crate::event::ToolKind;
use crate::permission::Granted;
use assent_base::policy::ResolvedCall;
use assent_base::tool::Definition;
use async_trait::async_trait;
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) struct Invalid(pub(super) Arc<Definition>);

#[async_trait]
impl Tool for Invalid {
    fn definition(&self) -> &Arc<Definition> {
        &self.0
    }

    fn kind(&self) -> ToolKind {
        ToolKind::Other
    }

    fn title(&self, call: &ResolvedCall) -> String {
        format!("Invalid call of {}", target::text(&call.arguments, "tool"))
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        _: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        Ok(target::pure("invalid", call_id, arguments))
    }

    async fn run(&self, granted: Granted, _: &ToolContext) -> ToolOutput {
        let arguments = &granted.call().arguments;
        answer(target::text(arguments, "tool"), target::text(arguments, "error"))
    }
}

/// Says that a call was not run, and why.
pub(super) fn answer(tool: &str, error: &str) -> ToolOutput {
    ToolOutput::error(format!("The call of `{tool}` was not run: {}.", error.trim_end_matches('.')))
}
