import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../driver/until';
import { lenses } from './hunks';
import { clear, write } from './project';

/** A tool file in the workspace: code of somebody else's, until the user has looked at it. */
function tool(name: string): void {
  const schema = { type: 'function', function: { name, description: 'Says hello.', parameters: { type: 'object', properties: {} } } };
  write(`.assent/tools/${name}.json`, JSON.stringify({ schema, handler: { type: 'exec', bin: 'echo', subcommand: 'hello' } }));
}

/** The page, once it shows that. */
const page = (what: RegExp): Promise<vscode.TextDocument> =>
  until(`a page that shows ${what}`, () => {
    const document = vscode.window.activeTextEditor?.document;
    return document?.uri.scheme === 'assent-page' && what.test(document.getText()) && document;
  });

suite('trust', () => {
  teardown(clear);

  test('what the workspace would enable is shown whole, and can be trusted from there', async () => {
    tool('hello');
    await vscode.commands.executeCommand('assent.trustWorkspace');
    const shown = await page(/Tool .*hello.* \(new\)/);
    assert.match(shown.getText(), /\.assent\/tools\/hello\.json/);
    assert.match(shown.getText(), /runs echo hello/);
    const titles = (await lenses(shown.uri)).map(({ command }) => command?.title);
    assert.deepEqual(titles, ['$(check) Trust What Is Shown Here...']);
  });

  test('a workspace with nothing of its own says so', async () => {
    await vscode.commands.executeCommand('assent.trustWorkspace');
    await page(/nothing in it that trust would enable/);
  });
});
