import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixTarget, problemsAt, selected, target } from '../../src/commands/target';
import { lastWords, type Words } from '../../src/commands/words';

const range = (startLine: number, start: number, endLine: number, end: number) => ({
  start: { line: startLine, character: start },
  end: { line: endLine, character: end },
});
const cursor = (line: number, character: number) => range(line, character, line, character);
const problem = (message: string, at: ReturnType<typeof range>) => ({ message, range: at });

test('a selection is sent, a cursor is not', () => {
  assert.deepEqual(target({ uri: 'file:///a', selection: range(1, 0, 2, 3) }), { uri: 'file:///a', range: range(1, 0, 2, 3) });
  assert.deepEqual(target({ uri: 'file:///a', selection: cursor(1, 0) }), { uri: 'file:///a' });
  assert.deepEqual(selected({ uri: 'file:///a', selection: cursor(1, 0) }), {});
  assert.deepEqual(selected(undefined), {});
});

test('only what the wire knows of a range is sent', () => {
  const editors = { ...range(1, 0, 2, 3), active: 'x', isReversed: true };
  assert.deepEqual(target({ uri: 'u', selection: editors }).range, range(1, 0, 2, 3));
});

const left = problem('left', range(3, 0, 3, 4));
const right = problem('right', range(3, 10, 3, 12));
const far = problem('far', range(9, 0, 9, 1));

test('the problem under the cursor is meant, else those of its line', () => {
  assert.deepEqual(problemsAt([left, right, far], cursor(3, 2)), [left]);
  assert.deepEqual(problemsAt([left, right, far], cursor(3, 7)), [left, right]);
  assert.deepEqual(problemsAt([left, right, far], cursor(5, 0)), []);
});

test('a selection means the problems it touches, and no others', () => {
  assert.deepEqual(problemsAt([left, right, far], range(3, 5, 9, 0)), [right, far]);
  assert.deepEqual(problemsAt([left, right, far], range(4, 0, 5, 0)), []);
});

test('a fix covers its problems where nothing is selected', () => {
  const place = { uri: 'u', selection: cursor(3, 7) };
  assert.deepEqual(fixTarget(place, [right, left]), { uri: 'u', range: range(3, 0, 3, 12), diagnostics: ['right', 'left'] });
  assert.deepEqual(fixTarget({ uri: 'u', selection: range(3, 0, 4, 0) }, [left]).range, range(3, 0, 4, 0));
});

const said = (text: string, notice?: string): Words => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
  ...(notice !== undefined && { _meta: { assent: { notice } } }),
});
const called: Words = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'git diff' };

test('the last words are what was said behind the last call', () => {
  assert.deepEqual(lastWords([said('Let me look.'), called, said('Mend '), said('the sum\n')]), { text: 'Mend the sum' });
  assert.deepEqual(lastWords([said('a'), said('heads up', 'info')]), { text: 'a' });
  assert.deepEqual(lastWords([said('no model', 'error')]), { text: '', problem: 'no model' });
});

test('a code block around a message is no part of it', () => {
  assert.equal(lastWords([said('```text\nMend it\n\n`x` too\n```')]).text, 'Mend it\n\n`x` too');
});
