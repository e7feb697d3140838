//! Any text as a command line: it is taken apart and judged without a panic, and what was not
//! understood to the last byte never runs without a question, whatever the rules allow.

#![no_main]

use assent_base::path::{Places, ResolvedPath};
use assent_base::policy::{
    CommandCall, Decision, Fallback, Gate, Memory, Mode, Policy, Program, ResolvedCall, Rule, RuleSet,
    Source, ToolRules, Verdict, decide,
};
use assent_base::tool::{AgentTools, Effects, Exec};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

fuzz_target!(|line: &str| {
    let call = call(line);
    let command = call.command.as_ref().expect("the call has a command");
    let open = decided(&OPEN, &call);
    let analysis = &command.analysis;
    let doubt = analysis.commands.iter().any(|simple| simple.doubt.is_some());
    if analysis.opaque.is_some() || doubt || analysis.commands.is_empty() {
        assert_ne!(open.verdict, Verdict::Allow, "{line:?} runs and was not understood");
    }
    if analysis.endless {
        assert_eq!(open.verdict, Verdict::Deny, "{line:?} has no end and is asked about");
    }
    if open.verdict == Verdict::Allow {
        assert!(!line.contains(['$', '`']) || line.contains(['\'', '\\']), "{line:?} expands and runs");
    }
    let denied = decided(&DENYING, &call);
    assert!(denied.verdict >= open.verdict, "{line:?} is loosened by a rule that denies");
});

/// Everything is allowed that rules can allow.
static OPEN: LazyLock<Policy> = LazyLock::new(|| policy(&[]));
static DENYING: LazyLock<Policy> = LazyLock::new(|| policy(&["rm *", "/a/"]));

fn policy(deny: &[&str]) -> Policy {
    let source = || Source { file: "f".into(), line: 1 };
    let rules =
        |texts: &[&str]| texts.iter().map(|text| Rule::new(text, source()).expect("a rule")).collect();
    let default = Some(Fallback { verdict: Verdict::Allow, source: source() });
    let bash = ToolRules { allow: rules(&["*"]), ask: Vec::new(), deny: rules(deny), default };
    Policy {
        rules: RuleSet { default: None, tools: [("bash".to_owned(), bash)].into() },
        narrowing: Vec::new(),
    }
}

fn call(line: &str) -> ResolvedCall {
    let root = PathBuf::from("/ws");
    let places = Places { roots: &[root.clone()], own: &[] };
    let directory = ResolvedPath::judge(places, ".", root.clone(), root, false);
    let found = |name: &str, _: &Path| {
        let path = Path::new("/usr/bin").join(name);
        Some(Program { path: path.clone(), real: path })
    };
    ResolvedCall {
        call_id: "1".into(),
        tool: "bash".into(),
        subject: line.into(),
        effects: Effects { exec: Exec::Undeclared, ..Effects::default() },
        paths: Vec::new(),
        command: Some(CommandCall::new(line.into(), directory, found)),
        program: None,
        arguments: Default::default(),
        notes: Vec::new(),
        unsandboxed: false,
    }
}

fn decided(policy: &Policy, call: &ResolvedCall) -> Decision {
    let (memory, off) = (Memory::default(), BTreeSet::new());
    let gate = Gate {
        mode: Mode::Ask,
        tools: &AgentTools::All,
        disabled: &off,
        policy,
        declared: None,
        memory: &memory,
        confined: true,
        roots: &["/ws".into()],
        readable: &[],
        allowed_once: &off,
        home: None,
    };
    decide(&gate, call)
}
