import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

/** What the tests look at in the manifest; npm starts them in the extension's folder. */
interface Manifest {
  version: string;
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
  contributes: {
    commands: { command: string; category: string }[];
    keybindings: { command: string; when?: string }[];
    menus: Record<string, { command?: string; submenu?: string }[]>;
    submenus: { id: string }[];
    configuration: { properties: Record<string, { scope: string; markdownDescription: string }> };
    walkthroughs: { steps: { media: { markdown?: string; svg?: string } }[] }[];
  };
}

const text = readFileSync('package.json', 'utf8');
const manifest = JSON.parse(text) as Manifest;
const { commands, configuration, keybindings, menus, submenus, walkthroughs } = manifest.contributes;
const ids = commands.map(({ command }) => command);
const settings = Object.keys(configuration.properties);
/** Every source file, joined. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(path.join('src', name), 'utf8'))
  .join('\n');

test('every word of the manifest stands in package.nls.json, and no more', () => {
  const used = [...text.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key);
  const known = Object.keys(JSON.parse(readFileSync('package.nls.json', 'utf8')) as object);
  assert.deepEqual([...new Set(used)].sort(), known.sort());
});

test('every word of the sources stands in the bundle for translators, and no more', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/l10n.mjs', '--check'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('every command of the wire is in the palette', () => {
  const wire = readFileSync('../../docs/protocol.md', 'utf8').split('## Commands').at(1) ?? '';
  const rows = wire.split('\n').filter((line) => line.startsWith('| `assent.'));
  const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(assent\.[\w.]+)`/g)].map(([, id]) => id ?? ''));
  assert.ok(named.length >= 24, `only ${named.length} commands were found in docs/protocol.md`);
  assert.deepEqual(
    named.filter((id) => !ids.includes(id)),
    [],
  );
});

test('every contributed command has code behind it', () => {
  const missing = ids.filter((id) => !sources.includes(`'${id}'`));
  assert.deepEqual(missing, []);
});

test('commands are of one category and in order', () => {
  assert.deepEqual(new Set(commands.map(({ category }) => category)), new Set(['Assent']));
  assert.deepEqual(ids, [...new Set(ids)].sort());
});

test('menus and keys name what is contributed, and a key is taken only where it means something', () => {
  const entries = Object.values(menus).flat();
  const known = [...ids, ...submenus.map(({ id }) => id)];
  for (const { command, submenu } of [...entries, ...keybindings.map(({ command }) => ({ command, submenu: undefined }))]) {
    const name = command ?? submenu ?? '';
    assert.ok(known.includes(name), `${name} is not contributed`);
  }
  assert.deepEqual(
    keybindings.filter(({ when }) => !when).map(({ command }) => command),
    [],
  );
});

test('what could run code or widen a permission does not count in an untrusted workspace', () => {
  const restricted = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;
  const harmless = ['assent.model', 'assent.trace.server'];
  assert.deepEqual(
    settings.filter((key) => !restricted.includes(key) && !harmless.includes(key)),
    [],
  );
  assert.deepEqual(
    restricted.filter((key) => !settings.includes(key)),
    [],
  );
  for (const [key, { scope }] of Object.entries(configuration.properties)) {
    assert.equal(scope, key.startsWith('assent.server.') ? 'machine' : 'window', key);
  }
});

test('what the walkthrough shows is there', () => {
  const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);
  assert.equal(steps.length, 4);
  for (const { media } of steps) assert.ok(existsSync(media.markdown ?? media.svg ?? ''), JSON.stringify(media));
});

test('the extension is of the version of its server', () => {
  const workspace = readFileSync('../../Cargo.toml', 'utf8');
  assert.equal(/^version = "(.+)"$/m.exec(workspace)?.[1], manifest.version);
});
