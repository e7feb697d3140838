//! The gate, seen as whole decisions.

mod classes;
mod commands;
mod corpus;
mod laws;
mod rules;

use super::*;
use crate::path::{PathClass, Places, ResolvedPath, display, normal};
use crate::tool::{AgentTools, Effects, Exec, Reads, Writes};
use crate::written::{Reader, from_yaml};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Rules from a `policy` section.
fn rule_set(file: &str, yaml: &str) -> RuleSet {
    let node = from_yaml(file, yaml).unwrap();
    let mut reader = Reader::new(file);
    let rules =
        if yaml.trim().is_empty() { RuleSet::default() } else { RuleSet::read(&mut reader, &node, "policy") };
    assert_eq!(reader.into_problems(), []);
    rules
}

/// A gate that a test changes to its liking.
struct Setup {
    mode: Mode,
    tools: AgentTools,
    disabled: BTreeSet<String>,
    policy: Policy,
    declared: Option<Verdict>,
    memory: Memory,
    confined: bool,
    roots: Vec<PathBuf>,
    readable: Vec<PathBuf>,
    allowed_once: BTreeSet<String>,
}

impl Setup {
    fn new(yaml: &str) -> Self {
        Self {
            mode: Mode::Ask,
            tools: AgentTools::All,
            disabled: BTreeSet::new(),
            policy: Policy { rules: rule_set("assent.yaml", yaml), narrowing: Vec::new() },
            declared: None,
            memory: Memory::default(),
            confined: true,
            roots: vec!["/ws".into()],
            readable: vec!["/state/out".into()],
            allowed_once: BTreeSet::new(),
        }
    }

    fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    fn narrowed(mut self, yaml: &str) -> Self {
        self.policy.narrowing.push(rule_set("ws/assent.yaml", yaml));
        self
    }

    fn decide(&self, call: &ResolvedCall) -> Decision {
        let gate = Gate {
            mode: self.mode,
            tools: &self.tools,
            disabled: &self.disabled,
            policy: &self.policy,
            declared: self.declared,
            memory: &self.memory,
            confined: self.confined,
            roots: &self.roots,
            readable: &self.readable,
            allowed_once: &self.allowed_once,
            home: Some(Path::new("/h/u")),
        };
        decide(&gate, call)
    }

    fn bash(&self, line: &str) -> Verdict {
        self.decide(&bash(line)).verdict
    }

    #[track_caller]
    fn check(&self, verdict: Verdict, lines: &[&str]) {
        for line in lines {
            let decision = self.decide(&bash(line));
            assert_eq!(decision.verdict, verdict, "{line:?}: {:#?}", decision.steps);
        }
    }

    #[track_caller]
    fn not_allowed(&self, lines: &[&str]) {
        for line in lines {
            let decision = self.decide(&bash(line));
            assert_ne!(decision.verdict, Verdict::Allow, "{line:?}: {:#?}", decision.steps);
        }
    }
}

fn path(given: &str) -> ResolvedPath {
    let roots = [PathBuf::from("/ws")];
    let place = normal(&Path::new("/ws").join(given));
    let places = Places { roots: &roots, own: &["/state".into()] };
    ResolvedPath::judge(places, given, place.clone(), place, given.starts_with("out/"))
}

/// A machine that has every program in one folder, and nothing anywhere else but in the workspace.
fn installed(name: &str, directory: &Path) -> Option<Program> {
    let place =
        if name.contains('/') { normal(&directory.join(name)) } else { Path::new("/usr/bin").join(name) };
    Some(Program { path: place.clone(), real: place })
}

fn bash_in(directory: &str, line: &str) -> ResolvedCall {
    ResolvedCall {
        call_id: "1".into(),
        tool: "bash".into(),
        subject: line.into(),
        effects: Effects { exec: Exec::Undeclared, ..Effects::default() },
        paths: Vec::new(),
        command: Some(CommandCall::new(line.into(), path(directory), installed)),
        arguments: Map::new(),
        program: None,
        notes: Vec::new(),
        unsandboxed: false,
    }
}

fn bash(line: &str) -> ResolvedCall {
    bash_in(".", line)
}

/// A file tool with the class that follows from its path.
fn file(tool: &str, access: Access, given: &str) -> ResolvedCall {
    let path = path(given);
    let (reads, writes) = match path.class {
        PathClass::Project => (Reads::Project, Writes::Project),
        PathClass::Dot => (Reads::ProjectDot, Writes::ProjectDot),
        PathClass::Ignored => (Reads::ProjectIgnore, Writes::ProjectIgnore),
        PathClass::External => (Reads::External, Writes::External),
    };
    let writes = if access.writes() { writes } else { Writes::None };
    ResolvedCall {
        call_id: "1".into(),
        tool: tool.into(),
        subject: display(&["/ws".into()], &path.absolute),
        effects: Effects { reads, writes, exec: Exec::None },
        paths: vec![(access, path)],
        command: None,
        arguments: Map::new(),
        program: None,
        notes: Vec::new(),
        unsandboxed: false,
    }
}

fn read(given: &str) -> ResolvedCall {
    file("read", Access::Read, given)
}

fn edit(given: &str) -> ResolvedCall {
    file("edit", Access::Write, given)
}

fn other(tool: &str, subject: &str, effects: Effects) -> ResolvedCall {
    ResolvedCall {
        call_id: "1".into(),
        tool: tool.into(),
        subject: subject.into(),
        effects,
        paths: Vec::new(),
        command: None,
        arguments: Map::new(),
        program: None,
        notes: Vec::new(),
        unsandboxed: false,
    }
}
