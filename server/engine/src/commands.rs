//! Slash commands: words of ours for the model, kept in `prompts/commands.json`, and the tools that a
//! user can call by name.

use serde::Deserialize;
use std::sync::LazyLock;

/// A command as it is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlashCommand {
    /// Without the slash.
    pub name: String,
    /// What may follow it.
    pub hint: String,
    /// One line for the list.
    pub description: String,
}

/// A command of ours: what the user types, and what the model is told.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    name: String,
    hint: String,
    description: String,
    /// What the model is told, before what the user added.
    prompt: String,
}

fn words() -> &'static [Words] {
    static WORDS: LazyLock<Vec<Words>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("prompts/commands.json"))
            .expect("the embedded commands parse (tested)")
    });
    &WORDS
}

/// The commands that are words for the model, in the order of the list.
pub fn shipped() -> Vec<SlashCommand> {
    let offered = |command: &Words| SlashCommand {
        name: command.name.clone(),
        hint: command.hint.clone(),
        description: command.description.clone(),
    };
    words().iter().map(offered).collect()
}

/// Whether a command of that name is words for the model.
pub fn is_shipped(name: &str) -> bool {
    words().iter().any(|command| command.name == name)
}

/// `/name rest`, taken apart; `None` for anything else.
pub fn split(text: &str) -> Option<(&str, &str)> {
    let line = text.strip_prefix('/')?;
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (!name.is_empty()).then_some((name, rest.trim()))
}

/// `/name rest` as the words for the model; anything else as it is.
pub fn expand(text: &str) -> String {
    let found = split(text).and_then(|(name, rest)| {
        words().iter().find(|command| command.name == name).map(|command| (command, rest))
    });
    match found {
        None => text.to_owned(),
        Some((command, "")) => command.prompt.clone(),
        Some((command, rest)) => format!("{}\n\n{rest}", command.prompt),
    }
}

#[cfg(test)]
mod tests;
