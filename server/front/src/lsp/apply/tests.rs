use super::*;
use assent_base::path::DocumentUri;
use assent_engine::event::SessionId;

fn client(document_changes: bool) -> Capabilities {
    let operations = json!(["create", "rename", "delete"]);
    let edit = json!({ "documentChanges": document_changes, "resourceOperations": operations });
    Capabilities::of(&json!({ "capabilities": { "workspace": { "workspaceEdit": edit } } }))
}

fn edit(version: Option<i32>, change: DocumentChange) -> DocumentEdit {
    DocumentEdit {
        session: SessionId("s".into()),
        uri: DocumentUri::new("file:///ws/a.rs"),
        version,
        change,
        label: "Assent: test".into(),
    }
}

/// `x` becomes `yy` behind an emoji.
fn replace() -> DocumentChange {
    let edits = vec![Edit { range: 11..12, text: "yy".into() }];
    DocumentChange::Edit { edits, old_text: Rope::from_str("a🙂é = \"x\"") }
}

#[test]
fn an_edit_names_its_version_and_counts_as_the_client() {
    assert_eq!(
        params(&edit(Some(7), replace()), &client(true)),
        Ok(json!({ "label": "Assent: test", "edit": { "documentChanges": [{
            "textDocument": { "uri": "file:///ws/a.rs", "version": 7 },
            "edits": [{ "range": { "start": { "line": 0, "character": 8 }, "end": { "line": 0, "character": 9 } },
                        "newText": "yy" }] }] } }))
    );
    let closed = params(&edit(None, replace()), &client(true)).unwrap();
    assert_eq!(closed["edit"]["documentChanges"][0]["textDocument"]["version"], Value::Null);
}

#[test]
fn without_versions_the_older_form_is_used() {
    assert_eq!(
        workspace_edit(&edit(Some(7), replace()), &client(false)),
        Ok(json!({ "changes": { "file:///ws/a.rs": [
            { "range": { "start": { "line": 0, "character": 8 }, "end": { "line": 0, "character": 9 } },
              "newText": "yy" }] } }))
    );
    let create = DocumentChange::Create { text: String::new() };
    assert_eq!(
        workspace_edit(&edit(None, create), &client(false)),
        Err("the editor can't create files on request".into())
    );
}

#[test]
fn files_come_go_and_move() {
    let operations =
        |change| workspace_edit(&edit(None, change), &client(true)).unwrap()["documentChanges"].clone();
    let start = json!({ "line": 0, "character": 0 });
    assert_eq!(
        operations(DocumentChange::Create { text: "hi\n".into() }),
        json!([{ "kind": "create", "uri": "file:///ws/a.rs" },
               { "textDocument": { "uri": "file:///ws/a.rs", "version": null },
                 "edits": [{ "range": { "start": start, "end": start }, "newText": "hi\n" }] }])
    );
    assert_eq!(
        operations(DocumentChange::Delete { old_text: "".into() }),
        json!([{ "kind": "delete", "uri": "file:///ws/a.rs" }])
    );
    assert_eq!(
        operations(DocumentChange::Rename { to: DocumentUri::new("file:///ws/b.rs") }),
        json!([{ "kind": "rename", "oldUri": "file:///ws/a.rs", "newUri": "file:///ws/b.rs" }])
    );
}

#[test]
fn only_a_plain_yes_is_a_yes() {
    assert_eq!(claim(&json!({ "applied": true })), Applied::Yes);
    assert_eq!(
        claim(&json!({ "applied": false, "failureReason": "old" })),
        Applied::No { reason: Some("old".into()) }
    );
    for odd in [json!(null), json!({}), json!({ "applied": "true" }), json!(true)] {
        assert_eq!(claim(&odd), Applied::No { reason: None }, "{odd}");
    }
}
