/** Goes to a hunk, because the user asked for it. */
import * as vscode from 'vscode';
import { sideOf } from './documents';
import { linesOf, type OpenHunk } from './state';

/** Shows the file of a hunk with the cursor at it. A file that is not there yet is shown as it would be. */
export async function reveal(open: OpenHunk): Promise<void> {
  const uri = documentOf(open);
  const document = await vscode.workspace.openTextDocument(uri);
  const line = Math.min(linesOf(open.hunk).first, document.lineCount - 1);
  const at = new vscode.Position(line, 0);
  const editor = await vscode.window.showTextDocument(document, { preserveFocus: false });
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function documentOf({ file }: OpenHunk): vscode.Uri {
  return file.change === 'create' && file.version === null ? sideOf(file.uri, 'after') : vscode.Uri.parse(file.uri);
}
