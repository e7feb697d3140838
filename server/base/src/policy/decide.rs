//! The gate's one function: eight steps, the first that decides, decides.
//!
//! Two sharpenings make that safe. An Ask of the hard limits stands, but a rule that denies is
//! still looked for, since no answer of the user's may override it. And layers that only narrow
//! are held against the result at the end: the stricter of both counts.

use super::class::{ByClass, by_class, is_edit, is_project_edit};
use super::command::{Analysis, Precious, catastrophe};
use super::judge::{Cover, Hit, Judge, Reason, Subject, subject};
use super::remember::{Memory, Remembered};
use super::rules::{Policy, RuleSet, ToolRules};
use super::{Access, Mode, ResolvedCall, Verdict};
use crate::path::PathClass;
use crate::tool::{AgentTools, Exec, Writes};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Everything a decision depends on besides the call.
#[derive(Debug, Clone, Copy)]
pub struct Gate<'a> {
    /// The session's mode.
    pub mode: Mode,
    /// The agent's tools.
    pub tools: &'a AgentTools,
    /// Tools that are shown but switched off.
    pub disabled: &'a BTreeSet<String>,
    /// The rules.
    pub policy: &'a Policy,
    /// What the tool itself declares for when no rule matches.
    pub declared: Option<Verdict>,
    /// What the user chose to remember.
    pub memory: &'a Memory,
    /// Whether file tools are held to the workspace.
    pub confined: bool,
    /// The workspace folders, canonical.
    pub roots: &'a [PathBuf],
    /// Folders outside the workspace whose files may be read without a question: where the
    /// session keeps long outputs. Canonical.
    pub readable: &'a [PathBuf],
    /// Tools whose build output was allowed for this session.
    pub allowed_once: &'a BTreeSet<String>,
    /// The user's home.
    pub home: Option<&'a Path>,
}

/// One thing that was looked at on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it says.
    pub what: String,
    /// Where it stands.
    pub source: String,
}

/// What becomes of a call, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// What led here, in order; the last step decided.
    pub steps: Vec<Step>,
    /// The rule or default that decided and where it stands, for the user.
    pub rule: String,
    /// What "always" would remember; `None` where nothing may be.
    pub remember: Option<Remembered>,
    /// For a refusal: why, and what to do instead, in words for the model.
    pub reason_for_model: String,
    /// With [`Verdict::Allow`]: the edits go through the review hunk by hunk, which is the question.
    pub as_review: bool,
    /// With [`Verdict::Ask`]: a yes holds for this tool for the rest of the session; add it to
    /// [`Gate::allowed_once`].
    pub once_a_session: bool,
}

/// Decides about a call. Total, and without any effect.
pub fn decide(gate: &Gate<'_>, call: &ResolvedCall) -> Decision {
    let analysis = call.command.as_ref().map(|command| &command.analysis);
    let mut trail = Trail::default();
    if let Some(reason) = unavailable(gate, call).or_else(|| refused(gate, call, analysis)) {
        return trail.deny(reason);
    }
    let subject = subject(call, gate.roots, analysis);
    let judge = Judge { call, roots: gate.roots, memory: gate.memory };
    let hit = judge.hit(rules_of(&gate.policy.rules, call), &subject);
    let narrowed = narrowed(gate, &judge, &subject);
    if let Hit::Rule(Verdict::Deny, reason) = hit {
        return trail.deny(reason);
    }
    if let Some((Verdict::Deny, reason)) = narrowed {
        return trail.deny(reason);
    }
    if let Some(reason) = always_asks(call) {
        let default = default_of(gate, call).or_else(|| top_default(gate));
        return match (hit, default) {
            (Hit::Rule(..), _) => trail.ask(reason, None),
            (_, Some((Verdict::Deny, refusal))) => trail.deny(refusal),
            _ => trail.ask(reason, None),
        };
    }
    let line = analysis.map_or("", |analysis| analysis.line.as_str());
    let decision = soft(gate, call, hit, line, &mut trail);
    match narrowed {
        Some((_, reason)) if decision.verdict == Verdict::Allow && !decision.as_review => {
            trail.steps = decision.steps;
            trail.ask_or_review(call, reason, None)
        }
        // Remembering would not help against a layer that asks every time.
        Some(_) => Decision { remember: None, ..decision },
        None => decision,
    }
}

