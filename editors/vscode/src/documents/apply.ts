/**
 * The server's edits (`workspace/applyEdit`): applied only to the text they were made for, and a no says why. Also
 * remembers which files were closed before, so that they can be closed again once they are saved.
 */
import * as vscode from 'vscode';
import type { ApplyWorkspaceEditParams, ApplyWorkspaceEditResult, WorkspaceEdit } from 'vscode-languageclient';
import { tabsOf } from './tabs';

/** Applies edits. */
export class Edits {
  /** Files that had no tab before an edit of ours. */
  private readonly closed = new Set<string>();

  /** Applies an edit; `converted` is the same in the editor's own types. */
  async apply({ edit }: ApplyWorkspaceEditParams, converted: vscode.WorkspaceEdit): Promise<ApplyWorkspaceEditResult> {
    const uris = urisOf(edit);
    for (const { uri, version } of uris) {
      const reason = refusal(uri, version);
      if (reason !== undefined) return { applied: false, failureReason: reason };
    }
    const closed = uris.filter(({ uri }) => tabsOf(uri).length === 0);
    if (!(await vscode.workspace.applyEdit(converted))) {
      return { applied: false, failureReason: 'the editor did not apply the edit' };
    }
    for (const { uri } of closed) this.closed.add(uri.toString());
    return { applied: true };
  }

  /** Whether a file was closed before an edit of ours; asked once. */
  wasClosed(uri: vscode.Uri): boolean {
    return this.closed.delete(uri.toString());
  }
}

function urisOf({ documentChanges = [], changes = {} }: WorkspaceEdit): { uri: vscode.Uri; version: number | null }[] {
  const versioned = documentChanges.map((change) => {
    if ('textDocument' in change) return { uri: vscode.Uri.parse(change.textDocument.uri), version: change.textDocument.version };
    return { uri: vscode.Uri.parse(change.kind === 'rename' ? change.oldUri : change.uri), version: null };
  });
  return [...versioned, ...Object.keys(changes).map((uri) => ({ uri: vscode.Uri.parse(uri), version: null }))];
}

/** Why a document must not be edited; for the model, so not translated. */
function refusal(uri: vscode.Uri, version: number | null): string | undefined {
  const same = (other: vscode.Uri): boolean => other.toString() === uri.toString();
  const document = vscode.workspace.textDocuments.find((open) => same(open.uri));
  if (version !== null && document?.version !== version) {
    const standing = document ? `the editor has version ${document.version}` : 'the document is closed';
    return `the edit is for version ${version}, ${standing}`;
  }
  const notebook = vscode.workspace.notebookDocuments.find((open) => same(open.uri));
  if (notebook?.isDirty) return 'the file is open as a notebook with unsaved changes';
  return undefined;
}
