/** Decisions about hunks from the palette, keys, lenses and code actions. The server says which hunk is where. */
import * as vscode from 'vscode';
import type { HunkPlace, HunkSearch } from '../wire';
import type { Parts, Run, Table } from './parts';

const { t } = vscode.l10n;

/** How many hunks are left open. */
interface Open {
  open: number;
}

export function reviewCommands(parts: Parts): Table {
  const one =
    (id: string): Run =>
    async (argument) => {
      const hunk = names(argument, 'hunk') ? argument : await hunkAtCursor(parts);
      if (hunk) return parts.connection.execute<Open>(id, hunk);
      void vscode.window.showInformationMessage(t('There is no proposed change at the cursor.'));
      return undefined;
    };
  const all =
    (id: string): Run =>
    (argument) =>
      parts.connection.execute<Open>(id, names(argument, 'reviewId') ? argument : {});
  const step =
    (id: string): Run =>
    async (argument) => {
      const place = await parts.connection.execute<HunkPlace | null>(id, names(argument, 'uri') ? argument : search());
      if (place) await show(place);
      else void vscode.window.showInformationMessage(t('No proposed change waits.'));
      return place;
    };
  return {
    'assent.review.accept': one('assent.review.accept'),
    'assent.review.reject': one('assent.review.reject'),
    'assent.review.acceptAll': all('assent.review.acceptAll'),
    'assent.review.rejectAll': all('assent.review.rejectAll'),
    'assent.review.next': step('assent.review.next'),
    'assent.review.previous': step('assent.review.previous'),
  };
}

function names(argument: unknown, key: string): boolean {
  return typeof argument === 'object' && argument !== null && !(argument instanceof vscode.Uri) && key in argument;
}

function search(lines = 0): HunkSearch {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return {};
  const { line, character } = editor.selection.active;
  return { uri: editor.document.uri.toString(), position: { line: Math.max(0, line + lines), character } };
}

/** The last hunk that begins at or before the cursor's line, if it reaches there. */
async function hunkAtCursor(parts: Parts): Promise<{ reviewId: string; hunk: string } | undefined> {
  const here = search();
  const place = await parts.connection.execute<HunkPlace | null>('assent.review.previous', search(1));
  if (!place || !here.position || place.uri !== here.uri) return undefined;
  const { start, end } = place.range;
  const { line } = here.position;
  const reaches = start.line <= line && (line < end.line || (line === end.line && end.character > 0) || line === start.line);
  return reaches ? { reviewId: place.reviewId, hunk: place.hunk } : undefined;
}

async function show(place: HunkPlace): Promise<void> {
  const start = new vscode.Position(place.range.start.line, place.range.start.character);
  const editor = await vscode.window.showTextDocument(vscode.Uri.parse(place.uri), { selection: new vscode.Range(start, start) });
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
