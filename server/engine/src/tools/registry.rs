//! The tools by name. A definition is data, embedded from `tools/` at the top of the repository;
//! its code is the file of the same name here.

use super::catalogue;
use super::files::Found;
use super::needs::Needs;
use super::{
    Tool, ToolOutput, bash, delegated, edit, exec, glob, grep, invalid, ls, multiedit, operation, question,
    read, todoread, todowrite, write,
};
use crate::commands::{self, SlashCommand};
use crate::editor::ToolIdentity;
use crate::process::Processes;
use assent_base::clip::clip_line;
use assent_base::policy::digest;
use assent_base::tool::{
    Arguments, Call, Definition, Handler, ToolFile, ToolSchema, shipped_definition, slash_arguments,
    slash_hint,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, OnceLock};

/// A definition as it is shipped, and the code that goes with it.
struct BuiltIn {
    file: &'static str,
    json: &'static str,
    make: fn(Arc<Definition>) -> Arc<dyn Tool>,
}

macro_rules! built_in {
    ($name:literal, $tool:path) => {
        BuiltIn {
            file: concat!($name, ".json"),
            json: include_str!(concat!("../../../../tools/", $name, ".json")),
            make: |definition| Arc::new($tool(definition)),
        }
    };
}

/// In the order in which the model gets them: fixed, so that the provider's cache holds.
const BUILT_IN: &[BuiltIn] = &[
    built_in!("read", read::Read),
    built_in!("edit", edit::Edit),
    built_in!("multiedit", multiedit::MultiEdit),
    built_in!("write", write::Write),
    built_in!("ls", ls::Ls),
    built_in!("glob", glob::Glob),
    built_in!("grep", grep::Grep),
    built_in!("bash", bash::Bash),
    built_in!("todowrite", todowrite::TodoWrite),
    built_in!("todoread", todoread::TodoRead),
    built_in!("question", question::Question),
    built_in!("plan", delegated::plan),
    built_in!("review_diff", delegated::review_diff),
    built_in!("invalid", invalid::Invalid),
];

struct Entry {
    tool: Arc<dyn Tool>,
    /// Compiled with the tool's first call: most starts are of servers that nobody asks anything yet.
    schema: OnceLock<ToolSchema>,
    kind: Kind,
    /// The file that defines it.
    source: String,
    /// The source of the tool of the same name that it replaces.
    overrides: Option<String>,
    /// Made with its first call.
    identity: OnceLock<ToolIdentity>,
}

impl Entry {
    fn identity(&self) -> &ToolIdentity {
        self.identity.get_or_init(|| {
            let Definition { name, description, parameters, strict, effects, .. } = &**self.tool.definition();
            let definition = json!([name, description, parameters, strict, effects]);
            ToolIdentity {
                name: name.clone(),
                kind: self.kind.name().to_owned(),
                source: (self.kind != Kind::BuiltIn).then(|| self.source.clone()),
                overrides: self.overrides.clone(),
                definition: digest(&definition),
            }
        })
    }

    fn schema(&self) -> &ToolSchema {
        self.schema.get_or_init(|| {
            ToolSchema::new(self.tool.definition())
                .expect("it was compiled when its file was read, or by a test before it was shipped")
        })
    }
}

/// The dialect that a tool is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Code of ours.
    BuiltIn,
    /// A tool file.
    Json,
}

impl Kind {
    /// As it is listed.
    pub fn name(self) -> &'static str {
        match self {
            Self::BuiltIn => "builtin",
            Self::Json => "json",
        }
    }
}

/// A tool as it is listed for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The name that the model calls.
    pub name: String,
    /// Where it comes from.
    pub kind: Kind,
    /// The file that defines it.
    pub source: String,
    /// Why it is not offered at present.
    pub missing: Option<String>,
    /// The source of what it replaces.
    pub overrides: Option<String>,
}

/// All tools, in the order in which the model gets them.
#[derive(Clone)]
pub struct Registry {
    entries: Vec<Arc<Entry>>,
    /// There is a tool file with a mistake, so none is offered.
    withheld: bool,
}

