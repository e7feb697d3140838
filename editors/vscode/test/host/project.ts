/** What tests in the extension host stand on: the workspace, the model's script, the server as a process. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from '../driver/until';

const root = process.env['ASSENT_TEST_ROOT'] ?? '';
assert.notEqual(root, '', 'ASSENT_TEST_ROOT is set by the driver');

/** Folder of the workspace. */
export const workspace = path.join(root, 'shop');

/** A step of the model's answer; see server/engine/src/model/scripted.rs. */
export type Step = Record<string, unknown>;

/** A call of a tool. */
export function call(name: string, args: Record<string, unknown> = {}): Step {
  return { call: name, with: args };
}

/** A file name of its own for each test, so that no document of an earlier one is in the way. */
export function fresh(name: string): string {
  names += 1;
  return `${names}-${name}`;
}
let names = 0;

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
  before = new Map(sessionLogs().map((file) => [file, statSync(file).size]));
  await vscode.commands.executeCommand('assent.newSession');
}
/** Size of each session log when the last script began. */
let before = new Map<string, number>();

/** Prompts, as `Assent: Ask` does once the words are typed. */
export async function ask(prompt: string, about: Record<string, unknown> = {}): Promise<void> {
  await vscode.commands.executeCommand('assent.ask', { prompt, ...about });
}

function sessionLogs(): string[] {
  const folder = path.join(root, 'state', 'sessions');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => path.join(folder, name));
}

/** What the server wrote into its session logs since the last script began. */
export function logs(): string {
  return sessionLogs()
    .map((file) => readFileSync(file).subarray(before.get(file) ?? 0).toString())
    .join('\n');
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
