/** `_assent/document/save`: saves what the server names, asks nothing, and leaves closed what was closed. */
import * as vscode from 'vscode';
import type { Edits } from './apply';
import { tabsOf } from './tabs';

/** Saves documents; gives those that are on the disk now as the editor has them. */
export async function save(uris: readonly string[], edits: Edits): Promise<string[]> {
  const saved: string[] = [];
  for (const text of uris) {
    const uri = vscode.Uri.parse(text);
    if (!(await saveOne(uri))) continue;
    saved.push(text);
    if (edits.wasClosed(uri)) await closeAgain(uri);
  }
  return saved;
}

async function saveOne(uri: vscode.Uri): Promise<boolean> {
  // To save an untitled document the editor would have to ask for a name.
  if (uri.scheme === 'untitled') return false;
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri.toString());
  if (document?.isDirty) return document.save();
  return exists(uri);
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Closes a tab that the edit opened; one that the user went to meanwhile stays. */
async function closeAgain(uri: vscode.Uri): Promise<void> {
  const opened = tabsOf(uri).filter((tab) => !tab.isActive && !tab.isDirty);
  await vscode.window.tabGroups.close(opened, true);
}