impl Registry {
    /// The tools that ship.
    pub fn built_in() -> Self {
        let entries = BUILT_IN.iter().map(|built_in| {
            let definition = shipped_definition(built_in.file, built_in.json)
                .expect("a test parses the shipped definitions");
            let schema = OnceLock::new();
            let tool = (built_in.make)(Arc::new(definition));
            let source = format!("tools/{}", built_in.file);
            Arc::new(Entry {
                tool,
                schema,
                kind: Kind::BuiltIn,
                source,
                overrides: None,
                identity: OnceLock::new(),
            })
        });
        Self { entries: entries.collect(), withheld: false }
    }

    /// These tools and the tool files that ship, for a workspace that its user trusts or not.
    pub fn with_catalogue(&self, processes: &Processes, folders: &Arc<[PathBuf]>, trusted: bool) -> Self {
        let mut all = self.clone();
        for (source, file) in catalogue::files(trusted) {
            all.add(source, &file, processes, folders);
        }
        all
    }

    /// These tools and those of tool files, which win by name. Programs are looked for on `PATH`, not
    /// in the workspace.
    pub fn with_files(&self, found: &Found, processes: &Processes, folders: &Arc<[PathBuf]>) -> Self {
        let mut all = self.clone();
        all.withheld |= found.withheld;
        for (path, file) in &found.tools {
            all.add(path.display().to_string(), file, processes, folders);
        }
        all
    }

    fn add(&mut self, source: String, file: &ToolFile, processes: &Processes, folders: &Arc<[PathBuf]>) {
        let Some(handler) = &file.handler else { return };
        let definition = Arc::new(file.definition.clone());
        let needs = Needs::of(file, processes, folders);
        let tool: Arc<dyn Tool> = match handler {
            Handler::Exec(handler) => Arc::new(exec::Exec::new(definition, handler.clone(), needs)),
            Handler::BuiltIn(handler) => Arc::new(operation::Operation::new(definition, *handler, needs)),
        };
        self.put(Entry {
            tool,
            schema: OnceLock::new(),
            kind: Kind::Json,
            source,
            overrides: None,
            identity: OnceLock::new(),
        });
    }

    /// Adds a tool, in the place of the one of the same name if there is one.
    fn put(&mut self, mut entry: Entry) {
        let name = &entry.tool.definition().name;
        match self.entries.iter_mut().find(|known| known.tool.definition().name == *name) {
            Some(known) => {
                entry.overrides = Some(known.source.clone());
                *known = Arc::new(entry);
            }
            None => self.entries.push(Arc::new(entry)),
        }
    }

    /// Every tool that a model could be offered, with where it comes from.
    pub fn list(&self) -> Vec<Listed> {
        let offered = self.entries.iter().filter(|entry| !entry.tool.definition().internal);
        let listed = offered.map(|entry| Listed {
            name: entry.tool.definition().name.clone(),
            kind: entry.kind,
            source: entry.source.clone(),
            missing: entry.tool.missing().or_else(|| self.withheld.then(|| WITHHELD.to_owned())),
            overrides: entry.overrides.clone(),
        });
        listed.collect()
    }

    /// The tools that a user can call by a slash command, those of them that can be used.
    pub fn commands(&self) -> Vec<SlashCommand> {
        if self.withheld {
            return Vec::new();
        }
        let mut taken = BTreeSet::new();
        let named = self.entries.iter().filter_map(|entry| {
            let definition = entry.tool.definition();
            // A file whose command is another's is told as a mistake; here the other just wins.
            let free = |name: &String| !commands::is_shipped(name) && taken.insert(name.clone());
            let name = definition.slash_command.clone().filter(free)?;
            entry.tool.missing().is_none().then(|| SlashCommand {
                name,
                hint: slash_hint(definition),
                description: first_sentence(&definition.description),
            })
        });
        named.collect()
    }

    /// The call that a text means which begins with a tool's slash command; the error says what is
    /// expected behind it. `None` where it is no such command.
    pub fn typed(&self, text: &str) -> Option<Result<Call, String>> {
        let (name, rest) = commands::split(text).filter(|(name, _)| !commands::is_shipped(name))?;
        let of_command = |entry: &&Arc<Entry>| entry.tool.definition().slash_command.as_deref() == Some(name);
        let definition = self.entries.iter().find(of_command)?.tool.definition();
        if self.withheld {
            return Some(Err(format!("/{name} was not run: {WITHHELD}.")));
        }
        Some(slash_arguments(definition, rest).map(|arguments| Call {
            id: format!("call_{}", uuid::Uuid::now_v7().simple()),
            name: definition.name.clone(),
            arguments: Arguments::Object(arguments),
        }))
    }

