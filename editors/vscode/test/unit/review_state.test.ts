import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, refOf, Reviews } from '../../src/review/state';
import type { Hunk, HunkStatus, Review, ReviewFile } from '../../src/wire';

const A = 'file:///a.txt';
const B = 'file:///b.txt';

function hunk(id: string, line: number, removed = 1, newText = 'new\n', status: HunkStatus = 'pending'): Hunk {
  const range = { start: { line, character: 0 }, end: { line: line + removed, character: 0 } };
  return { id, status, range, oldText: 'old\n'.repeat(removed), newText };
}

function file(uri: string, ...hunks: Hunk[]): ReviewFile {
  return { uri, version: 1, change: 'edit', hunks };
}

function review(reviewId: string, ...files: ReviewFile[]): Review {
  return { reviewId, sessionId: 's', toolCallId: 'c', status: 'open', files };
}

function reviews(...told: Review[]): Reviews {
  const state = new Reviews((uri) => uri);
  for (const one of told) state.update(one);
  return state;
}

const ids = (state: Reviews, uri: string): string[] => state.in(uri).map((open) => open.hunk.id);

test('only pending hunks wait, from the top of the file', () => {
  const decided = [hunk('h2', 5, 1, 'x', 'stale'), hunk('h4', 7, 1, 'x', 'accepted')];
  const state = reviews(review('r1', file(A, hunk('h3', 9), hunk('h1', 2), ...decided)));
  assert.deepEqual(ids(state, A), ['h1', 'h3']);
  assert.equal(state.count, 2);
});

test('a new state takes the place of the old one, and names what to draw anew', () => {
  const state = reviews(review('r1', file(A, hunk('h1', 1)), file(B, hunk('h2', 1))));
  const touched = state.update(review('r1', file(B, hunk('h2', 4))));
  assert.deepEqual([...touched].sort(), [A, B]);
  assert.deepEqual(ids(state, A), []);
  assert.equal(state.in(B)[0]?.hunk.range.start.line, 4);
});

test('a closed review is gone, and so is everything once the server is', () => {
  const state = reviews(review('r1', file(A, hunk('h1', 1))), review('r2', file(B, hunk('h1', 1))));
  state.update({ ...review('r1', file(A, hunk('h1', 1, 1, 'x', 'accepted'))), status: 'closed' });
  assert.equal(state.count, 1);
  assert.deepEqual([...state.clear()], [B]);
  assert.equal(state.count, 0);
});

test('a hunk is found by its name, also beside one of the same name in another review', () => {
  const state = reviews(review('r1', file(A, hunk('h1', 1))), review('r2', file(A, hunk('h1', 5))));
  const found = state.find({ reviewId: 'r2', hunk: 'h1' });
  assert.equal(found?.hunk.range.start.line, 5);
  assert.deepEqual(found && refOf(found), { reviewId: 'r2', hunk: 'h1' });
  assert.equal(state.find({ reviewId: 'r2', hunk: 'h2' }), undefined);
});

test('URIs of the server are told in the spelling of the editor', () => {
  const state = new Reviews((uri) => uri.toLowerCase());
  assert.deepEqual([...state.update(review('r1', file('file:///C%3A/X', hunk('h1', 0))))], ['file:///c%3a/x']);
  assert.equal(state.in('file:///c%3a/x').length, 1);
});

test('stepping goes down the file, on into the next, and round', () => {
  const state = reviews(review('r1', file(A, hunk('h1', 2), hunk('h2', 8)), file(B, hunk('h3', 0))));
  const step = (uri: string | undefined, line: number, forward: boolean): string | undefined =>
    state.step(uri === undefined ? undefined : { uri, line }, forward)?.hunk.id;
  assert.equal(step(A, 0, true), 'h1');
  assert.equal(step(A, 2, true), 'h2');
  assert.equal(step(A, 8, true), 'h3');
  assert.equal(step(B, 0, true), 'h1');
  assert.equal(step(A, 8, false), 'h1');
  assert.equal(step(A, 2, false), 'h3');
  assert.equal(step('file:///elsewhere', 3, true), 'h1');
  assert.equal(step('file:///elsewhere', 3, false), 'h3');
  assert.equal(step(undefined, 0, true), 'h1');
  assert.equal(reviews().step(undefined, true), undefined);
});

test('the hunk at a line is the one that takes it away, else the one that comes there', () => {
  const state = reviews(review('r1', file(A, hunk('gone', 3, 2), hunk('come', 5, 0))));
  const at = (line: number): string | undefined => state.at({ uri: A, line })?.hunk.id;
  assert.equal(at(2), undefined);
  assert.equal(at(3), 'gone');
  assert.equal(at(4), 'gone');
  assert.equal(at(5), 'come');
  assert.equal(at(6), undefined);
});

test('a hunk counts whole lines, also without a line end at the end of the text', () => {
  assert.deepEqual(linesOf(hunk('h', 4, 2, 'a\nb\nc\n')), { first: 4, removed: 2, added: 3 });
  assert.deepEqual(linesOf(hunk('h', 4, 0, 'a')), { first: 4, removed: 0, added: 1 });
  assert.deepEqual(linesOf(hunk('h', 4, 1, '')), { first: 4, removed: 1, added: 0 });
  const last = { ...hunk('h', 4), range: { start: { line: 4, character: 0 }, end: { line: 5, character: 3 } } };
  assert.equal(linesOf(last).removed, 2);
});
