//! Steps 1 to 3 and 6 to 8: tools, limits, memory, classes by mode, defaults.

use super::*;
use Verdict::{Allow, Ask, Deny};

fn effects(reads: Reads, writes: Writes, exec: Exec) -> Effects {
    Effects { reads, writes, exec }
}

/// Verdict and whether the review asks, in the three modes.
fn by_mode(call: &ResolvedCall) -> [(Verdict, bool); 3] {
    [Mode::Ask, Mode::AcceptEdits, Mode::Plan].map(|mode| {
        let mut setup = Setup::new("").mode(mode);
        setup.confined = false;
        let decision = setup.decide(call);
        (decision.verdict, decision.as_review)
    })
}

#[test]
fn the_table_of_classes_and_modes() {
    let same = |verdict| [(verdict, false); 3];
    let unless_plan = |verdict| [(verdict, false), (verdict, false), (Deny, false)];
    for reads in [Reads::None, Reads::Project] {
        assert_eq!(by_mode(&other("t", "x", effects(reads, Writes::None, Exec::None))), same(Allow));
    }
    for reads in [Reads::ProjectDot, Reads::ProjectIgnore, Reads::External, Reads::Network] {
        assert_eq!(
            by_mode(&other("t", "x", effects(reads, Writes::None, Exec::None))),
            same(Ask),
            "{reads:?}"
        );
    }
    for writes in [
        Writes::Artifacts,
        Writes::Project,
        Writes::ProjectDot,
        Writes::ProjectIgnore,
        Writes::External,
        Writes::Remote,
    ] {
        let call = other("t", "x", effects(Reads::Project, writes, Exec::None));
        assert_eq!(by_mode(&call), unless_plan(Ask), "{writes:?}, not as an edit");
    }
    assert_eq!(by_mode(&edit("src/a.rs")), [(Allow, true), (Allow, false), (Deny, false)]);
    for given in [".hidden/a", "out/a.js", "/etc/hostname"] {
        assert_eq!(by_mode(&read(given)), same(Ask), "{given}");
        assert_eq!(by_mode(&edit(given)), unless_plan(Ask), "{given}");
    }
    // A deletion is reviewed like any edit; a mode is nothing that a review could show.
    let deletion = file("remove", Access::Delete, "src/a.rs");
    assert_eq!(by_mode(&deletion), [(Allow, true), (Allow, false), (Deny, false)]);
    assert_eq!(by_mode(&file("chmod", Access::Mode, "src/a.rs")), unless_plan(Ask));
    let hook = file("chmod", Access::Mode, ".git/hooks/x");
    assert!(Setup::new("").decide(&hook).remember.is_none(), "a protected name asks every time");
    assert_eq!(by_mode(&bash("ls")), same(Ask));
    // Both sides count, the stricter decides.
    assert_eq!(
        by_mode(&other("t", "x", effects(Reads::Network, Writes::Artifacts, Exec::None))),
        unless_plan(Ask)
    );
}

#[test]
fn a_declared_class_is_believed_only_as_far_as_the_paths_agree() {
    let mut call = edit(".hidden/a");
    call.effects = effects(Reads::Project, Writes::Project, Exec::None);
    assert_eq!(by_mode(&call)[1], (Ask, false));
    let mut call = read("/etc/hostname");
    call.effects = Effects::default();
    assert_eq!(by_mode(&call)[0].0, Ask);
    let mut call = edit("src/a.rs");
    call.effects = Effects::default();
    assert_eq!(by_mode(&call)[2].0, Deny, "plan mode goes by the paths too");
}

#[test]
fn step_1_the_agents_tools() {
    let mut setup = Setup::new("read: { allow: ['*'] }");
    assert_eq!(setup.decide(&read("a")).verdict, Allow);
    setup.disabled.insert("read".into());
    assert!(setup.decide(&read("a")).reason_for_model.contains("switched off"));
    setup.tools = AgentTools::none();
    let decision = setup.decide(&read("a"));
    assert_eq!(decision.verdict, Deny);
    assert!(decision.reason_for_model.contains("not among this agent's tools"));
}

