/** What the light bulb offers besides the server's own actions: what is a matter of the panel, not of the server. */
import * as vscode from 'vscode';

/** Offers to put the selection into the chat. */
export function addToChat(): vscode.Disposable {
  const kind = vscode.CodeActionKind.Refactor;
  const provider: vscode.CodeActionProvider = {
    provideCodeActions: (_document, range) => {
      if (range.isEmpty) return [];
      const action = new vscode.CodeAction(vscode.l10n.t('Assent: add to chat'), kind);
      action.command = { command: 'assent.chat.addSelection', title: action.title };
      return [action];
    },
  };
  const documents = [{ scheme: 'file' }, { scheme: 'untitled' }];
  return vscode.languages.registerCodeActionsProvider(documents, provider, { providedCodeActionKinds: [kind] });
}
