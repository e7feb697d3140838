//! The remembered rules for the user: each by an id of its own, to be looked at and to be revoked.

use super::SessionGrants;
use super::saved::{all, change};
use assent_base::policy::{Remembered, Span, digest};
use serde_json::json;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Digits of an id: enough to tell all rules of a user apart, and short enough to type.
const ID_DIGITS: usize = 10;

/// A remembered rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedRule {
    /// To revoke it by.
    pub id: String,
    /// The tool that it is about.
    pub tool: String,
    /// The rule, as it was shown.
    pub rule: String,
    /// How long it holds.
    pub scope: Span,
    /// The workspace it holds in.
    pub workspace: Option<PathBuf>,
    /// The day it was saved.
    pub since: Option<String>,
}

/// All rules that are saved, and those of open sessions. Blocks.
pub fn list_rules(state: &Path, sessions: &[Arc<SessionGrants>]) -> Vec<ListedRule> {
    let mut listed: Vec<ListedRule> = sessions
        .iter()
        .enumerate()
        .flat_map(|(nth, grants)| {
            let memory = grants.memory();
            memory.iter().map(|(rule, _)| of_session(nth, rule)).collect::<Vec<_>>()
        })
        .collect();
    for book in all(state) {
        let scope = if book.workspace.is_some() { Span::Workspace } else { Span::Always };
        listed.extend(book.rules.iter().map(|kept| ListedRule {
            id: id(&json!([scope, book.workspace, kept.rule])),
            tool: kept.rule.tool.clone(),
            rule: kept.rule.to_string(),
            scope,
            workspace: book.workspace.clone(),
            since: Some(kept.since.clone()),
        }));
    }
    listed
}

fn of_session(nth: usize, rule: &Remembered) -> ListedRule {
    ListedRule {
        id: id(&json!([Span::Session, nth, rule])),
        tool: rule.tool.clone(),
        rule: rule.to_string(),
        scope: Span::Session,
        workspace: None,
        since: None,
    }
}

/// Revokes the rule with this id; whether there was one. Blocks.
pub fn remove_rule(state: &Path, sessions: &[Arc<SessionGrants>], wanted: &str) -> io::Result<bool> {
    for (nth, grants) in sessions.iter().enumerate() {
        let memory = grants.memory();
        let found = memory.iter().map(|(rule, _)| rule).find(|rule| of_session(nth, rule).id == wanted);
        if let Some(rule) = found {
            return Ok(grants.forget(rule));
        }
    }
    for book in all(state) {
        let scope = if book.workspace.is_some() { Span::Workspace } else { Span::Always };
        let is_wanted = |rule: &Remembered| id(&json!([scope, book.workspace, rule])) == wanted;
        if !book.rules.iter().any(|kept| is_wanted(&kept.rule)) {
            continue;
        }
        let mut removed = false;
        change(state, book.workspace.as_deref(), |now| {
            let before = now.rules.len();
            now.rules.retain(|kept| !is_wanted(&kept.rule));
            removed = now.rules.len() < before;
        })?;
        return Ok(removed);
    }
    Ok(false)
}

fn id(what: &serde_json::Value) -> String {
    digest(what).chars().take(ID_DIGITS).collect()
}