/// Step 1: the agent's tools.
fn unavailable(gate: &Gate<'_>, call: &ResolvedCall) -> Option<Reason> {
    if !gate.tools.allows(&call.tool) {
        return Some(Reason::built_in(format!("`{}` is not among this agent's tools", call.tool)));
    }
    let off = gate.disabled.contains(&call.tool);
    off.then(|| Reason::built_in(format!("`{}` is switched off for now", call.tool)))
}

/// Step 3, refusals: what no rule and no answer can loosen.
fn refused(gate: &Gate<'_>, call: &ResolvedCall, analysis: Option<&Analysis>) -> Option<Reason> {
    let writes = call.effects.writes != Writes::None || call.paths.iter().any(|(access, _)| access.writes());
    if gate.mode == Mode::Plan && writes {
        return Some(Reason::built_in(
            "the mode is plan, in which nothing is written; describe the change instead",
        ));
    }
    if gate.confined && !call.runs() && !spared(gate, call) {
        let outside = call.paths.iter().find(|(_, path)| path.class == PathClass::External);
        if let Some((_, path)) = outside {
            let place = path.canonical.display();
            let what = format!(
                "`{}` leads to `{place}`, outside the workspace, to which file tools are held",
                path.given
            );
            return Some(Reason::built_in(what));
        }
    }
    if let Some(program) = &call.program {
        let name = program.program.to_string_lossy().into_owned();
        let argv: Vec<String> = std::iter::once(name).chain(program.arguments.iter().cloned()).collect();
        let precious = Precious { roots: gate.roots, home: gate.home, directory: Some(&program.directory) };
        let lost = catastrophe(&argv, precious)?;
        return Some(Reason::built_in(format!("`{}` would delete {lost}", call.subject)));
    }
    let analysis = analysis?;
    if analysis.endless {
        return Some(Reason::built_in(
            "the line has more parts than can be judged; split it into several calls",
        ));
    }
    let start = call.command.as_ref().map(|command| command.directory.canonical.as_path());
    analysis.commands.iter().chain(&analysis.inner).find_map(|simple| {
        let directory = start.and_then(|start| simple.directory(start));
        let precious = Precious { roots: gate.roots, home: gate.home, directory: directory.as_deref() };
        let lost = catastrophe(&simple.argv, precious)?;
        Some(Reason::built_in(format!("`{}` would delete {lost}", simple.text())))
    })
}

/// Step 3, questions: what asks every time and can't be remembered.
fn always_asks(call: &ResolvedCall) -> Option<Reason> {
    let protected = call.paths.iter().find_map(|(access, path)| match (access.writes(), &path.protected) {
        (true, Some(name)) => Some(format!("`{}` is protected ({name})", path.given)),
        _ => None,
    });
    if let Some(what) = protected {
        return Some(Reason::built_in(what));
    }
    if call.effects.exec == Exec::Untrusted {
        return Some(Reason::built_in("it can run code that is not the project's"));
    }
    if call.unsandboxed {
        return Some(Reason::built_in("it asks to run without the sandbox"));
    }
    let directory = call.command.as_ref().map(|command| &command.directory);
    let outside = directory.is_some_and(|directory| directory.class == PathClass::External);
    outside.then(|| Reason::built_in("it runs in a directory outside the workspace"))
}

