// Runs the tests of the chat panel's page, alone in a browser, with what the extension would tell it:
//   node test/panel/run.mjs CHROMIUM OUTPUT
import * as esbuild from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const extension = path.join(here, '../..');
// Outside of the bundle, and found from wherever that lies.
const driver = pathToFileURL(path.join(extension, 'node_modules/playwright-core/index.mjs')).href;
const out = mkdtempSync(path.join(tmpdir(), 'assent-panel-'));
try {
  const shared = { bundle: true, logLevel: 'warning', absWorkingDir: extension };
  await esbuild.build({
    ...shared,
    entryPoints: [
      { in: 'panel/main.tsx', out: 'panel' },
      { in: 'panel/panel.css', out: 'panel' },
    ],
    outdir: out,
    platform: 'browser',
    target: 'chrome134',
    format: 'iife',
  });
  await esbuild.build({
    ...shared,
    entryPoints: ['test/panel/panel.ts'],
    outfile: path.join(out, 'test.mjs'),
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'inline',
    alias: { vscode: './test/panel/vscode.ts' },
    plugins: [{ name: 'outside', setup: (build) => build.onResolve({ filter: /^playwright-core$/ }, () => ({ path: driver, external: true })) }],
  });
  const command = ['--enable-source-maps', path.join(out, 'test.mjs'), out, ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
