//! Rules against what they are about: the commands of a line, paths, or any other subject.

use super::command::{Analysis, Guard, Simple, Surroundings, guard, runs_project_code};
use super::glob::Reach;
use super::remember::{Memory, Remembered, Span};
use super::rules::{Rule, ToolRules};
use super::{ResolvedCall, Verdict};
use crate::path::{display, normal, protected};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What rules are held against.
pub(super) enum Subject<'a> {
    /// A command line, taken apart.
    Command(&'a Analysis),
    /// Paths: for each the names of where it leads, and the names it was given.
    Paths(Vec<PathNames>),
    /// Anything else.
    Text,
}

/// The names of one path.
pub(super) struct PathNames {
    /// Relative to its workspace folder, and whole; links followed.
    canonical: [String; 2],
    /// The same before links are followed.
    given: [String; 2],
}

/// What a layer of rules says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hit {
    /// A rule decides.
    Rule(Verdict, Reason),
    /// The user's remembered answer allows what no rule does.
    Remembered(Reason),
    /// Rules can't judge it, so none may allow it.
    Opaque(Reason),
    /// No rule matches. For a command: which part is not covered, and what could cover it.
    Silent {
        /// What is not covered.
        reason: Option<Reason>,
        /// What may cover it.
        cover: Cover,
    },
}

/// What may cover a command that no rule allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cover {
    /// Any rule, a default, a remembered answer.
    Any,
    /// A rule or an answer that says exactly this.
    Exact,
    /// Nothing: it asks every time.
    Nothing,
}

/// Words, and where they come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reason {
    /// What.
    pub what: String,
    /// File and line, or the part of us that says so.
    pub source: String,
}

impl Reason {
    pub(super) fn built_in(what: impl Into<String>) -> Self {
        Self { what: what.into(), source: "built in".to_owned() }
    }

    fn remembered(what: String, span: Span) -> Self {
        Self { what, source: format!("remembered {}", span.words()) }
    }

    fn rule(list: &str, call: &ResolvedCall, rule: &Rule) -> Self {
        let what = format!("policy.{}.{list} `{}`", call.tool, rule.written);
        Self { what, source: rule.source.to_string() }
    }
}

/// What holds for the whole judgement of one call.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    pub call: &'a ResolvedCall,
    pub roots: &'a [PathBuf],
    pub memory: &'a Memory,
}

/// The subject of a call.
pub(super) fn subject<'a>(
    call: &ResolvedCall,
    roots: &[PathBuf],
    analysis: Option<&'a Analysis>,
) -> Subject<'a> {
    let names = |path: &Path| [display(roots, path), path.to_string_lossy().into_owned()];
    match analysis {
        Some(analysis) => Subject::Command(analysis),
        None if call.paths.is_empty() || call.program.is_some() => Subject::Text,
        None => {
            let paths = call.paths.iter().map(|(_, path)| PathNames {
                canonical: names(&path.canonical),
                given: names(&path.absolute),
            });
            Subject::Paths(paths.collect())
        }
    }
}

