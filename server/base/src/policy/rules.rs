//! The rules that people write: for each tool, lists of what to allow, ask about and deny.
//!
//! A rule is an exact text, a glob if it contains `*`, `?` or `[`, or a regular expression
//! between slashes. Exact texts and globs always have to match the whole subject. A regular
//! expression is read to the safe side: in `deny` and `ask` it is enough that it is found, in
//! `allow` it has to match the whole subject.

use super::Verdict;
use super::command::normal_rule;
use super::glob::{Glob, Reach};
use crate::written::{Field, Node, Place, Reader, Takes};
use regex::{Regex, RegexBuilder};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Bounds the memory of one compiled expression.
const REGEX_SIZE: usize = 256 * 1024;

pub(crate) const VERDICTS: [(&str, Verdict); 3] =
    [("allow", Verdict::Allow), ("ask", Verdict::Ask), ("deny", Verdict::Deny)];

/// Where a rule stands, for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The file, as the user knows it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// One rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// As it was written.
    pub written: String,
    /// Where.
    pub source: Source,
    pattern: Pattern,
}

#[derive(Debug, Clone)]
enum Pattern {
    Exact {
        /// The text as a normalised command, made when first needed.
        command: OnceLock<Option<String>>,
    },
    Glob {
        glob: Glob,
        /// In `deny` and `ask`, `secrets/**` also covers `secrets`.
        folder: Option<Glob>,
    },
    Regex {
        found: Box<Regex>,
        whole: Box<Regex>,
    },
}

impl Rule {
    /// Compiles a rule; the error is for the person who wrote it.
    pub fn new(written: &str, source: Source) -> Result<Self, String> {
        let inner = written.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
        let pattern = if let Some(expression) = inner.filter(|inner| !inner.is_empty()) {
            Pattern::Regex {
                found: Box::new(regex(expression)?),
                whole: Box::new(regex(&format!(r"\A(?:{expression})\z"))?),
            }
        } else if written.contains(['*', '?', '[']) {
            let folder = written.strip_suffix("/**").filter(|folder| !folder.is_empty());
            Pattern::Glob { glob: Glob::new(written)?, folder: folder.map(Glob::new).transpose()? }
        } else {
            Pattern::Exact { command: OnceLock::new() }
        };
        Ok(Self { written: written.to_owned(), source, pattern })
    }

    /// Whether the rule is an exact text.
    pub fn is_exact(&self) -> bool {
        matches!(self.pattern, Pattern::Exact { .. })
    }

    /// Whether the whole text is covered: the reading of `allow`.
    pub(super) fn covers(&self, text: &str, reach: Reach) -> bool {
        match &self.pattern {
            Pattern::Exact { .. } => self.written == text,
            Pattern::Glob { glob, .. } => glob.matches(text, reach),
            Pattern::Regex { whole, .. } => whole.is_match(text),
        }
    }

    /// Whether the text is struck: the reading of `deny` and `ask`.
    pub(super) fn strikes(&self, text: &str, reach: Reach) -> bool {
        match &self.pattern {
            Pattern::Exact { .. } => self.written == text,
            Pattern::Glob { glob, folder } => {
                let whole_folder = || folder.as_ref().is_some_and(|folder| folder.matches(text, reach));
                glob.matches(text, reach) || (reach == Reach::Path && whole_folder())
            }
            Pattern::Regex { found, .. } => found.is_match(text),
        }
    }

    /// Whether this is an exact rule for just this normalised command.
    pub(super) fn is_command(&self, text: &str) -> bool {
        match &self.pattern {
            Pattern::Exact { command } => {
                self.written == text
                    || command.get_or_init(|| normal_rule(&self.written)).as_deref() == Some(text)
            }
            _ => false,
        }
    }

    pub(super) fn glued_star(&self) -> bool {
        matches!(&self.pattern, Pattern::Glob { glob, .. } if glob.glued_star())
    }
}

fn regex(expression: &str) -> Result<Regex, String> {
    RegexBuilder::new(expression).size_limit(REGEX_SIZE).dfa_size_limit(REGEX_SIZE).build().map_err(|error| {
        match error {
            regex::Error::CompiledTooBig(_) => "the expression is too large".to_owned(),
            // The library draws the expression over several lines; the last says what is wrong.
            error => {
                let text = error.to_string();
                let reason = text.lines().last().unwrap_or_default().trim();
                format!("not a usable regular expression: {}", reason.trim_start_matches("error: "))
            }
        }
    })
}

/// What holds when no rule matches, and where that is written.
#[derive(Debug, Clone)]
pub struct Fallback {
    /// What it says.
    pub verdict: Verdict,
    /// Where.
    pub source: Source,
}

/// The rules of one tool.
#[derive(Debug, Clone, Default)]
pub struct ToolRules {
    /// Runs without asking.
    pub allow: Vec<Rule>,
    /// Asks.
    pub ask: Vec<Rule>,
    /// Does not run.
    pub deny: Vec<Rule>,
    /// When no rule matches.
    pub default: Option<Fallback>,
}

/// The rules of one layer of settings.
#[derive(Debug, Clone, Default)]
pub struct RuleSet {
    /// For every tool, when nothing else decides.
    pub default: Option<Fallback>,
    /// By the tool's name.
    pub tools: BTreeMap<String, ToolRules>,
}

