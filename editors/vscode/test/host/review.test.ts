import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../driver/until';
import { click, waitHunks } from './hunks';
import { ask, call, clear, fresh, logged, open, play, read, write, type Step } from './project';

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
});
