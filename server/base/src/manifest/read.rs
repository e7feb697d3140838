//! From a file's text, or the editor's settings, to values and all problems.

use super::{EntryKind, Problem, Provider, Written, agents, fields, sandbox};
use crate::policy::{Mode, RuleSet};
use crate::written::{Entry, Kind, Node, Place, Reader, field, from_json, from_yaml};

/// Sections that belong to tools and servers of later parts of the product: kept out of the way
/// here, each read by its own part.
const LATER: [&str; 6] = ["tools", "imports", "mcp", "search", "languageServers", "secrets"];
pub(super) const MODES: [(&str, Mode); 3] =
    [("ask", Mode::Ask), ("accept-edits", Mode::AcceptEdits), ("plan", Mode::Plan)];
pub(super) const APIS: [(&str, &str); 3] =
    [("openai-chat", "openai-chat"), ("openai-responses", "openai-responses"), ("anthropic", "anthropic")];

/// Read a settings file; `file` is its name for messages.
pub fn from_file(file: &str, text: &str) -> Result<Written, Vec<Problem>> {
    if text.trim().is_empty() {
        return Ok(Written::default());
    }
    read(file, &from_yaml(file, text).map_err(|problem| vec![problem])?)
}

/// Read the editor's section `assent`; null and `{}` set nothing.
pub fn from_editor(settings: &serde_json::Value) -> Result<Written, Vec<Problem>> {
    let file = "the editor's settings (assent)";
    if settings.is_null() {
        return Ok(Written::default());
    }
    read(file, &from_json(file, &settings.to_string()).map_err(|problem| vec![problem])?)
}

fn read(file: &str, root: &Node) -> Result<Written, Vec<Problem>> {
    let mut reader = Reader::new(file);
    let mut written = Written::default();
    if !matches!(root.kind, Kind::Null) {
        sections(&mut reader, root, &mut written);
    }
    let problems = reader.into_problems();
    if problems.is_empty() { Ok(written) } else { Err(problems) }
}

fn sections(reader: &mut Reader<'_>, root: &Node, written: &mut Written) {
    let fields = reader.by_table(root, "", fields::SETTINGS);
    debug_assert!(LATER.iter().all(|key| field::find(fields::SETTINGS, key).is_some()));
    for (node, key) in LATER.iter().filter_map(|name| fields.get(name)) {
        reader.keys_once(node, &key);
    }
    for kind in EntryKind::ALL {
        let Some((node, _)) = fields.get(kind.section()) else { continue };
        let Kind::Map(entries) = &node.kind else { continue };
        written.entries.extend(entries.iter().filter_map(|entry| kind.entry(entry)));
    }
    if let Some((node, key)) = fields.get("projectMayReplace") {
        let names = reader.texts(node, &key).into_iter().collect();
        written.project_may_replace = Some((names, place(reader, node.place, &key)));
    }
    if let Some((node, key)) = fields.get("model") {
        written.model = reader.words(node, &key).map(str::to_owned);
    }
    if let Some((node, key)) = fields.get("mode") {
        written.mode = reader.one_of(node, &key, &MODES).map(|mode| (mode, place(reader, node.place, &key)));
    }
    if let Some((node, key)) = fields.get("keepSecrets") {
        written.keep_secrets = reader.flag(node, &key).map(|keep| (keep, place(reader, node.place, &key)));
    }
    if let Some((node, key)) = fields.get("providers") {
        for entry in entries(reader, node, &key) {
            let key = format!("{key}.{}", entry.key);
            let provider = provider(reader, &entry.value, &key);
            written.providers.insert(entry.key.clone(), (provider, place(reader, entry.place, &key)));
        }
    }
    if let Some((node, key)) = fields.get("agents") {
        for entry in entries(reader, node, &key) {
            let agent = agents::read(reader, &entry.value, &format!("{key}.{}", entry.key));
            written.agents.insert(entry.key.clone(), agent);
        }
    }
    if let Some((node, key)) = fields.get("sandbox") {
        sandbox::read(reader, node, &key, &mut written.sandbox);
    }
    if let Some((node, key)) = fields.get("commands") {
        sandbox::read_commands(reader, node, &key, &mut written.sandbox);
    }
    if let Some((node, key)) = fields.get("policy") {
        written.policy = RuleSet::read(reader, node, &key);
    }
}

/// Entries of a section; one that is empty has none.
fn entries<'n>(reader: &mut Reader<'_>, node: &'n Node, key: &str) -> Vec<&'n Entry> {
    if matches!(node.kind, Kind::Null) { Vec::new() } else { reader.entries(node, key) }
}

fn provider(reader: &mut Reader<'_>, node: &Node, key: &str) -> Provider {
    let fields = reader.by_table(node, key, fields::PROVIDER);
    let mut provider = Provider::default();
    if let Some((node, key)) = fields.get("api") {
        provider.api = reader.one_of(node, &key, &APIS);
    }
    let mut words = |name: &str| {
        let (node, key) = fields.get(name)?;
        reader.words(node, &key).map(str::to_owned)
    };
    provider.base_url = words("baseUrl");
    provider.api_key_env = words("apiKeyEnv");
    provider.model = words("model");
    if let Some((node, key)) = fields.get("keyCommand") {
        let words = reader.texts(node, &key);
        if words.first().is_none_or(|program| program.trim().is_empty()) {
            reader.problem(
                node.place,
                &key,
                "must be a list: a program and its arguments; there is no shell",
            );
        }
        provider.key_command = Some(words);
    }
    if let Some((node, key)) = fields.get("textCalls") {
        provider.text_calls = reader.flag(node, &key);
    }
    if let Some((node, key)) = fields.get("images") {
        provider.images = reader.flag(node, &key);
    }
    if let Some((node, key)) = fields.get("contextWindow") {
        provider.context_window = reader.count(node, &key);
    }
    if let Some((node, key)) = fields.get("maxOutput") {
        provider.max_output = reader.count(node, &key);
    }
    provider
}

/// Where something stands, to be named if it does not count.
pub(super) fn place(reader: &Reader<'_>, place: Place, key: &str) -> Problem {
    let (file, key) = (reader.file().to_owned(), key.to_owned());
    Problem { file, line: place.line, column: place.column, key, message: String::new() }
}
