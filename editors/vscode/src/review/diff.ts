/** The whole proposal as the editor's own diff, from documents that lie on no disk. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { FileChange } from '../wire';
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
    const [from, to] = [name, right].map((side) => path.posix.basename(side.path));
    const title = vscode.l10n.t('{0} (proposed)', from === to ? `${from}` : `${from} → ${to}`);
    await vscode.commands.executeCommand('vscode.diff', left, right, title);
  } else {
    await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Proposed Changes'), files.map(sides));
  }
}

/** A file's name, and both of its sides: a new file has none before, one that goes has none after. */
function sides(file: OpenFile): [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined] {
  const changes = file.hunks.map((open) => open.file);
  const is = (kind: FileChange): boolean => changes.some(({ change }) => change === kind);
  const renamed = changes.find(({ newUri }) => newUri !== undefined)?.newUri;
  const before = is('create') ? undefined : sideOf(file.uri, 'before');
  const after = is('delete') ? undefined : sideOf(file.uri, 'after', renamed);
  return [vscode.Uri.parse(file.uri), before, after];
}
