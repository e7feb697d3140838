/** Context keys for the conditions of keys and menus, set only when they change. */
import * as vscode from 'vscode';
import { shown } from './documents';
import type { Reviews } from './state';

/** Keeps `assent.hasHunks`, `assent.hunksInEditor` and `assent.cursorInHunk` in step. */
export class ContextKeys implements vscode.Disposable {
  private readonly told = new Map<string, boolean>();
  private readonly watching: vscode.Disposable;

  constructor(private readonly reviews: Reviews) {
    this.watching = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(() => this.refresh()),
      vscode.window.onDidChangeTextEditorSelection((event) => {
        if (event.textEditor === vscode.window.activeTextEditor) this.refresh();
      }),
    );
  }

  refresh(): void {
    const editor = vscode.window.activeTextEditor;
    const { uri, side } = editor ? shown(editor.document.uri) : { uri: '' };
    const line = editor?.selection.active.line ?? 0;
    const here = this.reviews.in(uri);
    this.set('assent.hasHunks', this.reviews.count > 0);
    this.set('assent.hunksInEditor', here.length > 0);
    const inHunk = side === undefined ? this.reviews.at({ uri, line }) !== undefined : here.length === 1;
    this.set('assent.cursorInHunk', inHunk);
  }

  dispose(): void {
    this.watching.dispose();
  }

  private set(key: string, value: boolean): void {
    if (this.told.get(key) === value) return;
    this.told.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
