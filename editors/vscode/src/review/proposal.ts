/** The text of a file as it would be with every hunk that waits in it. */
import type { Hunk } from '../wire';
import type { Position } from 'vscode-languageclient';

/** `text` with `hunks`. One that overlaps another stays out: both cannot be accepted as they are. */
export function withHunks(text: string, hunks: readonly Hunk[]): string {
  const starts = lineStarts(text);
  const offset = ({ line, character }: Position): number => Math.min((starts[line] ?? text.length) + character, text.length);
  const sorted = [...hunks].sort((a, b) => offset(a.range.start) - offset(b.range.start));
  let result = '';
  let at = 0;
  for (const hunk of sorted) {
    const start = offset(hunk.range.start);
    if (start < at) continue;
    result += text.slice(at, start) + hunk.newText;
    at = offset(hunk.range.end);
  }
  return result + text.slice(at);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const found of text.matchAll(/\r\n|\n|\r/g)) starts.push(found.index + found[0].length);
  return starts;
}
