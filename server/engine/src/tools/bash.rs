//! `bash`: a command line, without rc files, without input, with a time limit.

use super::{Tool, ToolContext, ToolOutput, output, target};
use crate::event::ToolKind;
use crate::limits;
use crate::permission::Granted;
use crate::process::{Captured, Command, End, Finished};
use assent_base::policy::{Access, CommandCall, ResolvedCall};
use assent_base::tool::{Definition, Effects, Exec, Writes};
use async_trait::async_trait;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;

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
        Ok(ResolvedCall {
            call_id: call_id.to_owned(),
            tool: "bash".to_owned(),
            subject: line.clone(),
            effects: Effects {
                reads: target::reads(directory.class),
                writes: Writes::None,
                exec: Exec::Undeclared,
            },
            paths: vec![(Access::Read, directory.clone())],
            command: Some(CommandCall { line, directory }),
            arguments,
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
        let timeout = timeout(&call.arguments);
        let command = Command {
            program,
            arguments: ["--noprofile", "--norc", "-c", &command.line].map(str::to_owned).into(),
            directory: command.directory.canonical.clone(),
            environment: Vec::new(),
            timeout,
            spill: output::spill_path(ctx, "bash"),
        };
        match ctx.processes.run(&ctx.session.0, command, &ctx.cancel, &*ctx.output).await {
            Ok(finished) => told(&finished, timeout),
            Err(error) => ToolOutput::error(error.to_string()),
        }
    }
}

fn timeout(arguments: &Map<String, Value>) -> Duration {
    target::number(arguments, "timeout")
        .map_or(limits::COMMAND_TIME_DEFAULT, Duration::from_millis)
        .min(limits::COMMAND_TIME)
}

fn told(finished: &Finished, timeout: Duration) -> ToolOutput {
    let mut text = shown(&finished.output);
    let (end, is_error) = match finished.end {
        End::Exited(0) if text.is_empty() => ("The command wrote nothing; exit code 0.".to_owned(), false),
        End::Exited(0) => (String::new(), false),
        End::Exited(code) if text.is_empty() => {
            (format!("The command wrote nothing; exit code {code}."), false)
        }
        End::Exited(code) => (format!("[exit code {code}]"), false),
        End::Signal(signal) => (format!("[ended by signal {signal}]"), true),
        End::TimedOut => {
            let limit = timeout.as_millis();
            (format!("[timed out after {limit} ms; the command and all that it started were ended]"), true)
        }
        End::Cancelled => {
            ("[cancelled by the user; the command and all that it started were ended]".into(), true)
        }
    };
    if !end.is_empty() {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&end);
    }
    if is_error { ToolOutput::error(text) } else { ToolOutput::text(text) }
}

/// Head and tail, within the output rule by themselves, with a word on what is missing between.
fn shown(output: &Captured) -> String {
    let Some(tail) = &output.tail else { return output.head.clone() };
    let (bytes, lines) = (limits::RESULT_BYTES / 2, limits::RESULT_LINES / 2);
    let head = first_part(&output.head, bytes, lines);
    let tail = last_part(tail, bytes, lines);
    let shown = head.chars().count() + tail.chars().count();
    let missing = output.chars.saturating_sub(shown);
    let file = match &output.file {
        Some(file) if output.file_is_cut => format!("most of it is in {}", file.display()),
        Some(file) => format!("all of it is in {}", file.display()),
        None => "it could not be kept in a file".to_owned(),
    };
    format!("{head}\n[… {missing} of {} characters cut here; {file} …]\n{tail}", output.chars)
}

fn first_part(text: &str, bytes: usize, lines: usize) -> &str {
    let text = &text[..text.floor_char_boundary(bytes)];
    match text.match_indices('\n').nth(lines - 1) {
        Some((at, _)) => &text[..at],
        None => text,
    }
}

fn last_part(text: &str, bytes: usize, lines: usize) -> &str {
    let text = &text[text.ceil_char_boundary(text.len().saturating_sub(bytes))..];
    match text.trim_end_matches('\n').rmatch_indices('\n').nth(lines - 1) {
        Some((at, _)) => &text[at + 1..],
        None => text,
    }
}
