import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { lenses } from './hunks';
import { clear, write } from './project';

/** A tool file in the workspace: code of somebody else's, until the user has looked at it. */
function tool(name: string): void {
  const schema = { type: 'function', function: { name, description: 'Says hello.', parameters: { type: 'object', properties: {} } } };
  write(`.assent/tools/${name}.json`, JSON.stringify({ schema, handler: { type: 'exec', bin: 'echo', subcommand: 'hello' } }));
}

const page = (): vscode.TextDocument | undefined => {
  const document = vscode.window.activeTextEditor?.document;
  return document?.uri.scheme === 'assent-page' ? document : undefined;
};

suite('trust', () => {
  teardown(clear);

  test('what the workspace would enable is shown whole, and can be trusted from there', async () => {
    tool('hello');
    await vscode.commands.executeCommand('assent.trustWorkspace');
    const shown = page();
    assert.ok(shown, 'a page is shown');
    assert.match(shown.getText(), /Tool .*hello.* \(new\)/);
    assert.match(shown.getText(), /\.assent\/tools\/hello\.json/);
    assert.match(shown.getText(), /runs echo hello/);
    const titles = (await lenses(shown.uri)).map(({ command }) => command?.title);
    assert.deepEqual(titles, ['$(check) Trust What Is Shown Here...']);
  });

  test('a workspace with nothing of its own says so', async () => {
    await vscode.commands.executeCommand('assent.trustWorkspace');
    assert.match(page()?.getText() ?? '', /nothing in it that trust would enable/);
  });
});
