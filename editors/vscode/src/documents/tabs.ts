/** Tabs by the document they show. */
import * as vscode from 'vscode';

/** The tabs of a file, in every editor group; a diff counts for both of its sides. */
export function tabsOf(uri: vscode.Uri): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter((tab) => shownBy(tab).some((shown) => shown.toString() === uri.toString()));
}

function shownBy({ input }: vscode.Tab): vscode.Uri[] {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return [input.uri];
  if (input instanceof vscode.TabInputNotebook) return [input.uri];
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) {
    return [input.original, input.modified];
  }
  return [];
}
