//! Patterns, their problems, and path rules.

use super::super::glob::{Glob, Reach};
use super::*;
use Verdict::{Allow, Ask, Deny};

fn problems(yaml: &str) -> Vec<String> {
    let node = from_yaml("assent.yaml", yaml).unwrap();
    let mut reader = Reader::new("assent.yaml");
    RuleSet::read(&mut reader, &node, "policy");
    reader.into_problems().iter().map(ToString::to_string).collect()
}

#[test]
fn globs() {
    let path = |pattern: &str, subject: &str| Glob::new(pattern).unwrap().matches(subject, Reach::Path);
    let text = |pattern: &str, subject: &str| Glob::new(pattern).unwrap().matches(subject, Reach::Text);
    for (pattern, subject) in [
        ("src/*", "src/a"),
        ("src/**", "src/a/b"),
        ("**/*.rs", "a.rs"),
        ("**/*.rs", "x/y/a.rs"),
        ("a/**/b", "a/b"),
        ("a/**/b", "a/x/y/b"),
        ("*", "a/b"),
        ("**", "a/b"),
        ("*.{ts,tsx}", "a.tsx"),
        ("[a-c]?", "bx"),
        ("[!a]", "b"),
        ("[]]", "]"),
        ("[a-]", "-"),
        ("\\*", "*"),
        ("{}", "{}"),
        ("a{b,c{d,e}}", "ace"),
        ("**a", "x/ya"),
        ("é?", "é🙂"),
    ] {
        assert!(path(pattern, subject), "{pattern} {subject}");
    }
    for (pattern, subject) in [
        ("src/*", "src/a/b"),
        ("src/**", "x/src/a"),
        ("src/**", "src"),
        ("*.rs", "x/a.rs"),
        ("a?b", "a/b"),
        ("a[/]b", "a/b"),
        ("a/**/b", "a/xb"),
        ("a/**/b", "ab"),
        ("\\*", "x"),
        ("[!a]", "a"),
        ("*.{ts,tsx}", "a.t"),
        ("a", "ab"),
        ("**/b", "ab"),
        ("/*", "/a/b"),
        ("[ab", "x"),
    ] {
        let glob = Glob::new(pattern);
        assert!(!glob.is_ok_and(|glob| glob.matches(subject, Reach::Path)), "{pattern} {subject}");
    }
    assert!(text("git diff *", "git diff a/b c") && text("a*c*", "abcd") && text("* --help", "x/y --help"));
    assert!(!text("git diff *", "git diff") && !text("git *", "xgit a") && !text("git ?", "git ab"));
    assert!(Glob::new("[a").is_err());
    assert!(Glob::new(&"{a,b}".repeat(10)).is_err());
    assert!(Glob::new(&"a".repeat(2_000)).is_err());
}

#[test]
fn s06_patterns_are_linear() {
    let long = "a".repeat(50_000);
    let glob = Glob::new("*a*a*a*a*a*a*b").unwrap();
    assert!(!glob.matches(&long, Reach::Text));
    let source = Source { file: "f".into(), line: 1 };
    let rule = Rule::new("/(a+)+$/", source.clone()).unwrap();
    assert!(!rule.covers(&format!("{long}!"), Reach::Text));
    assert!(Rule::new("/((a{100}){100}){100}/", source.clone()).unwrap_err().contains("too large"));
    assert!(Rule::new("/(?=a)/", source).is_err());
}

