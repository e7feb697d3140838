import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from '../driver/until';
import type { Hunk } from '../../src/wire';
import { click, lenses, waitHunks } from './hunks';
import { ask, call, clear, fresh, inWorkspace, logged, open, play, read, write, type Step } from './project';
import { decided, tell, withStandIn } from './stand_in';

const ONE = 'one\n';
const TWO = 'two\n';

const edit = (name: string, oldString: string, newString: string): Step =>
  call('edit', { filePath: `{folder}/${name}`, oldString, newString });

/** One answer that reads, and one that changes these files. */
async function propose(names: string[], changes: Step[]): Promise<void> {
  const reads = names.map((name) => call('read', { filePath: `{folder}/${name}` }));
  await play([reads, changes, [{ say: `${names[0]} is dealt with.` }]]);
  await ask('change them');
}

/** Two files with a hunk in each, both waiting. */
async function twoFiles(): Promise<[vscode.Uri, vscode.Uri]> {
  const names = [fresh('a.txt'), fresh('b.txt')] as const;
  for (const name of names) write(name, ONE);
  await propose([...names], names.map((name) => edit(name, 'one', 'two')));
  const [a, b] = [(await open(names[0])).document.uri, (await open(names[1])).document.uri];
  await waitHunks(a, 1);
  await waitHunks(b, 1);
  return [a, b];
}

/** A tool file of the user's that deletes a file. */
function deletingTool(): void {
  const folder = path.join(process.env['ASSENT_TEST_ROOT'] ?? '', 'config', 'tools');
  mkdirSync(folder, { recursive: true });
  const parameters = { type: 'object', properties: { path: {} } };
  const schema = { type: 'function', function: { name: 'drop', description: 'Deletes a file.', parameters } };
  writeFileSync(path.join(folder, 'drop.json'), JSON.stringify({ schema, handler: { type: 'deleteFile', scope: 'project' } }));
}

/** The labels of all tabs. */
const tabs = (): string[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));

const titles = async (uri: vscode.Uri): Promise<string[]> => (await lenses(uri)).map(({ command }) => command?.title ?? '');

const nothing = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

const hunk = (oldText: string, newText: string, range = nothing): Hunk => ({ id: 'h1', status: 'pending', range, oldText, newText });

