/** The lines that differ between two texts, with a little around them, for a look in the chat. */
import type { DiffLine, FileDiff } from './entries';
import { MAX_COMPARED_LINES, MAX_DIFF_LINES } from './limits';

/** Unchanged lines shown on either side of a change. */
const AROUND = 3;

/** Compares a file before and after. */
export function fileDiff(path: string, before: string, after: string): FileDiff {
  const old = lines(before);
  const now = lines(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let oldEnd = old.length;
  let nowEnd = now.length;
  while (oldEnd > start && nowEnd > start && old[oldEnd - 1] === now[nowEnd - 1]) {
    oldEnd -= 1;
    nowEnd -= 1;
  }
  const changes = [
    ...old.slice(0, start).map(same),
    ...compare(old.slice(start, oldEnd), now.slice(start, nowEnd)),
    ...old.slice(oldEnd).map(same),
  ];
  const shown = withoutFarLines(changes);
  return {
    path,
    added: changes.filter((line) => line.sign === '+').length,
    removed: changes.filter((line) => line.sign === '-').length,
    lines: shown.slice(0, MAX_DIFF_LINES),
    cut: Math.max(0, shown.length - MAX_DIFF_LINES),
  };
}

function lines(text: string): string[] {
  if (text === '') return [];
  const all = text.split(/\r?\n/);
  if (all.at(-1) === '') all.pop();
  return all;
}

const same = (text: string): DiffLine => ({ sign: ' ', text });
const added = (text: string): DiffLine => ({ sign: '+', text });
const removed = (text: string): DiffLine => ({ sign: '-', text });

/** By the longest common subsequence where that is affordable, else as one replacement. */
function compare(old: string[], now: string[]): DiffLine[] {
  if (old.length > MAX_COMPARED_LINES || now.length > MAX_COMPARED_LINES) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  const common = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      common[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const result: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < old.length || column < now.length) {
    const oldLine = old[row];
    const newLine = now[column];
    if (oldLine !== undefined && oldLine === newLine) {
      result.push(same(oldLine));
      row += 1;
      column += 1;
    } else if (oldLine !== undefined && (newLine === undefined || at(row + 1, column) >= at(row, column + 1))) {
      result.push(removed(oldLine));
      row += 1;
    } else if (newLine !== undefined) {
      result.push(added(newLine));
      column += 1;
    }
  }
  return result;
}

/** Leaves out unchanged lines that are far from any change, with a mark in their place. */
function withoutFarLines(all: DiffLine[]): DiffLine[] {
  const near = new Uint8Array(all.length);
  all.forEach((line, index) => {
    if (line.sign !== ' ') near.fill(1, Math.max(0, index - AROUND), index + AROUND + 1);
  });
  const kept: DiffLine[] = [];
  let far = false;
  all.forEach((line, index) => {
    if (near[index]) {
      if (far && kept.length > 0) kept.push({ sign: '…', text: '' });
      far = false;
      kept.push(line);
    } else {
      far = true;
    }
  });
  return kept;
}
