import assert from 'node:assert/strict';
import * as path from 'node:path';
import { test } from 'node:test';
import { misfit } from '../../src/server/fit';
import { locate, type Surroundings } from '../../src/server/locate';
import { Log } from '../../src/server/log';
import { environment, Program } from '../../src/server/program';
import { report } from '../../src/server/report';
import { Restarts } from '../../src/server/restarts';
import { section, type Inspected } from '../../src/server/section';
import { Turns } from '../../src/server/turns';

function around(files: string[], more: Partial<Surroundings> = {}): Surroundings {
  return {
    setting: '',
    extension: '/ext',
    path: '/usr/bin:relative:/opt/bin',
    home: '/home/u',
    platform: 'linux',
    isExecutable: (file) => files.includes(file),
    ...more,
  };
}

test('the setting comes first, then the packed program, then PATH', () => {
  const all = ['/set/assent', '/ext/server/assent', '/opt/bin/assent'];
  assert.deepEqual(locate(around(all, { setting: '/set/assent' })), { found: '/set/assent', source: 'setting' });
  assert.deepEqual(locate(around(all)), { found: '/ext/server/assent', source: 'bundled' });
  assert.deepEqual(locate(around(['/opt/bin/assent'])), { found: '/opt/bin/assent', source: 'path' });
  assert.deepEqual(locate(around([])), { missing: 'everywhere' });
});

test('a setting that names nothing never falls back, and knows the home folder', () => {
  const wrong = around(['/ext/server/assent'], { setting: ' ~/bin/assent ' });
  assert.deepEqual(locate(wrong), { missing: 'setting', tried: '/home/u/bin/assent' });
});

test('a relative entry of PATH is not searched', () => {
  assert.deepEqual(locate(around([path.join('relative', 'assent')])), { missing: 'everywhere' });
});

test('a server of the same series fits, anything else is named', () => {
  const answer = (version: unknown, protocolVersion: unknown): unknown => ({ assent: { version, acp: { protocolVersion } } });
  assert.equal(misfit(answer('0.1.7', 1), '0.1.0'), undefined);
  assert.equal(misfit(answer('2.9.0', 1), '2.0.0'), undefined);
  assert.deepEqual(misfit(answer('0.2.0', 1), '0.1.0'), { kind: 'version', found: '0.2.0', wanted: '0.1.x' });
  assert.deepEqual(misfit(answer('0.1.0', 2), '0.1.0'), { kind: 'version', found: '0.1.0 (ACP 2)', wanted: '0.1.x (ACP 1)' });
  for (const other of [undefined, null, 7, {}, { assent: {} }, answer(1, 1), answer('0.1.0', undefined)]) {
    assert.deepEqual(misfit(other, '0.1.0'), { kind: 'unknown' });
  }
});

test('a server that keeps ending is started three times a minute, each time later, and then stays down', () => {
  const restarts = new Restarts();
  const waits = [0, 10_000, 20_000].map((now) => restarts.crashed(now));
  assert.deepEqual(waits, [250, 1_000, 4_000]);
  assert.equal(restarts.first, false);
  assert.equal(restarts.crashed(30_000), undefined);
  restarts.forget();
  assert.equal(restarts.crashed(31_000), 250);
  assert.equal(restarts.first, true);
});

test('crashes of more than a minute ago do not count', () => {
  const restarts = new Restarts();
  for (const now of [0, 1, 2, 60_001]) restarts.crashed(now);
  assert.equal(restarts.crashed(60_003), 1_000);
});

test('the server gets what it takes and what is set, nothing else', () => {
  const set: Record<string, unknown> = { model: 'a/b', mode: null, providers: {}, agents: { x: {} }, server: { path: '/p' } };
  const found = section(
    (key) => set[key],
    () => undefined,
  );
  assert.deepEqual(found, { model: 'a/b', agents: { x: {} } });
});

test("a workspace's policy adds to the user's and takes no rule of it away", () => {
  const policy: Inspected = {
    globalValue: { default: 'ask', bash: { deny: ['rm *'], allow: ['ls'] } },
    workspaceValue: { default: 'deny', bash: { deny: [], allow: ['make'] }, read: { deny: ['x'] } },
  };
  const found = section(
    () => undefined,
    (key) => (key === 'policy' ? policy : undefined),
  );
  assert.deepEqual(found, {
    policy: { default: 'deny', bash: { deny: ['rm *'], allow: ['ls', 'make'] }, read: { deny: ['x'] } },
  });
});

test('turns come from progress, with their session, and all end with the server', () => {
  const turns = new Turns();
  const begin = { kind: 'begin' as const, title: 'Assent', message: 'Thinking', sessionId: 's1' };
  assert.deepEqual(turns.note('t1', begin), { token: 't1', sessionId: 's1', message: 'Thinking', running: true });
  assert.equal(turns.note('t1', { kind: 'report', message: 'Read a.rs' })?.message, 'Read a.rs');
  turns.note('t2', { kind: 'begin', title: 'Assent' });
  assert.equal(turns.note('t1', { kind: 'end' })?.running, false);
  assert.equal(turns.note('t1', { kind: 'report', message: 'late' }), undefined);
  assert.deepEqual(turns.clear(), [{ token: 't2', message: '', running: false }]);
  assert.deepEqual(turns.list(), []);
});

test('the environment gains what is set and loses what is null', () => {
  assert.deepEqual(environment({ A: '1', B: '2' }, { B: null, C: '3', D: 4 }), { A: '1', C: '3' });
  assert.deepEqual(environment({ A: '1' }, undefined), { A: '1' });
});

const launch = (command: string, ...args: string[]) => ({
  command,
  arguments: args,
  environment: process.env,
  directory: process.cwd(),
});

test('a program that can not be started says why', async () => {
  const program = new Program(launch('/nowhere/assent'), () => undefined);
  await assert.rejects(program.pipes(), /ENOENT/);
});

test('a program that ended says how, and its last words', async () => {
  const heard: string[] = [];
  const program = new Program(launch(process.execPath, '-e', 'console.error("no such thing"); process.exit(3)'), (line) =>
    heard.push(line),
  );
  await program.pipes();
  assert.equal(await program.epitaph(), 'exit code 3\nno such thing');
  assert.deepEqual(heard, ['no such thing']);
});

test('a program is ended at once when it is asked for', async () => {
  const program = new Program(launch(process.execPath, '-e', 'setInterval(() => {}, 1000)'), () => undefined);
  await program.pipes();
  await program.end(true);
  assert.equal(await program.epitaph(), 'signal SIGKILL');
});

test('a report names the settings of the environment and leaves their values out', () => {
  const text = report({
    versions: { Assent: '0.1.0' },
    settings: { server: { path: '/p', environment: { SOME_KEY: 'secret-value' } }, model: 'a/b' },
    doctor: '- ok: model: a/b',
    log: ['info: a ```` fence'],
  });
  assert.ok(text.includes('SOME_KEY') && text.includes('a/b') && text.includes('`````text'));
  assert.ok(!text.includes('secret-value'));
});

test('the log keeps its last lines', () => {
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const log = new Log(quiet as unknown as ConstructorParameters<typeof Log>[0]);
  for (let line = 0; line < 300; line += 1) log.info(`line ${line}`);
  log.error('two\nlines\n');
  assert.equal(log.last().length, 200);
  assert.deepEqual(log.last().slice(-2), ['error: two', 'error: lines']);
});
