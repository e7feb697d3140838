/** Closes what shows a proposal once all of it is decided: from then on it would pass for the file itself. */
import * as vscode from 'vscode';
import { shown, type Side } from './documents';
import type { Reviews } from './state';

/** A tab that shows a side of a file under review. */
interface Preview {
  tab: vscode.Tab;
  uri: string;
  side: Side;
}

/** Closes previews of these files in which nothing waits any more. */
export async function closePreviews(reviews: Reviews, touched: ReadonlySet<string>): Promise<void> {
  const done = previews().filter(({ uri }) => touched.has(uri) && reviews.in(uri).length === 0);
  for (const { tab, uri, side } of done) {
    // The user accepted a new file while looking at it: the file takes its proposal's place.
    if (tab.isActive && side === 'after' && tab.input instanceof vscode.TabInputText) await showInPlace(tab, uri);
    await vscode.window.tabGroups.close(tab, true);
  }
}

function previews(): Preview[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap((tab) => {
      const document = documentOf(tab);
      const { uri, side } = document ? shown(document) : { uri: '' };
      return side === undefined ? [] : [{ tab, uri, side }];
    });
}

function documentOf({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

async function showInPlace(tab: vscode.Tab, uri: string): Promise<void> {
  try {
    const options = { viewColumn: tab.group.viewColumn, preserveFocus: !tab.group.isActive, preview: tab.isPreview };
    await vscode.window.showTextDocument(vscode.Uri.parse(uri), options);
  } catch {
    // It was rejected, or could not be written: there is no such file.
  }
}
