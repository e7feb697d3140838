//! The JSON format of tool files (`seeds/opair-tools.txt`):
//!
//! ```json
//! { "schema": { "type": "function",
//!               "function": { "name": "goTest", "description": "…", "parameters": {…}, "strict": true } },
//!   "reads": "project", "writes": "artifacts", "exec": "none", "internal": false,
//!   "slashCommand": "go-test", "handler": { "type": "exec", "bin": "go", "subcommand": "test" } }
//! ```
//!
//! The file is named after the tool in snake_case. A built-in tool is code beside the registry, so
//! its file has no `handler`; every other file has one. Every mistake is reported at once, with
//! its place.

use super::fields;
use super::handler::{self, Handler};
use super::{Definition, Effects, Exec, Reads, ToolFile, ToolSchema, Writes};
use crate::written::{Fields, Kind, Node, Place, Problem, Reader, from_json};

pub(super) const READS: [(&str, Reads); 6] = [
    ("none", Reads::None),
    ("project", Reads::Project),
    ("project-dot", Reads::ProjectDot),
    ("project-ignore", Reads::ProjectIgnore),
    ("external", Reads::External),
    ("network", Reads::Network),
];
pub(super) const WRITES: [(&str, Writes); 7] = [
    ("none", Writes::None),
    ("artifacts", Writes::Artifacts),
    ("project", Writes::Project),
    ("project-dot", Writes::ProjectDot),
    ("project-ignore", Writes::ProjectIgnore),
    ("external", Writes::External),
    ("remote", Writes::Remote),
];
pub(super) const EXEC: [(&str, Exec); 4] = [
    ("none", Exec::None),
    ("project", Exec::Project),
    ("undeclared", Exec::Undeclared),
    ("untrusted", Exec::Untrusted),
];

/// The longest name that every provider takes.
const MAX_NAME: usize = 64;

/// Reads the definition of a built-in tool, or tells everything that is wrong with it. `file_name`
/// may be a path; its last part must be the tool's name in snake_case with `.json`.
pub fn parse_definition(file_name: &str, text: &str) -> Result<Definition, Vec<Problem>> {
    let file = read_file(file_name, text, Runs::InTheServer)?;
    Ok(file.definition)
}

/// Reads the definition of a built-in tool that was parsed by a test before it was shipped: its
/// schema is not compiled only to see whether it can be.
pub fn shipped_definition(file_name: &str, text: &str) -> Result<Definition, Vec<Problem>> {
    let file = read_file(file_name, text, Runs::AsItWasTested)?;
    Ok(file.definition)
}

/// Reads a tool file that says by its `handler` how the tool is run, or tells everything that is
/// wrong with it.
pub fn parse_tool_file(file_name: &str, text: &str) -> Result<ToolFile, Vec<Problem>> {
    read_file(file_name, text, Runs::ByItsHandler)
}

/// Reads a tool file that was parsed by a test before it was shipped, without compiling its schema.
pub fn shipped_tool_file(file_name: &str, text: &str) -> Result<ToolFile, Vec<Problem>> {
    read_file(file_name, text, Runs::ByItsHandlerAsTested)
}

/// Where the code of a tool is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Runs {
    InTheServer,
    /// In the server too.
    AsItWasTested,
    ByItsHandler,
    /// By its handler too.
    ByItsHandlerAsTested,
}

impl Runs {
    fn by_handler(self) -> bool {
        matches!(self, Self::ByItsHandler | Self::ByItsHandlerAsTested)
    }

    fn was_tested(self) -> bool {
        matches!(self, Self::AsItWasTested | Self::ByItsHandlerAsTested)
    }
}

fn read_file(file_name: &str, text: &str, runs: Runs) -> Result<ToolFile, Vec<Problem>> {
    let root = from_json(file_name, text).map_err(|problem| vec![problem])?;
    let mut reader = Reader::new(file_name);
    let file = tool_file(&mut reader, &root, runs);
    let problems = reader.into_problems();
    match file {
        Some(file) if problems.is_empty() => Ok(file),
        _ => Err(problems),
    }
}

fn tool_file(reader: &mut Reader<'_>, root: &Node, runs: Runs) -> Option<ToolFile> {
    let fields = reader.by_table(root, "", fields::FILE);
    let declared = Declared::read(reader, &fields);
    let internal = fields.get("internal").and_then(|(n, k)| reader.flag(n, &k)).unwrap_or(false);
    let slash = fields.get("slashCommand");
    let slash_command = slash.as_ref().and_then(|(n, k)| slash_command(reader, n, k));
    let slash_place = slash.map(|(node, _)| node.place);
    let requires_bin = fields.get("requiresBin").and_then(|(n, k)| handler::program(reader, n, &k));
    let requires_file =
        fields.get("requiresFile").map(|(n, k)| file_names(reader, n, &k)).unwrap_or_default();
    let handler = match (fields.get("handler"), runs.by_handler()) {
        (Some((node, key)), true) => Some(handler::read(reader, node, &key)),
        (Some((node, key)), false) => {
            let message = "a built-in tool has no handler: its code is in the registry; remove this";
            reader.problem(node.place, &key, message);
            None
        }
        (None, true) => {
            fields.need(reader, "handler");
            None
        }
        (None, false) => None,
    };
    let schema = schema(reader, &fields);
    let handler = match handler {
        Some(read) => Some(read?),
        None => None,
    };
    if let (Some(Handler::Exec(_)), Some((node, key))) = (&handler, fields.get("requiresBin")) {
        reader.problem(node.place, &key, "is for tools without a `handler.bin`; remove this");
    }
    let effects = declared.effects(reader, handler.as_ref());
    let (schema, parameters, key) = schema?;
    if let Some(handler) = &handler {
        handler.check_parameters(reader, parameters, &key);
    }
    let definition = Definition { effects, internal, slash_command, ..schema };
    if !runs.was_tested()
        && let Err(reason) = ToolSchema::new(&definition)
    {
        reader.problem(parameters.place, &key, reason);
    }
    Some(ToolFile { definition, handler, slash_place, requires_bin, requires_file })
}