    /// A tool by its exact name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.entry(name).map(|entry| &entry.tool)
    }

    /// Which tool goes by this name.
    pub fn identity(&self, name: &str) -> Option<&ToolIdentity> {
        self.entry(name).map(Entry::identity)
    }

    /// What the model is offered of those that `allowed` lets through, in their fixed order.
    pub fn offered(&self, allowed: impl Fn(&str) -> bool) -> Vec<Arc<Definition>> {
        if self.withheld {
            return Vec::new();
        }
        let usable = self.entries.iter().filter(|entry| entry.tool.missing().is_none());
        usable
            .map(|entry| entry.tool.definition())
            .filter(|definition| !definition.internal && allowed(&definition.name))
            .cloned()
            .collect()
    }

    /// The tool a call means, with its arguments mended and checked; else the answer to the model.
    pub fn check(&self, call: &Call) -> Result<(Arc<dyn Tool>, Map<String, Value>), ToolOutput> {
        if self.withheld {
            return Err(ToolOutput::error(format!("{} was not run: {WITHHELD}.", call.name)));
        }
        let Some(entry) = self.entry(&call.name).or_else(|| self.entry(&call.name.to_lowercase())) else {
            let names: Vec<_> = self.offered(|_| true).iter().map(|tool| tool.name.clone()).collect();
            let error = format!("there is no such tool. The tools are: {}", names.join(", "));
            return Err(invalid::answer(&call.name, &error));
        };
        let arguments = with_known_names(&entry.tool.definition().parameters, &call.arguments);
        match entry.schema().check(&arguments) {
            Ok(checked) => Ok((entry.tool.clone(), checked)),
            Err(answer) => Err(ToolOutput::error(answer)),
        }
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.tool.definition().name == name).map(|entry| &**entry)
    }
}

/// The slash commands of the tools that ship, each with the name of its tool.
pub(super) fn shipped_commands() -> &'static [(String, String)] {
    static COMMANDS: OnceLock<Vec<(String, String)>> = OnceLock::new();
    COMMANDS.get_or_init(|| {
        let named = |entry: &Arc<Entry>| {
            let definition = entry.tool.definition();
            Some((definition.slash_command.clone()?, definition.name.clone()))
        };
        Registry::built_in().entries.iter().filter_map(named).collect()
    })
}

/// Up to the first full stop, on one line.
fn first_sentence(description: &str) -> String {
    let line = description.lines().next().unwrap_or_default();
    let end = line.find(". ").unwrap_or(line.len());
    clip_line(line[..end].trim_end_matches('.'), 120).0
}

/// The built-in tool that a call of this name may mean, as [`Registry::check`] takes names.
pub(super) fn is_built_in(name: &str) -> Option<&'static str> {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        Registry::built_in().entries.iter().map(|entry| entry.tool.definition().name.clone()).collect()
    });
    NAMES.iter().map(String::as_str).find(|built_in| built_in.eq_ignore_ascii_case(name))
}

/// Why there is no tool at all.
const WITHHELD: &str = "a tool file has a mistake, and until it is mended no tool is offered";

/// Models that were trained on other tools write `file_path` where `filePath` is meant. There is
/// no doubt about it, so it is not worth a round trip.
fn with_known_names(parameters: &Value, arguments: &Arguments) -> Arguments {
    let (Arguments::Object(given), Some(known)) =
        (arguments, parameters.get("properties").and_then(Value::as_object))
    else {
        return arguments.clone();
    };
    let mut renamed = Map::new();
    for (name, value) in given {
        let camel = camel_case(name);
        let clear = !known.contains_key(name) && known.contains_key(&camel) && !given.contains_key(&camel);
        renamed.insert(if clear { camel } else { name.clone() }, value.clone());
    }
    Arguments::Object(renamed)
}

fn camel_case(name: &str) -> String {
    let mut parts = name.split('_');
    let mut camel = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut chars = part.chars();
        camel.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        camel.push_str(chars.as_str());
    }
    camel
}

#[cfg(test)]
mod tests;
