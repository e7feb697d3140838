// Runs the unit tests: bundles each `test/unit/**/*.test.ts` and gives it to Node's own runner.
//   node test/run.mjs [PART-OF-A-NAME…]
// A unit test is of code that does not import `vscode`; the bundler refuses one that does.
import * as esbuild from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
const entryPoints = readdirSync(path.join(here, 'unit'), { recursive: true })
  .filter((name) => name.endsWith('.test.ts') && (wanted.length === 0 || wanted.some((part) => name.includes(part))))
  .map((name) => path.join(here, 'unit', name));
if (entryPoints.length === 0) {
  console.error(`no unit test is named like ${wanted.join(', ')}`);
  process.exit(1);
}

const outdir = mkdtempSync(path.join(tmpdir(), 'assent-unit-'));
try {
  await esbuild.build({
    entryPoints,
    outdir,
    outbase: path.join(here, 'unit'),
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const bundles = readdirSync(outdir, { recursive: true }).filter((name) => name.endsWith('.cjs'));
  const { status } = spawnSync(
    process.execPath,
    ['--enable-source-maps', '--test', '--test-reporter=spec', ...bundles.map((name) => path.join(outdir, name))],
    { stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
