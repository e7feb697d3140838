/** The list of files with hunks that wait, and the hunks under them. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { inWords } from './badges';
import { id } from './ids';
import { newName } from './place';
import { linesOf, refOf, type HunkRef, type OpenFile, type OpenHunk, type Reviews } from './state';
import { gist, size } from './words';

/** Names of the view in package.json: beside the chat, in whichever side bar that is. */
const VIEWS = ['assent.hunks', 'assent.hunksSideBar'];

/** A row: a file, or a hunk by its name. Rows are what the menu's commands get. */
type Row = { uri: string } | HunkRef;

/** The views and their badge. */
export class HunkTree implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly views: vscode.TreeView<Row>[];

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly reviews: Reviews) {
    this.views = VIEWS.map((name) => vscode.window.createTreeView<Row>(name, { treeDataProvider: this, showCollapseAll: true }));
  }

  refresh(): void {
    const { count } = this.reviews;
    const badge = count > 0 ? { value: count, tooltip: inWords(count) } : undefined;
    for (const view of this.views) view.badge = badge;
    this.changed.fire();
  }

  getChildren(row?: Row): Row[] {
    if (!row) return this.reviews.openFiles().map(({ uri }) => ({ uri }));
    return 'uri' in row ? this.reviews.in(row.uri).map(refOf) : [];
  }

  getTreeItem(row: Row): vscode.TreeItem {
    if ('uri' in row) return fileItem({ uri: row.uri, hunks: [...this.reviews.in(row.uri)] });
    const open = this.reviews.find(row);
    return open ? hunkItem(open) : new vscode.TreeItem('');
  }

  dispose(): void {
    for (const view of this.views) view.dispose();
    this.changed.dispose();
  }
}

function fileItem({ uri, hunks }: OpenFile): vscode.TreeItem {
  const file = vscode.Uri.parse(uri);
  const item = new vscode.TreeItem(file, vscode.TreeItemCollapsibleState.Expanded);
  const folder = path.posix.dirname(vscode.workspace.asRelativePath(file));
  item.id = uri;
  item.description = folder === '.' ? `${hunks.length}` : `${folder} · ${hunks.length}`;
  // Without it a row that can be unfolded has a folder's icon.
  item.iconPath = vscode.ThemeIcon.File;
  item.contextValue = 'assentFile';
  return item;
}

function hunkItem(open: OpenHunk): vscode.TreeItem {
  const item = new vscode.TreeItem(label(open));
  const ref = refOf(open);
  item.id = `${open.file.uri}\n${ref.reviewId}\n${ref.hunk}`;
  item.description = size(open);
  item.contextValue = open.file.change === 'edit' ? 'assentHunk' : 'assentWholeFile';
  item.command = { command: id.open, title: vscode.l10n.t('Show'), arguments: [ref] };
  return item;
}

function label(open: OpenHunk): string {
  switch (open.file.change) {
    case 'edit':
      return `${linesOf(open.hunk).first + 1}: ${gist(open)}`;
    case 'create':
      return vscode.l10n.t('New file');
    case 'delete':
      return vscode.l10n.t('Delete this file');
    case 'rename':
      return vscode.l10n.t('Rename to {0}', newName(open));
  }
}
