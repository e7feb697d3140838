//! What holds for all rules and all calls.
//!
//! One thing is no law: with `default: deny` an `ask` rule is the written exception, as in the
//! order "deny, allow, ask, default". Narrowing layers know no such exception.

use super::*;
use proptest::prelude::*;

const PATTERNS: [&str; 14] = [
    "git *",
    "git status",
    "ls",
    "ls *",
    "*",
    "/rm/",
    "/^git/",
    "rm *",
    "echo ?",
    "src/**",
    "*.rs",
    ".hidden/*",
    "curl x",
    "A=1 ls",
];

fn line() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        "git status",
        "git push -f",
        "ls",
        "ls a",
        "rm -rf x",
        "echo 'a b'",
        "curl x",
        "A=1 ls",
        "$(ls)",
        "cd src",
        "cd ..",
        "sudo ls",
        "find . -delete",
        "echo \"",
        "bash -c 'rm x'",
        "ls > f",
        "./x",
    ]);
    let operator = prop::sample::select(vec![" && ", "; ", " | ", " || ", "\n", " & "]);
    prop::collection::vec((part, operator), 1..4).prop_map(|parts| {
        let text: String = parts.iter().flat_map(|(part, operator)| [*part, *operator]).collect();
        text.trim_end_matches([' ', '&', '|', ';', '\n']).to_owned()
    })
}

fn call() -> impl Strategy<Value = ResolvedCall> {
    let given = prop::sample::select(vec![
        "a.rs",
        "src/a/b",
        ".hidden/x",
        "out/x",
        "/etc/x",
        ".git/config",
        "/state/out/1",
    ]);
    prop_oneof![
        line().prop_map(|line| bash(&line)),
        given.clone().prop_map(read),
        given.prop_map(edit),
        (0..3_u8).prop_map(|exec| {
            let exec = [Exec::None, Exec::Undeclared, Exec::Untrusted][usize::from(exec)];
            other("lookup", "git status", Effects { exec, ..Effects::default() })
        }),
    ]
}

/// Which list, which pattern.
fn rules() -> impl Strategy<Value = Vec<(u8, usize)>> {
    prop::collection::vec((0..3_u8, 0..PATTERNS.len()), 0..5)
}

fn set(call: &ResolvedCall, rules: &[(u8, usize)], default: Option<Verdict>) -> RuleSet {
    let mut tool = ToolRules::default();
    for (list, pattern) in rules {
        let rule = Rule::new(PATTERNS[*pattern], Source { file: "f".into(), line: 1 }).unwrap();
        [&mut tool.allow, &mut tool.ask, &mut tool.deny][usize::from(*list)].push(rule);
    }
    tool.default = default.map(|verdict| Fallback { verdict, source: Source { file: "f".into(), line: 1 } });
    RuleSet { default: None, tools: [(call.tool.clone(), tool)].into() }
}

fn setup(mode: u8, rules: RuleSet) -> Setup {
    let mut setup = Setup::new("").mode([Mode::Ask, Mode::AcceptEdits, Mode::Plan][usize::from(mode)]);
    setup.policy.rules = rules;
    setup
}

/// An edit that its review asks about is as strict as a question.
fn strictness(decision: &Decision) -> Verdict {
    if decision.as_review { Verdict::Ask } else { decision.verdict }
}

proptest! {
    #[test]
    fn one_more_deny_or_ask_rule_never_loosens(call in call(), have in rules(), list in 1..3_u8, more in 0..PATTERNS.len(), mode in 0..3_u8) {
        let before = setup(mode, set(&call, &have, None)).decide(&call);
        let mut all = have;
        all.push((list, more));
        let after = setup(mode, set(&call, &all, None)).decide(&call);
        prop_assert!(strictness(&after) >= strictness(&before), "{before:#?} {after:#?}");
    }

    #[test]
    fn a_narrowing_layer_never_loosens(call in call(), have in rules(), project in rules(), default in 0..4_u8, mode in 0..3_u8) {
        let verdicts = [None, Some(Verdict::Allow), Some(Verdict::Ask), Some(Verdict::Deny)];
        for user in verdicts {
            let mut setup = setup(mode, set(&call, &have, user));
            let before = setup.decide(&call);
            setup.policy.narrowing.push(set(&call, &project, verdicts[usize::from(default)]));
            let after = setup.decide(&call);
            prop_assert!(strictness(&after) >= strictness(&before), "{before:#?} {after:#?}");
        }
    }

    #[test]
    fn the_order_within_a_list_does_not_matter(call in call(), have in rules(), mode in 0..3_u8) {
        let forward = setup(mode, set(&call, &have, None)).decide(&call);
        let reversed: Vec<_> = have.iter().rev().copied().collect();
        let backward = setup(mode, set(&call, &reversed, None)).decide(&call);
        prop_assert_eq!((forward.verdict, forward.as_review, forward.remember), (backward.verdict, backward.as_review, backward.remember));
    }

    #[test]
    fn e06_no_argument_of_the_model_loosens(call in call(), have in rules(), name in "[a-z_]{1,12}") {
        let setup = setup(0, set(&call, &have, None));
        let mut claiming = call.clone();
        claiming.arguments.insert(name, true.into());
        prop_assert!(strictness(&setup.decide(&claiming)) >= strictness(&setup.decide(&call)));
    }

    #[test]
    fn what_is_remembered_spares_offered_questions_and_nothing_else(call in call(), have in rules(), mode in 0..3_u8) {
        let mut setup = setup(mode, set(&call, &have, None));
        let before = setup.decide(&call);
        for (tool, subject) in [("bash", "*"), ("read", "**"), ("edit", "**"), ("lookup", "*")] {
            let what = Remembered { tool: tool.into(), subject: subject.into(), place: None, pattern: true };
            setup.memory.remember(what, Span::Always);
        }
        let after = setup.decide(&call);
        if before.verdict != Verdict::Ask || before.remember.is_none() {
            prop_assert_eq!((after.verdict, after.as_review), (before.verdict, before.as_review));
        }
    }

    #[test]
    fn a_deny_rule_on_a_part_denies_the_line(part in line(), before in line()) {
        let setup = Setup::new("bash: { allow: ['*'], deny: ['rm -rf x', 'curl *'] }");
        // An open quote would make text of what follows.
        let before = before.replace('"', "");
        let denied = setup.bash(&part) == Verdict::Deny;
        let whole = format!("{before} && {part}");
        prop_assert!(!denied || setup.bash(&whole) != Verdict::Allow, "{}", whole);
    }

    #[test]
    fn a_decision_is_total(line in "[ a-z'\"$(){}\\[\\]<>|&;`\\\\\n=*?~/.-]{0,60}") {
        let decision = Setup::new("bash: { allow: ['a*'], deny: ['/x/'] }").decide(&bash(&line));
        prop_assert!(!decision.rule.is_empty() && !decision.steps.is_empty());
    }
}
