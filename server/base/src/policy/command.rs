//! A command line, taken apart.
//!
//! A line may run without a question only if every byte of it is understood: a closed list of
//! grammar nodes, words that reach the program exactly as they are written, nothing hidden. All
//! else makes the line opaque, and an opaque line asks. For `deny` it is the other way round:
//! every command that can be found anywhere, also inside substitutions, wrappers and quoted
//! scripts, and failing that every crude piece of the text, is a candidate.

mod builtins;
mod delete;
mod programs;
mod walk;
mod word;
mod wrappers;

#[cfg(test)]
mod tests;

pub(super) use builtins::is_builtin;
pub(super) use delete::{Precious, catastrophe};
pub(super) use programs::{Guard, Surroundings, guard, runs_project_code};
pub(super) use word::join;

use crate::clip::is_hidden;
use crate::path::normal;
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use wrappers::Inner;

/// Longer lines could not be handed to a shell at all.
const MAX_LINE: usize = 128 * 1024;
/// Longer lines are not parsed; they ask.
const MAX_PARSED: usize = 16 * 1024;
/// Lines with more openings of brackets, substitutions and the like are not parsed; they ask.
const MAX_OPENINGS: usize = 200;
/// Lines with more commands ask.
const MAX_COMMANDS: usize = 50;
/// The most different commands that `deny` rules are held against. A line with more is refused,
/// since nobody could judge it.
const MAX_CANDIDATES: usize = 4_096;
/// The most words of wrapped commands that are looked at, for the same reason.
const MAX_INNER_WORDS: usize = 64 * 1024;
/// The most text of scripts within scripts that is parsed; more is cut up crudely.
const MAX_SCRIPTS: usize = 2 * MAX_PARSED;

/// A simple command: a program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Simple {
    /// Program and arguments, as the program would get them.
    pub argv: Vec<String>,
    /// `NAME=value` in front of it.
    pub assignments: Vec<String>,
    /// Why the words are not exactly known, if they are not.
    pub doubt: Option<&'static str>,
    /// The changes of directory that come before it in the line.
    pub changes: Vec<Vec<String>>,
}

impl Simple {
    /// The normalised text: the words quoted where needed, one blank between them.
    pub fn text(&self) -> String {
        word::join(&self.argv)
    }

    /// The same with the assignments in front.
    pub fn full_text(&self) -> String {
        let mut words = Vec::with_capacity(self.assignments.len() + 1);
        words.extend(self.assignments.iter().map(|assignment| match assignment.split_once('=') {
            Some((name, value)) if !value.is_empty() => format!("{name}={}", word::join(&[value.to_owned()])),
            _ => assignment.clone(),
        }));
        words.push(self.text());
        words.join(" ")
    }

    /// The word that names a program to look for; `None` where the shell runs it itself, or where
    /// the word or the way to the program is not what stands there.
    pub(super) fn program(&self) -> Option<&str> {
        let name = self.argv.first()?;
        let moved = self.assignments.iter().any(|assignment| assignment.starts_with("PATH="));
        (walk::is_plain_name(name) && !is_builtin(name) && !moved).then_some(name)
    }

    /// The directory it runs in, when the line starts in `start`, by text; `None` behind a change
    /// of directory that can't be followed.
    pub(super) fn directory(&self, start: &Path) -> Option<PathBuf> {
        self.changes.iter().try_fold(start.to_owned(), |at, change| match change.as_slice() {
            [target] if !target.starts_with(['-', '~', '$']) => Some(normal(&at.join(target))),
            _ => None,
        })
    }

    /// The texts that `deny` and `ask` rules are held against: as it is, with the program's bare
    /// name, and with the assignments.
    pub(super) fn spellings(&self) -> Vec<String> {
        let text = self.text();
        let mut spellings = vec![text];
        if let Some((program, rest)) = self.argv.split_first() {
            let name = wrappers::name(program);
            if name != *program && !name.is_empty() {
                let mut argv = vec![name];
                argv.extend_from_slice(rest);
                spellings.push(word::join(&argv));
            }
        }
        if !self.assignments.is_empty() {
            spellings.push(self.full_text());
        }
        spellings
    }
}

/// A line taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Analysis {
    /// The commands of the line, in order.
    pub commands: Vec<Simple>,
    /// What might run inside of them: candidates for `deny` only.
    pub inner: Vec<Simple>,
    /// Why the line can't be taken apart, if it can't. Then it asks.
    pub opaque: Option<String>,
    /// Whether it has more parts than can be judged. Then it is refused.
    pub endless: bool,
    /// The whole line, normalised; only where it is not opaque.
    pub line: String,
}

