//! `plan` and `reviewDiff`: calls in which another agent works. It only reads.

use super::{Task, Tool, ToolContext, ToolOutput, target};
use crate::event::ToolKind;
use crate::permission::Granted;
use assent_base::policy::ResolvedCall;
use assent_base::tool::Definition;
use async_trait::async_trait;
use serde_json::{Map, Value};
use std::sync::Arc;

/// A tool behind which an agent stands.
pub(super) struct Delegated {
    definition: Arc<Definition>,
    agent: &'static str,
    title: fn(&Map<String, Value>) -> String,
    prompt: fn(&Map<String, Value>) -> String,
}

/// `plan`: the agent of the same name.
pub(super) fn plan(definition: Arc<Definition>) -> Delegated {
    let title = |arguments: &Map<String, Value>| format!("Plan: {}", first_line(arguments, "task"));
    let prompt = |arguments: &Map<String, Value>| target::text(arguments, "task").to_owned();
    Delegated { definition, agent: "plan", title, prompt }
}

/// `reviewDiff`: the agent `review`, on the working tree or against a branch.
pub(super) fn review_diff(definition: Arc<Definition>) -> Delegated {
    let title = |arguments: &Map<String, Value>| match first_line(arguments, "base") {
        "" => "Review the uncommitted changes".to_owned(),
        base => format!("Review the changes since {base}"),
    };
    let prompt = |arguments: &Map<String, Value>| match first_line(arguments, "base") {
        "" => "Review the uncommitted changes: the diff of the working tree and the index against HEAD, \
               and the files that are not tracked yet."
            .to_owned(),
        base => format!(
            "Review the changes since the branch or commit `{base}`: the diff from its merge base with HEAD to \
             the working tree, and the files that are not tracked yet."
        ),
    };
    Delegated { definition, agent: "review", title, prompt }
}

#[async_trait]
impl Tool for Delegated {
    fn definition(&self) -> &Arc<Definition> {
        &self.definition
    }

    fn kind(&self) -> ToolKind {
        ToolKind::Think
    }

    fn title(&self, call: &ResolvedCall) -> String {
        (self.title)(&call.arguments)
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        _: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        let effects = self.definition.effects;
        Ok(ResolvedCall { effects, ..target::pure(&self.definition.name, call_id, arguments) })
    }

    async fn run(&self, granted: Granted, ctx: &ToolContext) -> ToolOutput {
        let call = granted.call();
        let prompt = (self.prompt)(&call.arguments);
        let task = Task { agent: self.agent.to_owned(), call_id: call.call_id.clone(), prompt };
        ctx.delegate.delegate(task, ctx).await
    }
}

fn first_line<'a>(arguments: &'a Map<String, Value>, name: &str) -> &'a str {
    target::text(arguments, name).lines().next().unwrap_or_default().trim()
}
