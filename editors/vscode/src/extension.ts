/** Puts the parts together when VS Code activates the extension, and takes them apart with it. */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as vscode from 'vscode';
import { Connection, type Answers, type Launch } from './server/connection';
import { locate } from './server/locate';
import type { TurnArgument } from './wire';

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel('Assent', { log: true });
  const connection = new Connection(() => launch(context), answers(), output);
  context.subscriptions.push(output, connection);
  context.subscriptions.push(
    vscode.commands.registerCommand('assent.ask', async (argument?: TurnArgument) => {
      const prompt = argument?.prompt ?? (await vscode.window.showInputBox({ title: vscode.l10n.t('Ask Assent') }));
      if (prompt) await connection.execute('assent.ask', { ...argument, prompt });
    }),
  );
}

async function launch(context: vscode.ExtensionContext): Promise<Launch> {
  const located = locate({
    setting: vscode.workspace.getConfiguration('assent').get('server.path', ''),
    extension: context.extensionPath,
    path: process.env['PATH'] ?? '',
    home: os.homedir(),
    platform: process.platform,
    isExecutable: (file) => {
      try {
        fs.accessSync(file, fs.constants.X_OK);
        return fs.statSync(file).isFile();
      } catch {
        return false;
      }
    },
  });
  if ('missing' in located) return { problem: vscode.l10n.t('The assent program was not found.') };
  return { options: { command: located.found, args: ['lsp'] } };
}

/** Nothing is allowed and nothing answered until the parts that ask the user are there. */
function answers(): Answers {
  return {
    permission: async () => ({ outcome: { outcome: 'cancelled' } }),
    elicitation: async () => ({ action: 'cancel' }),
    save: async () => [],
    languageQuery: async () => null,
  };
}
