//! The `handler` block of a tool file: a program, or one of our own file operations.

use super::fields;
use super::filter::ArgumentFilter;
use super::{Effects, Exec, Reads, Writes};
use crate::written::{Entry, Fields, Kind, Node, Reader};

/// What a tool does when it is called.
#[derive(Debug, Clone, PartialEq)]
pub enum Handler {
    /// Runs a program, without a shell.
    Exec(ExecHandler),
    /// One of our own file operations.
    BuiltIn(BuiltInHandler),
}

/// A program, its fixed words, and what the model may add.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecHandler {
    /// Its name, to be found on `PATH`, or an absolute path.
    pub bin: String,
    /// Words that always come first.
    pub subcommand: Vec<String>,
    /// Variables beyond those that every child gets.
    pub env: Vec<(String, String)>,
    /// What becomes of the model's arguments.
    pub filter: ArgumentFilter,
    /// The one line that the user sees of the result.
    pub summary: Summary,
}

/// How a result is told in one line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Summary {
    /// The output itself.
    #[default]
    Output,
    /// The command line.
    CommandEcho,
    /// Files and lines of a diff.
    GitDiff,
    /// The number of commits.
    GitLog,
    /// The number of changed files.
    GitStatus,
    /// The number of matches.
    Grep,
    /// The number of lines, as so many of the noun.
    LineCount(String),
}

/// One of our own file operations, held to a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltInHandler {
    /// Which.
    pub kind: BuiltInKind,
    /// Where its paths may lie; `None` for those that take none.
    pub scope: Option<Scope>,
    /// `findInProject`: also what begins with a dot.
    pub include_hidden: bool,
    /// `findInProject`: also what ignore rules exclude.
    pub include_ignored: bool,
}

/// The file operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuiltInKind {
    /// Names in a folder.
    ListDirectory,
    /// A whole file.
    ReadFile,
    /// A range of bytes.
    ReadFileBytes,
    /// A range of lines.
    ReadFileLines,
    /// A search through the project.
    FindInProject,
    /// A new file.
    CreateFile,
    /// A change of one.
    EditFile,
    /// A removal.
    DeleteFile,
    /// A change of the mode.
    ChmodFile,
    /// A replacement through the project.
    ReplaceInProject,
}

/// Where the paths of a tool lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Neither hidden nor ignored.
    Project,
    /// With a part that begins with a dot.
    ProjectDot,
    /// Excluded by ignore rules.
    ProjectIgnore,
    /// Outside the workspace folders.
    External,
}

pub(super) const SCOPES: [(&str, Scope); 4] = [
    ("project", Scope::Project),
    ("project-dot", Scope::ProjectDot),
    ("project-ignore", Scope::ProjectIgnore),
    ("external", Scope::External),
];

/// A type of the file operations.
struct Type {
    name: &'static str,
    kind: BuiltInKind,
    /// None: it takes no scope.
    scopes: &'static [Scope],
    /// Parameters that its schema has to offer.
    needs: &'static [&'static str],
    /// Parameters that it may offer.
    takes: &'static [&'static str],
}

const BUILT_IN: [Type; 10] = {
    use BuiltInKind::*;
    use Scope::*;
    const ALL: &[Scope] = &[Project, ProjectDot, ProjectIgnore, External];
    const INSIDE: &[Scope] = &[Project, ProjectDot, ProjectIgnore];
    const fn of(
        name: &'static str,
        kind: BuiltInKind,
        scopes: &'static [Scope],
        needs: &'static [&'static str],
        takes: &'static [&'static str],
    ) -> Type {
        Type { name, kind, scopes, needs, takes }
    }
    [
        of("listDirectory", ListDirectory, &[Project, External], &["path"], &[]),
        of("readFile", ReadFile, ALL, &["path"], &[]),
        of("readFileBytes", ReadFileBytes, ALL, &["path", "offset", "length"], &[]),
        of("readFileLines", ReadFileLines, ALL, &["path", "startLine", "endLine"], &[]),
        of("findInProject", FindInProject, &[], &["pattern"], &["include"]),
        of("createFile", CreateFile, INSIDE, &["path", "content"], &[]),
        of("editFile", EditFile, INSIDE, &["path", "oldString", "newString"], &["replaceAll"]),
        of("deleteFile", DeleteFile, INSIDE, &["path"], &[]),
        of("chmodFile", ChmodFile, INSIDE, &["path", "mode"], &[]),
        of("replaceInProject", ReplaceInProject, &[Project], &["pattern", "replacement"], &["include"]),
    ]
};

