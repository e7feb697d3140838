import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locate, type Surroundings } from '../../src/server/locate';

/** A machine on which these files may be executed, and nothing else. */
function machine(executables: string[], around: Partial<Surroundings> = {}): Surroundings {
  return {
    setting: '',
    extension: '/extensions/assent',
    path: '/usr/local/bin:/usr/bin',
    home: '/home/ada',
    platform: 'linux',
    isExecutable: (file) => executables.includes(file),
    ...around,
  };
}

test('the setting comes first', () => {
  const everywhere = ['/opt/assent', '/extensions/assent/server/assent', '/usr/bin/assent'];
  assert.deepEqual(locate(machine(everywhere, { setting: ' /opt/assent ' })), { found: '/opt/assent', source: 'setting' });
});

test('the setting may begin at the home folder', () => {
  const around = machine(['/home/ada/bin/assent'], { setting: '~/bin/assent' });
  assert.deepEqual(locate(around), { found: '/home/ada/bin/assent', source: 'setting' });
});

test('a setting that names nothing executable is an error, though there would be others', () => {
  const around = machine(['/extensions/assent/server/assent', '/usr/bin/assent'], { setting: '/opt/assent' });
  assert.deepEqual(locate(around), { missing: 'setting', tried: '/opt/assent' });
});

test('the one beside the extension comes before those on PATH', () => {
  const around = machine(['/extensions/assent/server/assent', '/usr/bin/assent']);
  assert.deepEqual(locate(around), { found: '/extensions/assent/server/assent', source: 'bundled' });
});

test('PATH is searched in its order', () => {
  const around = machine(['/usr/bin/assent', '/usr/local/bin/assent']);
  assert.deepEqual(locate(around), { found: '/usr/local/bin/assent', source: 'path' });
});

test('a relative or empty entry of PATH is passed over: it would be the project\'s', () => {
  const around = machine(['assent', './assent', 'bin/assent', '/usr/bin/assent'], { path: ':.:bin:/usr/bin' });
  assert.deepEqual(locate(around), { found: '/usr/bin/assent', source: 'path' });
});

test('on Windows the program ends in .exe', () => {
  const around = machine(['/extensions/assent/server/assent.exe'], { platform: 'win32' });
  assert.deepEqual(locate(around), { found: '/extensions/assent/server/assent.exe', source: 'bundled' });
});

test('nothing anywhere is said', () => {
  assert.deepEqual(locate(machine([])), { missing: 'everywhere' });
});
