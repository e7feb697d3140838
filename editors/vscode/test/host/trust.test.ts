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
async function page(what: RegExp): Promise<vscode.TextDocument> {
  const active = (): vscode.TextDocument | undefined => vscode.window.activeTextEditor?.document;
  const look = (): vscode.TextDocument | undefined => {
    const document = active();
    return document?.uri.scheme === 'assent-page' && what.test(document.getText()) ? document : undefined;
  };
  return until(`a page that shows ${what}`, look).catch((error: unknown) => {
    throw new Error(`${String(error)}; ${active()?.uri.toString()} shows:\n${active()?.getText()}`);
  });
}

suite('trust', () => {
  teardown(clear);

  test('what the workspace would enable is shown whole, and can be trusted from there', async () => {
    tool('hello');
    await vscode.commands.executeCommand('assent.trustWorkspace');
    const shown = await page(/With it count/);
    assert.match(shown.getText(), /- tool \.assent\/tools\/hello\.json\n    hello: runs echo hello/);
    const titles = (await lenses(shown.uri)).map(({ command }) => command?.title);
    assert.deepEqual(titles, ['$(check) Trust What Is Shown Here...']);
  });

  test('a workspace with nothing of its own says so', async () => {
    await vscode.commands.executeCommand('assent.trustWorkspace');
    const shown = await page(/nothing in it that trust would/);
    assert.deepEqual(await lenses(shown.uri), []);
  });
});
