import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Draft } from '../../../src/chat/session';
import { Sessions } from '../../../src/chat/sessions';
import type { State } from '../../../src/server/connection';
import type { SessionUpdate } from '../../../src/wire';
import { FakeServer, settled } from './server';

const words = {
  stopped: 'stopped',
  outputLimit: 'output limit',
  turnLimit: 'turn limit',
  refused: 'refused',
  serverGone: 'server gone',
  queueFull: 'queue full',
  untitled: 'untitled',
  notFound: 'not found',
};

function setUp(kept: Record<string, unknown> = {}, state: State = 'running') {
  const server = new FakeServer();
  server.become(state);
  const memory = new Map(Object.entries(kept));
  const sessions = new Sessions({
    server,
    onTurn: server.turns.on,
    words,
    memory: { get: <Value>(key: string) => memory.get(key) as Value | undefined, update: async (key, value) => void memory.set(key, value) },
    folder: () => '/p',
    blocks: async (draft) => [{ type: 'text', text: draft.text }],
  });
  return { server, sessions, memory };
}

const draft = (text: string): Draft => ({ text, attachments: [], images: [] });
const said = (sessions: Sessions) => sessions.current?.transcript.entries.map((entry) => ('text' in entry ? entry.text : entry.title));
const modes = [{ type: 'select', id: 'mode', name: 'Mode', currentValue: 'ask', options: [{ value: 'ask', name: 'Ask' }, { value: 'plan', name: 'Plan' }] }];
const userChunk = (text: string, prompt: number): SessionUpdate => ({
  sessionUpdate: 'user_message_chunk',
  content: { type: 'text', text },
  _meta: { assent: { prompt } },
});

async function withSession() {
  const parts = setUp();
  const ready = parts.sessions.ready();
  await (await parts.server.take('session/new')).answer({ sessionId: 's1', configOptions: modes });
  await ready;
  return parts;
}

test('the first session is a new one, and is remembered', async () => {
  const { sessions, memory } = await withSession();
  assert.equal(sessions.current?.id, 's1');
  assert.deepEqual(memory.get('assent.chat.session'), { id: 's1', title: '' });
  assert.equal(sessions.current?.transcript.pickers[0]?.value, 'ask');
});

test('after a reload the session is told again', async () => {
  const { server, sessions } = setUp({ 'assent.chat.session': { id: 's7', title: 'Old' } });
  const ready = sessions.ready();
  const load = await server.take('session/load');
  assert.deepEqual(load.params, { sessionId: 's7', mcpServers: [], cwd: '/p' });
  assert.equal(sessions.current?.loading, true);
  server.update('s7', userChunk('hi', 0));
  await load.answer({});
  await ready;
  assert.deepEqual(said(sessions), ['hi']);
  assert.equal(sessions.current?.transcript.title, 'Old');
});

test('what a turn left waiting is brought back with the window, whether or not the panel shows', async () => {
  const { server, sessions } = setUp({ 'assent.chat.session': { id: 's7', title: 'Old', running: true } }, 'stopped');
  server.become('running');
  await (await server.take('session/load')).answer({});
  await settled();
  assert.equal(sessions.current?.id, 's7');

  const quiet = setUp({ 'assent.chat.session': { id: 's7', title: 'Old' } }, 'stopped');
  quiet.server.become('running');
  await settled();
  assert.equal(quiet.sessions.current, undefined);
});

test('that a turn runs is remembered as long as it does', async () => {
  const { server, sessions, memory } = await withSession();
  const running = () => (memory.get('assent.chat.session') as { running?: boolean }).running;
  const sent = sessions.send(draft('hi'));
  const prompt = await server.take('session/prompt');
  assert.equal(running(), true);
  await prompt.answer({ stopReason: 'end_turn' });
  await sent;
  assert.equal(running(), undefined);
  server.turns.fire({ sessionId: 's1', running: true });
  assert.equal(running(), true);
  server.turns.fire({ sessionId: 's1', running: false });
  assert.equal(running(), undefined);
});

test('a session that is gone gives way to a new one', async () => {
  const { server, sessions } = setUp({ 'assent.chat.session': { id: 's7', title: 'Old' } });
  const ready = sessions.ready();
  await (await server.take('session/load')).fail(new Error('no such session'));
  await (await server.take('session/new')).answer({ sessionId: 's1' });
  await ready;
  assert.deepEqual(said(sessions), ['not found']);
});