/// The part that the model is given; classes are filled in by the caller. Comes with the node of
/// the parameters and its key.
fn schema<'n>(reader: &mut Reader<'_>, fields: &Fields<'n>) -> Option<(Definition, &'n Node, String)> {
    let (schema, key) = fields.need(reader, "schema")?;
    let schema = reader.by_table(schema, &key, fields::SCHEMA);
    if let Some((node, key)) = schema.need(reader, "type") {
        reader.one_of(node, &key, &[("function", ())]);
    }
    let (function, key) = schema.need(reader, "function")?;
    let function = reader.by_table(function, &key, fields::FUNCTION);
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
        effects: Effects::default(),
        internal: false,
        slash_command: None,
    };
    Some((definition, parameters, key))
}

/// The classes that a file declares, each with its place.
struct Declared {
    reads: Option<(Reads, Place)>,
    writes: Option<(Writes, Place)>,
    exec: Option<(Exec, Place)>,
}

impl Declared {
    fn read(reader: &mut Reader<'_>, fields: &Fields<'_>) -> Self {
        fn class<T: Copy>(
            reader: &mut Reader<'_>,
            fields: &Fields<'_>,
            name: &str,
            choices: &[(&str, T)],
        ) -> Option<(T, Place)> {
            let (node, key) = fields.get(name)?;
            Some((reader.one_of(node, &key, choices)?, node.place))
        }
        Self {
            reads: class(reader, fields, "reads", &READS),
            writes: class(reader, fields, "writes", &WRITES),
            exec: class(reader, fields, "exec", &EXEC),
        }
    }

    /// The class of the tool. A handler of ours has its own, with which a declared one must agree;
    /// a program whose file says nothing about it is as free as any command line.
    fn effects(&self, reader: &mut Reader<'_>, handler: Option<&Handler>) -> Effects {
        let declared = Effects {
            reads: self.reads.map_or(Reads::None, |(reads, _)| reads),
            writes: self.writes.map_or(Writes::None, |(writes, _)| writes),
            exec: self.exec.map_or(Exec::None, |(exec, _)| exec),
        };
        match handler {
            None => declared,
            Some(Handler::Exec(_)) => {
                let says_nothing = self.reads.is_none() && self.writes.is_none() && self.exec.is_none();
                if says_nothing { Effects { exec: Exec::Undeclared, ..declared } } else { declared }
            }
            Some(Handler::BuiltIn(handler)) => {
                let derived = handler.effects();
                disagrees(reader, "reads", self.reads, derived.reads, &READS);
                disagrees(reader, "writes", self.writes, derived.writes, &WRITES);
                disagrees(reader, "exec", self.exec, derived.exec, &EXEC);
                derived
            }
        }
    }
}

fn disagrees<T: Copy + PartialEq>(
    reader: &mut Reader<'_>,
    key: &str,
    declared: Option<(T, Place)>,
    derived: T,
    names: &[(&str, T)],
) {
    let Some((declared, place)) = declared else { return };
    if declared == derived {
        return;
    }
    let name = names.iter().find(|(_, value)| *value == derived).map_or("none", |(name, _)| *name);
    let message = format!("handler and scope make this `{name}`; write that, or leave it out");
    reader.problem(place, key, message);
}

/// `review-diff` for `/review-diff`.
fn slash_command(reader: &mut Reader<'_>, node: &Node, key: &str) -> Option<String> {
    let text = reader.words(node, key)?;
    let wellformed = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !wellformed {
        let message = format!("`{text}` must be small letters, digits and `-`, without the slash");
        reader.problem(node.place, key, message);
        return None;
    }
    Some(text.to_owned())
}

/// Names that a workspace folder may have, with `*` for any letters.
fn file_names(reader: &mut Reader<'_>, node: &Node, key: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (key, item) in reader.items(node, key) {
        let Some(name) = reader.words(item, &key) else { continue };
        if name.contains(['/', '\\']) || name == ".." {
            let message =
                format!("`{name}` must be a name in the workspace folder itself, such as `Cargo.toml`");
            reader.problem(item.place, &key, message);
            continue;
        }
        names.push(name.to_owned());
    }
    names
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
