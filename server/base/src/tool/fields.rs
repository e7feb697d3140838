//! The fields of a tool file, as tables, and what is made from them: the JSON Schema, and what an
//! editor offers and explains at a place of the file.

use super::definition::{EXEC, READS, WRITES};
use super::filter::{KINDS, OPERANDS};
use super::handler::{self, SCOPES, SUMMARIES};
use crate::written::field::{self, Field, Takes};
use crate::written::{Cursor, cursor};
use serde_json::{Value, json};
use std::ops::Range;

fn names<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
    choices.iter().map(|(name, _)| *name).collect()
}

/// Of the file.
pub(super) const FILE: &[Field] = &[
    Field::new("schema", Takes::Fields(|| SCHEMA), "What the model is given: name, description, parameters.")
        .needed(),
    Field::new(
        "reads",
        Takes::One(|| names(&READS)),
        "What it reads at most. Decides, with `writes` and `exec`, what is asked about.",
    ),
    Field::new(
        "writes",
        Takes::One(|| names(&WRITES)),
        "What it writes at most; `artifacts` are caches and build output.",
    ),
    Field::new(
        "exec",
        Takes::One(|| names(&EXEC)),
        "`project`: it runs code of the project, and asks. `untrusted`: inputs can bring in code that is not the project's, and it asks every time.",
    ),
    Field::new("internal", Takes::Flag, "Withholds it from the model."),
    Field::new(
        "slashCommand",
        Takes::Form("^[a-z][a-z0-9-]*$"),
        "Offers it as a slash command in the chat: `go-test` for `/go-test`.",
    ),
    Field::new(
        "requiresBin",
        Takes::Words,
        "Another program without which it is not offered; for file operations.",
    ),
    Field::new(
        "requiresFile",
        Takes::Texts,
        "Names of files of which a workspace folder must have one, or it is not offered: `go.mod`, `*.sln`.",
    ),
    Field::new("handler", Takes::Like(handler_schema), "How it runs.").needed(),
];

/// Of `schema`.
pub(super) const SCHEMA: &[Field] = &[
    Field::new("type", Takes::One(|| vec!["function"]), "Always `function`.").needed(),
    Field::new("function", Takes::Fields(|| FUNCTION), "The tool as the model sees it.").needed(),
];

/// Of `schema.function`.
pub(super) const FUNCTION: &[Field] = &[
    Field::new(
        "name",
        Takes::Form("^[A-Za-z][A-Za-z0-9_]{0,63}$"),
        "The name the model calls. The file is named after it in snake_case.",
    )
    .needed(),
    Field::new("description", Takes::Words, "What the model reads to decide when to call it.").needed(),
    Field::new(
        "parameters",
        Takes::Like(parameters_schema),
        "JSON Schema of the arguments, an object. A program takes `args`, a list of texts.",
    )
    .needed(),
    Field::new("strict", Takes::Flag, "Passed on to providers that know strict schemas."),
];

/// Of `handler`.
pub(super) const HANDLER: &[Field] = &[
    Field::new(
        "type",
        Takes::One(handler::types),
        "`exec`: a program. Else one of Assent's file operations.",
    )
    .needed(),
    Field::new(
        "bin",
        Takes::Words,
        "The program: a name, found on PATH outside the workspace, or an absolute path.",
    ),
    Field::new("subcommand", Takes::Words, "Words that always come first."),
    Field::new(
        "env",
        Takes::Named(field::none, &Takes::Form("^[^\\x00]*$")),
        "Variables beyond those that every child gets.",
    ),
    Field::new(
        "allowArgs",
        Takes::Texts,
        "Prefixes of which every argument must have one; without effect beside `denyArgs`.",
    ),
    Field::new(
        "denyArgs",
        Takes::Texts,
        "Prefixes of arguments that are refused, with one dash or two, with a value, or abbreviated.",
    ),
    Field::new("options", Takes::List(|| OPTION), "The options that pass; another one is asked about."),
    Field::new("operands", Takes::One(|| names(&OPERANDS)), "What is left beside `options`."),
    Field::new(
        "summary",
        Takes::OneOr(|| names(&SUMMARIES), "^(|lineCount:.*\\S.*)$"),
        "How the result is told in one line: one of these, or `lineCount:NOUN`.",
    ),
    Field::new("scope", Takes::One(|| names(&SCOPES)), "Where the paths of a file operation may lie."),
    Field::new("includeHidden", Takes::Flag, "`findInProject`: also what begins with a dot."),
    Field::new("includeIgnored", Takes::Flag, "`findInProject`: also what ignore rules exclude."),
];