#[test]
fn c7_confinement_holds_file_tools_to_the_workspace() {
    let mut setup = Setup::new("read: { allow: ['*', '/**'] }\nedit: { allow: ['*'] }");
    for given in ["/ws-old/k", "../s", "/etc/hostname", "a/../../O/s"] {
        let decision = setup.decide(&read(given));
        assert_eq!(decision.verdict, Deny, "{given}");
        assert!(decision.reason_for_model.contains(given), "{}", decision.reason_for_model);
        assert_eq!(setup.decide(&edit(given)).verdict, Deny, "{given}");
    }
    let mut link = read("link");
    link.paths[0].1.canonical = "/s".into();
    link.paths[0].1.class = PathClass::External;
    assert_eq!(setup.decide(&link).verdict, Deny);
    assert_eq!(Setup::new("").decide(&edit("sub/n.txt")).verdict, Allow);
    setup.confined = false;
    assert_eq!(setup.decide(&read("/etc/hostname")).verdict, Allow, "by rule, once it is not confined");
}

#[test]
fn the_sessions_own_outputs_may_be_read() {
    let setup = Setup::new("");
    assert_eq!(setup.decide(&read("/state/out/1.txt")).verdict, Allow);
    assert_eq!(setup.decide(&edit("/state/out/1.txt")).verdict, Deny);
    assert_eq!(setup.decide(&read("/state/trust")).verdict, Deny);
    assert_eq!(setup.decide(&read("/state/out-x/1")).verdict, Deny);
}

#[test]
fn c05_c06_protected_paths_ask_every_time() {
    let setup =
        Setup::new("default: allow\nedit: { allow: ['*', '**'], default: allow }").mode(Mode::AcceptEdits);
    for given in [
        ".git/config",
        ".vscode/tasks.json",
        "assent.yaml",
        "sub/AGENTS.md",
        ".envrc",
        ".assent/init.lua",
        "x.code-workspace",
    ] {
        let decision = setup.decide(&edit(given));
        assert_eq!((decision.verdict, decision.as_review), (Ask, false), "{given}");
        assert_eq!(decision.remember, None, "{given}");
        let mut remembered = Setup::new("");
        let what = Remembered::call(&edit(given)).unwrap();
        remembered.memory.remember(what, Span::Always);
        assert_eq!(remembered.decide(&edit(given)).verdict, Ask, "{given}");
        assert_eq!(Setup::new("").mode(Mode::Plan).decide(&edit(given)).verdict, Deny);
    }
    assert_eq!(Setup::new("edit: { deny: [assent.yaml] }").decide(&edit("assent.yaml")).verdict, Deny);
    assert_eq!(Setup::new("edit: { default: deny }").decide(&edit("assent.yaml")).verdict, Deny);
    assert_eq!(Setup::new("").decide(&read("assent.yaml")).verdict, Allow);
}

#[test]
fn untrusted_code_and_foreign_directories_ask_every_time() {
    let setup = Setup::new("npx: { allow: ['*'] }\nbash: { allow: ['ls'] }");
    let decision = setup.decide(&other("npx", "x", effects(Reads::None, Writes::None, Exec::Untrusted)));
    assert_eq!((decision.verdict, decision.remember), (Ask, None));
    let decision = setup.decide(&bash_in("/O", "ls"));
    assert_eq!((decision.verdict, decision.remember), (Ask, None));
    let outside = ResolvedCall { unsandboxed: true, ..bash_in("/ws", "ls") };
    let decision = setup.decide(&outside);
    assert_eq!(
        (decision.verdict, decision.remember),
        (Ask, None),
        "an allowed command, but not without the sandbox"
    );
    assert_eq!(Setup::new("bash: { deny: ['ls'] }").decide(&outside).verdict, Deny);
}

