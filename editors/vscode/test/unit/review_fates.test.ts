import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fates } from '../../src/review/fates';
import type { HunkStatus, Review, ReviewFile } from '../../src/wire';

const RANGE = { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } };

function review(...statuses: HunkStatus[]): Review {
  const hunks = statuses.map((status, index) => ({ id: `h${index + 1}`, status, range: RANGE, oldText: '', newText: '' }));
  const file: ReviewFile = { uri: 'file:///a', version: 1, change: 'edit', hunks };
  return { reviewId: 'r1', sessionId: 's', toolCallId: 'c', status: 'open', files: [file] };
}

function accepted(...hunks: string[]): Fates {
  const fates = new Fates();
  for (const hunk of hunks) fates.accept({ reviewId: 'r1', hunk });
  return fates;
}

test('an accepted hunk that gets into the text is not worth a word', () => {
  const fates = accepted('h1');
  assert.deepEqual(fates.note(review('pending')), []);
  assert.deepEqual(fates.note(review('accepted')), []);
  assert.deepEqual(fates.note(review('stale')), []);
});

test('one that does not is told, once for its file', () => {
  const fates = accepted('h1', 'h2');
  assert.deepEqual(fates.note(review('stale', 'stale')), ['file:///a']);
  assert.deepEqual(fates.note(review('stale', 'stale')), []);
});

test('one that is offered again is seen by that', () => {
  assert.deepEqual(accepted('h1').note(review('stale', 'pending')), []);
});

test('what the user did not accept is not told', () => {
  assert.deepEqual(accepted().note(review('stale')), []);
  assert.deepEqual(accepted('h2').note(review('rejected', 'accepted')), []);
});

test('nothing of a server that ended is told of the next', () => {
  const fates = accepted('h1');
  fates.forget();
  assert.deepEqual(fates.note(review('stale')), []);
});
