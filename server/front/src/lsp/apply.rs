//! One edit of one document as the params of `workspace/applyEdit`, within what the client declared.

use super::capabilities::Capabilities;
use crate::conversation::review::range;
use assent_base::edit::Edit;
use assent_engine::editor::{Applied, DocumentChange, DocumentEdit};
use ropey::Rope;
use serde_json::{Value, json};

/// The params; an error says what the client can't do.
pub fn params(edit: &DocumentEdit, client: &Capabilities) -> Result<Value, String> {
    Ok(json!({ "label": edit.label, "edit": workspace_edit(edit, client)? }))
}

/// The same as a `WorkspaceEdit`, which code actions carry.
pub fn workspace_edit(edit: &DocumentEdit, client: &Capabilities) -> Result<Value, String> {
    let uri = edit.uri.as_str();
    let unable = |what: &str| Err(format!("the editor can't {what} files on request"));
    let operations = match &edit.change {
        DocumentChange::Edit { edits, old_text } => {
            let edits = text_edits(edits, old_text, client);
            if !client.document_changes {
                return Ok(json!({ "changes": { uri: edits } }));
            }
            json!([{ "textDocument": { "uri": uri, "version": edit.version }, "edits": edits }])
        }
        // No option to ignore an existing file: with it Neovim makes a buffer and no file.
        DocumentChange::Create { text } if client.create_files => json!([
            { "kind": "create", "uri": uri },
            { "textDocument": { "uri": uri, "version": null },
              "edits": [{ "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } },
                          "newText": text }] },
        ]),
        DocumentChange::Delete { .. } if client.delete_files => json!([{ "kind": "delete", "uri": uri }]),
        DocumentChange::Rename { to } if client.rename_files => {
            json!([{ "kind": "rename", "oldUri": uri, "newUri": to.as_str() }])
        }
        DocumentChange::Create { .. } => return unable("create"),
        DocumentChange::Delete { .. } => return unable("delete"),
        DocumentChange::Rename { .. } => return unable("rename"),
    };
    Ok(json!({ "documentChanges": operations }))
}

fn text_edits(edits: &[Edit], old_text: &Rope, client: &Capabilities) -> Vec<Value> {
    edits
        .iter()
        .map(|edit| json!({ "range": range(old_text, &edit.range, client.encoding), "newText": edit.text }))
        .collect()
}

/// What the client claims. Null is what some answer to requests they don't know.
pub fn claim(answer: &Value) -> Applied {
    match answer.get("applied").and_then(Value::as_bool) {
        Some(true) => Applied::Yes,
        _ => Applied::No { reason: answer.get("failureReason").and_then(Value::as_str).map(str::to_owned) },
    }
}

#[cfg(test)]
mod tests;
