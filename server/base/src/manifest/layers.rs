//! How layers add up.

use super::{Problem, Settings, Written};
use crate::policy::Mode;

/// Whose settings they are, and so what they may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The user's own file, or the user's editor: everything.
    User,
    /// A file that came with the project: it may narrow, and name a model, nothing else.
    Project,
}

/// One layer.
#[derive(Debug, Clone)]
pub struct Layer {
    /// Whose.
    pub scope: Scope,
    /// What it says.
    pub written: Written,
}

/// The layers in order, later ones winning, and what of a project's was left out.
pub fn layer(layers: Vec<Layer>) -> (Settings, Vec<Problem>) {
    let mut settings = Settings::default();
    let mut ignored = Vec::new();
    for Layer { scope, written } in layers {
        settings.model = written.model.or(settings.model.take());
        match scope {
            Scope::User => user(&mut settings, written.mode.map(|(mode, _)| mode), written.providers),
            Scope::Project => {
                let loosening = written.mode.filter(|(mode, _)| *mode == Mode::AcceptEdits);
                ignored.extend(loosening.map(|(_, place)| left_out(place, "the mode can only be loosened")));
                let providers = written.providers.into_values();
                ignored.extend(
                    providers.map(|(_, place)| left_out(place, "where requests and keys go can only be set")),
                );
            }
        }
        for (name, agent) in written.agents {
            match (scope, settings.agents.get_mut(&name)) {
                // A project narrows an agent of the user's; it may add agents of its own.
                (Scope::Project, Some(mine)) => {
                    mine.tools = mine.tools.narrowed_by(&agent.tools);
                    mine.prompt = agent.prompt.or(mine.prompt.take());
                    mine.model = agent.model.or(mine.model.take());
                }
                (_, _) => {
                    let mode = agent.mode.filter(|mode| scope == Scope::User || *mode != Mode::AcceptEdits);
                    settings.agents.insert(name, super::Agent { mode, ..agent });
                }
            }
        }
        match scope {
            Scope::User => settings.policy.rules.add(written.policy),
            Scope::Project => settings.policy.narrowing.push(written.policy),
        }
    }
    (settings, ignored)
}

fn user(
    settings: &mut Settings,
    mode: Option<Mode>,
    providers: std::collections::BTreeMap<String, (super::Provider, Problem)>,
) {
    settings.mode = mode.or(settings.mode);
    settings.providers.extend(providers.into_iter().map(|(name, (provider, _))| (name, provider)));
}

fn left_out(place: Problem, why: &str) -> Problem {
    let message = format!("does not count here: {why} in your own assent.yaml or editor settings");
    Problem { message, ..place }
}
