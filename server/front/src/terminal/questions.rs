//! Questions in words, and what an answer means. Whatever is not plainly a yes is a no.

use super::plain::plain;
use super::style::{Paint, Style};
use assent_base::clip::make_visible;
use assent_base::policy::Span;
use assent_engine::editor::{Answer, Approval, UserQuestion};
use serde_json::Value;

/// An approval: everything that will happen, nothing folded away.
pub fn approval(approval: &Approval, style: Style) -> String {
    let call = &approval.call;
    let mut text = format!("\n{}\n", style.paint(Paint::Strong, &approval.title));
    text.push_str(&indented(&approval.shown_subject));
    match &call.command {
        Some(command) => text.push_str(&format!("  in   {}\n", command.directory.canonical.display())),
        None => text.push_str(&arguments(call)),
    }
    if let Some(sandbox) = &approval.sandbox {
        text.push_str(&format!("  box  {}\n", plain(&sandbox.words)));
    }
    for part in approval.facts.command.iter().flat_map(|command| &command.parsed) {
        let program = part.program.as_ref().map(|program| program.display().to_string());
        let marks = part.marks.iter().map(|mark| mark.words().to_owned());
        let what: Vec<String> = program.into_iter().chain(marks).collect();
        if !what.is_empty() {
            text.push_str(&format!("  runs {}\n", plain(&what.join(", "))));
        }
    }
    for (name, value) in &approval.facts.env {
        text.push_str(&format!("  with {}\n", plain(&format!("{name}={value}"))));
    }
    text.push_str(&format!("  why  {}\n", plain(&approval.rule)));
    if let [_, _, ..] = &approval.agent_path[..] {
        text.push_str(&format!("  by   {}\n", plain(&approval.agent_path.join(" → "))));
    }
    for warning in &approval.warnings {
        text.push_str(&format!("  {}\n", style.paint(Paint::Warning, &format!("note {}", plain(warning)))));
    }
    for uri in &approval.unsaved {
        text.push_str(&format!("  not saved, so a command sees the old text: {}\n", plain(uri.as_str())));
    }
    text
}

/// The choices of an approval, with the exact rule that would be saved.
pub fn approval_choices(approval: &Approval) -> String {
    match &approval.remember {
        Some(rule) => format!(
            "  rule {} (saved by s, a and e)\n\
             Allow? y = once, s = in this session, a = always in this workspace, e = always everywhere, \
             n = no, q = no and stop [n]: ",
            make_visible(rule).0
        ),
        None => "Allow? y = once, n = no, q = no and stop [n]: ".into(),
    }
}

/// What the user said to an approval; `None`: no, and a reason may be given.
pub fn approval_answer(approval: &Approval, line: &str) -> Option<Answer> {
    match line.to_lowercase().as_str() {
        "y" | "yes" => Some(Answer::AllowOnce),
        "s" if approval.remember.is_some() => Some(Answer::Remember { span: Span::Session, rule: None }),
        "a" if approval.remember.is_some() => Some(Answer::Remember { span: Span::Workspace, rule: None }),
        "e" if approval.remember.is_some() => Some(Answer::Remember { span: Span::Always, rule: None }),
        "q" => Some(Answer::Reject { feedback: None, stop: true }),
        _ => None,
    }
}

/// The choices of a hunk.
pub const HUNK_CHOICES: &str =
    "Accept this change? y = yes, n = no, a = all that follow too, q = no more [n]: ";

/// What the user said to a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HunkAnswer {
    /// This one.
    Yes,
    /// This one and all that follow.
    All,
    /// Not this one.
    No,
    /// Neither this one nor any that follow.
    NoMore,
}

/// What a line means for a hunk.
pub fn hunk_answer(line: &str) -> HunkAnswer {
    match line.to_lowercase().as_str() {
        "y" | "yes" => HunkAnswer::Yes,
        "a" | "all" => HunkAnswer::All,
        "q" => HunkAnswer::NoMore,
        _ => HunkAnswer::No,
    }
}

/// Asks for a reason after a no.
pub const REASON: &str = "Why not, for the model (Enter for no reason): ";

/// A question of the model's.
pub fn question(question: &UserQuestion, style: Style) -> String {
    let mut text = format!("\n{}\n", style.paint(Paint::Strong, &plain(&question.question)));
    for (at, (label, description)) in question.options.iter().enumerate() {
        let label = plain(label);
        match description.as_str() {
            "" => text.push_str(&format!("  {} {label}\n", at + 1)),
            description => text.push_str(&format!("  {} {label}: {}\n", at + 1, plain(description))),
        }
    }
    text
}

/// How to answer it.
pub fn question_choices(question: &UserQuestion) -> &'static str {
    match (question.options.is_empty(), question.multiple) {
        (true, _) => "Answer (Enter for none): ",
        (false, false) => "A number, or your own words (Enter for none): ",
        (false, true) => "Numbers with commas between, or your own words (Enter for none): ",
    }
}

/// What the user said to a question; `None` when it was dismissed.
pub fn question_answer(question: &UserQuestion, line: &str) -> Option<Vec<String>> {
    if line.is_empty() {
        return None;
    }
    let chosen: Option<Vec<String>> = line
        .split(',')
        .map(|number| {
            let at = number.trim().parse::<usize>().ok()?.checked_sub(1)?;
            question.options.get(at).map(|(label, _)| label.clone())
        })
        .collect();
    match chosen {
        Some(labels) if question.multiple || labels.len() == 1 => Some(labels),
        _ => Some(vec![line.to_owned()]),
    }
}

/// The arguments of a call that is no command, where they say more than the subject.
fn arguments(call: &assent_base::policy::ResolvedCall) -> String {
    let mut text = format!("  tool {}\n", plain(&call.tool));
    for (name, value) in &call.arguments {
        let value = match value {
            Value::String(value) => value.clone(),
            other => serde_json::to_string_pretty(other).unwrap_or_else(|_| other.to_string()),
        };
        if value == call.subject {
            continue;
        }
        let value = make_visible(&value).0;
        match value.contains('\n') {
            true => text.push_str(&format!("  {}:\n{}", plain(name), indented(&value))),
            false => text.push_str(&format!("  {}: {value}\n", plain(name))),
        }
    }
    text
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}\n")).collect()
}

#[cfg(test)]
pub mod tests;