test('a prompt is shown at once, and numbered when it is answered', async () => {
  const { server, sessions } = await withSession();
  const sent = sessions.send(draft('why?'));
  const prompt = await server.take('session/prompt');
  assert.deepEqual(prompt.params, { sessionId: 's1', prompt: [{ type: 'text', text: 'why?' }] });
  assert.equal(sessions.current?.running, true);
  server.update('s1', { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'because' } });
  await prompt.answer({ stopReason: 'end_turn', _meta: { assent: { prompt: 3 } } });
  await sent;
  assert.deepEqual(said(sessions), ['why?', 'because']);
  const [first] = sessions.current?.transcript.entries ?? [];
  assert.equal(first?.kind === 'prompt' && first.prompt, 3);
  assert.equal(sessions.current?.running, false);
});

test('what is typed while a turn runs is sent in its order when the turn has ended', async () => {
  const { server, sessions } = await withSession();
  void sessions.send(draft('one'));
  const one = await server.take('session/prompt');
  await sessions.send(draft('two'));
  await sessions.send(draft('three'));
  await sessions.send(draft('four'));
  sessions.editQueued(2, 'THREE');
  sessions.removeQueued(3);
  await one.answer({ stopReason: 'end_turn' });
  const two = await server.take('session/prompt');
  assert.deepEqual(two.params['prompt'], [{ type: 'text', text: 'two' }]);
  await two.answer({ stopReason: 'end_turn' });
  const three = await server.take('session/prompt');
  assert.deepEqual(three.params['prompt'], [{ type: 'text', text: 'THREE' }]);
  await three.answer({ stopReason: 'end_turn' });
  assert.equal(server.asked.length, 0);
});

test('what waits survives a reload, and then waits for the user', async () => {
  const { server, sessions, memory } = await withSession();
  void sessions.send(draft('one'));
  await server.take('session/prompt');
  await sessions.send(draft('two'));
  const after = setUp(Object.fromEntries(memory));
  const ready = after.sessions.ready();
  await (await after.server.take('session/load')).answer({});
  await ready;
  assert.deepEqual(
    after.sessions.current?.queue.map(({ text }) => text),
    ['two'],
  );
  assert.equal(after.sessions.current?.held, true);
  void after.sessions.sendQueued(1);
  await after.server.take('session/prompt');
  assert.deepEqual(after.memory.get('assent.chat.session'), { id: 's1', title: '', running: true });
});

test('after a turn that was stopped or failed the queue waits for the user', async () => {
  for (const end of ['cancelled', 'error'] as const) {
    const { server, sessions } = await withSession();
    void sessions.send(draft('one'));
    const one = await server.take('session/prompt');
    await sessions.send(draft('two'));
    await sessions.cancel();
    assert.deepEqual(server.told, [{ name: 'session/cancel', params: { sessionId: 's1' } }]);
    if (end === 'cancelled') await one.answer({ stopReason: 'cancelled' });
    else await one.fail(new Error('no model'));
    await settled();
    assert.equal(server.asked.length, 0);
    assert.equal(sessions.current?.held, true);
    assert.deepEqual(said(sessions), ['one', end === 'cancelled' ? 'stopped' : 'no model']);
    void sessions.sendQueued(1);
    const two = await server.take('session/prompt');
    assert.deepEqual(two.params['prompt'], [{ type: 'text', text: 'two' }]);
  }
});

test('an earlier message is taken back and sent anew', async () => {
  const { server, sessions } = await withSession();
  for (const [number, text] of ['one', 'two'].entries()) {
    const sent = sessions.send(draft(text));
    await (await server.take('session/prompt')).answer({ stopReason: 'end_turn', _meta: { assent: { prompt: number } } });
    await sent;
  }
  void sessions.resend(0, draft('ONE'));
  const rewind = await server.take('_assent/session/rewind');
  assert.deepEqual(rewind.params, { sessionId: 's1', prompt: 0 });
  await rewind.answer({});
  assert.deepEqual((await server.take('session/prompt')).params['prompt'], [{ type: 'text', text: 'ONE' }]);
  assert.deepEqual(said(sessions), ['ONE']);
});

test('a rewind that is refused leaves the conversation as it is', async () => {
  const { server, sessions } = await withSession();
  const sent = sessions.send(draft('one'));
  await (await server.take('session/prompt')).answer({ stopReason: 'end_turn', _meta: { assent: { prompt: 0 } } });
  await sent;
  const resent = assert.rejects(sessions.resend(0, draft('ONE')), /a turn runs/);
  await (await server.take('_assent/session/rewind')).fail(new Error('a turn runs'));
  await resent;
  assert.deepEqual(said(sessions), ['one']);
});

test('a turn that a command started runs and ends here too', async () => {
  const { server, sessions } = await withSession();
  server.turns.fire({ sessionId: 's2', running: true });
  server.update('s2', userChunk('explain', 0));
  const opened = sessions.open('s2');
  await (await server.take('session/resume')).answer({ configOptions: modes });
  await opened;
  assert.equal(sessions.current?.running, true);
  assert.deepEqual(said(sessions), ['explain']);
  server.turns.fire({ sessionId: 's2', running: false });
  await settled();
  assert.equal(sessions.current?.running, false);
  assert.equal(server.asked.length, 0);
});

