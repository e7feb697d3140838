/** The whole proposal as the editor's own diff, from documents that lie on no disk. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { sideOf } from './documents';
import type { OpenFile, Reviews } from './state';

/** Opens one file's proposal, or that of all files. */
export async function openDiff(reviews: Reviews, uri: string | undefined): Promise<void> {
  const files = uri === undefined ? reviews.openFiles() : reviews.openFiles().filter((file) => file.uri === uri);
  const [first, ...others] = files;
  if (!first) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No proposed change waits here.'));
  } else if (others.length === 0) {
    const [name, before, after] = sides(first);
    // Unlike the list of several files, a diff of one has to have both sides.
    const left = before ?? sideOf(first.uri, 'before');
    const right = after ?? sideOf(first.uri, 'after');
    const title = vscode.l10n.t('{0} (proposed)', path.posix.basename(name.path));
    await vscode.commands.executeCommand('vscode.diff', left, right, title);
  } else {
    await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Proposed Changes'), files.map(sides));
  }
}

function sides(file: OpenFile): [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined] {
  const change = file.hunks[0]?.file.change;
  const name = vscode.Uri.parse(file.uri);
  const before = change === 'create' ? undefined : sideOf(file.uri, 'before');
  const after = change === 'delete' ? undefined : sideOf(file.uri, 'after');
  return [name, before, after];
}
