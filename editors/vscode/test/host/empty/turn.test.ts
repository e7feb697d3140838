import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ask, logged, play } from '../project';

suite('a window without folders', () => {
  test('a prompt is answered', async () => {
    assert.equal(vscode.workspace.workspaceFolders, undefined);
    await play([[{ say: 'There is no folder here.' }]]);
    await ask('where are we?');
    await logged('There is no folder here.');
  });
});