test('of an older session only heard of in a turn, the rest is loaded when the turn has ended', async () => {
  const { server, sessions } = await withSession();
  server.turns.fire({ sessionId: 's2', running: true });
  server.update('s2', userChunk('and now?', 4));
  void sessions.open('s2');
  await (await server.take('session/resume')).answer({});
  server.turns.fire({ sessionId: 's2', running: false });
  const load = await server.take('session/load');
  assert.deepEqual(said(sessions), []);
  server.update('s2', userChunk('first', 0));
  await load.answer({});
  assert.deepEqual(said(sessions), ['first']);
});

test('a server that goes takes the turn along; the one that comes tells the session again', async () => {
  const { server, sessions } = await withSession();
  void sessions.send(draft('one'));
  const prompt = await server.take('session/prompt');
  await sessions.send(draft('two'));
  server.become('starting');
  assert.equal(sessions.current?.running, false);
  assert.deepEqual(said(sessions), ['one', 'server gone']);
  await prompt.fail(new Error('connection closed'));
  assert.deepEqual(said(sessions), ['one', 'server gone']);
  server.become('running');
  const load = await server.take('session/load');
  server.update('s1', userChunk('one', 0));
  await load.answer({});
  assert.deepEqual(said(sessions), ['one', 'server gone']);
  assert.equal(sessions.current?.held, true);
  assert.equal(sessions.current?.queue.length, 1);
});

test('the list has all pages; names and deletions go through the server', async () => {
  const { server, sessions } = await withSession();
  const list = sessions.list();
  const first = await server.take('session/list');
  await first.answer({ sessions: [{ sessionId: 's1', cwd: '/p', title: 'One', updatedAt: '2026-01-01T00:00:00Z' }], nextCursor: 'next' });
  const second = await server.take('session/list');
  assert.deepEqual(second.params, { cwd: '/p', cursor: 'next' });
  await second.answer({ sessions: [{ sessionId: 's0', cwd: '/p' }] });
  assert.deepEqual(await list, [
    { id: 's1', title: 'One', folder: '/p', running: false, updated: '2026-01-01T00:00:00Z' },
    { id: 's0', title: 'untitled', folder: '/p', running: false },
  ]);
  void sessions.rename('s1', 'Uno');
  const rename = await server.take('_assent/session/rename');
  assert.deepEqual(rename.params, { sessionId: 's1', title: 'Uno' });
  await rename.answer({});
  assert.equal(sessions.current?.transcript.title, 'Uno');
  void sessions.remove('s1');
  await (await server.take('session/delete')).answer({});
  assert.equal(sessions.current, undefined);
});

test('a command behind a running turn waits in the queue, and starts a turn of its own', async () => {
  const { server, sessions } = await withSession();
  const command = { id: 'assent.explain', argument: { uri: 'file:///a' } };
  const waiting: Draft = { text: 'Explain a', attachments: [], images: [], command };
  assert.equal(sessions.enqueue(waiting), false);
  void sessions.send(draft('one'));
  const prompt = await server.take('session/prompt');
  assert.equal(sessions.enqueue(waiting, 's2'), false);
  assert.equal(sessions.enqueue(waiting), true);
  sessions.editQueued(sessions.current?.queue[0]?.id ?? 0, 'Something else');
  assert.deepEqual(sessions.current?.queue.map(({ text }) => text), ['Explain a']);
  await prompt.answer({ stopReason: 'end_turn' });
  const started = await server.take('assent.explain');
  assert.deepEqual(started.params, { uri: 'file:///a', sessionId: 's1' });
  assert.equal(sessions.current?.running, true);
  void sessions.send(draft('after it'));
  await started.answer({ sessionId: 's1' });
  server.turns.fire({ sessionId: 's1', running: true });
  server.turns.fire({ sessionId: 's1', running: false });
  assert.equal((await server.take('session/prompt')).params['sessionId'], 's1');
});

test('a waiting command that cannot start says why, and holds what is behind it', async () => {
  const { server, sessions } = await withSession();
  void sessions.send(draft('one'));
  const prompt = await server.take('session/prompt');
  sessions.enqueue({ text: 'Plan', attachments: [], images: [], command: { id: 'assent.plan', argument: {} } });
  void sessions.send(draft('two'));
  await settled();
  await prompt.answer({ stopReason: 'end_turn' });
  await (await server.take('assent.plan')).fail(new Error('no plan'));
  assert.equal(sessions.current?.running, false);
  assert.equal(sessions.current?.held, true);
  assert.deepEqual(said(sessions)?.at(-1), 'no plan');
});
