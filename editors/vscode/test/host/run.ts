/**
 * Runs the tests of this folder inside a real extension host: opens a workbench whose page is told to load them, with
 * Mocha, as a second extension beside the packaged one that is tested; prints what that reports, and ends.
 *   node test/host/run.ts CHROMIUM CODE_SERVER VSIX OUTPUT
 * `ASSENT_TEST_ONLY` keeps the tests that have it in their name.
 */
import * as esbuild from 'esbuild';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { browser } from '../driver/browser.ts';
import { Folders, serve, type CodeServer } from '../driver/code_server.ts';
import { Report } from '../driver/report.ts';
import type { Outcome } from './mocha.ts';

/** A suite: its tests, and whether a folder is open in its window. */
interface Suite {
  name: string;
  tests: string;
  folder: boolean;
}

const suites: Suite[] = [
  { name: 'folder', tests: '.', folder: true },
  { name: 'no folder', tests: 'empty', folder: false },
];

const [chromium, codeServer, vsix, output] = process.argv.slice(2);
if (!chromium || !codeServer || !vsix || !output) throw new Error('usage: run.ts CHROMIUM CODE_SERVER VSIX OUTPUT');

/** How long one suite may take, in milliseconds. */
const DEADLINE = 240_000;

const report = new Report();
const folders = new Folders();
const shown = await browser(chromium);
try {
  const server = await serve({ codeServer, vsix, output }, folders);
  for (const suite of suites) {
    const tests = await bundle(suite);
    const context = await shown.newContext({ viewport: { width: 1400, height: 900 } });
    const page = await context.newPage();
    const lines: string[] = [];
    const code = await run(page, server, suite, tests, lines).catch((error: unknown) => {
      lines.push(String(error));
      return undefined;
    });
    const failed = tell(suite, code, lines);
    if (failed) {
      await page.screenshot({ path: path.join(output, `${path.basename(tests)}.png`) }).catch(() => undefined);
      writeFileSync(path.join(output, `${path.basename(tests)}.log`), lines.join('\n'));
    }
    await context.close();
  }
} catch (error) {
  report.notOk('the extension host comes up', String(error instanceof Error ? error.stack : error));
} finally {
  await shown.close();
}
if (report.failed > 0) folders.keep(output);
folders.remove();
process.exit(report.end());

/** Bundles a suite into an extension of its own; gives its folder. */
async function bundle(suite: Suite): Promise<string> {
  const source = path.join(import.meta.dirname, suite.tests);
  const tests = readdirSync(source).filter((name) => name.endsWith('.test.ts'));
  const folder = folderOf(suite);
  mkdirSync(folder);
  const about = { name: path.basename(folder), publisher: 'assent', version: '0.0.0', engines: { vscode: '^1.101.0' } };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...about, main: 'index.js' }));
  // Mocha loads its own files by name, so it can't be bundled; the bundle stands outside its reach.
  const mocha = createRequire(import.meta.url).resolve('mocha');
  await esbuild.build({
    stdin: {
      contents: `import { run as mocha } from ${JSON.stringify(path.join(import.meta.dirname, 'mocha.ts'))};
        export const activate = () => {};
        export const run = () => mocha(__dirname, () => { ${tests.map((name) => `require('./${name}');`).join(' ')} });`,
      resolveDir: source,
      loader: 'ts',
    },
    outfile: path.join(folder, 'index.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    sourcemap: 'inline',
    external: ['vscode', mocha],
    alias: { mocha },
    logLevel: 'warning',
  });
  return folder;
}

function folderOf(suite: Suite): string {
  return path.join(folders.root, `tests-${path.basename(path.resolve('host', suite.tests))}`);
}

/** Lets the page run a suite. Gives its exit code, undefined when it came to no end. */
async function run(page: Page, server: CodeServer, suite: Suite, tests: string, lines: string[]): Promise<number | undefined> {
  const ended = new Promise<number>((resolve) => void page.exposeFunction('codeAutomationExit', resolve));
  await page.exposeFunction('codeAutomationLog', (kind: string, words: unknown[]) => void lines.push(`${kind}: ${words.join(' ')}`));
  await page.addInitScript({ path: path.join(import.meta.dirname, 'smoke_test_driver.js') });
  const remote = (file: string): string => `vscode-remote://${server.authority}${file}`;
  const payload = JSON.stringify([
    ['extensionDevelopmentPath', remote(tests)],
    ['extensionTestsPath', remote(path.join(tests, 'index.js'))],
    ['skipWelcome', 'true'],
  ]);
  const place = suite.folder ? `folder=${encodeURIComponent(folders.workspace)}` : 'ew=true';
  await page.goto(`${server.address}/?${place}&payload=${encodeURIComponent(payload)}`, { waitUntil: 'commit' });
  const deadline = new Promise<undefined>((resolve) => setTimeout(resolve, DEADLINE, undefined).unref());
  return Promise.race([ended, deadline]);
}

/** Prints what a suite reported; gives whether something failed. */
function tell(suite: Suite, code: number | undefined, lines: string[]): boolean {
  const before = report.failed;
  const file = path.join(folderOf(suite), 'outcome.jsonl');
  const outcomes = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  for (const line of outcomes) {
    const outcome: Outcome = JSON.parse(line);
    if (outcome.error === undefined) report.ok(`host (${suite.name}): ${outcome.title} (${(outcome.ms / 1000).toFixed(1)} s)`);
    else report.notOk(`host (${suite.name}): ${outcome.title}`, outcome.error);
  }
  if (code === undefined || (code !== 0 && report.failed === before)) {
    report.notOk(`host (${suite.name}): comes to its end`, `exit code ${code}\n${lines.slice(-30).join('\n')}`);
  }
  return report.failed > before;
}
