/** When the server is started by itself, and what it is told of the editor's doings. */
import * as vscode from 'vscode';
import type { Connection } from './connection';
import type { Notices } from './notices';

const { t } = vscode.l10n;

/** Starts it as soon as there is something to work on, so that the first question does not wait for it. */
export function keepServer(connection: Connection, notices: Notices): vscode.Disposable {
  const warm = (): void => {
    // What comes of it is told by the connection.
    if (connection.state === 'stopped' && hasWork()) connection.start().catch(() => undefined);
  };
  const listeners = [
    connection.onTrouble((trouble) => void notices.tell(trouble)),
    vscode.workspace.onDidChangeWorkspaceFolders(warm),
    vscode.workspace.onDidOpenTextDocument(warm),
    // Settings that did not count until now do from here on.
    vscode.workspace.onDidGrantWorkspaceTrust(() => void connection.tellSettings()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('assent.server')) void settingsChanged(connection);
    }),
  ];
  warm();
  return vscode.Disposable.from(...listeners);
}

function hasWork(): boolean {
  const { workspaceFolders, textDocuments } = vscode.workspace;
  return Boolean(workspaceFolders?.length) || textDocuments.some((document) => document.uri.scheme === 'file');
}

/** A server that runs is not taken away from under the user's work. */
async function settingsChanged(connection: Connection): Promise<void> {
  const restart = t('Restart Server');
  const asks = connection.state === 'running' || connection.state === 'starting';
  const news = t('The new settings count once the Assent server is restarted.');
  const wanted = asks ? await vscode.window.showInformationMessage(news, restart) : restart;
  if (wanted === restart) await connection.restart().catch(() => undefined);
}
