use super::*;
use assent_base::path::{PathClass, ResolvedPath};
use assent_base::policy::{CommandCall, ResolvedCall};
use assent_base::tool::Effects;
use assent_engine::editor::{Facts, ShownSandbox};
use assent_engine::event::SessionId;
use serde_json::json;
use std::path::PathBuf;

pub fn command(line: &str, remember: Option<&str>) -> Approval {
    let folder = PathBuf::from("/ws");
    let directory = ResolvedPath {
        given: ".".into(),
        absolute: folder.clone(),
        canonical: folder,
        class: PathClass::Project,
        protected: None,
    };
    Approval {
        id: "a1".into(),
        session: SessionId("s1".into()),
        title: "Run a command".into(),
        call: ResolvedCall {
            call_id: "c1".into(),
            tool: "bash".into(),
            subject: line.into(),
            effects: Effects::default(),
            paths: Vec::new(),
            command: Some(CommandCall::new(line.into(), directory, |_, _| None)),
            arguments: serde_json::Map::new(),
            program: None,
            notes: Vec::new(),
            unsandboxed: false,
        },
        shown_subject: make_visible(line).0,
        rule: "commands ask (default)".into(),
        remember: remember.map(str::to_owned),
        warnings: vec!["mind\u{1b}[2J the gap".into()],
        agent_path: vec!["assent".into()],
        unsaved: Vec::new(),
        can_save: true,
        sandbox: Some(ShownSandbox::none("it is off")),
        digest: "d1".into(),
        facts: Facts::default(),
    }
}

#[test]
fn a_command_is_shown_whole() {
    let shown = approval(&command("echo one\nrm -rf build", None), Style::PLAIN);
    assert_eq!(
        shown,
        "\nRun a command\n    echo one\n    rm -rf build\n  in   /ws\n  box  none, it can do whatever you can: it is off\n  why  commands ask (default)\n  note mind the gap\n"
    );
}

#[test]
fn arguments_of_other_tools_are_shown_whole() {
    let mut other = command("out/a.txt", None);
    other.call.command = None;
    other.call.tool = "write".into();
    other.call.arguments = json!({ "filePath": "out/a.txt", "content": "1\n2\n", "deep": { "a": 1 } })
        .as_object()
        .unwrap()
        .clone();
    let shown = approval(&other, Style::PLAIN);
    assert!(shown.contains("  tool write\n  content:\n    1\n    2\n  deep:\n    {\n"), "{shown}");
}

#[test]
fn only_a_plain_yes_is_a_yes() {
    let once = command("ls", None);
    let rule = command("ls", Some("bash: ls"));
    assert_eq!(approval_answer(&once, "y"), Some(Answer::AllowOnce));
    assert_eq!(approval_answer(&once, "YES"), Some(Answer::AllowOnce));
    assert_eq!(approval_answer(&rule, "s"), Some(Answer::Remember { span: Span::Session, rule: None }));
    assert_eq!(approval_answer(&rule, "a"), Some(Answer::Remember { span: Span::Workspace, rule: None }));
    for no in ["", "n", "yy", "s", "a", "ja"] {
        assert_eq!(approval_answer(&once, no), None, "{no}");
    }
    assert_eq!(approval_answer(&once, "q"), Some(Answer::Reject { feedback: None, stop: true }));
    for no in ["", "n", "x"] {
        assert_eq!(hunk_answer(no), HunkAnswer::No, "{no}");
    }
}

#[test]
fn always_names_the_rule_that_would_be_saved() {
    assert!(approval_choices(&command("ls", Some("bash: ls"))).contains("  rule bash: ls ("));
    assert!(!approval_choices(&command("ls", None)).contains("always"));
}

#[test]
fn questions_are_answered_by_number_or_in_words() {
    let mut asked = UserQuestion {
        session: SessionId("s1".into()),
        call_id: "c1".into(),
        question: "Which?".into(),
        options: vec![("red".into(), "warm".into()), ("blue".into(), String::new())],
        multiple: false,
    };
    assert_eq!(question(&asked, Style::PLAIN), "\nWhich?\n  1 red: warm\n  2 blue\n");
    assert_eq!(question_answer(&asked, ""), None);
    assert_eq!(question_answer(&asked, "2"), Some(vec!["blue".into()]));
    assert_eq!(question_answer(&asked, "3"), Some(vec!["3".into()]));
    assert_eq!(question_answer(&asked, "1,2"), Some(vec!["1,2".into()]));
    asked.multiple = true;
    assert_eq!(question_answer(&asked, "2, 1"), Some(vec!["blue".into(), "red".into()]));
}