/// The type of a handler that runs a program.
pub(super) const EXEC: &str = "exec";

/// Fields that only programs have.
pub(super) const OF_PROGRAMS: [&str; 8] =
    ["bin", "subcommand", "env", "allowArgs", "denyArgs", "options", "operands", "summary"];
/// Fields that only file operations have.
pub(super) const OF_OPERATIONS: [&str; 3] = ["scope", "includeHidden", "includeIgnored"];

/// The kinds of summary that are one word.
pub(super) const SUMMARIES: [(&str, Summary); 5] = [
    ("commandEcho", Summary::CommandEcho),
    ("gitDiff", Summary::GitDiff),
    ("gitLog", Summary::GitLog),
    ("gitStatus", Summary::GitStatus),
    ("grep", Summary::Grep),
];

/// The types of handlers.
pub(super) fn types() -> Vec<&'static str> {
    std::iter::once(EXEC).chain(BUILT_IN.iter().map(|known| known.name)).collect()
}

/// Each file operation with its scopes, and whether it searches.
pub(super) fn operations() -> impl Iterator<Item = (&'static str, Vec<&'static str>, bool)> {
    BUILT_IN.iter().map(|known| {
        let scopes = SCOPES.iter().filter(|(_, scope)| known.scopes.contains(scope));
        let searches = known.kind == BuiltInKind::FindInProject;
        (known.name, scopes.map(|(name, _)| *name).collect(), searches)
    })
}

impl BuiltInHandler {
    /// The class that follows from type and scope.
    pub fn effects(&self) -> Effects {
        let reads = match self.scope {
            Some(Scope::Project) => Reads::Project,
            Some(Scope::ProjectDot) => Reads::ProjectDot,
            Some(Scope::ProjectIgnore) => Reads::ProjectIgnore,
            Some(Scope::External) => Reads::External,
            None if self.include_ignored => Reads::ProjectIgnore,
            None if self.include_hidden => Reads::ProjectDot,
            None => Reads::Project,
        };
        let writes = match self.scope {
            Some(Scope::ProjectDot) => Writes::ProjectDot,
            Some(Scope::ProjectIgnore) => Writes::ProjectIgnore,
            Some(Scope::External) => Writes::External,
            Some(Scope::Project) | None => Writes::Project,
        };
        let (reads, writes) = match self.kind {
            BuiltInKind::ListDirectory
            | BuiltInKind::ReadFile
            | BuiltInKind::ReadFileBytes
            | BuiltInKind::ReadFileLines
            | BuiltInKind::FindInProject => (reads, Writes::None),
            BuiltInKind::CreateFile | BuiltInKind::DeleteFile | BuiltInKind::ChmodFile => {
                (Reads::None, writes)
            }
            BuiltInKind::EditFile | BuiltInKind::ReplaceInProject => (reads, writes),
        };
        Effects { reads, writes, exec: Exec::None }
    }
}

