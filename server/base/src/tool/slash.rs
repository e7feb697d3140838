//! A call as the user types it: `/go-test -run "TestA B" ./...`. What stands behind the command is
//! split into words for a tool that takes `args`, is the text of a tool that takes one, and else a
//! JSON object.

use super::{Arguments, Definition, ToolSchema};
use serde_json::{Map, Value};

/// How a tool's arguments are typed.
enum Form<'a> {
    /// There are none.
    Nothing,
    /// Words.
    Words,
    /// One text.
    Text { name: &'a str, required: bool },
    /// An object as JSON.
    Json,
}

/// What the user typed behind a command as the arguments of its tool; the error says what is
/// expected there.
pub fn slash_arguments(definition: &Definition, typed: &str) -> Result<Map<String, Value>, String> {
    let typed = typed.trim();
    let expected = |problem: &str| {
        let command = definition.slash_command.as_deref().unwrap_or(&definition.name);
        let hint = slash_hint(definition);
        let usage = format!("/{command} {hint}");
        format!("{problem} Write {}.", usage.trim_end())
    };
    let mut arguments = Map::new();
    match form(definition) {
        Form::Nothing if typed.is_empty() => {}
        Form::Nothing => return Err(expected("This command takes nothing behind it.")),
        Form::Words => {
            let words = words(typed).map_err(|problem| expected(&problem))?;
            arguments.insert("args".into(), Value::from(words));
        }
        Form::Text { required: true, .. } if typed.is_empty() => {
            return Err(expected("This command needs a text behind it."));
        }
        Form::Text { .. } if typed.is_empty() => {}
        Form::Text { name, .. } => {
            arguments.insert(name.to_owned(), Value::from(typed));
        }
        Form::Json if typed.is_empty() => {}
        Form::Json => match serde_json::from_str(typed) {
            Ok(Value::Object(object)) => arguments = object,
            Ok(_) => return Err(expected("This command takes a JSON object.")),
            Err(problem) => return Err(expected(&format!("This command takes a JSON object: {problem}."))),
        },
    }
    // A schema that can't be compiled is told elsewhere.
    match ToolSchema::new(definition) {
        Ok(schema) => schema.check(&Arguments::Object(arguments)).map_err(|answer| {
            let problem = answer.split(". It takes").next().unwrap_or(&answer).to_owned() + ".";
            expected(&problem)
        }),
        Err(_) => Ok(arguments),
    }
}

/// What may follow the command, for a list of commands.
pub fn slash_hint(definition: &Definition) -> String {
    match form(definition) {
        Form::Nothing => String::new(),
        Form::Words => "[arguments]".to_owned(),
        Form::Text { name, required: true } => format!("<{name}>"),
        Form::Text { name, .. } => format!("[{name}]"),
        Form::Json => {
            let names: Vec<String> =
                properties(definition).map(|(name, _)| format!("\"{name}\": …")).collect();
            format!("{{{}}}", names.join(", "))
        }
    }
}

fn form(definition: &Definition) -> Form<'_> {
    let required: Vec<&str> = definition.parameters["required"]
        .as_array()
        .map(|list| list.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let is_text = |schema: &Value| schema["type"] == "string";
    let all: Vec<(&str, &Value)> = properties(definition).collect();
    match all.as_slice() {
        [] => Form::Nothing,
        [("args", schema)] if schema["type"] == "array" => Form::Words,
        [(name, schema)] if is_text(schema) => Form::Text { name, required: required.contains(name) },
        all => match required.as_slice() {
            [only] if all.iter().any(|(name, schema)| name == only && is_text(schema)) => {
                Form::Text { name: only, required: true }
            }
            _ => Form::Json,
        },
    }
}

fn properties(definition: &Definition) -> impl Iterator<Item = (&str, &Value)> {
    let properties = definition.parameters.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().map(|(name, schema)| (name.as_str(), schema))
}

/// Words between blanks; quotes of either kind hold blanks together, and a backslash takes the next
/// character as it is, but for within single quotes. Nothing is expanded.
fn words(typed: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = typed.chars();
    while let Some(c) = rest.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => match rest.next() {
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err("There is nothing behind the last backslash.".to_owned()),
            },
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(format!("The quote {open} is not closed."));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests;