/// Of an entry of `handler.options`.
pub(super) const OPTION: &[Field] = &[
    Field::new("name", Takes::Form("^-[^= ]+$"), "The option as it is written: `-n`, `--max-count`.")
        .needed(),
    Field::new("value", Takes::One(|| names(&KINDS)), "What its value is; left out where it takes none."),
    Field::new("optional", Takes::Flag, "The value may be left out, as in `--color=always`."),
];

/// The JSON Schema of tool files. What it can't say (names that fit the file's, parameters that fit the
/// handler, classes that agree) the reader of the files says.
pub fn tool_file_schema() -> Value {
    let mut schema = field::schema(FILE);
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["title"] = json!("A tool file of Assent");
    let program = json!({ "required": ["type"], "properties": { "type": { "const": handler::EXEC } } });
    schema["if"] = json!({ "required": ["handler"], "properties": { "handler": program } });
    schema["then"] = json!({ "properties": { "requiresBin": false } });
    schema
}

/// Which fields go with which type.
fn handler_schema() -> Value {
    let mut schema = field::schema(HANDLER);
    let forbidden = |names: &[&str]| -> Value {
        names
            .iter()
            .map(|name| ((*name).to_owned(), Value::Bool(false)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let when = |name: &str, then: Value| json!({ "if": { "properties": { "type": { "const": name } }, "required": ["type"] }, "then": then });
    let mut rules = vec![when(
        handler::EXEC,
        json!({ "required": ["bin"], "properties": forbidden(&handler::OF_OPERATIONS) }),
    )];
    for (name, scopes, searches) in handler::operations() {
        let mut properties = forbidden(&handler::OF_PROGRAMS);
        if !searches {
            properties["includeHidden"] = json!(false);
            properties["includeIgnored"] = json!(false);
        }
        properties["scope"] = if scopes.is_empty() { json!(false) } else { json!({ "enum": scopes }) };
        let needed: &[&str] = if scopes.is_empty() { &[] } else { &["scope"] };
        rules.push(when(name, json!({ "properties": properties, "required": needed })));
    }
    schema["allOf"] = json!(rules);
    schema["dependencies"] = json!({ "operands": ["options"] });
    schema["properties"]["options"]["items"]["dependencies"] = json!({ "optional": ["value"] });
    schema
}

fn parameters_schema() -> Value {
    json!({ "type": "object", "required": ["type"], "properties": {
        "type": { "const": "object" },
        "properties": { "type": "object" },
        "required": { "type": "array", "items": { "type": "string" } },
    } })
}

/// Something that may be written at a place of a tool file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// As JSON: a key in quotes, or a value.
    pub text: String,
    /// What it is for.
    pub about: &'static str,
}

/// What may be written where the cursor is, and which bytes it takes the place of.
pub fn tool_file_offers(text: &str, offset: usize) -> (Range<usize>, Vec<Offer>) {
    let Cursor { path, value_of, word, before } = cursor(text, offset);
    let fields = fields_at(&path);
    let offers = match value_of {
        None => {
            let new = fields.iter().filter(|field| !before.iter().any(|key| key == field.name));
            new.map(|field| Offer { text: json!(field.name).to_string(), about: field.about }).collect()
        }
        Some(key) => field::find(fields, &key).map_or_else(Vec::new, |field| {
            let values = field.takes.values().into_iter();
            values.map(|text| Offer { text, about: field.about }).collect()
        }),
    };
    (word, offers)
}

/// What the field is for that the cursor is on, its key or its value, and the bytes it is about.
pub fn tool_file_about(text: &str, offset: usize) -> Option<(Range<usize>, String)> {
    // Behind the character that is pointed at, so that a word begins with its first one.
    let offset = text.ceil_char_boundary((offset + 1).min(text.len()));
    let Cursor { path, value_of, word, .. } = cursor(text, offset);
    let key = match value_of {
        Some(key) => key,
        None => text.get(word.clone())?.trim_matches('"').to_owned(),
    };
    let field = field::find(fields_at(&path), &key).filter(|_| !word.is_empty())?;
    let mut about = format!("`{}`: {}", field.name, field.about);
    let values = field.takes.values();
    if !values.is_empty() {
        about.push_str(&format!("\n\nOne of {}.", values.join(", ")));
    }
    Some((word, about))
}

/// The fields of the map that a path of keys leads to.
fn fields_at(path: &[String]) -> &'static [Field] {
    let of = |field: &Field| match field.name {
        "handler" => HANDLER,
        _ => field.takes.fields(),
    };
    path.iter().fold(FILE, |fields, key| field::find(fields, key).map_or(&[], of))
}

#[cfg(test)]
mod tests;