suite('review of files', () => {
  teardown(clear);

  test('the proposals for several files open as one list of diffs, which goes when all are decided', async () => {
    const [a, b] = await twoFiles();
    await vscode.commands.executeCommand('assent.review.diff');
    await until('the list of diffs', () => tabs().some((label) => label.startsWith('Proposed Changes')));
    await click(a, 'Accept');
    await waitHunks(a, 0);
    assert.ok(tabs().some((label) => label.startsWith('Proposed Changes')));
    await click(b, 'Reject');
    await until('the list to be closed', () => !tabs().some((label) => label.startsWith('Proposed Changes')));
    assert.deepEqual([a, b].map((uri) => read(path.basename(uri.fsPath))), [TWO, ONE]);
  });

  test('the tree leads to each hunk, and a file in it is decided as a whole', async () => {
    const [a, b] = await twoFiles();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('assent.hunks.focus');
    // File, hunk, file, hunk: the last row is the second file's hunk.
    const active = (): string | undefined => vscode.window.activeTextEditor?.document.uri.toString();
    await until('the hunk of the last row to be shown', async () => {
      await vscode.commands.executeCommand('list.focusLast');
      await vscode.commands.executeCommand('list.select');
      return active() === b.toString();
    });
    await vscode.commands.executeCommand('assent.review.acceptFile', { uri: b.toString() });
    await waitHunks(b, 0);
    await waitHunks((await open(path.basename(a.fsPath))).document.uri, 1);
    await vscode.commands.executeCommand('assent.review.rejectFile', { uri: a.toString() });
    await logged(`${path.basename(a.fsPath)} is dealt with.`);
    assert.deepEqual([a, b].map((uri) => read(path.basename(uri.fsPath))), [ONE, TWO]);
  });

  test('a file that would go is there until that is accepted', async () => {
    deletingTool();
    const name = fresh('gone.txt');
    write(name, ONE);
    const { document } = await open(name);
    await propose([name], [call('drop', { path: name })]);
    const lens = await until('the lens', async () => (await titles(document.uri)).find((title) => title.includes('delete this file')));
    assert.match(lens, /Accept/);
    assert.ok(existsSync(inWorkspace(name)));
    await vscode.commands.executeCommand('assent.review.diff', document.uri);
    await until('the diff', () => tabs().some((label) => label === `${name} (proposed)`));
    await click(document.uri, 'Accept');
    await logged(`${name} is dealt with.`);
    assert.ok(!existsSync(inWorkspace(name)));
    await until('the tabs to be closed', () => !tabs().some((label) => label.startsWith(name)));
  });

  test('a file that would move is shown with both names, and decided', async () => {
    const name = fresh('old.txt');
    write(name, ONE);
    const { document } = await open(name);
    await withStandIn(async () => {
      const newUri = vscode.Uri.file(inWorkspace('new.txt')).toString();
      const file = { uri: document.uri.toString(), version: null, change: 'rename' as const, newUri, hunks: [hunk('', '')] };
      tell({ status: 'open', files: [file] });
      await until('the lens', async () => (await titles(document.uri)).find((title) => title.includes('rename to new.txt')));
      assert.ok(!(await titles(document.uri)).some((title) => title === 'Edit'));
      await vscode.commands.executeCommand('assent.review.diff', document.uri);
      await until('the diff', () => tabs().includes(`${name} → new.txt (proposed)`));
      await click(document.uri, 'Accept');
      assert.deepEqual((await decided()).decisions, [{ hunk: 'h1', accept: true }]);
      tell({ status: 'closed', files: [] });
      await until('the diff to be closed', () => !tabs().includes(`${name} → new.txt (proposed)`));
    });
  });

  test('a hunk of a file that was deleted or renamed meanwhile does no harm, and can be rejected', async () => {
    for (const lose of [(file: string) => rmSync(file), (file: string) => renameSync(file, `${file}.moved`)]) {
      const name = fresh('lost.txt');
      const uri = write(name, ONE);
      await propose([name], [edit(name, 'one', 'two')]);
      // By its diff, which does not open the file itself.
      await until('the hunk', async () => {
        await vscode.commands.executeCommand('assent.review.diff', uri);
        return tabs().includes(`${name} (proposed)`);
      });
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      lose(inWorkspace(name));
      await vscode.commands.executeCommand('assent.review.next');
      assert.equal(vscode.window.activeTextEditor, undefined);
      await vscode.commands.executeCommand('assent.review.rejectFile', { uri: uri.toString() });
      await logged(`${name} is dealt with.`);
      assert.ok(!existsSync(inWorkspace(name)));
      await vscode.commands.executeCommand('notifications.clearAll');
    }
  });

  test('a hunk in a file that is shown in a diff stands there too, and is decided there', async () => {
    const name = fresh('diff.txt');
    write(name, ONE);
    write('other.txt', 'other\n');
    const uri = vscode.Uri.file(inWorkspace(name));
    await vscode.commands.executeCommand('vscode.diff', vscode.Uri.file(inWorkspace('other.txt')), uri);
    await propose([name], [edit(name, 'one', 'two')]);
    await waitHunks(uri, 1);
    await click(uri, 'Accept');
    await logged(`${name} is dealt with.`);
    assert.equal(read(name), TWO);
    assert.equal(tabs().length, 1);
  });

  test('a hunk in a notebook is accepted where that has no unsaved changes', async () => {
    const name = fresh('notes.ipynb');
    const cell = { cell_type: 'markdown', metadata: {}, source: ['one'] };
    write(name, `${JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 2 }, undefined, 1)}\n`);
    const uri = vscode.Uri.file(inWorkspace(name));
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(notebook);
    await propose([name], [edit(name, '"one"', '"two"')]);
    await until('the hunk to be accepted', async () => {
      await vscode.commands.executeCommand('assent.review.acceptFile', { uri: uri.toString() });
      await vscode.commands.executeCommand('notifications.clearAll');
      return read(name).includes('"two"');
    });
    await logged(`${name} is dealt with.`);
    await until('the notebook to follow', () => notebook.cellAt(0).document.getText() === 'two');
  });
});
