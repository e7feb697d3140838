//! What a decision costs: `cargo bench -p assent-base --bench policy`.

use assent_base::path::{Places, ResolvedPath};
use assent_base::policy::{
    Access, CommandCall, Fallback, Gate, Memory, Mode, Policy, Program, ResolvedCall, Rule, RuleSet, Source,
    ToolRules, analyse, decide,
};
use assent_base::tool::{AgentTools, Effects, Exec, Reads};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn main() {
    divan::main();
}

/// A thousand rules for one tool: exact texts, globs and some expressions.
fn thousand(tool: &str) -> Policy {
    let source = |line| Source { file: "assent.yaml".into(), line };
    let rule =
        |text: &str, n: u32| Rule::new(text, source(n)).expect("the rules of the benchmark are well formed");
    let mut rules = ToolRules { default: None::<Fallback>, ..ToolRules::default() };
    for n in 0..300 {
        rules.allow.push(rule(&format!("tool{n} run --fast"), n));
        rules.allow.push(rule(&format!("git sub{n} *"), n));
        rules.deny.push(rule(&format!("rm{n} *"), n));
    }
    for n in 0..50 {
        rules.ask.push(rule(&format!("src{n}/**/*.rs"), n));
        rules.deny.push(rule(&format!(r"/^danger{n}\s+-rf/"), n));
    }
    rules.allow.push(rule("git log *", 1));
    rules.allow.push(rule("cat *", 1));
    Policy {
        rules: RuleSet { default: None, tools: [(tool.to_owned(), rules)].into() },
        narrowing: Vec::new(),
    }
}

fn resolved(given: &str) -> ResolvedPath {
    let place = PathBuf::from("/ws").join(given);
    ResolvedPath::judge(Places { roots: &["/ws".into()], own: &[] }, given, place.clone(), place, false)
}

fn installed(name: &str, _: &Path) -> Option<Program> {
    let place = Path::new("/usr/bin").join(name);
    Some(Program { path: place.clone(), real: place })
}

fn call(tool: &str, effects: Effects, command: Option<&str>, paths: &[&str]) -> ResolvedCall {
    ResolvedCall {
        call_id: "1".into(),
        tool: tool.into(),
        subject: command.or(paths.first().copied()).unwrap_or(tool).into(),
        effects,
        paths: paths.iter().map(|path| (Access::Read, resolved(path))).collect(),
        command: command.map(|line| CommandCall::new(line.into(), resolved(""), installed)),
        arguments: serde_json::Map::new(),
        program: None,
        notes: Vec::new(),
        unsandboxed: false,
    }
}

fn decided(bencher: divan::Bencher<'_, '_>, policy: Policy, call: ResolvedCall) {
    judged(bencher, policy, || call.clone());
}

/// Taking the line apart belongs to the decision.
fn judged(bencher: divan::Bencher<'_, '_>, policy: Policy, call: impl Fn() -> ResolvedCall) {
    let (tools, off, once, memory) = (AgentTools::All, BTreeSet::new(), BTreeSet::new(), Memory::default());
    let roots = [PathBuf::from("/ws")];
    let gate = Gate {
        mode: Mode::Ask,
        tools: &tools,
        disabled: &off,
        policy: &policy,
        declared: None,
        memory: &memory,
        confined: true,
        roots: &roots,
        readable: &[],
        allowed_once: &once,
        home: None,
    };
    bencher.bench_local(|| decide(&gate, divan::black_box(&call())));
}

fn bash(line: &str) -> ResolvedCall {
    call("bash", Effects { exec: Exec::Undeclared, ..Effects::default() }, Some(line), &[])
}

#[divan::bench]
fn read_without_rules(bencher: divan::Bencher<'_, '_>) {
    let read = call("read", Effects { reads: Reads::Project, ..Effects::default() }, None, &["src/main.rs"]);
    decided(bencher, Policy::default(), read);
}

#[divan::bench]
fn read_with_a_thousand_rules(bencher: divan::Bencher<'_, '_>) {
    let read = call("read", Effects { reads: Reads::Project, ..Effects::default() }, None, &["src/main.rs"]);
    decided(bencher, thousand("read"), read);
}

#[divan::bench]
fn command_without_rules(bencher: divan::Bencher<'_, '_>) {
    judged(bencher, Policy::default(), || bash("git log --oneline -5"));
}

#[divan::bench]
fn command_with_a_thousand_rules(bencher: divan::Bencher<'_, '_>) {
    judged(bencher, thousand("bash"), || bash("git log --oneline -5"));
}

#[divan::bench]
fn pipeline_with_a_thousand_rules(bencher: divan::Bencher<'_, '_>) {
    judged(bencher, thousand("bash"), || bash("git log --oneline -5 && cat src/main.rs | cat -n"));
}

#[divan::bench]
fn command_of_ten_kilobytes(bencher: divan::Bencher<'_, '_>) {
    let line = format!("git log {}", "--grep=word ".repeat(850));
    judged(bencher, Policy::default(), || bash(&line));
}

#[divan::bench]
fn chain_of_ten_kilobytes(bencher: divan::Bencher<'_, '_>) {
    let line = "git log --oneline -5 && ".repeat(420) + "ls";
    judged(bencher, Policy::default(), || bash(&line));
}

#[divan::bench]
fn taking_ten_kilobytes_apart(bencher: divan::Bencher<'_, '_>) {
    let line = format!("git log {}", "--grep=word ".repeat(850));
    bencher.bench_local(|| analyse(divan::black_box(&line)));
}

#[divan::bench]
fn taking_a_chain_without_end_apart(bencher: divan::Bencher<'_, '_>) {
    let line = "a && ".repeat(3_200) + "a";
    bencher.bench_local(|| analyse(divan::black_box(&line)));
}

#[divan::bench]
fn taking_a_line_apart(bencher: divan::Bencher<'_, '_>) {
    bencher.bench_local(|| analyse(divan::black_box("git log --oneline -5 && cat 'src/main.rs' | cat -n")));
}

#[divan::bench]
fn ten_thousand_nested_substitutions(bencher: divan::Bencher<'_, '_>) {
    let line = "$(".repeat(10_000);
    bencher.bench_local(|| analyse(divan::black_box(&line)));
}
