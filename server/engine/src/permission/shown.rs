//! A call in words for the user. Nothing is left out or cut, and every character that could hide
//! something is made visible.

use super::binding::World;
use crate::editor::{Facts, Operation, Place, ShownCommand, ShownFile, ToolIdentity};
use assent_base::clip::{is_hidden, make_visible, visible_line};
use assent_base::path::{self, PathClass};
use assent_base::policy::{Access, Decision, Parsed, ResolvedCall, Span, Step, canonical, parsed};
use assent_base::tool::{Exec, Reads, Writes};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Fixed words by what the call does; never a model's.
pub(super) fn title(call: &ResolvedCall) -> &'static str {
    let writes = call.paths.iter().any(|(access, _)| access.writes());
    let mode = call.paths.iter().any(|(access, _)| *access == Access::Mode);
    let outside = call.paths.iter().any(|(_, path)| path.class == PathClass::External);
    match (call.runs(), writes, outside) {
        (true, _, _) => "Run a command",
        _ if mode => "Change a file's mode",
        (false, true, true) => "Change a file outside the workspace",
        (false, true, false) => "Change a protected, hidden or ignored file",
        (false, false, true) => "Read outside the workspace",
        (false, false, false) => "Use a tool",
    }
}

/// What the user should know before answering.
pub(super) fn warnings(call: &ResolvedCall) -> Vec<String> {
    let mut warnings = Vec::new();
    for (_, path) in &call.paths {
        if path.canonical != path.absolute {
            warnings.push(format!("{} is a link to {}", path.given, path.canonical.display()));
        }
        if let Some(name) = &path.protected {
            warnings.push(format!("{} is protected ({name}): it can make programs run", path.given));
        }
    }
    let lines = call.subject.lines().count();
    if lines > 1 {
        warnings.push(format!("the command has {lines} lines and {} bytes", call.subject.len()));
    }
    warnings.extend(call.notes.iter().cloned());
    let mut warnings: Vec<String> = warnings.iter().map(|warning| visible_line(warning)).collect();
    let hidden = hidden(&Value::Object(call.arguments.clone())).max(make_visible(&call.subject).1);
    if hidden > 0 {
        warnings.push(format!("{hidden} hidden or control characters are shown as ⟨U+…⟩"));
    }
    warnings
}

/// How many characters of the arguments can't be seen.
fn hidden(arguments: &Value) -> usize {
    let count = |text: &str| text.chars().filter(|c| *c != '\n' && is_hidden(*c)).count();
    match arguments {
        Value::String(text) => count(text),
        Value::Array(items) => items.iter().map(hidden).sum(),
        Value::Object(fields) => fields.iter().map(|(name, value)| count(name) + hidden(value)).sum(),
        _ => 0,
    }
}

/// The call, part by part.
pub(super) fn facts(
    call: &ResolvedCall,
    decision: &Decision,
    tool: &ToolIdentity,
    world: &World,
    folders: &[PathBuf],
    prompt: &str,
) -> Facts {
    Facts {
        prompt: visible_line(prompt.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim()),
        tool: ToolIdentity {
            source: tool.source.as_deref().map(visible_line),
            overrides: tool.overrides.as_deref().map(visible_line),
            ..tool.clone()
        },
        command: command(call, folders),
        cwd: cwd(call, folders),
        env: call.program.iter().flat_map(|program| &program.environment).map(visible_pair).collect(),
        files: files(call, world, folders),
        arguments: make_visible(&canonical(&Value::Object(call.arguments.clone()))).0,
        network: network(call),
        reasons: decision.steps.iter().map(visible_step).collect(),
        scopes: match &decision.remember {
            Some(_) if folders.is_empty() => vec![Span::Session, Span::Always],
            Some(_) => vec![Span::Session, Span::Workspace, Span::Always],
            None => Vec::new(),
        },
    }
}

fn command(call: &ResolvedCall, folders: &[PathBuf]) -> Option<ShownCommand> {
    let text = call.command.as_ref().map_or(&call.subject, |command| &command.line);
    let part = |part: Parsed| Parsed {
        argv: part.argv.iter().map(|word| visible_line(word)).collect(),
        program: part.program.map(|program| visible_line(&program.to_string_lossy()).into()),
        marks: part.marks,
    };
    call.runs().then(|| ShownCommand {
        lines: text.lines().count(),
        bytes: text.len(),
        parsed: parsed(call, folders).into_iter().map(part).collect(),
    })
}

fn cwd(call: &ResolvedCall, folders: &[PathBuf]) -> Option<Place> {
    let line = call.command.as_ref().map(|command| &command.directory.canonical);
    let directory = line.or(call.program.as_ref().map(|program| &program.directory))?;
    let inside = folders.iter().any(|folder| directory.starts_with(folder));
    Some(Place { path: shown(directory), inside })
}

fn files(call: &ResolvedCall, world: &World, folders: &[PathBuf]) -> Vec<ShownFile> {
    // A command line's only path is the directory it runs in.
    let files = call.paths.iter().enumerate().filter(|_| call.command.is_none());
    let file = files.map(|(nth, (access, path))| ShownFile {
        path: visible_line(&path::display(folders, &path.absolute)),
        target: (path.canonical != path.absolute).then(|| shown(&path.canonical)),
        operation: match access {
            Access::Read => Operation::Read,
            Access::Write if world.was_there(nth) => Operation::Edit,
            Access::Write => Operation::Create,
            Access::Delete => Operation::Delete,
            Access::Mode => Operation::Mode,
        },
        protected: path.protected.clone(),
    });
    file.collect()
}

fn network(call: &ResolvedCall) -> String {
    let reaches = call.effects.reads == Reads::Network || call.effects.writes == Writes::Remote;
    match (call.runs() || call.effects.exec != Exec::None, reaches) {
        (false, true) if call.subject.contains("://") => visible_line(&call.subject),
        (false, false) => "none".to_owned(),
        _ => "not limited".to_owned(),
    }
}

fn shown(path: &Path) -> String {
    visible_line(&path.to_string_lossy())
}

fn visible_pair((name, value): &(String, String)) -> (String, String) {
    (visible_line(name), visible_line(value))
}

fn visible_step(step: &Step) -> Step {
    Step { what: visible_line(&step.what), source: visible_line(&step.source) }
}
