/** What to start, by the settings as they are now. */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as vscode from 'vscode';
import { locate } from './locate';
import { environment, type Launch } from './program';
import type { Trouble } from './trouble';

/** The program with its arguments, or why there is none; `extension` is the folder of the extension. */
export function launch(extension: string): Launch | { trouble: Trouble } {
  const settings = vscode.workspace.getConfiguration('assent.server');
  const located = locate({
    setting: settings.get('path', ''),
    extension,
    path: process.env['PATH'] ?? '',
    home: os.homedir(),
    platform: process.platform,
    isExecutable,
  });
  if ('missing' in located) {
    return { trouble: located.missing === 'setting' ? { kind: 'missing', tried: located.tried } : { kind: 'missing' } };
  }
  return {
    command: located.found,
    arguments: settings.get<string[]>('arguments', ['lsp']),
    environment: environment(process.env, settings.get('environment')),
    // Never a folder of the project's: on some systems a program is looked for there first.
    directory: os.homedir(),
  };
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}