#[test]
fn artifacts_ask_once_a_session_for_each_tool() {
    let mut setup = Setup::new("");
    let call = other("goTest", "goTest", effects(Reads::Project, Writes::Artifacts, Exec::None));
    let decision = setup.decide(&call);
    assert_eq!((decision.verdict, decision.once_a_session), (Ask, true));
    setup.allowed_once.insert("goTest".into());
    assert_eq!(setup.decide(&call).verdict, Allow);
    assert_eq!(setup.decide(&other("cargoTest", "x", call.effects)).verdict, Ask);
    assert_eq!(setup.mode(Mode::Plan).decide(&call).verdict, Deny);
}

#[test]
fn step_8_the_policys_default() {
    let unknown = other("lookup", "lookup", effects(Reads::None, Writes::None, Exec::Undeclared));
    assert_eq!(Setup::new("").decide(&unknown).verdict, Ask);
    assert_eq!(Setup::new("default: allow").decide(&unknown).verdict, Allow);
    assert_eq!(Setup::new("default: deny").decide(&unknown).verdict, Deny);
    assert_eq!(Setup::new("default: ask").decide(&read("a")).verdict, Allow, "the class decides first");
    assert_eq!(Setup::new("default: allow").bash("ls"), Ask, "a default does not loosen a class");
    assert_eq!(Setup::new("default: deny").bash("ls"), Deny);
    assert_eq!(Setup::new("default: deny").bash("ls $(x)"), Deny);
    assert!(Setup::new("default: deny").decide(&edit("a")).as_review);
}

#[test]
fn what_a_tool_declares_stands_behind_the_rules() {
    let call = other("branch", "branch", effects(Reads::None, Writes::None, Exec::Undeclared));
    let mut setup = Setup::new("");
    setup.declared = Some(Allow);
    assert_eq!(setup.decide(&call).verdict, Allow);
    setup.policy.rules = rule_set("f", "branch: { default: deny }");
    assert_eq!(setup.decide(&call).verdict, Deny);
    setup.policy.rules = rule_set("f", "branch: { allow: [branch], default: deny }");
    assert_eq!(setup.decide(&call).verdict, Allow);
}

#[test]
fn e09_what_is_remembered_is_exactly_the_call() {
    let mut setup = Setup::new("");
    let fetch = |url: &str| other("webfetch", url, effects(Reads::Network, Writes::None, Exec::None));
    for call in [
        fetch("https://a/b"),
        bash("cargo test --lib"),
        bash("cargo build && cargo test"),
        bash("find . -delete"),
    ] {
        assert_eq!(setup.decide(&call).verdict, Ask);
        let what = setup.decide(&call).remember.unwrap();
        let text = serde_json::to_string(&what).unwrap();
        setup.memory.remember(serde_json::from_str(&text).unwrap(), Span::Workspace);
        let decision = setup.decide(&call);
        assert_eq!(decision.verdict, Allow);
        assert!(decision.rule.ends_with("(remembered for this workspace)"), "{}", decision.rule);
    }
    assert_eq!(setup.decide(&fetch("https://a/b/c")).verdict, Ask);
    setup.check(Allow, &["cargo  'test' --lib", "cargo test --lib 2>&1"]);
    setup.check(
        Ask,
        &[
            "cargo test --lib x",
            "cargo test",
            "cargo build",
            "cargo build; cargo test",
            "cargo test --lib > f",
        ],
    );
    setup.check(Allow, &["cargo test --lib && cargo test --lib"]);
    assert_eq!(setup.decide(&bash_in("sub", "cargo test --lib")).verdict, Ask, "another directory");
    let entry = setup.memory.iter().next().map(|(what, _)| what.clone()).unwrap();
    assert!(setup.memory.revoke(&entry) && !setup.memory.revoke(&entry));
}

