//! The fields of settings, as tables: a file is read by them, and its JSON Schema is made from them.

use super::read::{APIS, MODES};
use super::sandbox::{KINDS, MODES as SANDBOX_MODES};
use crate::policy::{RULES, VERDICTS};
use crate::written::field::{self, Field, Takes};
use serde_json::{Value, json};

fn names<T>(choices: &[(&'static str, T)]) -> Vec<&'static str> {
    choices.iter().map(|(name, _)| *name).collect()
}

const MODE: Takes = Takes::One(|| names(&MODES));
const SANDBOX_MODE: Takes = Takes::One(|| names(&SANDBOX_MODES));
const VERDICT: Takes = Takes::One(|| names(&VERDICTS));
const ANYTHING: Takes = Takes::Like(|| json!({}));
/// A section that is empty is none.
const fn or_nothing(takes: &'static Takes) -> Takes {
    Takes::Either(takes, &Takes::Nothing)
}

/// Of the file.
pub(super) const SETTINGS: &[Field] = &[
    Field::new("model", Takes::Words, "The model, as provider/model."),
    Field::new("mode", MODE, "The mode that sessions start in."),
    Field::new("keepSecrets", Takes::Flag, "Whether secrets are kept from the model; on if left out."),
    Field::new(
        "providers",
        or_nothing(&Takes::Named(field::none, &Takes::Fields(|| PROVIDER))),
        "Model providers, by name.",
    ),
    Field::new(
        "agents",
        or_nothing(&Takes::Named(field::none, &or_nothing(&Takes::Fields(|| AGENT)))),
        "Agents, by name.",
    ),
    Field::new(
        "policy",
        Takes::Named(|| POLICY, &Takes::Fields(|| RULES)),
        "What runs, asks and is refused, by tool.",
    ),
    Field::new("sandbox", Takes::Either(&SANDBOX_MODE, &Takes::Fields(|| SANDBOX)), "What holds commands."),
    Field::new("commands", Takes::Fields(|| COMMANDS), "What commands get."),
    Field::new("tools", ANYTHING, "Tools of the manifest."),
    Field::new("imports", ANYTHING, "Other manifests."),
    Field::new("mcp", ANYTHING, "MCP servers."),
    Field::new("search", ANYTHING, "The search service."),
    Field::new("languageServers", ANYTHING, "Language servers."),
    Field::new("secrets", ANYTHING, "Where secrets are."),
    Field::new(
        "projectMayReplace",
        Takes::Texts,
        "Names of tools of ours in whose place a trusted project's may stand.",
    ),
];

/// Of an entry of `providers`.
pub(super) const PROVIDER: &[Field] = &[
    Field::new("api", Takes::One(|| names(&APIS)), "The wire format."),
    Field::new("baseUrl", Takes::Words, "Where it is."),
    Field::new("apiKeyEnv", Takes::Words, "The variable that holds the key."),
    Field::new(
        "keyCommand",
        Takes::Like(
            || json!({ "type": "array", "minItems": 1, "items": { "type": "string" }, "prefixItems": [{ "type": "string", "pattern": "\\S" }] }),
        ),
        "A program that prints the key, and its arguments; there is no shell.",
    ),
    Field::new("model", Takes::Words, "The model that is used when none is named."),
    Field::new("textCalls", Takes::Flag, "Whether a call that is written as text is taken as one."),
    Field::new("contextWindow", Takes::Count, "The context window in tokens."),
    Field::new("maxOutput", Takes::Count, "The most tokens of one answer."),
    Field::new("images", Takes::Flag, "Whether images may be sent."),
];

/// Of an entry of `agents`.
pub(super) const AGENT: &[Field] = &[
    Field::new("description", Takes::Words, "What it is for, in one line."),
    Field::new(
        "tools",
        Takes::Like(agent_tools),
        "The tools its model sees: `all`, `none`, a list, `{exclude: [...]}` or `{name: false}`.",
    ),
    Field::new("mode", MODE, "The mode that its sessions start in."),
    Field::new("model", Takes::Words, "Its model."),
    Field::new("prompt", Takes::Words, "Its own prompt, behind ours."),
];

/// Of `policy`, beside the names of tools.
const POLICY: &[Field] =
    &[Field::new("default", VERDICT, "What becomes of calls about which nothing else says anything.")];

/// Of `sandbox`.
pub(super) const SANDBOX: &[Field] = &[
    Field::new("mode", SANDBOX_MODE, "Whether commands are held."),
    Field::new("network", Takes::Flag, "Whether they reach the network."),
    Field::new(
        "writable",
        Takes::Like(|| json!({ "type": "array", "items": { "type": "string", "pattern": "^(/|~/)" } })),
        "Folders beside the project in which they may write.",
    ),
    Field::new("kind", Takes::One(|| names(&KINDS)), "By what they are held."),
];

/// Of `commands`.
pub(super) const COMMANDS: &[Field] = &[Field::new(
    "env",
    Takes::Like(
        || json!({ "type": "array", "items": { "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" } }),
    ),
    "Names of variables that are passed on to commands.",
)];

fn agent_tools() -> Value {
    let names = json!({ "type": "array", "items": { "type": "string" } });
    let exclude = json!({ "type": "object", "required": ["exclude"], "additionalProperties": false, "properties": { "exclude": names } });
    let flags = json!({ "type": "object", "properties": { "exclude": false }, "additionalProperties": { "type": "boolean" } });
    json!({ "anyOf": [{ "enum": ["all", "none"] }, names, exclude, flags] })
}

/// The JSON Schema of `assent.yaml`, and of the editor's section `assent`.
pub fn settings_schema() -> Value {
    let mut schema = field::schema(SETTINGS);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Settings of Assent");
    schema
}

#[cfg(test)]
mod tests;
