/** "Add to chat" in the lightbulb, beside what the server offers there, for what is selected or reported as a problem. */
import * as vscode from 'vscode';
import type { Attachment } from './entries';
import { excerpt } from './surroundings';

/** Where it stands in the menu. */
const KIND = vscode.CodeActionKind.RefactorRewrite;

/** Registers it; what is picked is handed to the command, as an attachment. */
export function addToChatAction(command: string): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions(document, range, context) {
      const problem = context.diagnostics[0];
      const about = range.isEmpty ? problem?.range : range;
      if (!about) return [];
      const title = vscode.l10n.t('Add to Assent Chat');
      const action = new vscode.CodeAction(title, KIND);
      const attachment: Attachment = excerpt(document, about);
      action.command = { title, command, arguments: [attachment] };
      return [action];
    },
  };
  const selector = [{ scheme: 'file' }, { scheme: 'untitled' }];
  return vscode.languages.registerCodeActionsProvider(selector, provider, { providedCodeActionKinds: [KIND] });
}
