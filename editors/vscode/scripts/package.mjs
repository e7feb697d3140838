// Packs the extension with the server's binary inside, as one vsix for the platform that this runs on:
//   node scripts/package.mjs [--out FILE]
// The binary is $ASSENT_BIN, else it is built with `cargo build --release`. Prints the size of what came of it.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const repository = path.join(here, '../..');
const target = `${process.platform}-${process.arch}`;
const { values } = parseArgs({ options: { out: { type: 'string' } } });
const out = path.resolve(values.out ?? path.join(here, `assent-${target}.vsix`));

const run = (program, args, options = {}) => execFileSync(program, args, { cwd: here, stdio: 'inherit', ...options });

/** The server's binary, built if it is not given. */
function server() {
  if (process.env.ASSENT_BIN) return path.resolve(process.env.ASSENT_BIN);
  const args = ['build', '--release', '--locked', '-p', 'assent', '--message-format', 'json-render-diagnostics'];
  const piped = { cwd: repository, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', maxBuffer: 2 ** 28 };
  const told = run('cargo', args, piped);
  const artifacts = told.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const binary = artifacts.findLast((artifact) => artifact.executable)?.executable;
  if (!binary) throw new Error('cargo built no binary');
  return binary;
}

/** Puts the binary where the extension looks first. */
function pack(binary) {
  const name = process.platform === 'win32' ? 'assent.exe' : 'assent';
  rmSync(path.join(here, 'server'), { recursive: true, force: true });
  mkdirSync(path.join(here, 'server'));
  copyFileSync(binary, path.join(here, 'server', name));
  chmodSync(path.join(here, 'server', name), 0o755);
}

/** Our licences, and those of the packages that ended up in the bundles. */
function licences() {
  const ours = ['LICENSE-MIT', 'LICENSE-APACHE'].map((name) => readFileSync(path.join(repository, name), 'utf8').trim());
  const either = 'Assent is licensed under either of the MIT license and the Apache License, Version 2.0, as you like.';
  writeFileSync(path.join(here, 'LICENSE.txt'), `${[either, ...ours].join(`\n\n${'-'.repeat(78)}\n\n`)}\n`);
  const notices = bundled().map((name) => {
    const folder = path.join(here, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(path.join(folder, file), 'utf8').trim() : ''}`;
  });
  const title = 'The extension contains these packages:';
  writeFileSync(path.join(here, 'THIRD-PARTY.txt'), `${[title, ...notices].join(`\n\n${'-'.repeat(78)}\n\n`)}\n`);
}

/** Packages whose code is in the bundles, by the source maps of these. */
function bundled() {
  const names = new Set();
  for (const file of readdirSync(path.join(here, 'dist')).filter((name) => name.endsWith('.map'))) {
    for (const source of JSON.parse(readFileSync(path.join(here, 'dist', file), 'utf8')).sources) {
      const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
      if (name && existsSync(path.join(here, 'node_modules', name, 'package.json'))) names.add(name);
    }
  }
  return [...names].sort();
}

rmSync(path.join(here, 'dist'), { recursive: true, force: true });
run(process.execPath, ['esbuild.mjs']);
pack(server());
licences();
// There is no public repository to name yet, and nothing in the README needs one.
const vsce = path.join(here, 'node_modules/@vscode/vsce/vsce');
run(process.execPath, [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--target', target, '--out', out]);
console.log(`${path.basename(out)}: ${(statSync(out).size / 1024 / 1024).toFixed(1)} MiB`);
