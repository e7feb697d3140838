/** Closes what shows a proposal once all of it is decided: from then on it would pass for the file itself. */
import * as vscode from 'vscode';
import { shown, type Side } from './documents';
import type { Reviews } from './state';

/** A tab that shows sides of files under review. */
interface Preview {
  tab: vscode.Tab;
  shows: { uri: string; side: Side }[];
}

/** Closes previews of these files once nothing waits in any file that they show. */
export async function closePreviews(reviews: Reviews, touched: ReadonlySet<string>): Promise<void> {
  const waits = ({ uri }: { uri: string }): boolean => reviews.in(uri).length > 0;
  const done = previews().filter(({ shows }) => shows.some(({ uri }) => touched.has(uri)) && !shows.some(waits));
  for (const { tab, shows } of done) {
    // The user accepted a new file while looking at it: the file takes its proposal's place.
    const [only] = shows;
    if (only && tab.isActive && only.side === 'after' && tab.input instanceof vscode.TabInputText) await showInPlace(tab, only.uri);
    await vscode.window.tabGroups.close(tab, true);
  }
}

function previews(): Preview[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap((tab) => {
      const shows = documentsOf(tab).flatMap((document) => {
        const { uri, side } = shown(document);
        return side === undefined ? [] : [{ uri, side }];
      });
      return shows.length > 0 ? [{ tab, shows }] : [];
    });
}

function documentsOf({ input }: vscode.Tab): vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  if (input instanceof vscode.TabInputTextDiff) return [input.modified];
  // The list of several diffs: its type is not part of the API yet, its content is there.
  const { textDiffs } = (input ?? {}) as { textDiffs?: { original?: vscode.Uri; modified?: vscode.Uri }[] };
  return Array.isArray(textDiffs) ? textDiffs.flatMap(({ original, modified }) => modified ?? original ?? []) : [];
}

async function showInPlace(tab: vscode.Tab, uri: string): Promise<void> {
  try {
    const options = { viewColumn: tab.group.viewColumn, preserveFocus: !tab.group.isActive, preview: tab.isPreview };
    await vscode.window.showTextDocument(vscode.Uri.parse(uri), options);
  } catch {
    // It was rejected, or could not be written: there is no such file.
  }
}
