use super::*;
use assent_base::path::{DocumentUri, PathClass, ResolvedPath};
use assent_base::policy::{CommandCall, Mark, Parsed, ResolvedCall, Step};
use assent_base::tool::{Effects, Exec, Reads, Writes};
use assent_engine::editor::{Facts, Operation, Place, ShownCommand, ShownFile, ShownSandbox, ToolIdentity};
use assent_engine::event::SessionId;

fn approval(remember: Option<&str>) -> Approval {
    let directory = ResolvedPath {
        given: ".".into(),
        absolute: "/ws".into(),
        canonical: "/ws".into(),
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
            subject: "rm \u{202e}x".into(),
            effects: Effects { reads: Reads::Project, writes: Writes::Artifacts, exec: Exec::Undeclared },
            paths: Vec::new(),
            command: Some(CommandCall::new("rm \u{202e}x".into(), directory, |_, _| None)),
            arguments: serde_json::Map::new(),
            program: None,
            notes: Vec::new(),
            unsandboxed: false,
        },
        shown_subject: "rm ⟨U+202E⟩x".into(),
        rule: "no rule matches; `bash` asks by default".into(),
        remember: remember.map(str::to_owned),
        warnings: vec!["1 hidden character".into()],
        agent_path: vec!["assent".into()],
        unsaved: vec![DocumentUri::new("file:///ws/a.rs")],
        can_save: true,
        sandbox: Some(ShownSandbox::none("it is off")),
        digest: "d1".into(),
        facts: every_fact(),
    }
}

fn every_fact() -> Facts {
    Facts {
        prompt: "make it work".into(),
        tool: ToolIdentity {
            name: "bash".into(),
            kind: "json".into(),
            source: Some("/c/tools/bash.json".into()),
            overrides: Some("tools/bash.json".into()),
            definition: "d2".into(),
        },
        command: Some(ShownCommand {
            lines: 1,
            bytes: 6,
            parsed: vec![Parsed {
                argv: vec!["rm".into(), "⟨U+202E⟩x".into()],
                program: Some("/ws/bin/rm".into()),
                marks: vec![Mark::ProjectBinary],
            }],
        }),
        cwd: Some(Place { path: "/ws".into(), inside: true }),
        env: vec![("A".into(), "1".into())],
        files: vec![ShownFile {
            path: "a".into(),
            target: Some("/o/a".into()),
            operation: Operation::Create,
            protected: Some(".git/".into()),
        }],
        arguments: "{\"command\":\"rm ⟨U+202E⟩x\"}".into(),
        network: "not limited".into(),
        reasons: vec![Step { what: "runs a command".into(), source: "built in".into() }],
        scopes: vec![Span::Session, Span::Workspace, Span::Always],
    }
}

#[test]
fn an_answer_to_another_digest_is_a_no() {
    let asked = approval(Some("rm *"));
    let said = |digest: &str| {
        json!({ "outcome": { "outcome": "selected", "optionId": "allow_once" },
            "_meta": { "assent": { "digest": digest } } })
    };
    assert_eq!(answer(&asked, Ok(said("d1"))), Answer::AllowOnce);
    for other in ["d2", "", "D1", "d1 "] {
        assert!(matches!(answer(&asked, Ok(said(other))), Answer::Reject { .. }), "{other}");
    }
}

