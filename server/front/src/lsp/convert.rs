//! Where LSP's types and ours meet. Besides [`super::server`], which speaks them, no other file
//! names LSP's types, so that a change of their crate stays a small change.

use super::actions::{Action, Lens};
use super::capabilities::Capabilities;
use super::completion::{Completion, CompletionKind};
use crate::conversation::RpcError;
use crate::protocol;
use assent_base::path::DocumentUri;
use assent_base::text::{Position, PositionEncoding, PositionRange};
use assent_engine::documents::ContentChange;
use serde_json::{Value, json};
use std::path::PathBuf;
use tower_lsp::jsonrpc;
use tower_lsp::lsp_types as lsp;

/// `CodeActionTag.LLMGenerated` of LSP 3.18.
pub const LLM_GENERATED: u8 = 1;

/// A document's identity, in the client's spelling.
pub fn document_uri(uri: &lsp::Url) -> DocumentUri {
    DocumentUri::new(uri.as_str())
}

/// A position, in the encoding negotiated.
pub fn position(position: lsp::Position) -> Position {
    Position { line: position.line, character: position.character }
}

/// A range, in the encoding negotiated.
pub fn range(range: lsp::Range) -> PositionRange {
    PositionRange { start: position(range.start), end: position(range.end) }
}

/// A range as our own messages have it.
pub fn wire_range(range: lsp::Range) -> protocol::Range {
    let position =
        |position: lsp::Position| protocol::Position { line: position.line, character: position.character };
    protocol::Range { start: position(range.start), end: position(range.end) }
}

/// A range of our own messages as LSP has it.
pub fn lsp_range(range: protocol::Range) -> lsp::Range {
    let position = |position: protocol::Position| lsp::Position::new(position.line, position.character);
    lsp::Range::new(position(range.start), position(range.end))
}

/// The changes of a document, in order.
pub fn content_changes(changes: Vec<lsp::TextDocumentContentChangeEvent>) -> Vec<ContentChange> {
    changes
        .into_iter()
        .map(|change| ContentChange { range: change.range.map(range), text: change.text })
        .collect()
}

/// The workspace folders of `initialize`: the list, else the one root of older clients.
pub fn folders(params: &lsp::InitializeParams) -> Vec<PathBuf> {
    let listed =
        params.workspace_folders.iter().flatten().filter_map(|folder| folder.uri.to_file_path().ok());
    let folders: Vec<_> = listed.collect();
    if !folders.is_empty() {
        return folders;
    }
    #[allow(deprecated)] // Clients without workspace folders say it here.
    params.root_uri.as_ref().and_then(|uri| uri.to_file_path().ok()).into_iter().collect()
}

/// The folders after some came and some went.
pub fn changed_folders(mut folders: Vec<PathBuf>, change: &lsp::WorkspaceFoldersChangeEvent) -> Vec<PathBuf> {
    let path = |folder: &lsp::WorkspaceFolder| folder.uri.to_file_path().ok();
    let gone: Vec<_> = change.removed.iter().filter_map(path).collect();
    folders.retain(|folder| !gone.contains(folder));
    for added in change.added.iter().filter_map(path) {
        if !folders.contains(&added) {
            folders.push(added);
        }
    }
    folders
}

/// What the server says it can do.
pub fn server_capabilities(client: &Capabilities) -> lsp::ServerCapabilities {
    let sync = lsp::TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
        save: Some(lsp::SaveOptions { include_text: Some(false) }.into()),
        ..Default::default()
    };
    let folders = lsp::WorkspaceFoldersServerCapabilities {
        supported: Some(true),
        change_notifications: Some(lsp::OneOf::Left(true)),
    };
    lsp::ServerCapabilities {
        position_encoding: Some(match client.encoding {
            PositionEncoding::Utf8 => lsp::PositionEncodingKind::UTF8,
            PositionEncoding::Utf16 => lsp::PositionEncodingKind::UTF16,
            PositionEncoding::Utf32 => lsp::PositionEncodingKind::UTF32,
        }),
        text_document_sync: Some(sync.into()),
        code_action_provider: Some(code_action_provider(client)),
        code_lens_provider: Some(lsp::CodeLensOptions { resolve_provider: Some(false) }),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: Some(vec!["/".into(), "@".into()]),
            ..Default::default()
        }),
        hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
        execute_command_provider: Some(lsp::ExecuteCommandOptions {
            commands: protocol::commands::ALL.map(str::to_owned).to_vec(),
            work_done_progress_options: lsp::WorkDoneProgressOptions { work_done_progress: Some(true) },
        }),
        workspace: Some(lsp::WorkspaceServerCapabilities {
            workspace_folders: Some(folders),
            file_operations: None,
        }),
        experimental: Some(json!({ protocol::ASSENT: crate::conversation::state::server_assent() })),
        ..Default::default()
    }
}

