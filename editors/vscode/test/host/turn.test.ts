import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ask, call, clear, logged, open, play, write } from './project';

suite('a turn', () => {
  teardown(clear);

  test('the extension activates, and the packaged server answers', async () => {
    const extension = vscode.extensions.getExtension('assent.assent');
    assert.ok(extension, 'the extension is installed');
    await extension.activate();
    await play([[{ say: 'Hello from the script.' }]]);
    await ask('hello');
    await logged('Hello from the script.');
  });

  test('the model reads the buffer, not the disk', async () => {
    write('notes.txt', 'on the disk\n');
    const editor = await open('notes.txt');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'in the buffer, '));
    await play([
      [call('read', { filePath: '{folder}/notes.txt' })],
      [{ expect: 'in the buffer, on the disk' }, { say: 'I saw the buffer.' }],
    ]);
    await ask('what does it say?');
    await logged('I saw the buffer.');
  });
});