#[test]
fn the_request_says_everything() {
    assert_eq!(
        json!(request(&approval(Some("rm *")))),
        json!({
            "sessionId": "s1",
            "toolCall": {
                "toolCallId": "c1", "status": "pending", "title": "Run a command", "name": "bash",
                "content": [{ "type": "content", "content": { "type": "text", "text":
                    "```\nrm ⟨U+202E⟩x\n```\n\nIn: /ws\n\nSandbox: none, it can do whatever you can: it is off\n\nRuns: rm (/ws/bin/rm; project binary)\n\nWith: A=1\n\nWhy it asks: no rule matches; `bash` asks by default\n\n\
                     Warning: 1 hidden character\n\nNot saved, so a command sees the old text: file:///ws/a.rs\n" } }],
                "_meta": { "assent": {
                    "id": "a1", "requestId": "a1", "digest": "d1", "prompt": "make it work",
                    "subject": "rm ⟨U+202E⟩x",
                    "tool": { "name": "bash", "kind": "json", "source": "/c/tools/bash.json", "overrides": "tools/bash.json" },
                    "command": { "lines": 1, "bytes": 6, "parsed": [
                        { "argv": ["rm", "⟨U+202E⟩x"], "program": "/ws/bin/rm", "marks": ["project binary"] } ] },
                    "cwd": { "path": "/ws", "inside": true },
                    "env": [{ "name": "A", "value": "1" }],
                    "files": [{ "path": "a", "target": "/o/a", "operation": "create", "protected": ".git/" }],
                    "arguments": "{\"command\":\"rm ⟨U+202E⟩x\"}", "network": "not limited",
                    "reads": "project", "writes": "artifacts",
                    "exec": "undeclared", "rule": "no rule matches; `bash` asks by default",
                    "reasons": [{ "what": "runs a command", "source": "built in" }],
                    "remember": "rm *", "rememberScopes": ["session", "workspace", "always"],
                    "warnings": ["1 hidden character"], "agentPath": ["assent"], "unsaved": ["file:///ws/a.rs"],
                    "directory": "/ws",
                    "sandbox": { "name": "none", "network": true, "writable": [],
                        "words": "none, it can do whatever you can: it is off" } } },
            },
            "options": [
                { "optionId": "allow_once", "name": "Allow once", "kind": "allow_once" },
                { "optionId": "save_then_allow", "name": "Save all, then allow once", "kind": "allow_once" },
                { "optionId": "allow_session", "name": "Allow `rm *` in this session", "kind": "allow_always" },
                { "optionId": "allow_always", "name": "Always allow `rm *` in this workspace", "kind": "allow_always" },
                { "optionId": "reject_once", "name": "Reject", "kind": "reject_once" },
            ],
        })
    );
}

#[test]
fn always_is_offered_only_where_a_rule_may_be_saved() {
    let ids: Vec<_> =
        options(&approval(None)).into_iter().map(|option| option.option_id.0.to_string()).collect();
    assert_eq!(ids, ["allow_once", "save_then_allow", "reject_once"]);
}

#[test]
fn saving_is_offered_only_where_something_is_unsaved_and_the_client_saves() {
    let save = json!({ "outcome": { "outcome": "selected", "optionId": "save_then_allow" } });
    assert_eq!(answer(&approval(None), Ok(save.clone())), Answer::SaveThenAllow);
    let saved = Approval { unsaved: Vec::new(), ..approval(None) };
    let cannot_save = Approval { can_save: false, ..approval(None) };
    for asked in [saved, cannot_save] {
        let ids: Vec<_> = options(&asked).into_iter().map(|option| option.option_id.0.to_string()).collect();
        assert_eq!(ids, ["allow_once", "reject_once"]);
        assert_eq!(answer(&asked, Ok(save.clone())), Answer::Reject { feedback: None, stop: false });
    }
}

#[test]
fn a_fence_in_the_subject_does_not_end_ours() {
    let mut approval = approval(None);
    approval.shown_subject = "echo ```` x".into();
    assert!(details(&approval).starts_with("`````\necho ```` x\n`````\n"));
}

#[test]
fn only_a_plain_yes_is_a_yes() {
    let asked = approval(Some("rm *"));
    let selected = |id: &str| json!({ "outcome": { "outcome": "selected", "optionId": id } });
    assert_eq!(answer(&asked, Ok(selected("allow_once"))), Answer::AllowOnce);
    assert_eq!(
        answer(&asked, Ok(selected("allow_session"))),
        Answer::Remember { span: Span::Session, rule: None }
    );
    assert_eq!(
        answer(&asked, Ok(selected("allow_always"))),
        Answer::Remember { span: Span::Workspace, rule: None }
    );

    let no = Answer::Reject { feedback: None, stop: false };
    assert_eq!(answer(&approval(None), Ok(selected("allow_always"))), no);
    assert_eq!(answer(&approval(None), Ok(selected("allow_session"))), no);
    for unclear in [
        selected("reject_once"),
        selected("allow"),
        selected(""),
        json!({ "outcome": { "outcome": "cancelled" } }),
        json!({ "outcome": "allow_once" }),
        json!({}),
        json!(true),
        json!("allow_once"),
        Value::Null,
    ] {
        assert_eq!(answer(&asked, Ok(unclear.clone())), no, "{unclear}");
    }
    assert_eq!(answer(&asked, Err(PeerError::Lost)), no);
    assert_eq!(answer(&asked, Err(PeerError::Refused(super::super::RpcError::failed("x")))), no);
}

#[test]
fn a_no_may_carry_a_reason_and_end_the_turn() {
    let said = json!({
        "outcome": { "outcome": "selected", "optionId": "reject_once" },
        "_meta": { "assent": { "feedback": "use cargo", "stop": true } },
    });
    assert_eq!(
        answer(&approval(None), Ok(said)),
        Answer::Reject { feedback: Some("use cargo".into()), stop: true }
    );
}
