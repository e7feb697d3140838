import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../driver/until';
import { ask, clear, logged, logs, open, play, write } from './project';

interface Manifest {
  contributes: { commands: { command: string; category?: string; title: string }[] };
}

function manifest(): Manifest {
  const extension = vscode.extensions.getExtension('assent.assent');
  assert.ok(extension);
  return extension.packageJSON as Manifest;
}

/** Runs a command as the palette does, and puts away whatever it asks or says. */
async function runAndEscape(id: string): Promise<void> {
  let state: 'running' | 'ended' | { failed: unknown } = 'running';
  void vscode.commands.executeCommand(id).then(
    () => (state = 'ended'),
    (failed: unknown) => (state = { failed }),
  );
  await until(`${id} to end`, async () => {
    if (state !== 'running') return true;
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await vscode.commands.executeCommand('notifications.clearAll');
    return false;
  });
  assert.equal(state, 'ended', `${id}: ${JSON.stringify(state)}`);
}

suite('commands', () => {
  teardown(clear);

  test('every contributed command is registered, in the category Assent', async () => {
    await vscode.extensions.getExtension('assent.assent')?.activate();
    const registered = new Set(await vscode.commands.getCommands(true));
    const contributed = manifest().contributes.commands;
    assert.deepEqual(
      contributed.filter(({ command }) => !registered.has(command)),
      [],
    );
    assert.deepEqual(
      contributed.filter(({ category, title }) => category !== 'Assent' || title.startsWith('%')),
      [],
    );
  });

  test('every command comes to its end with nothing open and nothing to decide', async function () {
    this.timeout(120_000);
    await play([]);
    for (const { command } of manifest().contributes.commands) await runAndEscape(command);
  });

  test('a turn about the selection is told which lines are meant', async () => {
    write('a.txt', 'one\ntwo\nthree\n');
    const editor = await open('a.txt');
    editor.selection = new vscode.Selection(1, 0, 2, 0);
    await play([[{ say: 'It says two.' }]]);
    await vscode.commands.executeCommand('assent.explain');
    await logged('It says two.');
    await logged('a.txt');
  });

  test('a command behind a running turn waits for its end', async () => {
    write('a.txt', 'one\n');
    await open('a.txt');
    await play([[{ say: 'I begin.' }, { hang: true }], [{ say: 'It says one.' }], [{ say: 'It was asked.' }]]);
    await ask('take your time');
    // From when the extension has heard that it runs; before that the server refuses a second one.
    await until('it to be taken', async () => (await vscode.commands.executeCommand('assent.explain')) !== undefined);
    await ask('and what was that?');
    await until('the turn to be cancelled', async () => {
      if (!logs().includes('I begin.')) await vscode.commands.executeCommand('assent.cancel');
      return logs().includes('I begin.');
    });
    await logged('It was asked.');
    assert.ok(logs().indexOf('It says one.') < logs().indexOf('It was asked.'));
  });

  test('a running turn is cancelled', async () => {
    await play([[{ say: 'I begin.' }, { hang: true }]]);
    await ask('take your time');
    // What was said so far is written down when the turn ends, and this one does not end by itself.
    await until('the turn to be cancelled', async () => {
      await vscode.commands.executeCommand('assent.cancel');
      return logs().includes('I begin.');
    });
  });
});