impl Handler {
    /// Whether the schema offers what the handler takes, and nothing that it would drop.
    pub(super) fn check_parameters(&self, reader: &mut Reader<'_>, parameters: &Node, key: &str) {
        let (needs, takes): (&[&str], &[&str]) = match self {
            Handler::Exec(_) => (&[], &["args"]),
            Handler::BuiltIn(handler) => {
                type_of(handler.kind).map_or((&[], &[]), |found| (found.needs, found.takes))
            }
        };
        let key = format!("{key}.properties");
        let mut place = parameters.place;
        let mut offered: &[Entry] = &[];
        if let Kind::Map(entries) = &parameters.kind
            && let Some(properties) = entries.iter().find(|entry| entry.key == "properties")
            && let Kind::Map(entries) = &properties.value.kind
        {
            (place, offered) = (properties.value.place, entries);
        }
        for entry in offered {
            let name = entry.key.as_str();
            if !needs.contains(&name) && !takes.contains(&name) {
                let known: Vec<_> = needs.iter().chain(takes).copied().collect();
                let message = format!("this handler does not take it; it takes {}", list(&known));
                reader.problem(entry.place, &format!("{key}.{name}"), message);
            }
        }
        for name in needs.iter().filter(|name| !offered.iter().any(|entry| entry.key == **name)) {
            reader.problem(place, &format!("{key}.{name}"), "is missing: the handler needs it");
        }
        if let (Handler::Exec(_), Some(args)) = (self, offered.iter().find(|entry| entry.key == "args")) {
            check_args(reader, &args.value, &format!("{key}.args"));
        }
    }
}

/// `args` is a list of texts, or the model would send what no program can be given.
fn check_args(reader: &mut Reader<'_>, node: &Node, key: &str) {
    let value = node.to_value();
    let wellformed = value["type"] == "array" && value["items"]["type"] == "string";
    if !wellformed {
        let message = "must be a list of texts: {\"type\": \"array\", \"items\": {\"type\": \"string\"}}";
        reader.problem(node.place, key, message);
    }
}

fn type_of(kind: BuiltInKind) -> Option<&'static Type> {
    BUILT_IN.iter().find(|known| known.kind == kind)
}

/// Reads the block; `None` when it can't be used, with the problems noted.
pub(super) fn read(reader: &mut Reader<'_>, node: &Node, key: &str) -> Option<Handler> {
    let fields = reader.by_table(node, key, fields::HANDLER);
    let (kind, kind_key) = fields.need(reader, "type")?;
    let name = reader.text(kind, &kind_key)?;
    if name == EXEC {
        refuse(reader, &fields, &OF_OPERATIONS, "is for built-in handlers");
        return exec(reader, &fields).map(Handler::Exec);
    }
    let Some(built_in) = BUILT_IN.iter().find(|known| known.name == name) else {
        let known: Vec<_> = std::iter::once(EXEC).chain(BUILT_IN.iter().map(|known| known.name)).collect();
        reader.problem(
            kind.place,
            &kind_key,
            format!("`{name}` is not known here; write one of {}", known.join(", ")),
        );
        return None;
    };
    refuse(reader, &fields, &OF_PROGRAMS, "is for handlers of type `exec`");
    let scope = scope(reader, &fields, name, built_in.scopes)?;
    let flag = |reader: &mut Reader<'_>, name: &str| {
        let (node, key) = fields.get(name)?;
        if built_in.kind != BuiltInKind::FindInProject {
            reader.problem(node.place, &key, "is for `findInProject`; remove this");
            return None;
        }
        reader.flag(node, &key)
    };
    let include_hidden = flag(reader, "includeHidden").unwrap_or(false);
    let include_ignored = flag(reader, "includeIgnored").unwrap_or(false);
    Some(Handler::BuiltIn(BuiltInHandler { kind: built_in.kind, scope, include_hidden, include_ignored }))
}

