import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { MAX_ENTRIES, PAGE_ENTRIES, PATCH_PAUSE } from '../../../src/chat/limits';
import type { ToPanel } from '../../../src/chat/messages';
import { Patches, type Shown } from '../../../src/chat/patches';
import { Session } from '../../../src/chat/session';
import { applied, empty, type Model } from '../../../panel/model';

const state: Shown['state'] = {
  server: 'running',
  session: { id: 's1', title: '' },
  loading: false,
  running: false,
  held: false,
  pickers: [],
  commands: [],
  plan: [],
  usage: null,
  queue: [],
  attachments: [],
  sessions: null,
};

function setUp() {
  const session = new Session('s1');
  const shown: Shown = { session, state, cards: [] };
  const posted: (ToPanel & { type: 'update' })[] = [];
  const panel = { model: empty as Model };
  const patches = new Patches(
    () => shown,
    (message) => {
      // As `postMessage` does it.
      const copy = structuredClone(message) as ToPanel & { type: 'update' };
      posted.push(copy);
      panel.model = applied(panel.model, copy, true);
    },
  );
  const say = (text: string) => session.transcript.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  const read = (id: number) => session.transcript.update({ sessionUpdate: 'tool_call', toolCallId: `c${id}`, title: `Read ${id}` });
  return { session, shown, posted, panel, patches, say, read };
}

test('a panel that connects is told everything, then only what is different', () => {
  const { patches, posted, panel, session, shown, say } = setUp();
  say('one');
  patches.reconnect();
  assert.deepEqual(panel.model.entries, session.transcript.entries);
  say(' two');
  patches.flush();
  assert.deepEqual(posted.at(-1), { type: 'update', entries: [{ op: 'append', id: 1, text: ' two' }] });
  shown.state = { ...state, running: true };
  patches.flush();
  assert.deepEqual(posted.at(-1), { type: 'update', state: { running: true } });
  patches.flush();
  assert.equal(posted.length, 3);
  assert.deepEqual(panel.model.entries, session.transcript.entries);
});

test('changes of one frame are told together, and none without a panel', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { patches, posted, say } = setUp();
    say('a');
    patches.note();
    mock.timers.tick(PATCH_PAUSE);
    assert.equal(posted.length, 0);
    patches.reconnect();
    for (const letter of 'bcd') {
      say(letter);
      patches.note();
    }
    assert.equal(posted.length, 1);
    mock.timers.tick(PATCH_PAUSE);
    assert.deepEqual(posted[1], { type: 'update', entries: [{ op: 'append', id: 1, text: 'bcd' }] });
    patches.disconnect();
    say('e');
    patches.note();
    mock.timers.tick(PATCH_PAUSE);
    assert.equal(posted.length, 2);
  } finally {
    mock.timers.reset();
  }
});

test('of a long session the end is told, and the rest page by page', () => {
  const { patches, panel, session, read } = setUp();
  for (let id = 1; id <= 450; id += 1) read(id);
  patches.reconnect();
  assert.equal(panel.model.entries.length, PAGE_ENTRIES);
  assert.equal(panel.model.state.earlier, 250);
  patches.earlier(panel.model.entries[0]?.id ?? 0);
  assert.equal(panel.model.entries.length, 400);
  assert.equal(panel.model.state.earlier, 50);
  patches.earlier(panel.model.entries[0]?.id ?? 0);
  assert.deepEqual(panel.model.entries, session.transcript.entries);
  assert.equal(panel.model.state.earlier, 0);
});

test('another session is told whole', () => {
  const { patches, panel, shown, say } = setUp();
  say('one');
  patches.reconnect();
  const other = new Session('s2');
  other.transcript.tell('info', 'new');
  shown.session = other;
  patches.flush();
  assert.deepEqual(panel.model.entries, other.transcript.entries);
});

test('ten thousand calls leave the panel with a few hundred, and each change small', () => {
  const { patches, panel, posted, read } = setUp();
  patches.reconnect();
  for (let id = 1; id <= 10_000; id += 1) {
    read(id);
    patches.flush();
  }
  assert.ok(panel.model.entries.length <= 600, String(panel.model.entries.length));
  assert.equal(panel.model.entries.at(-1)?.id, 10_000);
  assert.ok(posted.slice(1).every((message) => JSON.stringify(message).length < 1_000));
  assert.ok(10_000 < MAX_ENTRIES);
  const shownFirst = panel.model.entries[0]?.id ?? 0;
  patches.earlier(shownFirst);
  assert.equal(panel.model.entries[0]?.id, shownFirst - PAGE_ENTRIES);
});
