/** What can be done with a hunk, as code lenses above it. */
import * as vscode from 'vscode';
import { id } from './ids';
import { shown, REVIEW_SCHEME } from './documents';
import { newName } from './place';
import { linesOf, refOf, type OpenHunk, type Reviews } from './state';

/** Where lenses stand: wherever hunks are drawn. */
const SELECTOR: vscode.DocumentSelector = [{ scheme: 'file' }, { scheme: 'untitled' }, { scheme: REVIEW_SCHEME }];

/** Provides the lenses. */
export class Lenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly registered: vscode.Disposable;

  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(private readonly reviews: Reviews) {
    this.registered = vscode.languages.registerCodeLensProvider(SELECTOR, this);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { uri, side } = shown(document.uri);
    if (side === 'before') return [];
    const hunks = this.reviews.in(uri);
    // A proposed side has no places of the document's: only what concerns the whole file can stand there.
    const placed = side === undefined ? hunks : hunks.filter((open) => open.file.change !== 'edit');
    return placed.flatMap((open, index) => this.lensesOf(open, index, hunks.length, document));
  }

  refresh(): void {
    this.changed.fire();
  }

  dispose(): void {
    this.registered.dispose();
    this.changed.dispose();
  }

  private lensesOf(open: OpenHunk, index: number, count: number, document: vscode.TextDocument): vscode.CodeLens[] {
    const line = Math.min(linesOf(open.hunk).first, document.lineCount - 1);
    const range = new vscode.Range(line, 0, line, 0);
    const ref = refOf(open);
    const lens = (title: string, command: string, argument?: unknown): vscode.CodeLens =>
      new vscode.CodeLens(range, { title, command, ...(argument === undefined ? {} : { arguments: [argument] }) });
    const lenses = [
      lens(`$(check) ${vscode.l10n.t('Accept')}${subject(open)}`, id.accept, ref),
      lens(`$(close) ${vscode.l10n.t('Reject')}`, id.reject, ref),
    ];
    if (open.file.change === 'edit') lenses.push(lens(vscode.l10n.t('Edit'), id.edit, ref));
    if (index === 0 && count > 1) {
      lenses.push(lens(vscode.l10n.t('Accept All ({0})', count), id.acceptFile, { uri: open.file.uri }));
      lenses.push(lens(vscode.l10n.t('Reject All'), id.rejectFile, { uri: open.file.uri }));
    }
    if (this.reviews.count > 1) {
      lenses.push(lens('$(arrow-up)', id.previous, ref), lens('$(arrow-down)', id.next, ref));
    }
    return lenses;
  }
}

/** What a decision about a whole file is about. */
function subject(open: OpenHunk): string {
  switch (open.file.change) {
    case 'edit':
      return '';
    case 'create':
      return `: ${vscode.l10n.t('create this file')}`;
    case 'delete':
      return `: ${vscode.l10n.t('delete this file')}`;
    case 'rename':
      return `: ${vscode.l10n.t('rename to {0}', newName(open))}`;
  }
}