/// Takes a line apart. Total: any text has an analysis.
pub fn analyse(line: &str) -> Analysis {
    let line = line.trim_matches([' ', '\n']);
    if line.len() > MAX_LINE {
        let opaque = Some(format!("it is longer than {MAX_LINE} bytes"));
        return Analysis { opaque, endless: true, ..Analysis::default() };
    }
    let mut analysis = parse(line);
    if analysis.opaque.is_none() {
        let many = analysis.commands.len() > MAX_COMMANDS;
        analysis.opaque =
            hidden(line).or_else(|| many.then(|| format!("it has more than {MAX_COMMANDS} commands")));
    } else if let Some(reason) = hidden(line) {
        analysis.opaque = Some(reason);
    }
    if analysis.opaque.is_some() {
        analysis.line.clear();
        if line.contains("\\\n") {
            // The shell takes the pair away before it looks at words; the grammar does not.
            let joined = parse(&line.replace("\\\n", ""));
            analysis.inner.extend(joined.commands.into_iter().chain(joined.inner));
        }
    }
    unwrap(&mut analysis);
    analysis
}

/// The normalised form of a rule that is one plain command; `None` for all others.
pub(super) fn normal_rule(rule: &str) -> Option<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_@%+:,./- ".contains(c);
    if rule.chars().all(plain) && !rule.contains("  ") && rule.trim() == rule {
        // Nothing in it that a shell would take away, so no need to parse it.
        return Some(rule.to_owned());
    }
    let analysis = analyse(rule);
    match (analysis.opaque, analysis.commands.as_slice()) {
        (None, [only]) if only.doubt.is_none() => Some(only.full_text()),
        _ => None,
    }
}

fn hidden(line: &str) -> Option<String> {
    let c = line.chars().find(|c| is_hidden(*c))?;
    Some(match c {
        '\n' => "it has several lines".to_owned(),
        '\t' => "it contains a tab".to_owned(),
        c => format!("it contains the hidden character U+{:04X}", u32::from(c)),
    })
}

/// Parses within the limits; what is beyond them, or not grammatical, is cut up crudely.
fn parse(text: &str) -> Analysis {
    let openings = text.bytes().filter(|byte| b"({[`<\"'".contains(byte)).count();
    let mut analysis = if text.len() > MAX_PARSED {
        Analysis { opaque: Some(format!("it is longer than {MAX_PARSED} bytes")), ..Analysis::default() }
    } else if openings > MAX_OPENINGS {
        Analysis { opaque: Some("it is nested or quoted too much".to_owned()), ..Analysis::default() }
    } else {
        match walk::walk(text) {
            Some(walked) if !walked.broken => return walked.analysis,
            Some(walked) => walked.analysis,
            None => Analysis { opaque: Some("it could not be parsed".to_owned()), ..Analysis::default() },
        }
    };
    pieces(text, &mut analysis);
    analysis
}

/// Cuts a text at everything that could separate commands.
fn pieces(text: &str, analysis: &mut Analysis) {
    let text = text.replace("\\\n", "");
    let separators = [';', '|', '&', '\n', '(', ')', '{', '}', '`', '<', '>', '\0', '\r', '!'];
    let mut seen = BTreeSet::new();
    let keywords = ["then", "do", "else", "elif", "if", "while", "until", "time"];
    for piece in text.split(separators) {
        let mut argv = wrappers::crude(piece);
        while argv.first().is_some_and(|word| keywords.contains(&word.as_str()) || word == "$") {
            argv.remove(0);
        }
        let names = argv.iter().take_while(|word| wrappers::is_assignment(word)).count();
        argv.drain(..names);
        if argv.is_empty() || !seen.insert(argv.clone()) {
            continue;
        }
        if seen.len() > MAX_CANDIDATES {
            analysis.endless = true;
            return;
        }
        analysis.inner.push(inner_command(argv, Vec::new()));
    }
}

fn inner_command(argv: Vec<String>, changes: Vec<Vec<String>>) -> Simple {
    Simple { argv, assignments: Vec::new(), doubt: Some("it runs inside another command"), changes }
}

/// Follows wrappers and quoted scripts down to what they run.
fn unwrap(analysis: &mut Analysis) {
    let mut open: VecDeque<Simple> = analysis.commands.iter().chain(&analysis.inner).cloned().collect();
    let mut seen: BTreeSet<Vec<String>> = open.iter().map(|simple| simple.argv.clone()).collect();
    let (mut scripts, mut words) = (0, 0);
    while let Some(simple) = open.pop_front() {
        let Some(runs) = wrappers::inner(&simple.argv) else {
            analysis.endless = true;
            return;
        };
        for inner in runs {
            let found = match inner {
                Inner::Argv(argv) => vec![inner_command(argv, simple.changes.clone())],
                Inner::Script(script) => {
                    scripts += script.len();
                    let mut parsed = Analysis::default();
                    if scripts <= MAX_SCRIPTS {
                        parsed = parse(&script);
                    } else {
                        pieces(&script, &mut parsed);
                    }
                    analysis.endless |= parsed.endless;
                    parsed.commands.into_iter().chain(parsed.inner).collect()
                }
            };
            for simple in found.into_iter().filter(|simple| seen.insert(simple.argv.clone())) {
                words += simple.argv.len();
                analysis.inner.push(simple.clone());
                open.push_back(simple);
            }
        }
        if seen.len() > MAX_CANDIDATES || words > MAX_INNER_WORDS {
            analysis.endless = true;
            return;
        }
    }
}
