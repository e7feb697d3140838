import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { until } from '../driver/until';
import { click, waitHunks } from './hunks';
import { ask, call, clear, fresh, inWorkspace, logged, open, play, read, write, type Step } from './project';

const CALC = 'def add(a, b):\n    return a - b\n\n\ndef sub(a, b):\n    return a + b\n';
const ADDED = CALC.replace('return a - b', 'return a + b');

/** Two hunks, far enough apart to stay two. */
function swap(name: string): Step[][] {
  return [
    [call('read', { filePath: `{folder}/${name}` })],
    [
      call('multiedit', {
        filePath: `{folder}/${name}`,
        edits: [
          { oldString: 'return a - b', newString: 'return a + b' },
          { oldString: 'def sub(a, b):\n    return a + b', newString: 'def sub(a, b):\n    return a - b' },
        ],
      }),
    ],
    [{ say: `${name} is dealt with.` }],
  ];
}

async function openWithHunks(name: string): Promise<vscode.TextEditor> {
  write(name, CALC);
  const editor = await open(name);
  await play(swap(name));
  await ask('swap them');
  await waitHunks(editor.document.uri, 2);
  return editor;
}

/** The active editor, if it shows a document of that scheme. */
function active(scheme: string): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor?.document.uri.scheme === scheme ? editor : undefined;
}

/** What the tabs show, as text. */
function tabs(): string[] {
  const all = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return all.map(({ input }) => {
    if (input instanceof vscode.TabInputText) return input.uri.toString();
    return input instanceof vscode.TabInputTextDiff ? `${input.original} ${input.modified}` : 'another';
  });
}

