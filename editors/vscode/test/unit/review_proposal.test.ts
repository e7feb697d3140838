import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withHunks } from '../../src/review/proposal';
import { fenced, hidesSomething, visible } from '../../src/review/words';
import type { Hunk } from '../../src/wire';

function hunk(from: [number, number], to: [number, number], newText: string): Hunk {
  const range = { start: { line: from[0], character: from[1] }, end: { line: to[0], character: to[1] } };
  return { id: 'h', status: 'pending', range, oldText: '', newText };
}

test('every hunk goes to its place, whatever the order and the line ends', () => {
  const text = 'one\r\ntwo\nthree\nfour';
  const hunks = [hunk([3, 0], [3, 4], 'FOUR\nFIVE'), hunk([0, 0], [0, 0], 'zero\n'), hunk([1, 0], [2, 0], '')];
  assert.equal(withHunks(text, hunks), 'zero\none\r\nthree\nFOUR\nFIVE');
});

test('a place behind the end is the end', () => {
  assert.equal(withHunks('a\n', [hunk([1, 0], [1, 0], 'b\n')]), 'a\nb\n');
  assert.equal(withHunks('', [hunk([0, 0], [0, 0], 'new\n')]), 'new\n');
  assert.equal(withHunks('a', [hunk([7, 0], [9, 0], '\nb')]), 'a\nb');
});

test('of two hunks that overlap only the first is in the proposal', () => {
  assert.equal(withHunks('a\nb\nc\n', [hunk([0, 0], [2, 0], 'x\n'), hunk([1, 0], [2, 0], 'y\n')]), 'x\nc\n');
});

test('no text gets out of its code block', () => {
  assert.equal(fenced('a\n', 'python'), '```python\na\n```');
  assert.equal(fenced('no end', ''), '```\nno end\n```');
  assert.equal(fenced('```\n# Title\n````\n', 'md'), '`````md\n```\n# Title\n````\n`````');
  assert.equal(fenced('a\r\nb\r', 'x'), '```x\na\nb\n```');
});

test('characters that would not be seen are made visible', () => {
  assert.equal(visible('a\u202eb\u200b\u0007'), 'a⟨U+202E⟩b⟨U+200B⟩⟨U+0007⟩');
  assert.equal(visible('tab\tline\n größer 語 😀'), 'tab\tline\n größer 語 😀');
  assert.equal(hidesSomething('a\u2066b'), true);
  assert.equal(hidesSomething('plain\r\n'), false);
});
