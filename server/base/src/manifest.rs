//! `assent.yaml`: what can be set, read with every mistake at its place, and how the layers add
//! up. Later layers win (built-in, user, project, editor); policy lists add up instead; and a
//! project's file may only narrow what the user allows.

mod agents;
mod fields;
mod layers;
mod overview;
mod read;
mod sandbox;

pub use agents::agent_from_file;
pub use fields::settings_schema;
pub use layers::{Layer, Scope, layer};
pub use overview::{Entry, EntryKind, Overview};
pub use read::{from_editor, from_file};
pub use sandbox::{Sandbox, SandboxKind, SandboxMode};

pub use crate::written::Problem;

use crate::policy::{Mode, Policy, RuleSet};
use crate::tool::AgentTools;
use std::collections::{BTreeMap, BTreeSet};

/// The files a folder's settings may be in; the first that is there counts.
pub const FILE_NAMES: [&str; 2] = ["assent.yaml", "beeuni.yaml"];

/// Settings, all layers added up.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// `provider/model`.
    pub model: Option<String>,
    /// The mode a session starts in.
    pub mode: Option<Mode>,
    /// Whether secrets are kept from the model; they are, unless the user says otherwise.
    pub keep_secrets: Option<bool>,
    /// Providers by name.
    pub providers: BTreeMap<String, Provider>,
    /// Agents by name.
    pub agents: BTreeMap<String, Agent>,
    /// The rules.
    pub policy: Policy,
    /// Built-in tools that a project's own tools may take the place of.
    pub project_may_replace: BTreeSet<String>,
    /// What holds the processes that tools start.
    pub sandbox: Sandbox,
    /// Variables of the user's environment that they get beside the usual ones.
    pub command_variables: Vec<String>,
}

/// A provider, as far as the settings say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provider {
    /// `openai-chat`, `openai-responses` or `anthropic`.
    pub api: Option<&'static str>,
    /// Where requests go.
    pub base_url: Option<String>,
    /// The environment variable that holds the key.
    pub api_key_env: Option<String>,
    /// A command that answers with the key: a program and its arguments.
    pub key_command: Option<Vec<String>>,
    /// The model to use when none is named.
    pub model: Option<String>,
    /// Whether a call written as text is taken as a call.
    pub text_calls: Option<bool>,
    /// The context window in tokens.
    pub context_window: Option<u64>,
    /// The most tokens of one answer.
    pub max_output: Option<u64>,
    /// Whether images may be sent.
    pub images: Option<bool>,
}

/// An agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agent {
    /// What it is for, in one line.
    pub description: Option<String>,
    /// The tools its model sees.
    pub tools: AgentTools,
    /// The mode its sessions start in.
    pub mode: Option<Mode>,
    /// Its model.
    pub model: Option<String>,
    /// Its own prompt, after ours.
    pub prompt: Option<String>,
}

/// An agent as one place has it; what that leaves out stays as it was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WrittenAgent {
    /// What it is for, in one line.
    pub description: Option<String>,
    /// The tools its model sees; left out: all, or what a layer below says.
    pub tools: Option<AgentTools>,
    /// The mode its sessions start in.
    pub mode: Option<Mode>,
    /// Its model.
    pub model: Option<String>,
    /// Its own prompt, after ours.
    pub prompt: Option<String>,
}

/// One file's settings, before layering.
#[derive(Debug, Clone, Default)]
pub struct Written {
    pub(crate) model: Option<String>,
    pub(crate) mode: Option<(Mode, Problem)>,
    pub(crate) keep_secrets: Option<(bool, Problem)>,
    pub(crate) providers: BTreeMap<String, (Provider, Problem)>,
    pub(crate) agents: BTreeMap<String, WrittenAgent>,
    pub(crate) policy: RuleSet,
    pub(crate) project_may_replace: Option<(BTreeSet<String>, Problem)>,
    /// What it would run, from the sections of parts to come.
    pub(crate) entries: Vec<Entry>,
    pub(crate) sandbox: sandbox::Written,
}

impl Written {
    /// Settings that hold nothing but agents, such as those of Markdown files.
    pub fn of_agents(agents: impl IntoIterator<Item = (String, WrittenAgent)>) -> Self {
        Self { agents: agents.into_iter().collect(), ..Self::default() }
    }
}

#[cfg(test)]
mod tests;
