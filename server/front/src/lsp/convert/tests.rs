use super::*;

fn initialize(params: Value) -> lsp::InitializeParams {
    let mut params = params;
    params["capabilities"] = json!({});
    serde_json::from_value(params).unwrap()
}

#[test]
fn folders_are_the_list_or_the_root_or_none() {
    let folder = |uri: &str| json!({ "uri": uri, "name": "x" });
    let both = json!({ "rootUri": "file:///r", "workspaceFolders": [folder("file:///a%20b"), folder("untitled:x")] });
    assert_eq!(folders(&initialize(both)), [PathBuf::from("/a b")]);
    let root = json!({ "rootUri": "file:///r", "workspaceFolders": null });
    assert_eq!(folders(&initialize(root)), [PathBuf::from("/r")]);
    let none = json!({ "rootUri": null, "workspaceFolders": null });
    assert_eq!(folders(&initialize(none)), Vec::<PathBuf>::new());
}

#[test]
fn folders_come_and_go() {
    let change: lsp::WorkspaceFoldersChangeEvent = serde_json::from_value(json!({
        "added": [{ "uri": "file:///c", "name": "c" }, { "uri": "file:///a", "name": "a" }],
        "removed": [{ "uri": "file:///b", "name": "b" }],
    }))
    .unwrap();
    let folders = changed_folders(vec!["/a".into(), "/b".into()], &change);
    assert_eq!(folders, [PathBuf::from("/a"), PathBuf::from("/c")]);
}

#[test]
fn changes_keep_their_order_and_their_ranges() {
    let changes: Vec<lsp::TextDocumentContentChangeEvent> = serde_json::from_value(json!([
        { "range": { "start": { "line": 0, "character": 1 }, "end": { "line": 0, "character": 99 } }, "text": "!" },
        { "text": "all" },
    ]))
    .unwrap();
    let place = |line, character| Position { line, character };
    let expected = [
        ContentChange {
            range: Some(PositionRange { start: place(0, 1), end: place(0, 99) }),
            text: "!".into(),
        },
        ContentChange { range: None, text: "all".into() },
    ];
    assert_eq!(content_changes(changes), expected);
}

#[test]
fn a_code_action_is_what_the_client_knows() {
    let action = Action {
        title: "Explain".into(),
        kind: "refactor",
        command: "assent.explain",
        arguments: json!({ "uri": "file:///a" }),
        preferred: false,
        diagnostics: Vec::new(),
        edit: None,
        data: None,
    };
    let command =
        json!({ "title": "Explain", "command": "assent.explain", "arguments": [{ "uri": "file:///a" }] });
    assert_eq!(code_action(&action, &Capabilities::of(&Value::Null)), command);
    let modern = json!({ "capabilities": { "textDocument": { "codeAction": {
        "codeActionLiteralSupport": {}, "tagSupport": { "valueSet": [1] } } } } });
    assert_eq!(
        code_action(&action, &Capabilities::of(&modern)),
        json!({ "title": "Explain", "kind": "refactor", "command": command, "tags": [1] })
    );
}

#[test]
fn what_the_server_says_of_itself() {
    let said = json!(server_capabilities(&Capabilities::of(&Value::Null)));
    assert_eq!(said["positionEncoding"], "utf-16");
    assert_eq!(
        said["textDocumentSync"],
        json!({ "openClose": true, "change": 2, "save": { "includeText": false } })
    );
    assert_eq!(said["completionProvider"]["triggerCharacters"], json!(["/", "@"]));
    assert_eq!(said["codeActionProvider"], true);
    assert_eq!(
        said["workspace"]["workspaceFolders"],
        json!({ "supported": true, "changeNotifications": true })
    );
    let assent = &said["experimental"]["assent"];
    assert_eq!(assent["acp"]["protocolVersion"], 1);
    assert_eq!(assent["acp"]["agentCapabilities"]["loadSession"], true);
    assert_eq!(assent["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(said["executeCommandProvider"]["commands"], json!(protocol::commands::ALL));
}
