/**
 * The review's commands. They say which hunks the user means and send the decision; what becomes of it arrives as the
 * next state. A command comes from a lens, the tree or a code action with the hunk's name, from a zone with its
 * thread, and from the palette or a key with nothing: then the place of the cursor counts.
 */
import * as vscode from 'vscode';
import type { Table } from '../commands/parts';
import type { Server } from '../server/connection';
import type { Decisions } from './decisions';
import { openDiff } from './diff';
import { shown } from './documents';
import type { Proposals } from './edit';
import { id } from './ids';
import { reveal } from './reveal';
import { type HunkRef, type OpenHunk, type Place, type Reviews } from './state';
import type { Zones } from './zones';

/** What runs behind the commands. */
export class Commands {
  constructor(
    private readonly server: Server,
    private readonly reviews: Reviews,
    private readonly zones: Zones,
    private readonly proposals: Proposals,
    private readonly decisions: Decisions,
  ) {}

  /** The commands by id. */
  table(): Table {
    return {
      [id.accept]: (argument) => this.decideMeant(argument, true),
      [id.reject]: (argument) => this.decideMeant(argument, false),
      [id.rejectWithReason]: (argument) => this.rejectWithReason(argument),
      [id.acceptFile]: (argument) => this.decide(this.file(argument), true),
      [id.rejectFile]: (argument) => this.decide(this.file(argument), false),
      [id.acceptAll]: (argument) => this.all(id.acceptAll, argument),
      [id.rejectAll]: (argument) => this.all(id.rejectAll, argument),
      [id.next]: (argument) => this.step(argument, true),
      [id.previous]: (argument) => this.step(argument, false),
      [id.open]: (argument) => this.with(argument, reveal),
      [id.edit]: (argument) => this.with(argument, (open) => this.proposals.open(open)),
      [id.acceptEdited]: (argument) => this.proposals.accept(argument),
      [id.diff]: (argument) => openDiff(this.reviews, argument === undefined ? undefined : this.uriMeant(argument)),
    };
  }

  private async decide(hunks: readonly OpenHunk[], accept: boolean): Promise<void> {
    if (hunks.length === 0) tellNone();
    else await this.decisions.decide(hunks, accept);
  }

  private async decideMeant(argument: unknown, accept: boolean): Promise<void> {
    await this.with(argument, (open) => this.decisions.decide([open], accept));
  }

  private async rejectWithReason(argument: unknown): Promise<void> {
    await this.with(argument, async (open) => {
      const feedback = await vscode.window.showInputBox({
        title: vscode.l10n.t('Reject'),
        prompt: vscode.l10n.t('Why? The model is told.'),
        ignoreFocusOut: true,
      });
      if (feedback !== undefined) await this.decisions.decide([open], false, feedback === '' ? {} : { feedback });
    });
  }

  private async all(command: string, argument: unknown): Promise<void> {
    const reviewId = isObject(argument) && typeof argument['reviewId'] === 'string' ? argument['reviewId'] : undefined;
    const open = this.reviews.openFiles().flatMap((file) => file.hunks);
    const meant = open.filter(({ review }) => reviewId === undefined || review.reviewId === reviewId);
    if (command === id.acceptAll) this.decisions.expect(meant);
    await this.server.execute(command, reviewId === undefined ? {} : { reviewId });
  }

  private async step(argument: unknown, forward: boolean): Promise<void> {
    const from = this.named(argument);
    const place = from ? { uri: from.file.uri, line: from.hunk.range.start.line } : cursor();
    const target = this.reviews.step(place, forward);
    if (target) await reveal(target);
    else tellNone();
  }

  /** Runs `run` with the hunk that is meant, or says that there is none. */
  private async with(argument: unknown, run: (open: OpenHunk) => unknown): Promise<void> {
    const place = cursor();
    const open = argument === undefined ? place && this.atCursor(place) : this.named(argument);
    if (open) await run(open);
    else tellNone();
  }

  private atCursor(place: Place): OpenHunk | undefined {
    const side = vscode.window.activeTextEditor && shown(vscode.window.activeTextEditor.document.uri).side;
    const only = this.reviews.in(place.uri);
    return side === undefined ? this.reviews.at(place) : only.length === 1 ? only[0] : undefined;
  }

  private named(argument: unknown): OpenHunk | undefined {
    const ref = isRef(argument) ? argument : this.zones.refOfThread(argument);
    return ref && this.reviews.find(ref);
  }

  private file(argument: unknown): readonly OpenHunk[] {
    const uri = this.uriMeant(argument);
    return uri === undefined ? [] : this.reviews.in(uri);
  }

  /** The file of a tree's row, of a menu's document, of a hunk, or of the active editor. */
  private uriMeant(argument: unknown): string | undefined {
    if (argument instanceof vscode.Uri) return shown(argument).uri;
    if (isObject(argument) && typeof argument['uri'] === 'string') return argument['uri'];
    return this.named(argument)?.file.uri ?? cursor()?.uri;
  }
}

/** Where the user is. */
function cursor(): Place | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && { uri: shown(editor.document.uri).uri, line: editor.selection.active.line };
}

function tellNone(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('No proposed change waits here.'));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isRef(value: unknown): value is HunkRef {
  return isObject(value) && typeof value['reviewId'] === 'string' && typeof value['hunk'] === 'string';
}