fn code_action_provider(client: &Capabilities) -> lsp::CodeActionProviderCapability {
    if !client.action_literals {
        // The options may only be said to clients that know code actions as more than commands.
        return lsp::CodeActionProviderCapability::Simple(true);
    }
    lsp::CodeActionProviderCapability::Options(lsp::CodeActionOptions {
        code_action_kinds: Some(vec![
            lsp::CodeActionKind::QUICKFIX,
            lsp::CodeActionKind::REFACTOR,
            lsp::CodeActionKind::REFACTOR_REWRITE,
        ]),
        resolve_provider: Some(true),
        ..Default::default()
    })
}

/// A code action; a plain command for clients that know no more. Tags are LSP 3.18, so the
/// message is written by hand.
pub fn code_action(action: &Action, client: &Capabilities) -> Value {
    let command =
        json!({ "title": action.title, "command": action.command, "arguments": [action.arguments] });
    if !client.action_literals {
        return command;
    }
    let mut literal = json!({ "title": action.title, "kind": action.kind, "command": command });
    if action.preferred {
        literal["isPreferred"] = json!(true);
    }
    if !action.diagnostics.is_empty() {
        literal["diagnostics"] = json!(action.diagnostics);
    }
    if let Some(edit) = &action.edit {
        literal["edit"] = edit.clone();
    }
    if let Some(data) = &action.data {
        literal["data"] = json!(data);
    }
    if client.action_tags {
        literal["tags"] = json!([LLM_GENERATED]);
    }
    literal
}

/// An edit written by hand, as LSP's type.
pub fn workspace_edit(edit: Value) -> Option<lsp::WorkspaceEdit> {
    serde_json::from_value(edit).ok()
}

/// A code lens.
pub fn code_lens(lens: Lens) -> lsp::CodeLens {
    let command = lsp::Command {
        title: lens.title,
        command: lens.command.to_owned(),
        arguments: Some(vec![lens.arguments]),
    };
    lsp::CodeLens { range: lsp_range(lens.range), command: Some(command), data: None }
}

/// A completion.
pub fn completion_item(completion: Completion) -> lsp::CompletionItem {
    let edit = lsp::TextEdit::new(lsp_range(completion.replaces), completion.text.clone());
    lsp::CompletionItem {
        label: completion.text,
        kind: Some(match completion.kind {
            CompletionKind::Command => lsp::CompletionItemKind::EVENT,
            CompletionKind::File => lsp::CompletionItemKind::FILE,
            CompletionKind::Field => lsp::CompletionItemKind::PROPERTY,
        }),
        detail: completion.detail,
        filter_text: Some(completion.typed),
        sort_text: Some(format!("{:04}", completion.rank)),
        text_edit: Some(edit.into()),
        ..Default::default()
    }
}

/// Words under the pointer, in Markdown.
pub fn hover(words: String, range: protocol::Range) -> lsp::Hover {
    let words = lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value: words };
    lsp::Hover { contents: lsp::HoverContents::Markup(words), range: Some(lsp_range(range)) }
}

/// An error answer.
pub fn error(error: RpcError) -> jsonrpc::Error {
    jsonrpc::Error { code: error.code.into(), message: error.message.into(), data: error.data }
}

#[cfg(test)]
mod tests;