/// Everything that policy says: what the user wrote, and what may only narrow it.
///
/// A narrowing layer (a project's file before it is trusted) can turn allow into ask and either
/// into deny, never the other way round: its `allow` lists do no more than exempt from its own
/// `ask`, `deny` defaults.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// The user's rules, all layers added up.
    pub rules: RuleSet,
    /// Layers that only narrow.
    pub narrowing: Vec<RuleSet>,
}

impl Policy {
    /// One text for all that it says, to tell two policies apart.
    pub fn fingerprint(&self) -> String {
        let layers = std::iter::once(&self.rules).chain(&self.narrowing);
        super::digest(&layers.map(RuleSet::as_json).collect())
    }
}

impl RuleSet {
    fn as_json(&self) -> Value {
        let list = |rules: &[Rule]| rules.iter().map(|rule| rule.written.clone()).collect::<Vec<_>>();
        let default = |default: &Option<Fallback>| default.as_ref().map(|default| default.verdict);
        let tools = self.tools.iter().map(|(name, tool)| {
            let lists = [&tool.allow, &tool.ask, &tool.deny].map(|rules| list(rules));
            json!([name, lists, default(&tool.default)])
        });
        json!([default(&self.default), tools.collect::<Vec<_>>()])
    }

    /// Reads a `policy` section: `default`, and a map of lists for each tool.
    pub fn read(reader: &mut Reader<'_>, node: &Node, key: &str) -> Self {
        let mut rules = Self::default();
        for entry in reader.entries(node, key) {
            let key = format!("{key}.{}", entry.key);
            if entry.key == "default" {
                rules.default = fallback(reader, &entry.value, &key);
            } else {
                let tool = ToolRules::read(reader, &entry.value, &key);
                rules.tools.insert(entry.key.clone(), tool);
            }
        }
        rules
    }

    /// Adds a later layer: its lists are appended, its defaults win.
    pub fn add(&mut self, later: RuleSet) {
        self.default = later.default.or(self.default.take());
        for (name, tool) in later.tools {
            let mine = self.tools.entry(name).or_default();
            mine.allow.extend(tool.allow);
            mine.ask.extend(tool.ask);
            mine.deny.extend(tool.deny);
            mine.default = tool.default.or(mine.default.take());
        }
    }

    /// What is probably not meant: the rule's place and what to write instead.
    pub fn warnings(&self) -> Vec<(Source, String)> {
        let mut warnings = Vec::new();
        for (name, tool) in &self.tools {
            for rule in tool.allow.iter().filter(|rule| rule.glued_star()) {
                let word = rule.written.trim_end_matches('*');
                let text = format!(
                    "`{0}` also allows programs and arguments that only begin like this; write `{word}` and `{word} *`",
                    rule.written
                );
                warnings.push((rule.source.clone(), text));
            }
            for ask in &tool.ask {
                let wider = tool.allow.iter().find(|allow| allow.covers(&ask.written, Reach::Text));
                if let Some(allow) = wider {
                    let text = format!(
                        "`policy.{name}.ask` `{}` never asks: `{}` ({}) allows first",
                        ask.written, allow.written, allow.source
                    );
                    warnings.push((ask.source.clone(), text));
                }
            }
        }
        warnings
    }
}

/// The fields of one tool's rules.
pub(crate) const RULES: &[Field] = &[
    Field::new(
        "allow",
        Takes::Texts,
        "What runs without a question: exact texts, globs, or regular expressions between slashes.",
    ),
    Field::new("ask", Takes::Texts, "What is asked about."),
    Field::new("deny", Takes::Texts, "What does not run."),
    Field::new(
        "default",
        Takes::One(|| VERDICTS.iter().map(|(name, _)| *name).collect()),
        "What becomes of calls of this tool about which no rule says anything.",
    ),
];

impl ToolRules {
    fn read(reader: &mut Reader<'_>, node: &Node, key: &str) -> Self {
        let fields = reader.by_table(node, key, RULES);
        let mut list = |name: &str| match fields.get(name) {
            Some((node, key)) => rules(reader, node, &key),
            None => Vec::new(),
        };
        let (allow, ask, deny) = (list("allow"), list("ask"), list("deny"));
        let default = fields.get("default").and_then(|(node, key)| fallback(reader, node, &key));
        Self { allow, ask, deny, default }
    }
}

fn rules(reader: &mut Reader<'_>, node: &Node, key: &str) -> Vec<Rule> {
    let mut rules = Vec::new();
    for (key, item) in reader.items(node, key) {
        let Some(written) = reader.words(item, &key) else { continue };
        match Rule::new(written, source(reader, item.place)) {
            Ok(rule) => rules.push(rule),
            Err(reason) => reader.problem(item.place, &key, format!("`{written}`: {reason}")),
        }
    }
    rules
}

fn fallback(reader: &mut Reader<'_>, node: &Node, key: &str) -> Option<Fallback> {
    let verdict = reader.one_of(node, key, &VERDICTS)?;
    Some(Fallback { verdict, source: source(reader, node.place) })
}

fn source(reader: &Reader<'_>, place: Place) -> Source {
    Source { file: reader.file().to_owned(), line: place.line }
}
