use super::*;
use assent_base::policy::Span;
use serde_json::json;

#[test]
fn the_documentation_names_every_method_command_and_field() {
    let page = include_str!("../../../../docs/protocol.md");
    let updated = ReviewUpdated {
        review_id: String::new(),
        session_id: String::new(),
        tool_call_id: String::new(),
        status: ReviewStatus::Open,
        files: vec![ReviewFile {
            uri: String::new(),
            version: None,
            change: FileChange::Rename,
            new_uri: Some(String::new()),
            hunks: vec![ReviewHunk {
                id: String::new(),
                status: HunkStatus::Stale,
                range: Range {
                    start: Position { line: 0, character: 0 },
                    end: Position { line: 0, character: 0 },
                },
                old_text: String::new(),
                new_text: String::new(),
            }],
        }],
    };
    let mut names = Vec::new();
    collect_keys(&json!(updated), &mut names);
    collect_keys(&json!(SessionRename { session_id: String::new(), title: String::new() }), &mut names);
    collect_keys(&json!(SessionRewind { session_id: String::new(), prompt: 0 }), &mut names);
    collect_keys(&json!(PromptMeta { prompt: 0 }), &mut names);
    collect_keys(&json!(CallMeta { summary: String::new() }), &mut names);
    collect_keys(&json!(ClientAssent::default()), &mut names);
    collect_keys(&json!(permission_meta()), &mut names);
    let rule = commands::RememberedRule {
        id: String::new(),
        tool: String::new(),
        rule: String::new(),
        scope: Span::Always,
        workspace: Some(String::new()),
        since: Some(String::new()),
    };
    collect_keys(&json!(commands::Rules { rules: vec![rule] }), &mut names);
    collect_keys(&json!(commands::RuleRemoved { removed: true }), &mut names);
    collect_keys(
        &json!(AnswerMeta {
            feedback: Some(String::new()),
            stop: true,
            digest: Some(String::new()),
            rule: Some(String::new()),
            scope: Some(String::new())
        }),
        &mut names,
    );
    let trusted = TrustUpdated { folder: String::new(), state: String::new(), pending: 0 };
    collect_keys(&json!(trusted), &mut names);
    let item = ["", "", "", "", ""].map(str::to_owned);
    let [kind, name, path, detail, state] = item;
    let shown = TrustShown {
        folder: String::new(),
        state: String::new(),
        items: vec![TrustItem { kind, name, path, detail, state }],
        summary: String::new(),
        digest: String::new(),
    };
    collect_keys(&json!(shown), &mut names);
    collect_keys(&json!(TrustClient { trusted: true }), &mut names);
    collect_keys(&json!(ClientAssent { trusted: Some(true), ..ClientAssent::default() }), &mut names);
    names.extend(METHODS.map(str::to_owned));
    names.extend(commands::ALL.map(str::to_owned));
    names.extend(crate::conversation::METHODS.map(str::to_owned));
    names.retain(|name| !page.contains(&format!("`{name}`")) && !page.contains(&format!("\"{name}\"")));
    assert_eq!(names, Vec::<String>::new(), "not in docs/protocol.md");
}

#[test]
fn the_documentation_names_no_command_that_is_not_there() {
    let page = include_str!("../../../../docs/protocol.md");
    let named = page.split('`').skip(1).step_by(2).filter(|name| {
        name.starts_with("assent.")
            && !name.ends_with(".yaml")
            && name.chars().all(|c| c.is_alphabetic() || c == '.')
    });
    let unknown: Vec<_> = named.filter(|name| !commands::ALL.contains(name)).collect();
    assert_eq!(unknown, Vec::<&str>::new());
}

#[test]
fn what_a_client_leaves_out_is_not_supported() {
    let client: ClientAssent = serde_json::from_value(json!({ "review": true, "somethingNew": 1 })).unwrap();
    assert_eq!(
        client,
        ClientAssent { acp: None, review: true, save: false, language_queries: false, trusted: None }
    );
    let client: ClientAssent = serde_json::from_value(json!({ "acp": { "protocolVersion": 1 } })).unwrap();
    assert_eq!(client.acp.map(|acp| acp.protocol_version), Some(ProtocolVersion::V1));
}

#[test]
fn ask_takes_its_target_beside_the_prompt() {
    let args: commands::AskArgs =
        serde_json::from_value(json!({ "prompt": "why?", "uri": "file:///a", "sessionId": "s" })).unwrap();
    assert_eq!(args.prompt, "why?");
    assert_eq!(args.target.uri.as_deref(), Some("file:///a"));
    assert_eq!(args.target.session_id.as_deref(), Some("s"));
}

fn permission_meta() -> PermissionMeta {
    PermissionMeta {
        id: String::new(),
        request_id: String::new(),
        digest: String::new(),
        prompt: String::new(),
        subject: String::new(),
        tool: ToolMeta {
            name: String::new(),
            kind: String::new(),
            source: Some(String::new()),
            overrides: Some(String::new()),
        },
        command: Some(CommandMeta {
            lines: 1,
            bytes: 1,
            parsed: vec![CommandPart { argv: Vec::new(), program: None, marks: Vec::new() }],
        }),
        cwd: Some(CwdMeta { path: String::new(), inside: true }),
        env: vec![EnvMeta { name: String::new(), value: String::new() }],
        files: vec![FileMeta {
            path: String::new(),
            target: Some(String::new()),
            operation: FileOperation::Read,
            protected: Some(String::new()),
        }],
        arguments: String::new(),
        network: String::new(),
        reads: Default::default(),
        writes: Default::default(),
        exec: Default::default(),
        rule: String::new(),
        reasons: vec![ReasonMeta { what: String::new(), source: String::new() }],
        remember: None,
        remember_scopes: Vec::new(),
        warnings: Vec::new(),
        agent_path: Vec::new(),
        unsaved: Vec::new(),
        directory: Some(String::new()),
        sandbox: Some(SandboxMeta::default()),
    }
}

fn collect_keys(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Object(object) => object.iter().for_each(|(key, value)| {
            names.push(key.clone());
            collect_keys(value, names);
        }),
        Value::Array(items) => items.iter().for_each(|item| collect_keys(item, names)),
        _ => {}
    }
}
