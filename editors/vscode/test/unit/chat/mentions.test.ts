import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attachment } from '../../../src/chat/entries';
import { completed, contentBlocks, mentioned, typedAt } from '../../../src/chat/mentions';

const range = { start: { line: 3, character: 0 }, end: { line: 5, character: 1 } };
const file: Attachment = { kind: 'file', label: 'src/a.rs', uri: 'file:///p/src/a.rs' };
const symbol: Attachment = { kind: 'symbol', label: 'parse', uri: 'file:///p/src/b.rs', range };

/** `|` is the caret. */
function typed(sign: '/' | '@', text: string) {
  return typedAt(sign, text.replace('|', ''), text.indexOf('|'));
}

test('a mention is what follows an @ at the beginning of a word, up to the caret', () => {
  assert.deepEqual(typed('@', 'look at @sr|'), { start: 8, query: 'sr' });
  assert.deepEqual(typed('@', '@|'), { start: 0, query: '' });
  assert.deepEqual(typed('@', '(@src/a.r|s)'), { start: 1, query: 'src/a.r' });
  assert.equal(typed('@', 'ada@example.o|'), undefined);
  assert.equal(typed('@', '@src/a.rs is|'), undefined);
});

test('a slash command stands at the very beginning', () => {
  assert.deepEqual(typed('/', '/exp|'), { start: 0, query: 'exp' });
  assert.equal(typed('/', ' /exp|'), undefined);
  assert.equal(typed('/', 'a/b|'), undefined);
  assert.equal(typed('/', '/explain this|'), undefined);
});

test('a completion takes the place of what was typed, one blank behind it', () => {
  const text = 'look at @sr, please';
  assert.deepEqual(completed(text, { start: 8, query: 'sr' }, 11, '@src/a.rs'), { text: 'look at @src/a.rs , please', caret: 18 });
  assert.deepEqual(completed('@s now', { start: 0, query: 's' }, 2, '@src/a.rs'), { text: '@src/a.rs now', caret: 10 });
});

test('only what the text still mentions is attached', () => {
  assert.deepEqual(mentioned('see @src/a.rs.', [file, symbol]), [file]);
  assert.deepEqual(mentioned('see @src/a.rs2 and @parser', [file, symbol]), []);
});

const around = {
  selection: () => ({ uri: 'file:///p/c.rs', name: 'c.rs', range }),
  problems: () => 'a.rs:1:1: error: no',
};

test('files and symbols go as links; a file is named without its @, which the server would attach again', () => {
  const blocks = contentBlocks({ text: 'Compare @src/a.rs with @parse', attachments: [file, symbol, file], images: [] }, around);
  assert.deepEqual(blocks, [
    { type: 'text', text: 'Compare src/a.rs with @parse' },
    { type: 'resource_link', uri: 'file:///p/src/a.rs', name: 'src/a.rs' },
    { type: 'resource_link', uri: 'file:///p/src/b.rs', name: 'parse', _meta: { assent: { range } } },
  ]);
});

test('the selection and the problems are those of the moment of sending', () => {
  const attachments: Attachment[] = [
    { kind: 'selection', label: 'selection' },
    { kind: 'problems', label: 'problems' },
    { kind: 'folder', label: 'src/', uri: 'file:///p/src/' },
  ];
  const blocks = contentBlocks({ text: '@selection @problems @src/', attachments, images: [{ mimeType: 'image/png', data: 'AA==' }] }, around);
  assert.deepEqual(blocks, [
    { type: 'text', text: '@selection @problems @src/' },
    { type: 'text', text: 'a.rs:1:1: error: no' },
    { type: 'image', mimeType: 'image/png', data: 'AA==' },
    { type: 'resource_link', uri: 'file:///p/c.rs', name: 'c.rs', _meta: { assent: { range } } },
  ]);
  const nothing = { selection: () => undefined, problems: () => '' };
  assert.deepEqual(contentBlocks({ text: 'x', attachments, images: [] }, nothing), [{ type: 'text', text: 'x' }]);
});