impl Judge<'_> {
    /// Holds one tool's rules of one layer against the subject.
    pub(super) fn hit(&self, rules: &ToolRules, subject: &Subject<'_>) -> Hit {
        match subject {
            Subject::Command(analysis) => self.command(rules, analysis),
            Subject::Paths(paths) => self.paths(rules, paths),
            Subject::Text => self.text(rules),
        }
    }

    fn text(&self, rules: &ToolRules) -> Hit {
        let subject = self.call.subject.as_str();
        let struck = |rule: &&Rule| rule.strikes(subject, Reach::Text);
        let covering = |rule: &&Rule| rule.covers(subject, Reach::Text);
        let deny = rules.deny.iter().find(struck).map(|rule| (Verdict::Deny, "deny", rule));
        let allow = || rules.allow.iter().find(covering).map(|rule| (Verdict::Allow, "allow", rule));
        let ask = || rules.ask.iter().find(struck).map(|rule| (Verdict::Ask, "ask", rule));
        match deny.or_else(allow).or_else(ask) {
            Some((verdict, list, rule)) => Hit::Rule(verdict, Reason::rule(list, self.call, rule)),
            None => self.remembered(|rule| rule.covers(subject, Reach::Text)),
        }
    }

    fn paths(&self, rules: &ToolRules, paths: &[PathNames]) -> Hit {
        let struck = |rule: &&Rule| {
            rule.strikes(&self.call.subject, Reach::Path)
                || paths.iter().any(|path| {
                    path.canonical.iter().chain(&path.given).any(|name| rule.strikes(name, Reach::Path))
                })
        };
        if let Some(rule) = rules.deny.iter().find(struck) {
            return Hit::Rule(Verdict::Deny, Reason::rule("deny", self.call, rule));
        }
        let covering = |path: &PathNames| {
            rules.allow.iter().find(|rule| path.canonical.iter().any(|name| rule.covers(name, Reach::Path)))
        };
        let allowed: Option<Vec<&Rule>> = paths.iter().map(covering).collect();
        if let Some(rule) = allowed.and_then(|rules| rules.first().copied()) {
            return Hit::Rule(Verdict::Allow, Reason::rule("allow", self.call, rule));
        }
        match rules.ask.iter().find(struck) {
            Some(rule) => Hit::Rule(Verdict::Ask, Reason::rule("ask", self.call, rule)),
            None => self.remembered(|rule| {
                let covered =
                    |path: &PathNames| path.canonical.iter().any(|name| rule.covers(name, Reach::Path));
                !paths.is_empty() && paths.iter().all(covered)
            }),
        }
    }

    /// What the user remembered of it; `covers` holds a pattern against all that the call names.
    fn remembered(&self, covers: impl Fn(&Rule) -> bool) -> Hit {
        let exact = Remembered::call(self.call);
        let exact = exact.as_ref().and_then(|what| self.memory.span(what).map(|span| (what, span)));
        match exact.or_else(|| self.memory.covering(&self.call.tool, covers)) {
            Some((what, span)) => Hit::Remembered(Reason::remembered(format!("`{what}`"), span)),
            None => Hit::Silent { reason: None, cover: Cover::Any },
        }
    }

    fn command(&self, rules: &ToolRules, analysis: &Analysis) -> Hit {
        if let Some(rule) = self.struck(&rules.deny, analysis) {
            return Hit::Rule(Verdict::Deny, Reason::rule("deny", self.call, rule));
        }
        if let Some(reason) = &analysis.opaque {
            if let Some(rule) = self.struck(&rules.ask, analysis) {
                return Hit::Rule(Verdict::Ask, Reason::rule("ask", self.call, rule));
            }
            return Hit::Opaque(Reason::built_in(format!("the line can't be taken apart: {reason}")));
        }
        let parts: Vec<Part<'_>> =
            analysis.commands.iter().enumerate().map(|(nth, simple)| self.part(rules, simple, nth)).collect();
        let asked = parts.iter().find_map(|part| if let Part::Ask(rule) = part { Some(*rule) } else { None });
        if let Some(rule) = asked {
            return Hit::Rule(Verdict::Ask, Reason::rule("ask", self.call, rule));
        }
        let span =
            Remembered::command(self.call, analysis.line.clone()).and_then(|what| self.memory.span(&what));
        let open = parts.iter().find_map(|part| match part {
            Part::Open { what, .. } => Some(what),
            _ => None,
        });
        let cover = parts.iter().map(Part::cover).max().unwrap_or(Cover::Nothing);
        match (open, span) {
            (Some(_), Some(span)) if cover < Cover::Nothing => {
                Hit::Remembered(Reason::remembered(format!("`{}`", analysis.line), span))
            }
            (Some(what), _) => Hit::Silent { reason: Some(Reason::built_in(what.clone())), cover },
            (None, _) => self.covered(&parts),
        }
    }

    /// Every part is covered, by rules or by what was remembered.
    fn covered(&self, parts: &[Part<'_>]) -> Hit {
        let remembered = parts.iter().find_map(|part| match part {
            Part::Remembered(reason) => Some(reason.clone()),
            _ => None,
        });
        let rule = parts.iter().find_map(|part| match part {
            Part::Allowed(rule) => Some(Reason::rule("allow", self.call, rule)),
            _ => None,
        });
        match (remembered, rule) {
            (Some(reason), _) => Hit::Remembered(reason),
            (None, Some(reason)) => Hit::Rule(Verdict::Allow, reason),
            (None, None) => Hit::Rule(
                Verdict::Allow,
                Reason::built_in("only changes the directory, within the workspace"),
            ),
        }
    }

    /// The first rule that strikes anything the line might run, or the line as it stands.
    fn struck<'r>(&self, rules: &'r [Rule], analysis: &Analysis) -> Option<&'r Rule> {
        if rules.is_empty() {
            return None;
        }
        let line =
            self.call.command.as_ref().map_or(self.call.subject.as_str(), |command| command.line.as_str());
        let mut spellings = BTreeSet::from([line.trim().to_owned()]);
        spellings.extend(analysis.commands.iter().chain(&analysis.inner).flat_map(Simple::spellings));
        rules.iter().find(|rule| {
            spellings.iter().any(|text| rule.strikes(text, Reach::Text) || rule.is_command(text))
        })
    }

    fn part<'r>(&self, rules: &'r ToolRules, simple: &Simple, nth: usize) -> Part<'r> {
        let text = simple.text();
        let open = |why: &str, cover: Cover| match self.asked(rules, simple) {
            Some(rule) => Part::Ask(rule),
            None => Part::Open { what: format!("`{text}`: {why}"), cover },
        };
        let Some(directory) = self.directory(simple) else {
            return open(
                "it runs after a change of directory that is not plain or leaves the workspace",
                Cover::Nothing,
            );
        };
        if let Some(doubt) = simple.doubt {
            return open(doubt, Cover::Nothing);
        }
        let full = simple.full_text();
        let exact = rules.allow.iter().find(|rule| rule.is_command(&full));
        if simple.argv.first().is_some_and(|program| program == "cd") {
            let inside =
                simple.assignments.is_empty() && step(&directory, &simple.argv[1..], self.roots).is_some();
            return match (exact, self.asked(rules, simple)) {
                (Some(rule), _) => Part::Allowed(rule),
                (None, None) if inside => Part::Neutral,
                _ => {
                    open("it changes to a directory that is not plainly one of the workspace", Cover::Nothing)
                }
            };
        }
        let programs = self.call.command.as_ref().map_or(&[][..], |command| &command.programs);
        let program = programs.get(nth).and_then(Option::as_ref);
        let around = Surroundings { roots: self.roots, directory: &directory, program };
        let (cover, why) = match guard(&simple.argv, around) {
            Guard::Never(reason) => return open(reason, Cover::Nothing),
            Guard::Exact { reason, remember: true } => (Cover::Exact, reason),
            Guard::Exact { reason, remember: false } => (Cover::Nothing, reason),
            Guard::Free if runs_project_code(&simple.argv) => {
                (Cover::Any, "it runs code from this project, and no rule allows it")
            }
            Guard::Free => (Cover::Any, "no rule allows it"),
        };
        if let Some(rule) = exact {
            return Part::Allowed(rule);
        }
        if !simple.assignments.is_empty() {
            return open("it sets variables for the program", Cover::Nothing);
        }
        let covering = |rule: &&Rule| cover == Cover::Any && rule.covers(&text, Reach::Text);
        if let Some(rule) = rules.allow.iter().find(covering) {
            return Part::Allowed(rule);
        }
        if let Some(rule) = self.asked(rules, simple) {
            return Part::Ask(rule);
        }
        let what = Remembered::command(self.call, text.clone()).filter(|_| cover < Cover::Nothing);
        if let Some(span) = what.and_then(|what| self.memory.span(&what)) {
            return Part::Remembered(Reason::remembered(format!("`{text}`"), span));
        }
        let covers = |rule: &Rule| cover == Cover::Any && rule.covers(&text, Reach::Text);
        match self.memory.covering(&self.call.tool, covers) {
            Some((what, span)) => Part::Remembered(Reason::remembered(format!("`{what}`"), span)),
            None => open(why, cover),
        }
    }

    fn asked<'r>(&self, rules: &'r ToolRules, simple: &Simple) -> Option<&'r Rule> {
        if rules.ask.is_empty() {
            return None;
        }
        let spellings = simple.spellings();
        let struck = |rule: &&Rule| {
            spellings.iter().any(|text| rule.strikes(text, Reach::Text) || rule.is_command(text))
        };
        rules.ask.iter().find(struck)
    }

    /// The directory in which a command of the line runs, if it can be told and is the workspace's.
    fn directory(&self, simple: &Simple) -> Option<PathBuf> {
        let start = self.call.command.as_ref()?.directory.canonical.clone();
        simple.changes.iter().try_fold(start, |directory, change| step(&directory, change, self.roots))
    }
}

/// Where `cd` leads, by text; `None` where that is not plainly a folder of the workspace.
fn step(directory: &Path, arguments: &[String], roots: &[PathBuf]) -> Option<PathBuf> {
    let [target] = arguments else { return None };
    if target.is_empty() || target.starts_with(['-', '~']) || target.contains(['$', '`', '*', '?', '[']) {
        return None;
    }
    let place = normal(&directory.join(target));
    let root = roots.iter().find(|root| place.starts_with(root))?;
    let inside = place.strip_prefix(root).ok()?;
    protected(inside, &[]).is_none().then_some(place)
}

/// What is known of one command of a line.
enum Part<'r> {
    Allowed(&'r Rule),
    Remembered(Reason),
    /// A change of directory within the workspace.
    Neutral,
    Ask(&'r Rule),
    Open {
        what: String,
        cover: Cover,
    },
}

impl Part<'_> {
    fn cover(&self) -> Cover {
        match self {
            Self::Open { cover, .. } => *cover,
            _ => Cover::Any,
        }
    }
}
