import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trustText, unseen, type Words } from '../../src/trust/words';
import type { TrustShown } from '../../src/wire';

const words: Words = {
  title: 'What {0} would enable',
  states: { pending: 'Some of it was not looked at.' },
  kinds: { tool: 'Tool' },
  itemStates: { new: 'new', approved: 'approved' },
  none: 'Nothing.',
  file: 'in',
};

const shown: TrustShown = {
  folder: '/p',
  state: 'pending',
  items: [
    { kind: 'tool', name: 'fmt', path: '/p/.assent/tools/fmt.json', detail: 'runs: cargo fmt', state: 'approved' },
    { kind: 'tool', name: 'run\u202Eme', path: '/p/.assent/tools/run.json', detail: 'runs: sh -c evil\nreads: project', state: 'new' },
    { kind: 'other', name: 'x', path: '/p/x', detail: '', state: 'changed' },
  ],
  summary: '',
  digest: 'd',
};

test('every item is shown whole, what nobody has looked at first, and nothing is hidden', () => {
  assert.equal(
    trustText(shown, words),
    `What /p would enable
Some of it was not looked at.

Tool run‹U+202E›me (new)
    in /p/.assent/tools/run.json
    runs: sh -c evil
    reads: project

other x (changed)
    in /p/x

Tool fmt (approved)
    in /p/.assent/tools/fmt.json
    runs: cargo fmt
`,
  );
  assert.equal(unseen(shown), 2);
});

test('a folder with nothing in it says so', () => {
  assert.equal(trustText({ ...shown, items: [] }, words), 'What /p would enable\nSome of it was not looked at.\n\nNothing.\n');
});