#[test]
fn e09_an_edit_at_a_remembered_place_is_still_reviewed() {
    let mut setup = Setup::new("");
    setup.memory.remember(setup.decide(&edit(".hidden/a")).remember.unwrap(), Span::Always);
    let shown = |setup: &Setup, given: &str| {
        let decision = setup.decide(&edit(given));
        (decision.verdict, decision.as_review)
    };
    assert_eq!(shown(&setup, ".hidden/a"), (Allow, true));
    assert_eq!(shown(&setup, ".hidden/b"), (Ask, false));
    setup.mode = Mode::AcceptEdits;
    assert_eq!(shown(&setup, ".hidden/a"), (Allow, false));
}

#[test]
fn e09_what_may_not_be_remembered() {
    let setup = Setup::new("bash: { ask: ['git push*'] }");
    for line in [
        "ls $(x)",
        "ls > f",
        "A=1 ls",
        "ls\nls",
        "sudo ls",
        "env ls",
        "timeout 5 ls",
        "bash -c ls",
        "eval ls",
        "xargs ls",
        "git push",
        "ls *.rs",
        "cd .. && ls",
        "ls 'a",
        "ls &",
        "export A=1",
        "test -v a",
    ] {
        let decision = setup.decide(&bash(line));
        assert_eq!((decision.verdict, decision.remember), (Ask, None), "{line}");
    }
    let mut whole_tool =
        other("mcp.files.write", "mcp.files.write", effects(Reads::None, Writes::None, Exec::Undeclared));
    whole_tool.arguments.insert("path".into(), "x".into());
    assert_eq!(setup.decide(&whole_tool).remember, None, "a whole tool is more than this call");
}

#[test]
fn d02_a_project_only_narrows() {
    let yaml = "bash: { allow: [ls, 'git *'] }\nread: { default: allow }";
    let narrowed = |project: &str| Setup::new(yaml).narrowed(project);
    narrowed("bash: { allow: [curl x], default: allow }\ndefault: allow").check(Ask, &["curl x"]);
    narrowed("bash: { ask: ['git push*'] }").check(Ask, &["git push"]);
    narrowed("bash: { ask: ['git push*'] }").check(Allow, &["git log"]);
    narrowed("bash: { deny: ['git push*'] }").check(Deny, &["git push", "ls && git push"]);
    narrowed("bash: { allow: [ls], default: deny }").check(Allow, &["ls"]);
    narrowed("bash: { allow: [ls], default: deny }").check(Deny, &["git log", "curl x"]);
    narrowed("default: ask").check(Allow, &["ls"]);
    assert_eq!(narrowed("default: ask").decide(&read("a")).verdict, Allow);
    assert_eq!(narrowed("read: { default: ask }").decide(&read("a")).verdict, Ask);
    assert_eq!(narrowed("edit: { ask: ['*'] }").mode(Mode::AcceptEdits).decide(&edit("a")).as_review, true);
    let deny = Setup::new("bash: { default: deny }").narrowed("bash: { ask: [ls] }");
    deny.check(Deny, &["ls"]);
    assert_eq!(narrowed("bash: { ask: ['*'] }").decide(&bash("curl x")).remember, None);
}

#[test]
fn a_decision_says_what_led_to_it() {
    let setup = Setup::new("bash:\n  allow: ['git *']\n  deny:\n    - 'rm *'");
    assert_eq!(setup.decide(&bash("git status")).rule, "policy.bash.allow `git *` (assent.yaml:2)");
    let denied = setup.decide(&bash("git status && rm -rf build"));
    assert_eq!(denied.rule, "policy.bash.deny `rm *` (assent.yaml:4)");
    assert!(denied.reason_for_model.contains("policy.bash.deny `rm *`"));
    let asked = setup.decide(&bash("git status && curl x"));
    let steps: Vec<_> = asked.steps.iter().map(|step| step.what.as_str()).collect();
    assert_eq!(steps, ["`curl x`: no rule allows it", "runs a command (mode ask)"]);
    assert_eq!(asked.remember.unwrap().to_string(), "bash: git status && curl x");
    assert!(setup.decide(&bash("npm install")).steps[0].what.contains("runs code from this project"));
}