suite('inline review', () => {
  teardown(clear);

  test('a proposal changes nothing; one hunk is accepted, another rejected', async () => {
    const name = fresh('calc.py');
    const { document } = await openWithHunks(name);
    assert.equal(document.getText(), CALC);
    assert.equal(document.isDirty, false);
    await click(document.uri, 'Accept');
    await waitHunks(document.uri, 1);
    assert.equal(document.getText(), ADDED);
    await click(document.uri, 'Reject');
    await waitHunks(document.uri, 0);
    await logged(`${name} is dealt with.`);
    assert.equal(document.getText(), ADDED);
  });

  test('one accepted hunk is one step of undo, apart from what was typed before', async () => {
    const editor = await openWithHunks(fresh('calc.py'));
    const { document } = editor;
    await editor.edit((edit) => edit.insert(new vscode.Position(2, 0), 'typed'));
    await click(document.uri, 'Accept');
    await waitHunks(document.uri, 1);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), CALC.replace('\n\n\n', '\ntyped\n\n'));
    await click(document.uri, 'Reject');
  });

  test('a clean document is saved after an accepted hunk, a dirty one is left to the user', async () => {
    const name = fresh('calc.py');
    const { document } = await openWithHunks(name);
    await click(document.uri, 'Accept');
    await until('the document to be saved', () => !document.isDirty && read(name) === ADDED);
    const editor = await open(name);
    await editor.edit((edit) => edit.insert(new vscode.Position(2, 0), 'typed'));
    await click(document.uri, 'Accept');
    await logged(`${name} is dealt with.`);
    assert.equal(document.isDirty, true);
    assert.match(document.getText(), /typed[^]*return a - b/);
    assert.equal(read(name), ADDED);
  });

  test('the user may change the proposal before it is accepted', async () => {
    const name = fresh('calc.py');
    const { document } = await openWithHunks(name);
    await click(document.uri, 'Edit');
    const editor = await until('the proposal', () => active('assent-proposal'));
    assert.equal(editor.document.getText(), '    return a + b\n');
    assert.equal(editor.document.languageId, document.languageId);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '    # plus\n'));
    await click(editor.document.uri, 'Accept');
    await waitHunks(document.uri, 1);
    assert.equal(document.getText(), CALC.replace('    return a - b', '    # plus\n    return a + b'));
    await until('the proposal to be closed', () => !tabs().some((tab) => tab.includes('assent-proposal')));
    await click(document.uri, 'Reject');
    await logged('# plus');
  });

  test('saving an edited proposal accepts it, once', async () => {
    const { document } = await openWithHunks(fresh('calc.py'));
    await click(document.uri, 'Edit');
    const editor = await until('the proposal', () => active('assent-proposal'));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '    # saved\n'));
    await vscode.commands.executeCommand('workbench.action.files.save');
    await waitHunks(document.uri, 1);
    assert.match(document.getText(), /# saved\n    return a \+ b/);
    await until('the proposal to be closed', () => !tabs().some((tab) => tab.includes('assent-proposal')));
    await click(document.uri, 'Reject');
  });

  test('all hunks of a file are accepted as one step of undo', async () => {
    const { document } = await openWithHunks(fresh('calc.py'));
    await click(document.uri, 'Accept All (2)');
    await waitHunks(document.uri, 0);
    assert.match(document.getText(), /a \+ b[^]*a - b/);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), CALC);
  });

  test('next and previous go round the hunks, and open a file only when asked', async () => {
    const name = fresh('calc.py');
    const { document } = await openWithHunks(name);
    write('elsewhere.txt', 'elsewhere\n');
    await open('elsewhere.txt');
    const before = tabs();
    await vscode.commands.executeCommand('assent.review.next');
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), document.uri.toString());
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 1);
    await vscode.commands.executeCommand('assent.review.next');
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 5);
    await vscode.commands.executeCommand('assent.review.next');
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 1);
    await vscode.commands.executeCommand('assent.review.previous');
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 5);
    assert.deepEqual(tabs(), before);
    await vscode.commands.executeCommand('assent.review.reject');
    await waitHunks(document.uri, 1);
    await vscode.commands.executeCommand('assent.review.rejectAll');
    await waitHunks(document.uri, 0);
    await logged(`${name} is dealt with.`);
  });

  test('a proposal opens, scrolls and selects nothing', async () => {
    const name = fresh('calc.py');
    write(name, CALC + '# far down\n'.repeat(300));
    const editor = await open(name);
    const at = new vscode.Position(200, 3);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
    await until('the editor to scroll', () => (editor.visibleRanges[0]?.start.line ?? 0) > 100);
    const seen = editor.visibleRanges[0]?.start.line;
    const before = tabs();
    await play(swap(name));
    await ask('swap them');
    await waitHunks(editor.document.uri, 2);
    assert.equal(editor.visibleRanges[0]?.start.line, seen);
    assert.deepEqual(editor.selection.active, at);
    assert.deepEqual(tabs(), before);
    assert.equal(vscode.window.activeTextEditor, editor);
    await click(editor.document.uri, 'Reject All');
    await waitHunks(editor.document.uri, 0);
  });

  test('the proposal opens as a diff of documents that are on no disk, and closes when it is decided', async () => {
    const { document } = await openWithHunks(fresh('calc.py'));
    await vscode.commands.executeCommand('assent.review.diff');
    const side = async (title: string): Promise<string> => {
      const shows = ({ scheme, query }: vscode.Uri): boolean => scheme === 'assent-review' && query.includes(title);
      const editor = await until(title, () =>
        vscode.window.visibleTextEditors.find((visible) => shows(visible.document.uri)),
      );
      return editor.document.getText();
    };
    assert.equal(await side('"before"'), CALC);
    assert.equal(await side('"after"'), CALC.replace('a - b', 'A').replace('a + b', 'a - b').replace('A', 'a + b'));
    await vscode.commands.executeCommand('assent.review.acceptAll');
    await waitHunks(document.uri, 0);
    await until('the diff to be closed', () => !tabs().some((tab) => tab.includes('assent-review')));
  });

  test('a new file is shown as it would be, and is itself once it is accepted', async () => {
    const name = fresh('calc.py');
    const uri = vscode.Uri.file(inWorkspace(name));
    await play([[call('write', { filePath: `{folder}/${name}`, content: CALC })], [{ say: `${name} is written.` }]]);
    await ask('write it');
    await until('the hunk', async () => {
      await vscode.commands.executeCommand('assent.review.next');
      return active('assent-review');
    });
    const preview = vscode.window.activeTextEditor?.document;
    assert.equal(preview?.getText(), CALC);
    assert.equal(existsSync(inWorkspace(name)), false);
    await vscode.commands.executeCommand('assent.review.accept');
    await logged(`${name} is written.`);
    assert.equal(read(name), CALC);
    await until('the file in its place', () => vscode.window.activeTextEditor?.document.uri.toString() === uri.toString());
    assert.equal(vscode.window.activeTextEditor?.document.isDirty, false);
  });
});
