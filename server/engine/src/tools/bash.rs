//! `bash`: a command line, without rc files, without input, with a time limit.

use super::command::{self, Command};
use super::{Tool, ToolContext, ToolOutput, output, target};
use crate::event::ToolKind;
use crate::limits;
use crate::permission::Granted;
use assent_base::policy::{Access, CommandCall, ResolvedCall};
use assent_base::tool::{Definition, Effects, Exec, Writes};
use async_trait::async_trait;
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// What the model can do where the sandbox was in the way of a command.
const ADVICE: &str = "[If that is why it failed, and it has to be done: call bash again with `unsandboxed: true`. The \
                      user is asked, and sees that nothing holds the command then.]";

pub(super) struct Bash(pub(super) Arc<Definition>);

#[async_trait]
impl Tool for Bash {
    fn definition(&self) -> &Arc<Definition> {
        &self.0
    }

    fn kind(&self) -> ToolKind {
        ToolKind::Execute
    }

    fn title(&self, call: &ResolvedCall) -> String {
        let line = call.subject.lines().next().unwrap_or_default();
        let more = if call.subject.trim_end().contains('\n') { " …" } else { "" };
        format!("Run {line}{more}")
    }

    async fn resolve(
        &self,
        call_id: &str,
        arguments: Map<String, Value>,
        ctx: &ToolContext,
    ) -> Result<ResolvedCall, String> {
        let line = target::text(&arguments, "command").to_owned();
        if line.trim().is_empty() {
            return Err("The command is empty.".into());
        }
        if line.contains('\0') {
            return Err("The command holds a NUL character, which no shell can take.".into());
        }
        let workdir = Some(target::text(&arguments, "workdir")).filter(|given| !given.is_empty());
        let directory = target::path(ctx, workdir.unwrap_or(".")).await?;
        let (processes, text, place) = (ctx.processes.clone(), line.clone(), directory.clone());
        let find = move |word: &str, directory: &Path| processes.look_up(word, directory);
        let command = target::blocking(move || CommandCall::new(text, place, find)).await?;
        let unsandboxed = arguments.get("unsandboxed").and_then(Value::as_bool) == Some(true);
        Ok(ResolvedCall {
            call_id: call_id.to_owned(),
            tool: "bash".to_owned(),
            subject: line,
            effects: Effects {
                reads: target::reads(directory.class),
                writes: Writes::None,
                exec: Exec::Undeclared,
            },
            paths: vec![(Access::Read, directory)],
            command: Some(command),
            arguments,
            program: None,
            notes: Vec::new(),
            unsandboxed,
        })
    }

    async fn run(&self, granted: Granted, ctx: &ToolContext) -> ToolOutput {
        let call = granted.call();
        let Some(command) = &call.command else {
            return ToolOutput::error("The call holds no command line; nothing was run.");
        };
        let Some(program) = ctx.processes.find_program("bash", &ctx.folders) else {
            return ToolOutput::error("No bash was found on PATH, so no command can be run here.");
        };
        let command = Command {
            program,
            arguments: ["--noprofile", "--norc", "-c", &command.line].map(str::to_owned).into(),
            directory: command.directory.canonical.clone(),
            environment: Vec::new(),
            timeout: timeout(&call.arguments),
            spill: output::spill_path(ctx, "bash"),
            sandbox: granted.sandbox(),
        };
        match command::run(ctx, command, ADVICE).await {
            Ok((output, _)) => output,
            Err(error) => ToolOutput::error(error.to_string()),
        }
    }
}

fn timeout(arguments: &Map<String, Value>) -> Duration {
    target::number(arguments, "timeout")
        .map_or(limits::COMMAND_TIME_DEFAULT, Duration::from_millis)
        .min(limits::COMMAND_TIME)
}
