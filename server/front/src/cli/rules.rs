//! `assent rules`: what the user chose to remember, and taking it back.

use super::{Exit, print};
use crate::protocol::commands::{RememberedRule, Rules};
use crate::terminal::plain::plain;
use assent_base::policy::Span;
use assent_engine::main_loop::Environment;
use assent_engine::permission::{ListedRule, list_rules, remove_rule};
use serde_json::json;

/// What `assent rules` takes.
#[derive(clap::Subcommand)]
pub enum Arguments {
    /// List the rules of all workspaces and those for good. Rules of a session end with it.
    Ls {
        /// As JSON: {"rules": [{"id", "tool", "rule", "scope", "workspace", "since"}]}.
        #[arg(long)]
        json: bool,
    },
    /// Revoke rules. They count no more at once, also in sessions that run.
    Rm {
        /// Their ids, or the beginnings of them.
        #[arg(required = true)]
        ids: Vec<String>,
    },
}

/// Do it.
pub fn run(arguments: Arguments, environment: &Environment) -> anyhow::Result<Exit> {
    let rules = list_rules(&environment.state, &[]);
    match arguments {
        Arguments::Ls { json: true } => {
            let rules = Rules { rules: rules.into_iter().map(RememberedRule::from).collect() };
            print(&format!("{:#}\n", json!(rules)));
        }
        Arguments::Ls { json: false } => print(&table(&rules)),
        Arguments::Rm { ids } => {
            let found: Vec<&ListedRule> =
                ids.iter().map(|id| find(&rules, id)).collect::<anyhow::Result<_>>()?;
            for rule in found {
                if !remove_rule(&environment.state, &[], &rule.id)? {
                    anyhow::bail!("The rule {} is gone already.", rule.id);
                }
            }
        }
    }
    Ok(Exit::Done)
}

fn table(rules: &[ListedRule]) -> String {
    if rules.is_empty() {
        return "No rule is remembered.\n".to_owned();
    }
    let row = |rule: &ListedRule| {
        let place = match (&rule.workspace, rule.scope) {
            (Some(folder), _) => folder.display().to_string(),
            (None, Span::Always) => "everywhere".to_owned(),
            (None, _) => "session".to_owned(),
        };
        let since = rule.since.as_deref().unwrap_or("-");
        format!("{}  {since}  {}  ({})\n", rule.id, plain(&rule.rule), plain(&place))
    };
    rules.iter().map(row).collect()
}

/// The one rule whose id begins so.
fn find<'r>(rules: &'r [ListedRule], id: &str) -> anyhow::Result<&'r ListedRule> {
    let mut found = rules.iter().filter(|rule| !id.is_empty() && rule.id.starts_with(id));
    match (found.next(), found.next()) {
        (Some(rule), None) => Ok(rule),
        (Some(_), Some(_)) => anyhow::bail!("Several rules begin with {id}: give more of the id."),
        (None, _) => anyhow::bail!("There is no rule {id}: `assent rules ls` lists them."),
    }
}
