/**
 * Plays the story in the real workbench, in a browser, and keeps pictures of it.
 *   node test/ui/run.ts CHROMIUM CODE_SERVER VSIX OUTPUT
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { browser } from '../driver/browser.ts';
import { Folders, serve } from '../driver/code_server.ts';
import { Report } from '../driver/report.ts';
import { answers, files } from './project.ts';
import { story } from './story.ts';
import { Workbench } from './workbench.ts';

const [chromium, codeServer, vsix, output] = process.argv.slice(2);
if (!chromium || !codeServer || !vsix || !output) throw new Error('usage: run.ts CHROMIUM CODE_SERVER VSIX OUTPUT');

const report = new Report();
const folders = new Folders();
for (const [name, text] of Object.entries(files)) folders.write(name, text);
folders.play(answers);

const shown = await browser(chromium);
const page = await shown.newPage();
page.setDefaultTimeout(30_000);
const said: string[] = [];
page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
try {
  const server = await serve({ codeServer, vsix, output }, folders);
  const bench = new Workbench(page, folders, output);
  await bench.open(server.address);
  await story(bench, folders, step);
} catch (error) {
  if (report.failed === 0) report.notOk('ui: the workbench comes up', String(error instanceof Error ? error.stack : error));
  await page.screenshot({ path: path.join(output, 'ui-failure.png') }).catch(() => undefined);
  const frames = await Promise.all(page.frames().map((frame) => frame.locator('body').innerText().catch(() => '')));
  writeFileSync(path.join(output, 'ui-failure.txt'), frames.filter(Boolean).join('\n--- frame ---\n'));
  writeFileSync(path.join(output, 'ui-console.txt'), said.join('\n'));
  folders.keep(output);
} finally {
  await shown.close();
}
folders.remove();
process.exit(report.end());

/** One step of the story. When it fails the story ends: what follows stands on it. */
async function step(name: string, act: () => Promise<void>): Promise<void> {
  const start = Date.now();
  try {
    await act();
    report.ok(`ui: ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    report.notOk(`ui: ${name}`, String(error instanceof Error ? error.stack : error));
    throw error;
  }
}
