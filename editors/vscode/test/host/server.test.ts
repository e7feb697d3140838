import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../driver/until';
import { ask, clear, logged, play, servers } from './project';

/** Settings of scope `machine`; the tests' own user settings can't hold them. */
function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration('assent.server');
}

async function oneServer(): Promise<number> {
  return until('one server', () => {
    const [pid, ...others] = servers();
    return others.length === 0 && pid;
  });
}

suite('the server', () => {
  teardown(clear);

  test('killed, it is started again and answers', async () => {
    await play([[{ say: 'Before.' }]]);
    await ask('are you there?');
    await logged('Before.');
    const killed = await oneServer();
    process.kill(killed, 'SIGKILL');
    await until('another server', () => servers().some((pid) => pid !== killed) && !servers().includes(killed));
    await play([[{ say: 'After the crash.' }]]);
    await ask('and now?');
    await logged('After the crash.');
  });

  test('restarted by hand, there is one, and another one', async () => {
    const before = await oneServer();
    await vscode.commands.executeCommand('assent.restartServer');
    assert.notEqual(await oneServer(), before);
  });

  test('a setting that names nothing is an error, and mended it works again', async () => {
    await settings().update('path', '/nowhere/assent', vscode.ConfigurationTarget.Global);
    try {
      void vscode.commands.executeCommand('assent.restartServer');
      await until('no server', () => servers().length === 0);
      assert.equal(await vscode.commands.executeCommand('assent.doctor'), undefined);
    } finally {
      await settings().update('path', undefined, vscode.ConfigurationTarget.Global);
    }
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('assent.restartServer');
    await play([[{ say: 'Here again.' }]]);
    await ask('hello?');
    await logged('Here again.');
    await oneServer();
  });
});
