/** From the wire's positions to the editor's. */
import * as vscode from 'vscode';
import type { Position, Range } from 'vscode-languageclient';
import { linesOf, type OpenHunk } from './state';

/** A position of the wire. */
export function positionOf(position: Position): vscode.Position {
  return new vscode.Position(position.line, position.character);
}

/** A range of the wire. */
export function rangeOf(range: Range): vscode.Range {
  return new vscode.Range(positionOf(range.start), positionOf(range.end));
}

/** The spelling of a URI by which the editor knows a document. */
export function normalise(uri: string): string {
  return vscode.Uri.parse(uri).toString();
}

/** Where a renamed file goes, as the user knows places. */
export function newName({ file }: OpenHunk): string {
  return file.newUri === undefined ? '?' : vscode.workspace.asRelativePath(vscode.Uri.parse(file.newUri));
}

/** The lines that would go; undefined where lines only come. */
export function removedRange(open: OpenHunk): vscode.Range | undefined {
  const { first, removed } = linesOf(open.hunk);
  return removed > 0 ? new vscode.Range(first, 0, first + removed - 1, Number.MAX_SAFE_INTEGER) : undefined;
}

/** The line below which added lines are shown; undefined for above the first. */
export function lineAbove(open: OpenHunk): number | undefined {
  const { first, removed } = linesOf(open.hunk);
  const last = removed > 0 ? first + removed - 1 : first - 1;
  return last >= 0 ? last : undefined;
}

/**
 * Whether the server's places are those of the document as it is now. If not, a state that fits is on its way, and
 * until then what is drawn moves along with the text.
 */
export function fits(open: OpenHunk, document: vscode.TextDocument): boolean {
  return open.file.version === null || open.file.version === document.version;
}