/// Steps 5 to 8.
fn soft(gate: &Gate<'_>, call: &ResolvedCall, hit: Hit, line: &str, trail: &mut Trail) -> Decision {
    let default = default_of(gate, call);
    match hit {
        Hit::Rule(Verdict::Allow, reason) => trail.allow(reason),
        Hit::Rule(Verdict::Deny, reason) => trail.deny(reason),
        Hit::Rule(Verdict::Ask, reason) => trail.ask_or_review(call, reason, None),
        Hit::Remembered(reason) => match default {
            Some((Verdict::Deny, refusal)) => trail.deny(refusal),
            // That a place may be touched was remembered, not what is written there.
            _ => {
                Decision { as_review: is_edit(call) && gate.mode != Mode::AcceptEdits, ..trail.allow(reason) }
            }
        },
        Hit::Opaque(reason) => match default.or_else(|| top_default(gate)) {
            Some((Verdict::Deny, refusal)) => {
                trail.note(reason);
                trail.deny(refusal)
            }
            _ => trail.ask(reason, None),
        },
        Hit::Silent { reason, cover } => {
            trail.notes(reason);
            let what = if cover < Cover::Nothing { exact(call, line) } else { None };
            match default {
                // What a rule with a star must not cover, a default must not either.
                Some((Verdict::Allow, reason)) if cover == Cover::Any => trail.allow(reason),
                Some((Verdict::Deny, reason)) => trail.deny(reason),
                Some((_, reason)) => trail.ask_or_review(call, reason, what),
                None => class(gate, call, what, trail),
            }
        }
    }
}

/// Steps 7 and 8: the class of the call by mode, and the policy's own default. The default
/// decides where the class says nothing; elsewhere it can only turn a question into a refusal.
fn class(gate: &Gate<'_>, call: &ResolvedCall, what: Option<Remembered>, trail: &mut Trail) -> Decision {
    let (mut verdict, mut words) = by_class(gate.mode, call, spared(gate, call));
    let local = call.program.as_ref().is_some_and(|program| program.found().lies_in(gate.roots));
    if local && verdict < ByClass::Ask {
        (verdict, words) = (ByClass::Ask, "runs a program of the project");
    }
    let reason = Reason::built_in(format!("{words} (mode {})", mode_name(gate.mode)));
    let default = top_default(gate);
    match (verdict, default) {
        (ByClass::Allow, _) => trail.allow(reason),
        (ByClass::Review, _) => trail.ask_or_review(call, reason, None),
        (ByClass::Deny, _) => trail.deny(reason),
        (ByClass::AskOnce, _) if gate.allowed_once.contains(&call.tool) => {
            trail.note(reason);
            trail.allow(Reason::built_in(format!("`{}` was allowed to do so for this session", call.tool)))
        }
        (_, Some((Verdict::Deny, default))) => {
            trail.note(reason);
            trail.deny(default)
        }
        (ByClass::Unknown, Some((Verdict::Allow, default))) => {
            trail.note(reason);
            trail.allow(default)
        }
        (ByClass::AskOnce, _) => Decision { once_a_session: true, ..trail.ask(reason, None) },
        (ByClass::Unknown | ByClass::Ask, _) => trail.ask(reason, what),
    }
}

/// What "always" would save for a call that rules know nothing of.
fn exact(call: &ResolvedCall, line: &str) -> Option<Remembered> {
    match &call.command {
        Some(_) => Remembered::command(call, line.to_owned()),
        None => Remembered::call(call),
    }
}

/// The tool's default: out of the rules, else its own declaration.
fn default_of(gate: &Gate<'_>, call: &ResolvedCall) -> Option<(Verdict, Reason)> {
    let written = rules_of(&gate.policy.rules, call).default.as_ref().map(|default| {
        let what = format!("policy.{}.default", call.tool);
        (default.verdict, Reason { what, source: default.source.to_string() })
    });
    written.or_else(|| {
        let verdict = gate.declared?;
        Some((verdict, Reason::built_in(format!("`{}` declares this itself", call.tool))))
    })
}

