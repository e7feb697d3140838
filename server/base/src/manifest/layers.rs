//! How layers add up.

use super::{Agent, Problem, Settings, Written, WrittenAgent};
use crate::policy::{Fallback, Mode, RuleSet, Source, Verdict};

/// Whose settings they are, and so what they may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The user's own file, or the user's editor: everything.
    User,
    /// A file that came with the project, which the user trusts: it may narrow, name a model and
    /// add agents, nothing else.
    Project,
    /// The same file as it was when the user looked at it, where it is another by now.
    LookedAt,
    /// The same file, changed since: it may narrow, nothing else.
    Changed,
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
        match scope {
            Scope::User => user(&mut settings, written),
            Scope::Project => project(&mut settings, written, &mut ignored),
            // What of it does not count stands at places that are no more.
            Scope::LookedAt => project(&mut settings, written, &mut Vec::new()),
            Scope::Changed => {
                let narrows = Written {
                    model: None,
                    agents: written.agents.into_iter().filter_map(|agent| known(&settings, agent)).collect(),
                    ..written
                };
                project(&mut settings, narrows, &mut ignored);
            }
        }
    }
    (settings, ignored)
}

fn user(settings: &mut Settings, written: Written) {
    settings.model = written.model.or(settings.model.take());
    settings.mode = written.mode.map(|(mode, _)| mode).or(settings.mode);
    settings.keep_secrets = written.keep_secrets.map(|(keep, _)| keep).or(settings.keep_secrets);
    settings.providers.extend(written.providers.into_iter().map(|(name, (provider, _))| (name, provider)));
    for (name, agent) in written.agents {
        let before = settings.agents.remove(&name).unwrap_or_default();
        settings.agents.insert(name, agent.over(before));
    }
    settings.policy.rules.add(written.policy);
    let replaced = written.project_may_replace.map(|(names, _)| names);
    settings.project_may_replace.extend(replaced.into_iter().flatten());
    written.sandbox.set(&mut settings.sandbox, &mut settings.command_variables);
}

/// Of an agent that is there already, what can only narrow it.
fn known(settings: &Settings, (name, agent): (String, WrittenAgent)) -> Option<(String, WrittenAgent)> {
    let narrows = WrittenAgent { tools: agent.tools, mode: agent.mode, ..WrittenAgent::default() };
    settings.agents.contains_key(&name).then_some((name, narrows))
}

/// A project names a model, narrows agents, modes and policy, and adds agents of its own. What
/// would widen anything is left out, and said.
fn project(settings: &mut Settings, written: Written, ignored: &mut Vec<Problem>) {
    settings.model = written.model.or(settings.model.take());
    if let Some((mode, place)) = written.mode {
        if narrows(mode, settings.mode) {
            settings.mode = Some(mode);
        } else if mode == Mode::AcceptEdits {
            ignored.push(left_out(place, "the mode can only be loosened"));
        }
    }
    match written.keep_secrets {
        Some((true, _)) => settings.keep_secrets = Some(true),
        Some((false, place)) => {
            ignored.push(left_out(place, "that secrets go to the model can only be allowed"))
        }
        None => {}
    }
    let providers = written.providers.into_values();
    ignored.extend(providers.map(|(_, place)| left_out(place, "where requests and keys go can only be set")));
    for (name, mut agent) in written.agents {
        let mine = settings.agents.get_mut(&name);
        let before = mine.as_ref().and_then(|mine| mine.mode);
        agent.mode = agent.mode.filter(|mode| narrows(*mode, before)).or(before);
        match mine {
            Some(mine) => {
                agent.tools = Some(mine.tools.narrowed_by(&agent.tools.unwrap_or_default()));
                *mine = agent.over(std::mem::take(mine));
            }
            None => {
                settings.agents.insert(name, agent.over(Agent::default()));
            }
        }
    }
    let replaced = written.project_may_replace.into_iter();
    ignored.extend(replaced.map(|(_, place)| left_out(place, "what a project may replace can only be said")));
    let loosens = written.sandbox.tighten(&mut settings.sandbox);
    ignored.extend(
        loosens.into_iter().map(|place| left_out(place, "what commands may do and see can only be widened")),
    );
    ignored.extend(loosening_rules(&written.policy));
    settings.policy.narrowing.push(written.policy);
}

/// Whether a mode is stricter than the one before; without one it is `ask`.
fn narrows(mode: Mode, before: Option<Mode>) -> bool {
    mode.is_stricter_than(before.unwrap_or_default())
}

/// Where a project's policy allows something. A narrowing layer does not count it.
fn loosening_rules(policy: &RuleSet) -> Vec<Problem> {
    let problem = |source: &Source, key: String| {
        let place =
            Problem { file: source.file.clone(), line: source.line, column: 1, key, message: String::new() };
        left_out(place, "what runs without a question can only be allowed")
    };
    let allows = |default: &&Fallback| default.verdict == Verdict::Allow;
    let top =
        policy.default.iter().filter(allows).map(|default| problem(&default.source, "policy.default".into()));
    let tools = policy.tools.iter().flat_map(|(name, rules)| {
        let first = rules.allow.first().map(|rule| problem(&rule.source, format!("policy.{name}.allow")));
        let default = rules.default.iter().filter(allows);
        first
            .into_iter()
            .chain(default.map(move |default| problem(&default.source, format!("policy.{name}.default"))))
    });
    top.chain(tools).collect()
}

fn left_out(place: Problem, why: &str) -> Problem {
    let message = format!("does not count here: {why} in your own assent.yaml or editor settings");
    Problem { message, ..place }
}