#[test]
fn every_bad_rule_is_told_with_its_place() {
    insta::assert_snapshot!(problems("default: maybe\nbash:\n  allow: [ok, '/(/', '', 3]\n  denny: ['rm *']\n  deny: '[x'\nread:\n  ask: ['[x']\n  default: yes\nedit: deny\n").join("\n"), @r"
assent.yaml:1:10: `policy.default`: `maybe` is not known here; write one of allow, ask, deny
assent.yaml:3:15: `policy.bash.allow[1]`: `/(/`: not a usable regular expression: unclosed group
assent.yaml:3:22: `policy.bash.allow[2]`: must not be empty
assent.yaml:3:26: `policy.bash.allow[3]`: must be a text, not a number
assent.yaml:4:3: `policy.bash.denny`: unknown key; did you mean `deny`?
assent.yaml:5:9: `policy.bash.deny`: must be a list, not a text
assent.yaml:7:9: `policy.read.ask[0]`: `[x`: a `[` without its `]`; write `\[` for the character itself
assent.yaml:8:12: `policy.read.default`: `yes` is not known here; write one of allow, ask, deny
assent.yaml:9:7: `policy.edit`: must be a map, not a text
");
}

#[test]
fn g1_an_unquoted_star_is_an_error_with_its_line() {
    let problem = from_yaml("assent.yaml", "policy:\n  bash:\n    deny:\n      - *\n").unwrap_err();
    assert_eq!((problem.line, problem.file.as_str()), (4, "assent.yaml"));
    assert!(problem.message.contains("quotes"), "{problem}");
}

#[test]
fn c12_path_rules_are_anchored_and_stay_within_a_part() {
    let setup = Setup::new(
        "edit: { allow: ['src/*'], deny: ['secrets/**', '*.pem'] }\nread: { deny: ['/^secret/'] }",
    );
    let edited = |given: &str| {
        let decision = setup.decide(&edit(given));
        (decision.verdict, decision.as_review)
    };
    assert_eq!(edited("src/a"), (Allow, false));
    assert_eq!(edited("src/a/b"), (Allow, true));
    assert_eq!(edited("x/src/a"), (Allow, true));
    assert_eq!(edited("src/../k"), (Allow, true));
    assert_eq!(edited("secrets/x/y").0, Deny);
    assert_eq!(edited("secrets").0, Deny, "the folder itself goes with its content");
    assert_eq!(edited("src/../secrets/k").0, Deny);
    assert_eq!(edited("a.pem").0, Deny);
    assert_eq!(setup.decide(&read("secret/x")).verdict, Deny);
    assert_eq!(setup.decide(&read("secreT/x")).verdict, Allow);
}

#[test]
fn c03_a_deny_rule_holds_for_both_ends_of_a_link_and_an_allow_rule_for_the_far_one() {
    let setup = Setup::new("read: { allow: ['ok/**'], deny: ['private/**'] }");
    let link = |from: &str, to: &str| {
        let mut call = read(from);
        call.paths[0].1.canonical = Path::new("/ws").join(to);
        if to.starts_with('.') {
            call.paths[0].1.class = PathClass::Dot;
        }
        setup.decide(&call).verdict
    };
    assert_eq!(link("ok/a", "private/k"), Deny);
    assert_eq!(link("private/a", "ok/k"), Deny);
    assert_eq!(link("ok/a", ".hidden/k"), Ask);
    assert_eq!(link("a", "ok/k"), Allow);
}

#[test]
fn every_path_of_a_call_must_be_allowed() {
    let setup = Setup::new("multi: { allow: ['.a/*'] }");
    let mut call = file("multi", Access::Write, ".a/x");
    assert_eq!(setup.decide(&call).verdict, Allow);
    call.paths.push((Access::Write, path(".b/x")));
    assert_eq!(setup.decide(&call).verdict, Ask);
}

#[test]
fn layers_add_up() {
    let mut rules = rule_set("user", "default: ask\nbash: { allow: [a], default: ask }");
    rules.add(rule_set("editor", "bash: { allow: [b], deny: [c], default: deny }\nread: { ask: ['*'] }"));
    let bash = &rules.tools["bash"];
    assert_eq!((bash.allow.len(), bash.deny.len()), (2, 1));
    assert_eq!(bash.default.as_ref().map(|default| default.verdict), Some(Deny));
    assert_eq!(rules.default.as_ref().map(|default| default.source.file.as_str()), Some("user"));
    assert_eq!(bash.allow[1].source, Source { file: "editor".into(), line: 1 });
}

#[test]
fn a16_a17_what_is_probably_not_meant_is_told() {
    let rules = rule_set("f", "bash: { allow: ['cargo test*', 'git *'], ask: ['git push*', 'ls'] }");
    let warnings: Vec<_> = rules.warnings().into_iter().map(|(_, text)| text).collect();
    assert_eq!(
        warnings,
        [
            "`cargo test*` also allows programs and arguments that only begin like this; write `cargo test` and `cargo test *`",
            "`policy.bash.ask` `git push*` never asks: `git *` (f:1) allows first",
        ]
    );
}
