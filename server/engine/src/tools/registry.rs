//! The tools by name. A definition is data, embedded from `tools/` at the top of the repository;
//! its code is the file of the same name here.

use super::{
    Tool, ToolOutput, bash, edit, glob, grep, invalid, ls, multiedit, question, read, todoread, todowrite,
    write,
};
use assent_base::tool::{Arguments, Call, Definition, ToolSchema, parse_definition};
use serde_json::{Map, Value};
use std::sync::Arc;

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
    built_in!("invalid", invalid::Invalid),
];

struct Entry {
    tool: Arc<dyn Tool>,
    schema: ToolSchema,
}

/// All tools.
pub struct Registry {
    entries: Vec<Entry>,
}

impl Registry {
    /// The tools that ship.
    pub fn built_in() -> Self {
        let entries = BUILT_IN.iter().map(|built_in| {
            let definition = parse_definition(built_in.file, built_in.json)
                .expect("the shipped definitions are read by a test");
            let schema =
                ToolSchema::new(&definition).expect("a definition that was read has a usable schema");
            Entry { tool: (built_in.make)(Arc::new(definition)), schema }
        });
        Self { entries: entries.collect() }
    }

    /// A tool by its exact name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.entry(name).map(|entry| &entry.tool)
    }

    /// All definitions, in their fixed order.
    pub fn definitions(&self) -> impl Iterator<Item = &Arc<Definition>> {
        self.entries.iter().map(|entry| entry.tool.definition())
    }

    /// What the model is offered of those that `allowed` lets through, in their fixed order.
    pub fn offered(&self, allowed: impl Fn(&str) -> bool) -> Vec<Arc<Definition>> {
        self.definitions()
            .filter(|definition| !definition.internal && allowed(&definition.name))
            .cloned()
            .collect()
    }

    /// The tool a call means, with its arguments mended and checked; else the answer to the model.
    pub fn check(&self, call: &Call) -> Result<(Arc<dyn Tool>, Map<String, Value>), ToolOutput> {
        let Some(entry) = self.entry(&call.name).or_else(|| self.entry(&call.name.to_lowercase())) else {
            let names: Vec<_> = self.offered(|_| true).iter().map(|tool| tool.name.clone()).collect();
            let error = format!("there is no such tool. The tools are: {}", names.join(", "));
            return Err(invalid::answer(&call.name, &error));
        };
        let arguments = with_known_names(&entry.tool.definition().parameters, &call.arguments);
        match entry.schema.check(&arguments) {
            Ok(checked) => Ok((entry.tool.clone(), checked)),
            Err(answer) => Err(ToolOutput::error(answer)),
        }
    }

    fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.tool.definition().name == name)
    }
}

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
