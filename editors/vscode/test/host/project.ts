/** What tests in the extension host stand on: the workspace, the model's script, the server as a process. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from '../driver/until';

const root = process.env['ASSENT_TEST_ROOT'] ?? '';
assert.notEqual(root, '', 'ASSENT_TEST_ROOT is set by the driver');

/** Folder of the workspace. */
export const workspace = path.join(root, 'ws');

/** A step of the model's answer; see server/engine/src/model/scripted.rs. */
export type Step = Record<string, unknown>;

/** A call of a tool. */
export function call(name: string, args: Record<string, unknown> = {}): Step {
  return { call: name, with: args };
}

export function inWorkspace(name: string): string {
  return path.join(workspace, name);
}

export function write(name: string, text: string): vscode.Uri {
  const file = inWorkspace(name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return vscode.Uri.file(file);
}

export function read(name: string): string {
  return readFileSync(inWorkspace(name), 'utf8');
}

/** Opens a file of the workspace in an editor. */
export async function open(name: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(vscode.Uri.file(inWorkspace(name)), { preview: false });
}

/** Gives the model its answers, and begins a session of its own for them. */
export async function play(answers: Step[][]): Promise<void> {
  writeFileSync(path.join(root, 'script.json'), JSON.stringify({ answers }));
  await vscode.commands.executeCommand('assent.newSession');
}

/** Prompts, as `Assent: Ask` does once the words are typed. */
export async function ask(prompt: string, about: Record<string, unknown> = {}): Promise<void> {
  await vscode.commands.executeCommand('assent.ask', { prompt, ...about });
}

/** Everything that the server wrote into its session logs, newest session last. */
export function logs(): string {
  const files: string[] = [];
  const collect = (folder: string): void => {
    for (const entry of existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) collect(file);
      else if (file.endsWith('.jsonl')) files.push(file);
    }
  };
  collect(path.join(root, 'state'));
  return files.map((file) => readFileSync(file, 'utf8')).join('\n');
}

/** Waits until a text stands in a session log: an answer, a result, the fate of a hunk. */
export async function logged(text: string): Promise<void> {
  await until(`"${text}" in a session log, which hold:\n${logs().slice(-3000)}`, () => logs().includes(text));
}

/** Removes what a test wrote and closes all editors, without a question. */
export async function clear(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && !document.isUntitled) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  for (const name of readdirSync(workspace)) {
    if (name !== '.git') rmSync(path.join(workspace, name), { recursive: true, force: true });
  }
}

/** Processes of the server that this extension host started. */
export function servers(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // pid (name) state parent …
        const [, name, parent] = /\((.*)\) \S (\d+) /s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
        return name === 'assent' && Number(parent) === process.pid;
      } catch {
        return false; // it ended meanwhile
      }
    });
}
