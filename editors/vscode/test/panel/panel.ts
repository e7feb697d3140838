/**
 * The tests of the panel's page. Arguments: the folder of the bundles, Chromium, a folder for pictures. Each test has a
 * page of its own, whose policy must not have refused anything when it ends.
 */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { browser } from '../driver/browser';
import { Report } from '../driver/report';
import { approvals } from './approvals';
import { Panel } from './page';
import { state } from './state';

/** A test: a name, and what is done with a fresh page. */
export type Test = [name: string, act: (panel: Panel, pictures: string) => Promise<void>];

const [bundles, chromium, output] = process.argv.slice(2);
if (!bundles || !chromium || !output) throw new Error('usage: BUNDLES CHROMIUM OUTPUT');

const pictures = path.join(output, 'panel');
mkdirSync(pictures, { recursive: true });
const report = new Report();
const shown = await browser(chromium);
for (const [name, act] of [...approvals, ...state]) {
  const panel = await Panel.open(shown, bundles);
  panel.page.setDefaultTimeout(10_000);
  try {
    await act(panel, pictures);
    assert.deepEqual(panel.refused, []);
    report.ok(`panel: ${name}`);
  } catch (error) {
    report.notOk(`panel: ${name}`, String(error instanceof Error ? error.stack : error));
    await panel.page.screenshot({ path: path.join(pictures, `failure-${report.failed}.png`) });
  }
  await panel.page.close();
}
await shown.close();
process.exit(report.end());
