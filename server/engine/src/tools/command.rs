//! A process run for a tool, and what the model is told of how it went.

use super::{ToolContext, ToolOutput};
use crate::limits;
use crate::process::{Captured, End};
pub(super) use crate::process::{Command, Finished};
use assent_base::tool::Content;
use std::io;
use std::time::Duration;

/// Runs it to its end, with its output shown as it comes; `advice` says what the model can do where
/// the sandbox was in its way. The error is that of a program that could not be started.
pub(super) async fn run(
    ctx: &ToolContext,
    command: Command,
    advice: &str,
) -> io::Result<(ToolOutput, Finished)> {
    let (timeout, sandbox) = (command.timeout, command.sandbox.clone());
    let finished = ctx.processes.run(&ctx.session.0, command, &ctx.cancel, &*ctx.output).await?;
    let mut output = told(&finished, timeout);
    if let Some(sandbox) = sandbox
        && finished.end != End::Exited(0)
        && let Some(hint) = sandbox.hint(finished.output.tail.as_deref().unwrap_or(&finished.output.head))
    {
        output.content.push(Content::Text(format!("{hint}\n{advice}")));
    }
    Ok((output, finished))
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
