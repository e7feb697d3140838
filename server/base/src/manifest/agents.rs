//! Agents: an entry of `agents` in a settings file, or a Markdown file of its own whose front
//! matter holds the same fields and whose text is the prompt.

use super::fields::AGENT;
use super::read::MODES;
use super::{Agent, Problem, WrittenAgent};
use crate::tool::AgentTools;
use crate::written::{Field, Kind, Node, Reader, from_yaml};
use std::collections::BTreeSet;

/// What stands above and below the front matter.
const FENCE: &str = "---";

/// Read an agent's Markdown file; `file` is its name for messages. The agent is called like the
/// file, without `.md`.
pub fn agent_from_file(file: &str, text: &str) -> Result<WrittenAgent, Vec<Problem>> {
    let whole = |line: u32, message: &str| {
        let (file, message) = (file.to_owned(), message.to_owned());
        vec![Problem { file, line, column: 1, key: String::new(), message }]
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let (front, prompt) = match lines.next() {
        Some(first) if first.trim_end() == FENCE => {
            // A line stays the line it is, for messages.
            let mut front = "\n".to_owned();
            let mut closed = false;
            for line in lines.by_ref() {
                if line.trim_end() == FENCE {
                    closed = true;
                    break;
                }
                front.push_str(line);
            }
            if !closed {
                return Err(whole(
                    1,
                    "the front matter has no end: write `---` on a line of its own below it",
                ));
            }
            (front, lines.collect::<String>())
        }
        _ => (String::new(), text.to_owned()),
    };
    let mut agent = WrittenAgent::default();
    if !front.trim().is_empty() {
        let node = from_yaml(file, &front).map_err(|problem| vec![problem])?;
        let mut reader = Reader::new(file);
        if !matches!(node.kind, Kind::Null) {
            // The text is the prompt.
            let table: Vec<Field> = AGENT.iter().filter(|field| field.name != "prompt").copied().collect();
            agent = fields(&mut reader, &node, "", &table);
        }
        let problems = reader.into_problems();
        if !problems.is_empty() {
            return Err(problems);
        }
    }
    let prompt = prompt.trim();
    if prompt.is_empty() {
        return Err(whole(1, "there is no prompt: write below the front matter what the agent is to do"));
    }
    agent.prompt = Some(prompt.to_owned());
    Ok(agent)
}

/// Reads an entry of `agents`.
pub(super) fn read(reader: &mut Reader<'_>, node: &Node, key: &str) -> WrittenAgent {
    match node.kind {
        Kind::Null => WrittenAgent::default(),
        _ => fields(reader, node, key, AGENT),
    }
}

fn fields(reader: &mut Reader<'_>, node: &Node, key: &str, table: &[Field]) -> WrittenAgent {
    let mut agent = WrittenAgent::default();
    let fields = reader.by_table(node, key, table);
    if let Some((node, key)) = fields.get("tools") {
        agent.tools = Some(tools(reader, node, &key));
    }
    if let Some((node, key)) = fields.get("mode") {
        agent.mode = reader.one_of(node, &key, &MODES);
    }
    let mut words = |name: &str| {
        let (node, key) = fields.get(name)?;
        reader.words(node, &key).map(str::to_owned)
    };
    agent.description = words("description");
    agent.model = words("model");
    agent.prompt = words("prompt");
    agent
}

/// The five forms: left out or `all`, `none`, a list, `{exclude: [...]}`, `{name: false}`.
fn tools(reader: &mut Reader<'_>, node: &Node, key: &str) -> AgentTools {
    match &node.kind {
        Kind::String(word) if word == "all" => AgentTools::All,
        Kind::String(word) if word == "none" => AgentTools::none(),
        Kind::List(_) => {
            let names: BTreeSet<String> = reader.texts(node, key).into_iter().collect();
            if names.contains("*") { AgentTools::All } else { AgentTools::Only(names) }
        }
        Kind::Map(entries) if entries.iter().any(|entry| entry.key == "exclude") => {
            let fields = reader.fields(node, key, &["exclude"]);
            let names = fields.get("exclude").map(|(node, key)| reader.texts(node, &key));
            AgentTools::Except(names.unwrap_or_default().into_iter().collect())
        }
        Kind::Map(_) => {
            let mut removed = BTreeSet::new();
            for entry in reader.entries(node, key) {
                if reader.flag(&entry.value, &format!("{key}.{}", entry.key)) == Some(false) {
                    removed.insert(entry.key.clone());
                }
            }
            AgentTools::Except(removed)
        }
        _ => {
            let wanted = "all, none, a list of tools, {exclude: [...]} or {name: false}";
            reader.wrong_type::<()>(node, key, wanted);
            // Nothing is offered to an agent whose list can't be read.
            AgentTools::none()
        }
    }
}

impl WrittenAgent {
    /// What this says, over what was said before.
    pub(super) fn over(self, before: Agent) -> Agent {
        Agent {
            description: self.description.or(before.description),
            tools: self.tools.unwrap_or(before.tools),
            mode: self.mode.or(before.mode),
            model: self.model.or(before.model),
            prompt: self.prompt.or(before.prompt),
        }
    }
}
