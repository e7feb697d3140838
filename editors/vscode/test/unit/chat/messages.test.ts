import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_IMAGE, MAX_IMAGES, MAX_PROMPT, MAX_RULE } from '../../../src/chat/limits';
import { fromPanel } from '../../../src/chat/messages';

const send = { type: 'send', text: 'hi', attachments: [], images: [] };

test('a message that fits is taken, without what it should not have', () => {
  assert.deepEqual(fromPanel({ ...send, extra: 1 }), send);
  assert.deepEqual(fromPanel({ type: 'openPlace', path: 'a.rs', line: 3 }), { type: 'openPlace', path: 'a.rs', line: 3 });
  const approve = { type: 'approve', key: 'a1', option: 'reject_once' };
  const said = { feedback: 'no', stop: true, rule: 'bash(ls)', scope: 'session' };
  assert.deepEqual(fromPanel({ ...approve, said: { ...said, digest: 'made up' } }), { ...approve, said });
  const range = { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } };
  const attachments = [{ kind: 'symbol', label: 'f', uri: 'file:///a', range }];
  assert.deepEqual(fromPanel({ ...send, attachments }), { ...send, attachments });
});

test('what is no message is dropped', () => {
  const bad: unknown[] = [
    undefined,
    null,
    'ready',
    [],
    {},
    { type: 'toString' },
    { type: '__proto__' },
    { type: 'evil' },
    { ...send, text: 7 },
    { ...send, text: 'x'.repeat(MAX_PROMPT + 1) },
    { ...send, attachments: {} },
    { ...send, attachments: [{ kind: 'file', label: 'a' }] },
    { ...send, attachments: [{ kind: 'file', label: 'a', uri: 'file:///a', range: { start: {}, end: {} } }] },
    { ...send, attachments: [{ kind: 'symbol', label: 'a', uri: 'file:///a' }] },
    { ...send, images: [{ mimeType: 'image/svg+xml', data: 'AA==' }] },
    { ...send, images: [{ mimeType: 'image/png', data: '"><script>' }] },
    { ...send, images: [{ mimeType: 'image/png', data: 'A'.repeat(MAX_IMAGE + 1) }] },
    { ...send, images: Array(MAX_IMAGES + 1).fill({ mimeType: 'image/png', data: 'AA==' }) },
    { ...send, type: 'resend', prompt: -1 },
    { type: 'earlier', before: 1.5 },
    { type: 'approve', key: 'a1' },
    { type: 'approve', key: 'a1', option: 'allow_once' },
    { type: 'approve', key: 'a1', option: 'allow_once', said: { stop: 'yes' } },
    { type: 'approve', key: 'a1', option: 'allow_always', said: { scope: 'forever' } },
    { type: 'approve', key: 'a1', option: 'allow_always', said: { rule: 'x'.repeat(MAX_RULE + 1) } },
    { type: 'answer', key: 'q1', values: { answer: 3 } },
    { type: 'renameSession', id: 's1', title: '  ' },
  ];
  for (const message of bad) assert.equal(fromPanel(message), undefined, JSON.stringify(message)?.slice(0, 100));
});