/// The scope, which a type with several must say. The outer `None` is a mistake.
fn scope(
    reader: &mut Reader<'_>,
    fields: &Fields<'_>,
    kind: &str,
    allowed: &[Scope],
) -> Option<Option<Scope>> {
    let names: Vec<_> =
        SCOPES.iter().filter(|(_, scope)| allowed.contains(scope)).map(|(name, _)| *name).collect();
    match fields.get("scope") {
        Some((node, key)) if allowed.is_empty() => {
            reader.problem(node.place, &key, format!("`{kind}` takes no scope; remove this"));
            None
        }
        Some((node, key)) => {
            let scope = reader.one_of(node, &key, &SCOPES)?;
            if !allowed.contains(&scope) {
                let message = format!("`{kind}` can't have this scope; write {}", names.join(" or "));
                reader.problem(node.place, &key, message);
                return None;
            }
            Some(Some(scope))
        }
        None if allowed.is_empty() => Some(None),
        None => {
            fields.need(reader, "scope");
            None
        }
    }
}

fn exec(reader: &mut Reader<'_>, fields: &Fields<'_>) -> Option<ExecHandler> {
    let bin = fields.need(reader, "bin").and_then(|(node, key)| program(reader, node, &key));
    let subcommand = fields.get("subcommand").and_then(|(node, key)| reader.words(node, &key));
    let env = fields.get("env").map(|(node, key)| environment(reader, node, &key)).unwrap_or_default();
    let summary = match fields.get("summary") {
        Some((node, key)) => summary(reader, node, &key),
        None => Some(Summary::Output),
    };
    let filter = ArgumentFilter::read(reader, fields);
    Some(ExecHandler {
        bin: bin?,
        subcommand: subcommand.unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
        env,
        filter: filter?,
        summary: summary?,
    })
}

/// A program's name or absolute path. A path relative to the project would let the project
/// provide it.
pub(super) fn program(reader: &mut Reader<'_>, node: &Node, key: &str) -> Option<String> {
    let text = reader.words(node, key)?;
    let absolute = std::path::Path::new(text).is_absolute();
    if text.contains(char::is_control) || (text.contains(['/', '\\']) && !absolute) {
        let message = format!("`{text}` must be a program's name, to be found on PATH, or an absolute path");
        reader.problem(node.place, key, message);
        return None;
    }
    Some(text.to_owned())
}

fn environment(reader: &mut Reader<'_>, node: &Node, key: &str) -> Vec<(String, String)> {
    let mut variables = Vec::new();
    for entry in reader.entries(node, key) {
        let key = format!("{key}.{}", entry.key);
        let name = &entry.key;
        let wellformed = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !wellformed {
            reader.problem(entry.place, &key, "is no name of a variable: letters, digits and `_`");
            continue;
        }
        let Some(value) = reader.text(&entry.value, &key) else { continue };
        if value.contains('\0') {
            reader.problem(entry.value.place, &key, "holds a NUL character, which no variable can");
            continue;
        }
        variables.push((name.clone(), value.to_owned()));
    }
    variables
}

fn summary(reader: &mut Reader<'_>, node: &Node, key: &str) -> Option<Summary> {
    let text = reader.text(node, key)?;
    if let Some(noun) = text.strip_prefix("lineCount:").filter(|noun| !noun.trim().is_empty()) {
        return Some(Summary::LineCount(noun.trim().to_owned()));
    }
    let known = SUMMARIES.into_iter().find(|(name, _)| *name == text).map(|(_, summary)| summary);
    match known {
        Some(summary) => Some(summary),
        None if text.is_empty() => Some(Summary::Output),
        None => {
            let message = format!(
                "`{text}` is not known here; write one of commandEcho, gitDiff, gitLog, gitStatus, grep, lineCount:NOUN"
            );
            reader.problem(node.place, key, message);
            None
        }
    }
}

fn refuse(reader: &mut Reader<'_>, fields: &Fields<'_>, names: &[&str], why: &str) {
    for name in names {
        if let Some((node, key)) = fields.get(name) {
            reader.problem(node.place, &key, format!("{why}; remove this"));
        }
    }
}

/// `a`, `b` and `c`.
fn list(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        None => "nothing".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests;
