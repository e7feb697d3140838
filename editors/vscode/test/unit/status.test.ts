import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusBoard, type Facts } from '../../src/status/board';
import { choices, short, view, type Words } from '../../src/status/view';

const words: Words = {
  idle: 'ready',
  starting: 'starting',
  down: 'down',
  working: 'working',
  hunks: (count) => `${count} hunks`,
  approvals: (count) => `${count} approvals`,
  trust: (count) => `${count} to look at`,
  tokens: (count) => `${count} tokens`,
  model: (name) => name,
  mode: (name) => name,
  showApprovals: 'approvals',
  lookAtTrust: 'trust',
  stop: 'stop',
  nextHunk: 'next',
  acceptAll: 'accept all',
  rejectAll: 'reject all',
  ask: 'ask',
  openChat: 'chat',
  selectModel: 'model',
  selectMode: 'mode',
  restart: 'restart',
  log: 'log',
};

function facts(some: Partial<Facts> = {}): Readonly<Facts> {
  const board = new StatusBoard();
  board.set({ server: 'running', ...some });
  return board.facts;
}

const labels = (some: Partial<Facts>) => choices(facts(some), words).map(({ label }) => label);

test('nothing to say is said quietly', () => {
  assert.deepEqual(view(facts(), words), { text: '$(pass) Assent', tooltip: 'ready', severity: 'none' });
  assert.deepEqual(labels({}), ['chat', 'ask', 'restart', 'log']);
});

test('a turn shows its tokens and what it does, what waits stands beside it', () => {
  const busy = view(facts({ turns: 1, message: 'Read a.rs', tokens: 12_345, hunks: 3, approvals: 1, model: 'a/b' }), words);
  assert.equal(busy.text, '$(loading~spin) Assent 12k $(shield) 1 $(diff) 3');
  assert.equal(busy.tooltip, 'working: Read a.rs, 1 approvals, 3 hunks, 12k tokens, a/b');
  assert.equal(busy.severity, 'warning');
});

test('a server that is down outweighs everything', () => {
  assert.equal(view(facts({ server: 'failed', hunks: 3 }), words).severity, 'error');
  assert.deepEqual(labels({ server: 'failed', hunks: 3 }), ['restart', 'log']);
});

test('what waits for the user comes first in the menu, then the conversation', () => {
  assert.deepEqual(labels({ turns: 1, hunks: 1, approvals: 1, model: 'a/b', mode: 'ask' }), [
    'approvals',
    'stop',
    'next',
    'accept all',
    'reject all',
    'chat',
    'ask',
    'model',
    'mode',
    'restart',
    'log',
  ]);
});

test('a change is told until nobody listens any more', () => {
  const board = new StatusBoard();
  let told = 0;
  const listener = board.onChange(() => (told += 1));
  board.set({ hunks: 1 });
  listener.dispose();
  board.set({ hunks: 2 });
  assert.equal(told, 1);
  assert.equal(board.facts.hunks, 2);
});

test('counts are short', () => {
  assert.deepEqual([0, 999, 1_000, 9_949, 9_950, 999_499, 999_500].map(short), ['0', '999', '1.0k', '9.9k', '10k', '999k', '1.0M']);
});

test('what of the workspace nobody has looked at is counted, and is in the menu', () => {
  assert.equal(view(facts({ trust: 2 }), words).text, '$(pass) Assent $(workspace-unknown) 2');
  assert.match(view(facts({ trust: 2 }), words).tooltip, /2 to look at/);
  assert.deepEqual(labels({ trust: 2 }), ['trust', 'chat', 'ask', 'restart', 'log']);
});
