//! Which tools an agent's model sees.

use std::collections::BTreeSet;

/// An agent's `tools`, from one of its five written forms (left out or `all`, `none`, a list,
/// `{exclude: [...]}`, `{name: false, ...}`). A tool that is not allowed is hidden from the model
/// and denied if called.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum AgentTools {
    /// Every tool.
    #[default]
    All,
    /// Only these; empty for `none`.
    Only(BTreeSet<String>),
    /// Every tool but these.
    Except(BTreeSet<String>),
}

impl AgentTools {
    /// No tool.
    pub fn none() -> Self {
        Self::Only(BTreeSet::new())
    }

    /// Whether the tool is the agent's.
    pub fn allows(&self, tool: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.contains(tool),
            Self::Except(names) => !names.contains(tool),
        }
    }

    /// What both lists allow: a sub-agent's own list within its parent's, a project's list within
    /// the user's.
    pub fn narrowed_by(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::All, rest) | (rest, Self::All) => rest.clone(),
            (Self::Except(a), Self::Except(b)) => Self::Except(a.union(b).cloned().collect()),
            (Self::Only(names), rest) | (rest, Self::Only(names)) => {
                Self::Only(names.iter().filter(|name| rest.allows(name)).cloned().collect())
            }
        }
    }

    /// The names that are written out, for the check that they exist.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let names = match self {
            Self::All => None,
            Self::Only(names) | Self::Except(names) => Some(names),
        };
        names.into_iter().flatten().map(String::as_str)
    }
}
