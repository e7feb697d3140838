/**
 * Measures the extension in the real workbench and prints a table; never fails for being slow.
 *   node test/ui/measure.ts CHROMIUM CODE_SERVER VSIX OUTPUT
 */
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { browser } from '../driver/browser.ts';
import { Folders, serve } from '../driver/code_server.ts';
import { until } from '../driver/until.ts';
import { files } from './project.ts';
import { Workbench } from './workbench.ts';

const [chromium, codeServer, vsix, output] = process.argv.slice(2);
if (!chromium || !codeServer || !vsix || !output) throw new Error('usage: measure.ts CHROMIUM CODE_SERVER VSIX OUTPUT');

/** How often the way of a prompt is measured. */
const ROUNDS = 10;

const folders = new Folders();
for (const [name, text] of Object.entries(files)) folders.write(name, text);
folders.play([]);
const wire = path.join(folders.root, 'wire.txt');
folders.setMachine({ 'assent.server.path': listener(path.join(output, 'assent')) });

const shown = await browser(chromium);
const page = await shown.newPage();
page.setDefaultTimeout(60_000);
const server = await serve({ codeServer, vsix, output }, folders);
const bench = new Workbench(page, folders, output);
const rows: [string, string][] = [['size of the vsix', `${(statSync(vsix).size / 1024 / 1024).toFixed(1)} MiB`]];
try {
  await bench.open(server.address);
  rows.push(['activation, as VS Code counts it', await activation()]);
  rows.push(['key press in the input box to prompt on the wire', times(await measured(fromPalette))]);
  rows.push(['key press in the chat to prompt on the wire', times(await measured(fromChat))]);
} catch (error) {
  await page.screenshot({ path: path.join(output, 'measure-failure.png') });
  throw error;
} finally {
  await shown.close();
  folders.remove();
}
const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, value] of rows) console.log(`${name.padEnd(width)}  ${value}`);
process.exit(0);

/** What `Developer: Show Running Extensions` says of the extension. */
async function activation(): Promise<string> {
  await bench.palette('Developer: Show Running Extensions');
  const row = page.locator('.runtime-extensions-editor .extension', { hasText: 'Assent' }).first();
  const said = await row.locator('.activation-time').innerText();
  await page.keyboard.press('Escape');
  await row.waitFor({ state: 'detached' });
  return said.replace(/^\D+/, '');
}

async function fromPalette(): Promise<void> {
  await bench.palette('Assent: Ask');
  await bench.type('Ask Assent', 'hello');
}

async function fromChat(): Promise<void> {
  const input = bench.chat().locator('textarea');
  await input.fill('hello');
  await input.focus();
}

/** Milliseconds from Enter to the server's standard input. */
async function measured(prepare: () => Promise<void>): Promise<number[]> {
  const found: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await prepare();
    const before = arrivals().length;
    const pressed = Date.now();
    await page.keyboard.press('Enter');
    const arrived = await until('a prompt on the wire', () => arrivals()[before]);
    found.push(arrived - pressed);
    await bench.chat().locator('.working').waitFor({ state: 'detached' });
  }
  return found;
}

function arrivals(): number[] {
  return existsSync(wire) ? readFileSync(wire, 'utf8').split('\n').filter(Boolean).map(Number) : [];
}

function times(all: number[]): string {
  const sorted = [...all].sort((one, other) => one - other);
  return `median ${sorted[Math.floor(sorted.length / 2)]} ms, most ${sorted.at(-1)} ms`;
}

/** A program that is the server, and writes down when a prompt arrives at it. */
function listener(program: string): string {
  const file = path.join(folders.root, 'listener.mjs');
  writeFileSync(
    file,
    `#!${process.execPath}
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
const child = spawn(${JSON.stringify(program)}, process.argv.slice(2), { stdio: ['pipe', 'inherit', 'inherit'] });
process.stdin.on('data', (bytes) => {
  if (/"session\\/prompt"|"assent\\.ask"/.test(bytes.toString())) appendFileSync(${JSON.stringify(wire)}, Date.now() + '\\n');
  child.stdin.write(bytes);
});
process.stdin.on('end', () => child.stdin.end());
child.on('exit', (code) => process.exit(code ?? 1));
`,
  );
  chmodSync(file, 0o755);
  return file;
}
