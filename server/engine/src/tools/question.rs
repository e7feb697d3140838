//! `question`: questions to the user, one after the other.

use super::{Tool, ToolContext, ToolOutput, target};
use crate::editor::UserQuestion;
use crate::event::ToolKind;
use crate::permission::Granted;
use assent_base::policy::ResolvedCall;
use assent_base::tool::Definition;
use async_trait::async_trait;
use serde_json::{Map, Value};
use std::sync::Arc;

pub(super) struct Question(pub(super) Arc<Definition>);

#[async_trait]
impl Tool for Question {
    fn definition(&self) -> &Arc<Definition> {
        &self.0
    }

    fn kind(&self) -> ToolKind {
        ToolKind::Other
    }

    fn title(&self, call: &ResolvedCall) -> String {
        match questions(&call.arguments).next() {
            Some(first) => format!("Ask: {}", target::text(first, "question")),
            None => "Ask the user".to_owned(),
        }
    }

    fn asks_user(&self) -> bool {
        true
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        _: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        Ok(target::pure("question", call_id, arguments))
    }

    async fn run(&self, granted: Granted, ctx: &ToolContext) -> ToolOutput {
        let abilities = ctx.editor.abilities();
        if !abilities.questions || !abilities.interactive {
            return ToolOutput::error(
                "Nobody can answer questions here. Decide by yourself, and say in your answer what you assumed.",
            );
        }
        let call = granted.call();
        let mut told = Vec::new();
        for question in questions(&call.arguments) {
            let question = asked(question, &call.call_id, ctx);
            let words = question.question.clone();
            let answer = tokio::select! {
                answer = ctx.editor.question(question) => answer,
                () = ctx.cancel.cancelled() => None,
            };
            match answer {
                Some(answers) if !answers.is_empty() => {
                    told.push(format!("{words}\n→ {}", answers.join(", ")))
                }
                _ => {
                    told.push(format!("{words}\n→ The user did not answer."));
                    break;
                }
            }
        }
        ToolOutput::text(told.join("\n\n"))
    }
}

fn questions(arguments: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    arguments.get("questions").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
}

fn asked(question: &Map<String, Value>, call_id: &str, ctx: &ToolContext) -> UserQuestion {
    let options = question.get("options").and_then(Value::as_array).into_iter().flatten();
    let option = |option: &Map<String, Value>| {
        (target::text(option, "label").to_owned(), target::text(option, "description").to_owned())
    };
    UserQuestion {
        session: ctx.session.clone(),
        call_id: call_id.to_owned(),
        question: target::text(question, "question").to_owned(),
        options: options.filter_map(Value::as_object).map(option).collect(),
        multiple: question.get("multiple").and_then(Value::as_bool).unwrap_or(false),
    }
}
