import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { until } from '../driver/until';
import { clear, inWorkspace, servers, write } from './project';

/** Answers `initialize` as a server of another version would. */
const otherVersion = `#!${process.execPath}
let read = '';
process.stdin.on('data', (data) => {
  read += data;
  const id = /"id":(\\d+|"[^"]*"),"method":"initialize"/.exec(read)?.[1];
  if (!id) return;
  read = '';
  const assent = { version: '99.0.0', acp: { protocolVersion: 1, agentCapabilities: {} } };
  const result = JSON.stringify({ capabilities: { experimental: { assent } } });
  const answer = '{"jsonrpc":"2.0","id":' + id + ',"result":' + result + '}';
  process.stdout.write('Content-Length: ' + answer.length + '\\r\\n\\r\\n' + answer);
});
`;

function doctor(): Thenable<unknown> {
  return vscode.commands.executeCommand('assent.doctor');
}

/** Processes that were started from a file. */
function started(file: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(file);
    } catch {
      return false; // it ended meanwhile
    }
  });
}

/** Lets a program be the server, sees that it is refused and ended, and takes the real one back. */
async function refused(program: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration('assent.server');
  await settings.update('path', program, vscode.ConfigurationTarget.Global);
  try {
    void vscode.commands.executeCommand('assent.restartServer');
    await until('the server before to end', () => servers().length === 0);
    assert.equal(await doctor(), undefined);
    await until(`${program} to be ended`, () => started(program).length === 0);
  } finally {
    await settings.update('path', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('assent.restartServer');
  }
  assert.notEqual(await doctor(), undefined);
}

suite('starting the server', () => {
  teardown(clear);

  test('a program that is not assent is refused', () => refused('/bin/true'));

  test('a server of another version is refused, and ended', async () => {
    write('other', otherVersion);
    chmodSync(inWorkspace('other'), 0o755);
    await refused(inWorkspace('other'));
  });

  test('a server that keeps ending stays down until it is restarted', async () => {
    await vscode.commands.executeCommand('assent.restartServer');
    for (let crash = 1; crash <= 4; crash += 1) {
      const [pid] = await until(`server ${crash} to answer`, async () => (await doctor()) !== undefined && servers());
      assert.ok(pid);
      process.kill(pid, 'SIGKILL');
      await until(`server ${crash} to end`, () => !servers().includes(pid));
    }
    assert.equal(await doctor(), undefined);
    assert.deepEqual(servers(), []);
    await vscode.commands.executeCommand('assent.restartServer');
    assert.notEqual(await doctor(), undefined);
  });

  test("the editor's settings count as soon as they change, and what only the extension reads is no mistake", async () => {
    const settings = vscode.workspace.getConfiguration('assent');
    await settings.update('model', 'scripted//nowhere/other.json', vscode.ConfigurationTarget.Global);
    try {
      await until('the model to be another', async () => JSON.stringify(await doctor()).includes('/nowhere/other.json'));
    } finally {
      await settings.update('model', undefined, vscode.ConfigurationTarget.Global);
    }
    await until('the model to be as before', async () => !JSON.stringify(await doctor()).includes('/nowhere/other.json'));
    assert.ok(!JSON.stringify(await doctor()).includes('unknown key'));
  });
});