/// The policy's default for every tool; a narrowing layer's counts where it is stricter.
fn top_default(gate: &Gate<'_>) -> Option<(Verdict, Reason)> {
    let narrowing = gate.policy.narrowing.iter().filter_map(|layer| layer.default.as_ref());
    let narrowing = narrowing.filter(|default| default.verdict != Verdict::Allow);
    let default = gate.policy.rules.default.iter().chain(narrowing).max_by_key(|default| default.verdict)?;
    Some((default.verdict, Reason { what: "policy.default".to_owned(), source: default.source.to_string() }))
}

/// What the layers that may only narrow demand at least.
fn narrowed(gate: &Gate<'_>, judge: &Judge<'_>, subject: &Subject<'_>) -> Option<(Verdict, Reason)> {
    let forgetful = Memory::default();
    let judge = Judge { memory: &forgetful, ..*judge };
    let demand = |layer: &RuleSet| {
        let rules = rules_of(layer, judge.call);
        match judge.hit(rules, subject) {
            Hit::Rule(verdict, reason) => Some((verdict, reason)),
            _ => rules.default.as_ref().map(|default| {
                let what = format!("policy.{}.default", judge.call.tool);
                (default.verdict, Reason { what, source: default.source.to_string() })
            }),
        }
    };
    let demands = gate.policy.narrowing.iter().filter_map(demand);
    demands.filter(|(verdict, _)| *verdict != Verdict::Allow).max_by_key(|(verdict, _)| *verdict)
}

fn rules_of<'r>(rules: &'r RuleSet, call: &ResolvedCall) -> &'r ToolRules {
    static NONE: ToolRules =
        ToolRules { allow: Vec::new(), ask: Vec::new(), deny: Vec::new(), default: None };
    rules.tools.get(&call.tool).unwrap_or(&NONE)
}

/// Whether everything the call touches outside the workspace is a file that it may read.
fn spared(gate: &Gate<'_>, call: &ResolvedCall) -> bool {
    let mut outside = call.paths.iter().filter(|(_, path)| path.class == PathClass::External).peekable();
    outside.peek().is_some()
        && outside.all(|(access, path)| {
            *access == Access::Read && gate.readable.iter().any(|folder| path.canonical.starts_with(folder))
        })
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Ask => "ask",
        Mode::AcceptEdits => "accept-edits",
        Mode::Plan => "plan",
    }
}

/// Collects the steps on the way to a decision.
#[derive(Default)]
struct Trail {
    steps: Vec<Step>,
}

impl Trail {
    fn note(&mut self, reason: Reason) {
        self.steps.push(Step { what: reason.what, source: reason.source });
    }

    fn notes(&mut self, reason: Option<Reason>) {
        if let Some(reason) = reason {
            self.note(reason);
        }
    }

    fn allow(&mut self, reason: Reason) -> Decision {
        self.end(Verdict::Allow, reason, None)
    }

    fn ask(&mut self, reason: Reason, remember: Option<Remembered>) -> Decision {
        self.end(Verdict::Ask, reason, remember)
    }

    /// Asks; about an edit of the project through its review, so that one edit is one question.
    fn ask_or_review(
        &mut self,
        call: &ResolvedCall,
        reason: Reason,
        remember: Option<Remembered>,
    ) -> Decision {
        if is_project_edit(call) {
            return Decision { as_review: true, ..self.allow(reason) };
        }
        self.ask(reason, remember)
    }

    fn deny(&mut self, reason: Reason) -> Decision {
        let words = format!("Refused, and not run: {} ({}).", reason.what, reason.source);
        let advice =
            " Do not try the same in another spelling; find another way, or tell the user what you need.";
        Decision { reason_for_model: words + advice, ..self.end(Verdict::Deny, reason, None) }
    }

    fn end(&mut self, verdict: Verdict, reason: Reason, remember: Option<Remembered>) -> Decision {
        let rule = format!("{} ({})", reason.what, reason.source);
        self.note(reason);
        Decision {
            verdict,
            steps: std::mem::take(&mut self.steps),
            rule,
            remember,
            reason_for_model: String::new(),
            as_review: false,
            once_a_session: false,
        }
    }
}
