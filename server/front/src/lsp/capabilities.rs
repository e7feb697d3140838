//! What the client can do: its tree of capabilities boiled down to flat flags, once. What it did
//! not declare it can't do.

use crate::protocol::ClientAssent;
use agent_client_protocol_schema::v1::ClientCapabilities;
use assent_base::text::PositionEncoding;
use serde_json::Value;

/// The client, as its `initialize` describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Capabilities {
    /// What it knows of our extension.
    pub assent: ClientAssent,
    /// How both sides count columns.
    pub encoding: PositionEncoding,
    /// `workspace/applyEdit`.
    pub apply_edit: bool,
    /// Edits may name a version.
    pub document_changes: bool,
    /// Edits may create files.
    pub create_files: bool,
    /// Edits may rename files.
    pub rename_files: bool,
    /// Edits may delete files.
    pub delete_files: bool,
    /// `workspace/configuration`.
    pub configuration: bool,
    /// It lets itself be asked to tell of changed settings.
    pub registers_configuration: bool,
    /// It watches files that are registered later.
    pub watches_files: bool,
    /// What it watches may be named relative to a folder.
    pub relative_patterns: bool,
    /// `window/workDoneProgress/create`.
    pub progress: bool,
    /// `window/showDocument`.
    pub show_document: bool,
    /// Code actions may be more than commands.
    pub action_literals: bool,
    /// The edit of a code action may come with `codeAction/resolve`.
    pub resolves_edits: bool,
    /// Code actions may be tagged (LSP 3.18).
    pub action_tags: bool,
    /// `workspace/codeLens/refresh`.
    pub lens_refresh: bool,
    /// `textDocument/publishDiagnostics`.
    pub diagnostics: bool,
}

impl Capabilities {
    /// Of the params of `initialize`.
    pub fn of(params: &Value) -> Self {
        let flag = |path: &str| params.pointer(&format!("/capabilities{path}")) == Some(&Value::Bool(true));
        let has = |path: &str, wanted: &str| {
            params
                .pointer(&format!("/capabilities{path}"))
                .and_then(Value::as_array)
                .is_some_and(|list| list.iter().any(|item| item == wanted))
        };
        let document_changes = flag("/workspace/workspaceEdit/documentChanges");
        let operation = |name| document_changes && has("/workspace/workspaceEdit/resourceOperations", name);
        let first_encoding = params.pointer("/capabilities/general/positionEncodings/0");
        Self {
            assent: params
                .pointer("/capabilities/experimental/assent")
                .and_then(|assent| serde_json::from_value(assent.clone()).ok())
                .unwrap_or_default(),
            encoding: match first_encoding.and_then(Value::as_str) {
                Some("utf-8") => PositionEncoding::Utf8,
                _ => PositionEncoding::Utf16,
            },
            apply_edit: flag("/workspace/applyEdit"),
            document_changes,
            create_files: operation("create"),
            rename_files: operation("rename"),
            delete_files: operation("delete"),
            configuration: flag("/workspace/configuration"),
            registers_configuration: flag("/workspace/didChangeConfiguration/dynamicRegistration"),
            watches_files: flag("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            relative_patterns: flag("/workspace/didChangeWatchedFiles/relativePatternSupport"),
            progress: flag("/window/workDoneProgress"),
            show_document: flag("/window/showDocument/support"),
            action_literals: params
                .pointer("/capabilities/textDocument/codeAction/codeActionLiteralSupport")
                .is_some_and(Value::is_object),
            resolves_edits: flag("/textDocument/codeAction/dataSupport")
                && has("/textDocument/codeAction/resolveSupport/properties", "edit"),
            action_tags: params
                .pointer("/capabilities/textDocument/codeAction/tagSupport/valueSet")
                .and_then(Value::as_array)
                .is_some_and(|tags| tags.contains(&Value::from(super::convert::LLM_GENERATED))),
            lens_refresh: flag("/workspace/codeLens/refreshSupport"),
            diagnostics: params
                .pointer("/capabilities/textDocument/publishDiagnostics")
                .is_some_and(Value::is_object),
        }
    }

    /// Whether it has no plugin of ours: then all goes by what every LSP client knows.
    pub fn plain(&self) -> bool {
        self.assent.acp.is_none()
    }

    /// Whether the editor has the workspace in its restricted mode.
    pub fn restricted(&self) -> bool {
        self.assent.trusted == Some(false)
    }

    /// What it can do as an ACP client.
    pub fn acp(&self) -> ClientCapabilities {
        self.assent.acp.as_ref().map(|acp| acp.client_capabilities.clone()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
