/** Goes to a hunk, because the user asked for it. */
import * as vscode from 'vscode';
import { sideOf } from './documents';
import { linesOf, type OpenHunk } from './state';

/** Shows the file of a hunk with the cursor at it. A file that is not there yet is shown as it would be. */
export async function reveal(open: OpenHunk): Promise<void> {
  const document = await documentOf(open);
  if (!document) {
    const name = vscode.workspace.asRelativePath(vscode.Uri.parse(open.file.uri));
    void vscode.window.showWarningMessage(
      vscode.l10n.t('{0} cannot be shown: it is gone, or no text. The proposed change can still be rejected, or seen as a diff.', name),
    );
    return;
  }
  const line = Math.min(linesOf(open.hunk).first, document.lineCount - 1);
  const at = new vscode.Position(line, 0);
  const editor = await vscode.window.showTextDocument(document, { preserveFocus: false });
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function documentOf({ file }: OpenHunk): Promise<vscode.TextDocument | undefined> {
  const isNew = file.change === 'create' && file.version === null;
  try {
    return await vscode.workspace.openTextDocument(isNew ? sideOf(file.uri, 'after') : vscode.Uri.parse(file.uri));
  } catch {
    return undefined;
  }
}
