//! What a settings file says, for a user who decides whether to trust the project it came with.

use super::{Problem, Scope, Written, layer};
use crate::manifest::Layer;
use crate::policy::{Mode, RuleSet, Verdict};
use crate::written;
use serde_json::Value;

/// An entry that would run something. What it means is the business of the part that runs it; here
/// it is data to be shown, and to be compared with what was shown before.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What it is.
    pub kind: EntryKind,
    /// Its name.
    pub name: String,
    /// What stands under the name.
    pub value: Value,
}

/// The sections whose entries run something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// An MCP server.
    Mcp,
    /// A tool that is a module of the project.
    Module,
}

impl EntryKind {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Mcp, Self::Module];

    /// The key of the section.
    pub(super) fn section(self) -> &'static str {
        match self {
            Self::Mcp => "mcp",
            Self::Module => "tools",
        }
    }

    /// The entry, if it runs something of the project's: `assent:NAME` is a tool of ours.
    pub(super) fn entry(self, entry: &written::Entry) -> Option<Entry> {
        let value = entry.value.to_value();
        let ours = |text: &str| text.starts_with("assent:") || text.starts_with("beeuni:");
        let is_ours = self == Self::Module && value.as_str().is_some_and(ours);
        (!is_ours).then(|| Entry { kind: self, name: entry.key.clone(), value })
    }
}

/// What a project's file would do once it is trusted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overview {
    /// The model it names.
    pub model: Option<String>,
    /// The mode that sessions would start in, where that is stricter than `ask`.
    pub mode: Option<Mode>,
    /// The agents it adds or narrows.
    pub agents: Vec<String>,
    /// Rules and defaults that ask or refuse.
    pub rules: usize,
    /// What it would run.
    pub entries: Vec<Entry>,
    /// What would not count all the same, and why.
    pub ignored: Vec<Problem>,
}

impl Written {
    /// What this file would do as a project's.
    pub fn overview(self) -> Overview {
        let rules = narrowing_rules(&self.policy);
        let (model, agents) = (self.model.clone(), self.agents.keys().cloned().collect());
        let entries = self.entries.clone();
        let (settings, ignored) = layer(vec![Layer { scope: Scope::Project, written: self }]);
        Overview { model, mode: settings.mode, agents, rules, entries, ignored }
    }
}

fn narrowing_rules(policy: &RuleSet) -> usize {
    let tools = policy.tools.values();
    let defaults = policy.default.iter().chain(tools.clone().filter_map(|rules| rules.default.as_ref()));
    let lists = tools.map(|rules| rules.ask.len() + rules.deny.len());
    lists.sum::<usize>() + defaults.filter(|default| default.verdict != Verdict::Allow).count()
}
