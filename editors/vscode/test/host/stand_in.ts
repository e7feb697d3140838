/**
 * A server that says what the real one can't be brought to say: it passes everything between the extension and the real
 * server, puts messages of the test's in between, and keeps and answers itself what is decided about their reviews.
 */
import { appendFileSync, chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from '../driver/until';
import type { DecideParams, Review } from '../../src/wire';
import { servers } from './project';

const root = process.env['ASSENT_TEST_ROOT'] ?? '';
const told = path.join(root, 'told.jsonl');
const heard = path.join(root, 'heard.jsonl');
const program = path.join(root, 'stand_in.mjs');

/** Reviews whose name begins so are the test's. */
const OURS = 'stand-in';

/** Runs `act` with the stand-in as the server. */
export async function withStandIn(act: () => Promise<void>): Promise<void> {
  for (const file of [told, heard]) rmSync(file, { force: true });
  writeFileSync(program, script());
  chmodSync(program, 0o755);
  await start(program);
  try {
    await act();
  } finally {
    await start(undefined);
    await until('the real server', () => servers().length === 1);
  }
}

async function start(server: string | undefined): Promise<void> {
  await vscode.workspace.getConfiguration('assent.server').update('path', server, vscode.ConfigurationTarget.Global);
  await vscode.commands.executeCommand('assent.restartServer');
}

/** Tells a review, as the server does. */
export function tell(review: Omit<Review, 'reviewId' | 'sessionId' | 'toolCallId'>, name = OURS): void {
  const params: Review = { reviewId: name, sessionId: 's', toolCallId: 'c', ...review };
  appendFileSync(told, `${JSON.stringify({ jsonrpc: '2.0', method: '_assent/review/updated', params })}\n`);
}

/** Waits for what was decided about the review. */
export async function decided(name = OURS): Promise<DecideParams> {
  return until('a decision', () => {
    const lines = existsSync(heard) ? readFileSync(heard, 'utf8').split('\n').filter(Boolean) : [];
    return lines.map((line) => JSON.parse(line) as DecideParams).find(({ reviewId }) => reviewId === name);
  });
}

/** The program: Node, which the extension host runs on. */
function script(): string {
  const extension = vscode.extensions.getExtension('assent.assent')?.extensionPath ?? '';
  const real = path.join(extension, 'server', 'assent');
  return `#!${process.execPath}
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
const server = spawn(${JSON.stringify(real)}, process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] });
const frames = (take) => {
  let rest = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const end = rest.indexOf('\\r\\n\\r\\n');
      if (end < 0) return;
      const length = Number(/content-length: (\\d+)/i.exec(rest.subarray(0, end).toString())[1]);
      if (rest.length < end + 4 + length) return;
      take(rest.subarray(end + 4, end + 4 + length));
      rest = rest.subarray(end + 4 + length);
    }
  };
};
const send = (to, body) => to.write(Buffer.concat([Buffer.from('Content-Length: ' + body.length + '\\r\\n\\r\\n'), body]));
process.stdin.on('data', frames((body) => {
  const message = JSON.parse(body.toString());
  const ours = message.method === '_assent/review/decide' && message.params.reviewId.startsWith(${JSON.stringify(OURS)});
  if (!ours) return send(server.stdin, body);
  appendFileSync(${JSON.stringify(heard)}, JSON.stringify(message.params) + '\\n');
  send(process.stdout, Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { open: 0 } })));
}));
process.stdin.on('end', () => server.stdin.end());
server.stdout.on('data', frames((body) => send(process.stdout, body)));
server.on('exit', (code) => process.exit(code ?? 1));
let said = 0;
setInterval(() => {
  const lines = existsSync(${JSON.stringify(told)}) ? readFileSync(${JSON.stringify(told)}, 'utf8').split('\\n').slice(0, -1) : [];
  for (const line of lines.slice(said)) send(process.stdout, Buffer.from(line));
  said = lines.length;
}, 20);
`;
}
