import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import type { ApplyWorkspaceEditResult } from 'vscode-languageclient';
import { until } from '../driver/until';
import { Edits } from '../../src/documents/apply';
import { save } from '../../src/documents/save';
import { tabsOf } from '../../src/documents/tabs';
import { clear, inWorkspace, open, read, write } from './project';

/** Puts `text` in front of a document, as the server would. */
function insert(edits: Edits, uri: vscode.Uri, version: number | null, text: string): Promise<ApplyWorkspaceEditResult> {
  const start = { line: 0, character: 0 };
  const change = { textDocument: { uri: uri.toString(), version }, edits: [{ range: { start, end: start }, newText: text }] };
  const converted = new vscode.WorkspaceEdit();
  converted.insert(uri, new vscode.Position(0, 0), text);
  return edits.apply({ edit: { documentChanges: [change] } }, converted);
}

/** A notebook of one cell. */
const NOTEBOOK = JSON.stringify({
  cells: [{ cell_type: 'code', execution_count: null, id: 'a', metadata: {}, outputs: [], source: ['1 + 1'] }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

suite('edits and saves for the server', () => {
  teardown(clear);

  test('an edit of an older version is refused with the reason, and nothing is changed', async () => {
    write('stale.txt', 'one\n');
    const { document } = await open('stale.txt');
    const result = await insert(new Edits(), document.uri, document.version - 1, 'agent\n');
    assert.equal(result.applied, false);
    assert.match(result.failureReason ?? '', /the edit is for version 0, the editor has version 1/);
    assert.equal(document.getText(), 'one\n');
  });

  test('an edit of a version of a document that is closed by now is refused', async () => {
    const uri = write('gone.txt', 'one\n');
    assert.match((await insert(new Edits(), uri, 3, 'agent\n')).failureReason ?? '', /the document is closed/);
  });

  test('an edit of the current version goes in, as one step of undo', async () => {
    write('fresh.txt', 'one\n');
    const editor = await open('fresh.txt');
    const stillTyping = { undoStopAfter: false, undoStopBefore: true };
    await editor.edit((edit) => edit.insert(new vscode.Position(1, 0), 'typed\n'), stillTyping);
    assert.deepEqual(await insert(new Edits(), editor.document.uri, editor.document.version, 'agent\n'), { applied: true });
    assert.equal(editor.document.getText(), 'agent\none\ntyped\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), 'one\ntyped\n');
  });

  test('a closed file is edited, saved, and closed again, and nobody loses the focus', async () => {
    write('other.txt', 'other\n');
    const uri = write('closed.txt', 'one\n');
    await open('other.txt');
    const edits = new Edits();
    await insert(edits, uri, null, 'agent\n');
    // The editor opens a dirty document by itself after a while; then too it is closed again.
    await until('a tab of closed.txt', () => tabsOf(uri).length === 1);
    assert.deepEqual(await save([uri.toString()], edits), [uri.toString()]);
    assert.equal(read('closed.txt'), 'agent\none\n');
    await until('the tab to be closed', () => tabsOf(uri).length === 0);
    assert.equal(vscode.window.activeTextEditor?.document.uri.path, inWorkspace('other.txt'));
  });

  test('a file that was open stays open, and one that is clean counts as saved', async () => {
    write('open.txt', 'one\n');
    const { document } = await open('open.txt');
    const edits = new Edits();
    assert.deepEqual(await save([document.uri.toString()], edits), [document.uri.toString()]);
    await insert(edits, document.uri, document.version, 'agent\n');
    assert.deepEqual(await save([document.uri.toString()], edits), [document.uri.toString()]);
    assert.equal(read('open.txt'), 'agent\none\n');
    assert.equal(tabsOf(document.uri).length, 1);
  });

  test('an untitled document is not saved, and a name is not asked for', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'draft' });
    await vscode.window.showTextDocument(document);
    assert.deepEqual(await save([document.uri.toString()], new Edits()), []);
    assert.equal(document.isUntitled, true);
  });

  test('a file that is not there is not saved', async () => {
    const missing = vscode.Uri.file(inWorkspace('missing.txt')).toString();
    assert.deepEqual(await save([missing], new Edits()), []);
    assert.equal(existsSync(inWorkspace('missing.txt')), false);
  });

  test('one file that cannot be written does not keep the others from being saved', async () => {
    const registered = vscode.workspace.registerFileSystemProvider('refusing', new Refusing());
    write('written.txt', 'one\n');
    const { document } = await open('written.txt');
    const refused = await vscode.workspace.openTextDocument(vscode.Uri.parse('refusing:/a.txt'));
    const edits = new Edits();
    assert.equal((await insert(edits, refused.uri, refused.version, 'agent\n')).applied, true);
    await insert(edits, document.uri, document.version, 'agent\n');
    const saved = await save([refused.uri.toString(), document.uri.toString()], edits);
    assert.deepEqual(saved, [document.uri.toString()]);
    await vscode.window.showTextDocument(refused);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    registered.dispose();
  });

  test('a notebook with unsaved changes is left alone, a saved one is edited as a file', async () => {
    const uri = write('book.ipynb', NOTEBOOK);
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(notebook);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), '2 + ');
    await vscode.workspace.applyEdit(edit);
    await until('the notebook to be dirty', () => notebook.isDirty);
    const edits = new Edits();
    assert.match((await insert(edits, uri, null, '\n')).failureReason ?? '', /notebook with unsaved changes/);
    await notebook.save();
    assert.deepEqual(await insert(edits, uri, null, '\n'), { applied: true });
    assert.deepEqual(await save([uri.toString()], edits), [uri.toString()]);
    assert.match(read('book.ipynb'), /^\n/);
  });
});

/** A file system with one file, that refuses to be written. */
class Refusing implements vscode.FileSystemProvider {
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: 4 };
  }

  readFile(): Uint8Array {
    return new TextEncoder().encode('one\n');
  }

  readDirectory(): [] {
    return [];
  }

  writeFile(): never {
    throw vscode.FileSystemError.NoPermissions('it refuses');
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }
}
