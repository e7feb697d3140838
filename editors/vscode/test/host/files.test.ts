import assert from 'node:assert/strict';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { until } from '../driver/until';
import { acceptAllUntil, click, waitHunks } from './hunks';
import { ask, call, clear, fresh, inWorkspace, logged, logs, open, play, read, servers, write, type Step } from './project';

const LIST = 'apples\npears\nplums\n';
const MENDED = 'apples\nquinces\nplums\n';

/** One hunk in a file that holds `LIST`. */
function mend(name: string): Step[][] {
  return [
    [call('read', { filePath: `{folder}/${name}` })],
    [call('edit', { filePath: `{folder}/${name}`, oldString: 'pears', newString: 'quinces' })],
    [{ say: 'That was all.' }],
  ];
}

function shownFiles(): string[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [vscode.workspace.asRelativePath(input.uri)] : []));
}

/** A file that is open, with one hunk in it. */
async function propose(): Promise<{ name: string; uri: vscode.Uri }> {
  const name = fresh('list.txt');
  const uri = write(name, LIST);
  await open(name);
  await play(mend(name));
  await ask('no pears, please');
  await waitHunks(uri, 1);
  return { name, uri };
}

suite('files', () => {
  teardown(clear);

  test('a closed file is changed on the disk, and stays closed', async () => {
    const name = fresh('list.txt');
    write(name, LIST);
    await play(mend(name));
    await ask('no pears, please');
    await acceptAllUntil('the accepted text on the disk', () => read(name) === MENDED);
    await logged('That was all.');
    await until('the tab to be closed again', () => shownFiles().length === 0);
  });

  test('a new file is written when it is accepted', async () => {
    await play([[call('write', { filePath: '{folder}/sub/new.txt', content: 'hello\n' })], [{ say: 'Written.' }]]);
    await ask('write it');
    const file = inWorkspace('sub/new.txt');
    await acceptAllUntil('the file', () => existsSync(file) && read('sub/new.txt') === 'hello\n');
    await logged('Written.');
  });

  test('what is typed above a hunk moves it along', async () => {
    const { name, uri } = await propose();
    const editor = await open(name);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'cherries\n'));
    await click(uri, 'Accept');
    await until('the hunk in its place', () => editor.document.getText() === `cherries\n${MENDED}`);
    await logged('That was all.');
    assert.equal(read(name), LIST, 'what the user typed is not saved for him');
  });

  test('a hunk in a closed file that is gone: its turn ends, and no file comes back', async () => {
    const name = fresh('list.txt');
    const { fsPath } = write(name, LIST);
    await play(mend(name));
    await ask('no pears, please');
    await logged('quinces');
    rmSync(fsPath);
    await acceptAllUntil('the turn to end', () => logs().includes('That was all.'));
    assert.equal(existsSync(fsPath), false);
  });

  test('a file that may not be written keeps its text, and the model is told', async function () {
    if (process.getuid?.() === 0) this.skip(); // root may write everywhere
    const { name, uri } = await propose();
    chmodSync(uri.fsPath, 0o444);
    await click(uri, 'Accept');
    await logged('That was all.');
    assert.equal(read(name), LIST);
  });

  test('a hunk waits again when the server was killed, and is accepted then', async () => {
    const { name, uri } = await propose();
    const [killed] = servers();
    assert.ok(killed);
    process.kill(killed, 'SIGKILL');
    await until('another server', () => servers().some((pid) => pid !== killed));
    // A lens of the dead server's may stand for a moment more; its hunk is no longer known then.
    await acceptAllUntil('the accepted text', () => read(name) === MENDED);
    await waitHunks(uri, 0);
    await logged('That was all.');
  });

  test('a turn is undone', async () => {
    const { name, uri } = await propose();
    await click(uri, 'Accept');
    await logged('That was all.');
    await until('the accepted text', () => read(name) === MENDED);
    // Refused until the turn has ended, which is a moment after its last words.
    await until('the turn to be taken back', async () => vscode.commands.executeCommand<string | undefined>('assent.undoTurn'));
    await until('the text as it was', () => read(name) === LIST);
  });
});
