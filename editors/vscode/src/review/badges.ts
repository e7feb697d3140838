/** Marks files with hunks that wait, wherever the editor lists files. */
import * as vscode from 'vscode';
import type { Reviews } from './state';

/** A count of hunks. */
export function inWords(count: number): string {
  return count === 1 ? vscode.l10n.t('1 proposed change') : vscode.l10n.t('{0} proposed changes', count);
}

export class Badges implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri[]>();
  private readonly registered: vscode.Disposable;

  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(private readonly reviews: Reviews) {
    this.registered = vscode.window.registerFileDecorationProvider(this);
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const count = this.reviews.in(uri.toString()).length;
    if (count === 0) return undefined;
    return new vscode.FileDecoration('±', inWords(count));
  }

  refresh(touched: ReadonlySet<string>): void {
    this.changed.fire([...touched].map((uri) => vscode.Uri.parse(uri)));
  }

  dispose(): void {
    this.registered.dispose();
    this.changed.dispose();
  }
}
