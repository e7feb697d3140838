use super::*;
use serde_json::json;

fn of(capabilities: Value) -> Capabilities {
    Capabilities::of(&json!({ "capabilities": capabilities }))
}

const NOTHING: Capabilities = Capabilities {
    assent: ClientAssent { acp: None, review: false, save: false, language_queries: false, trusted: None },
    encoding: PositionEncoding::Utf16,
    apply_edit: false,
    document_changes: false,
    create_files: false,
    rename_files: false,
    delete_files: false,
    configuration: false,
    registers_configuration: false,
    watches_files: false,
    relative_patterns: false,
    progress: false,
    show_document: false,
    action_literals: false,
    resolves_edits: false,
    action_tags: false,
    lens_refresh: false,
    diagnostics: false,
};

#[test]
fn what_is_not_declared_is_not_there() {
    assert_eq!(of(json!({})), NOTHING);
    assert_eq!(Capabilities::of(&Value::Null), NOTHING);
    assert!(NOTHING.plain());
}

#[test]
fn the_clients_first_encoding_counts() {
    let encoding = |list: Value| of(json!({ "general": { "positionEncodings": list } })).encoding;
    assert_eq!(encoding(json!(["utf-8", "utf-16"])), PositionEncoding::Utf8);
    assert_eq!(encoding(json!(["utf-16", "utf-8"])), PositionEncoding::Utf16);
    assert_eq!(encoding(json!(["utf-32", "utf-8"])), PositionEncoding::Utf16);
    assert_eq!(encoding(json!([])), PositionEncoding::Utf16);
}

#[test]
fn a_client_with_everything() {
    let all = of(json!({
        "workspace": {
            "applyEdit": true, "configuration": true, "codeLens": { "refreshSupport": true },
            "didChangeConfiguration": { "dynamicRegistration": true },
            "didChangeWatchedFiles": { "dynamicRegistration": true, "relativePatternSupport": true },
            "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create", "rename", "delete"] },
        },
        "window": { "workDoneProgress": true, "showDocument": { "support": true } },
        "textDocument": { "publishDiagnostics": {}, "codeAction": {
            "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } },
            "dataSupport": true, "resolveSupport": { "properties": ["edit"] }, "tagSupport": { "valueSet": [1] } } },
        "experimental": { "assent": { "acp": { "protocolVersion": 1 }, "review": true, "save": true } },
    }));
    assert!(!all.plain() && all.assent.review && all.assent.save && !all.assent.language_queries);
    let rest = Capabilities { assent: ClientAssent::default(), ..all };
    let expected = Capabilities {
        assent: ClientAssent::default(),
        encoding: PositionEncoding::Utf16,
        apply_edit: true,
        document_changes: true,
        create_files: true,
        rename_files: true,
        delete_files: true,
        configuration: true,
        registers_configuration: true,
        watches_files: true,
        relative_patterns: true,
        progress: true,
        show_document: true,
        action_literals: true,
        resolves_edits: true,
        action_tags: true,
        lens_refresh: true,
        diagnostics: true,
    };
    assert_eq!(rest, expected);
}

#[test]
fn file_operations_need_versioned_edits() {
    // Neovim without the plugin says just this.
    let neovim = of(json!({ "workspace": { "workspaceEdit": { "resourceOperations": ["create"] } } }));
    assert!(!neovim.create_files);
}

#[test]
fn an_announcement_that_is_nonsense_is_none() {
    assert!(of(json!({ "experimental": { "assent": "yes" } })).plain());
    assert!(of(json!({ "experimental": { "assent": { "review": true } } })).plain());
}
