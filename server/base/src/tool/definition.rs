//! The JSON format of tool definitions, as far as built-in tools use it:
//!
//! ```json
//! { "schema": { "type": "function",
//!               "function": { "name": "read", "description": "…", "parameters": {…}, "strict": true } },
//!   "reads": "project", "writes": "none", "exec": "none", "internal": false }
//! ```
//!
//! The file is named after the tool in snake_case. A built-in tool is code beside the registry,
//! so a `handler`, which says how to run a tool, is refused here. Every mistake is reported at
//! once, with its place.

use super::{Definition, Effects, Exec, Reads, ToolSchema, Writes};
use crate::written::{Kind, Node, Problem, Reader, from_json};

const READS: [(&str, Reads); 6] = [
    ("none", Reads::None),
    ("project", Reads::Project),
    ("project-dot", Reads::ProjectDot),
    ("project-ignore", Reads::ProjectIgnore),
    ("external", Reads::External),
    ("network", Reads::Network),
];
const WRITES: [(&str, Writes); 7] = [
    ("none", Writes::None),
    ("artifacts", Writes::Artifacts),
    ("project", Writes::Project),
    ("project-dot", Writes::ProjectDot),
    ("project-ignore", Writes::ProjectIgnore),
    ("external", Writes::External),
    ("remote", Writes::Remote),
];
const EXEC: [(&str, Exec); 3] =
    [("none", Exec::None), ("undeclared", Exec::Undeclared), ("untrusted", Exec::Untrusted)];

/// The longest name that every provider takes.
const MAX_NAME: usize = 64;

/// Reads a definition, or tells everything that is wrong with it. `file_name` may be a path; its
/// last part must be the tool's name in snake_case with `.json`.
pub fn parse_definition(file_name: &str, text: &str) -> Result<Definition, Vec<Problem>> {
    let root = from_json(file_name, text).map_err(|problem| vec![problem])?;
    let mut reader = Reader::new(file_name);
    let definition = definition(&mut reader, &root);
    let problems = reader.into_problems();
    match definition {
        Some(definition) if problems.is_empty() => Ok(definition),
        _ => Err(problems),
    }
}

fn definition(reader: &mut Reader<'_>, root: &Node) -> Option<Definition> {
    let fields = reader.fields(root, "", &["schema", "reads", "writes", "exec", "internal", "handler"]);
    if let Some((node, key)) = fields.get("handler") {
        reader.problem(
            node.place,
            &key,
            "a built-in tool has no handler: its code is in the registry; remove this",
        );
    }
    let choice = |name: &str| fields.get(name);
    let effects = Effects {
        reads: choice("reads").and_then(|(n, k)| reader.one_of(n, &k, &READS)).unwrap_or_default(),
        writes: choice("writes").and_then(|(n, k)| reader.one_of(n, &k, &WRITES)).unwrap_or_default(),
        exec: choice("exec").and_then(|(n, k)| reader.one_of(n, &k, &EXEC)).unwrap_or_default(),
    };
    let internal = choice("internal").and_then(|(n, k)| reader.flag(n, &k)).unwrap_or(false);
    let (schema, key) = fields.need(reader, "schema")?;
    let schema = reader.fields(schema, &key, &["type", "function"]);
    if let Some((node, key)) = schema.need(reader, "type") {
        reader.one_of(node, &key, &[("function", ())]);
    }
    let (function, key) = schema.need(reader, "function")?;
    let function = reader.fields(function, &key, &["name", "description", "parameters", "strict"]);
    let name = function.need(reader, "name").and_then(|(node, key)| name(reader, node, &key));
    let description = function.need(reader, "description").and_then(|(n, k)| reader.words(n, &k));
    let parameters = function.need(reader, "parameters");
    let strict = function.get("strict").and_then(|(n, k)| reader.flag(n, &k)).unwrap_or(false);
    let (parameters, key) = parameters?;
    check_parameters(reader, parameters, &key);
    let definition = Definition {
        name: name?.to_owned(),
        description: description?.to_owned(),
        parameters: parameters.to_value(),
        strict,
        effects,
        internal,
    };
    if let Err(reason) = ToolSchema::new(&definition) {
        reader.problem(parameters.place, &key, reason);
    }
    Some(definition)
}

fn name<'n>(reader: &mut Reader<'_>, node: &'n Node, key: &str) -> Option<&'n str> {
    let name = reader.text(node, key)?;
    let wellformed = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.len() <= MAX_NAME;
    if !wellformed {
        let message =
            format!("`{name}` must be letters, digits and `_`, begin with a letter, at most {MAX_NAME}");
        reader.problem(node.place, key, message);
        return None;
    }
    let file = reader.file().rsplit(['/', '\\']).next().unwrap_or_default();
    let wanted = format!("{}.json", snake_case(name));
    if file != wanted {
        reader.problem(node.place, key, format!("the tool `{name}` must be in a file named `{wanted}`"));
    }
    Some(name)
}

/// `readProjectFile` is in `read_project_file.json`.
fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for c in name.chars() {
        if c.is_ascii_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// What providers and the argument check need of a schema beyond its being one.
fn check_parameters(reader: &mut Reader<'_>, node: &Node, key: &str) {
    let entries = reader.entries(node, key);
    let get = |name: &str| entries.iter().find(|entry| entry.key == name);
    match get("type") {
        Some(entry) if matches!(&entry.value.kind, Kind::String(text) if text == "object") => {}
        Some(entry) => reader.problem(entry.value.place, &format!("{key}.type"), "must be \"object\""),
        None => reader.problem(node.place, &format!("{key}.type"), "is missing; must be \"object\""),
    }
    let properties = match get("properties") {
        Some(entry) => reader.entries(&entry.value, &format!("{key}.properties")),
        None => Vec::new(),
    };
    if let Some(required) = get("required") {
        for (key, item) in reader.items(&required.value, &format!("{key}.required")) {
            let Some(name) = reader.text(item, &key) else { continue };
            if !properties.iter().any(|property| property.key == name) {
                reader.problem(item.place, &key, format!("`{name}` is not among the properties"));
            }
        }
    }
}
