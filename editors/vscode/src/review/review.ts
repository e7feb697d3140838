/** Inline review: draws the hunks that wait, wherever the editor can show them, and sends the user's decisions. */
import * as vscode from 'vscode';
import type { Table } from '../commands/parts';
import type { Server } from '../server/connection';
import { Badges } from './badges';
import { Commands } from './commands';
import { ContextKeys } from './context';
import { Decisions } from './decisions';
import { ReviewDocuments } from './documents';
import { Drawing } from './draw';
import { Proposals } from './edit';
import { Fates } from './fates';
import { Lenses } from './lenses';
import { normalise } from './place';
import { closePreviews } from './previews';
import { Reviews } from './state';
import { HunkTree } from './tree';
import { Zones } from './zones';

/** The review part; dispose it to take everything off the screen. */
export class ReviewPart implements vscode.Disposable {
  private readonly reviews = new Reviews(normalise);
  private readonly counted = new vscode.EventEmitter<number>();
  private readonly parts: vscode.Disposable;

  /** The commands of the review, to be registered with all others. */
  readonly commands: Table;
  /** How many hunks wait, whenever that may have changed. */
  readonly onCount = this.counted.event;

  constructor(server: Server, extension: vscode.Uri) {
    const drawing = new Drawing(this.reviews, vscode.Uri.joinPath(extension, 'media'));
    const zones = new Zones(this.reviews);
    const documents = new ReviewDocuments(this.reviews);
    const lenses = new Lenses(this.reviews);
    const badges = new Badges(this.reviews);
    const tree = new HunkTree(this.reviews);
    const keys = new ContextKeys(this.reviews);
    const fates = new Fates();
    const decisions = new Decisions(server, fates);
    const proposals = new Proposals(this.reviews, decisions);
    this.commands = new Commands(server, this.reviews, zones, proposals, decisions).table();
    const refresh = (touched: ReadonlySet<string>): void => {
      for (const part of [drawing, zones, documents, lenses, badges, tree, keys]) part.refresh(touched);
      this.counted.fire(this.reviews.count);
    };
    this.parts = vscode.Disposable.from(
      ...[drawing, zones, documents, lenses, badges, tree, keys, proposals, this.counted],
      server.onReview((review) => {
        const touched = this.reviews.update(review);
        refresh(touched);
        void closePreviews(this.reviews, touched);
        fates.note(review).forEach(tellLost);
      }),
      // What is still open, the next server sends again.
      server.onState((state) => {
        if (state === 'running') return;
        fates.forget();
        refresh(this.reviews.clear());
      }),
    );
  }

  /** How many hunks wait. */
  get count(): number {
    return this.reviews.count;
  }

  dispose(): void {
    this.parts.dispose();
  }
}

function tellLost(uri: string): void {
  const name = vscode.workspace.asRelativePath(vscode.Uri.parse(uri));
  void vscode.window.showWarningMessage(
    vscode.l10n.t('The accepted change of {0} could not be made: the file changed, moved, or is read-only.', name),
  );
}
