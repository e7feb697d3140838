import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallEntry, Entry } from '../../../src/chat/entries';
import { MAX_ENTRIES, MAX_OUTPUT } from '../../../src/chat/limits';
import { Transcript } from '../../../src/chat/transcript';
import type { SessionUpdate } from '../../../src/wire';

/** A turn as the server told it: a thought, an answer, a command with live output, an edit, an end. */
const turn: SessionUpdate[] = [
  { sessionUpdate: 'session_info_update', title: 'Mend the sum' },
  { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'A minus ' } },
  { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'for a plus.' } },
  { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Let me ' } },
  { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'look.' } },
  {
    sessionUpdate: 'tool_call',
    toolCallId: 'c1',
    title: 'python3 -m unittest',
    name: 'bash',
    kind: 'execute',
    status: 'pending',
    content: [],
    locations: [],
    rawInput: { command: 'python3 -m unittest' },
  },
  { sessionUpdate: 'tool_call_update', toolCallId: 'c1', title: 'python3 -m unittest', kind: 'execute', status: 'in_progress', locations: [] },
  { sessionUpdate: 'tool_call_update', toolCallId: 'c1', content: [{ type: 'content', content: { type: 'text', text: 'F.' } }] },
  {
    sessionUpdate: 'tool_call_update',
    toolCallId: 'c1',
    status: 'completed',
    content: [{ type: 'content', content: { type: 'text', text: 'F.\nFAILED' } }],
  },
  {
    sessionUpdate: 'tool_call',
    toolCallId: 'c2',
    title: 'Edit sum.py',
    name: 'edit',
    kind: 'edit',
    status: 'completed',
    content: [{ type: 'diff', path: '/p/sum.py', oldText: 'a\nreturn x - y\n', newText: 'a\nreturn x + y\n' }],
    locations: [{ path: '/p/sum.py', line: 2 }],
  },
  { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'cut' }, _meta: { assent: { notice: 'warning' } } },
  { sessionUpdate: 'plan', entries: [{ content: 'Mend', priority: 'high', status: 'in_progress' }] },
  { sessionUpdate: 'usage_update', used: 12, size: 100, _meta: { assent: { total: { input: 10, cached: 4, output: 2 } } } },
];

function told(updates: SessionUpdate[]): Transcript {
  const transcript = new Transcript();
  for (const update of updates) transcript.update(update);
  return transcript;
}

const kinds = (transcript: Transcript) => transcript.entries.map(({ kind }) => kind);
const call = (transcript: Transcript, id: string) => transcript.entries.find((entry): entry is CallEntry => entry.kind === 'call' && entry.callId === id);

test('a turn becomes entries in its order, pieces of one text being one', () => {
  const transcript = told(turn);
  assert.deepEqual(kinds(transcript), ['thought', 'answer', 'call', 'call', 'notice']);
  assert.deepEqual(transcript.entries[0], { id: 1, kind: 'thought', text: 'A minus for a plus.' });
  assert.deepEqual(transcript.entries[1], { id: 2, kind: 'answer', text: 'Let me look.' });
  assert.equal(transcript.title, 'Mend the sum');
  assert.deepEqual(transcript.plan, [{ text: 'Mend', status: 'in_progress' }]);
  assert.deepEqual(transcript.usage, { used: 12, size: 100, total: { input: 10, cached: 4, output: 2 } });
});

test('a call keeps what an update leaves out, and its result takes the place of its output', () => {
  const transcript = told(turn);
  const ran = call(transcript, 'c1');
  assert.equal(ran?.status, 'completed');
  assert.equal(ran?.tool, 'bash');
  assert.equal(ran?.output, 'F.\nFAILED');
  assert.equal(ran?.input, '{\n  "command": "python3 -m unittest"\n}');
});

test('a proposed edit is shown as the lines that differ', () => {
  const edited = call(told(turn), 'c2');
  assert.deepEqual(edited?.places, [{ path: '/p/sum.py', line: 2 }]);
  assert.deepEqual(edited?.diffs, [
    {
      path: '/p/sum.py',
      added: 1,
      removed: 1,
      cut: 0,
      lines: [
        { sign: ' ', text: 'a' },
        { sign: '-', text: 'return x - y' },
        { sign: '+', text: 'return x + y' },
      ],
    },
  ]);
});

test('of a message that is told again, words, documents and pictures are kept apart', () => {
  const chunk = (text: string, prompt: number): SessionUpdate => ({
    sessionUpdate: 'user_message_chunk',
    content: { type: 'text', text },
    _meta: { assent: { prompt } },
  });
  const transcript = told([
    chunk('why?', 0),
    chunk('<document path="src/a.rs" lines="3-4">\nfn\n</document>', 0),
    { sessionUpdate: 'user_message_chunk', content: { type: 'image', mimeType: 'image/png', data: 'AA==' }, _meta: { assent: { prompt: 0 } } },
    chunk('and now?', 1),
  ]);
  assert.deepEqual(transcript.entries, [
    { id: 1, kind: 'prompt', text: 'why?', images: [{ mimeType: 'image/png', data: 'AA==' }], attached: ['src/a.rs:3-4'], prompt: 0 },
    { id: 2, kind: 'prompt', text: 'and now?', images: [], attached: [], prompt: 1 },
  ]);
});

test('what changed is told once', () => {
  const transcript = told(turn);
  transcript.takeChanges();
  transcript.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Now' } });
  transcript.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: ' then' } });
  const changes = transcript.takeChanges();
  assert.equal(changes.all, false);
  assert.deepEqual([...changes.entries].map((entry: Entry) => entry.id), [6]);
  assert.equal(transcript.takeChanges().entries.size, 0);
});

test('a rewind takes a prompt and all behind it away', () => {
  const transcript = new Transcript();
  transcript.number(transcript.say('one', [], []), 0);
  for (const update of turn) transcript.update(update);
  transcript.number(transcript.say('two', [], []), 1);
  transcript.rewind(1);
  assert.equal(transcript.entries.at(-1)?.kind, 'notice');
  transcript.rewind(0);
  assert.deepEqual(transcript.entries, []);
  assert.equal(transcript.takeChanges().all, true);
});

test('calls without an end count as failed when their turn is over', () => {
  const transcript = told(turn.slice(0, 7));
  transcript.endCalls();
  assert.equal(call(transcript, 'c1')?.status, 'failed');
});

test('a long session loses its oldest entries, and a long output its beginning', () => {
  const transcript = new Transcript();
  for (let id = 0; id <= MAX_ENTRIES; id += 1) {
    transcript.update({ sessionUpdate: 'tool_call', toolCallId: `c${id}`, title: 'Read a.rs' });
  }
  assert.equal(transcript.dropped, MAX_ENTRIES / 10);
  assert.equal(transcript.entries.length, MAX_ENTRIES + 1 - transcript.dropped);
  const text = 'x'.repeat(MAX_OUTPUT + 5);
  transcript.update({ sessionUpdate: 'tool_call_update', toolCallId: `c${MAX_ENTRIES}`, content: [{ type: 'content', content: { type: 'text', text } }] });
  const last = call(transcript, `c${MAX_ENTRIES}`);
  assert.equal(last?.cut, 5);
  assert.equal(last?.output.length, MAX_OUTPUT);
});

test('a kind of update that is not known changes nothing', () => {
  const transcript = told([{ sessionUpdate: 'something_new' } as unknown as SessionUpdate]);
  assert.deepEqual(transcript.entries, []);
});
