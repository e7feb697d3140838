import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../driver/until';
import { clear, logged, open, play, write } from './project';

const TITLE = 'Add to Assent Chat';

async function titles(document: vscode.TextDocument, range: vscode.Range): Promise<string[]> {
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', document.uri, range);
  return actions.map(({ title }) => title);
}

suite('chat', () => {
  teardown(clear);

  test('a selection can be added to the chat from the lightbulb, a mere cursor not', async () => {
    await vscode.extensions.getExtension('assent.assent')?.activate();
    write('a.txt', 'one\ntwo\n');
    const { document } = await open('a.txt');
    assert.ok((await titles(document, new vscode.Range(0, 0, 1, 0))).includes(TITLE));
    assert.ok(!(await titles(document, new vscode.Range(0, 0, 0, 0))).includes(TITLE));
  });

  test('what is asked from the palette goes on in the session that the chat shows', async () => {
    await play([[{ say: 'First answer.' }], [{ say: 'Second answer.' }]]);
    const first = await asked('one');
    await logged('First answer.');
    const second = await asked('two');
    await logged('Second answer.');
    assert.equal(second, first);
    await play([[{ say: 'Another answer.' }]]);
    assert.notEqual(await asked('three'), first);
    await logged('Another answer.');
  });
});

/** Asks as soon as the turn before has ended; gives the session. */
async function asked(prompt: string): Promise<string> {
  let started: { sessionId: string } | undefined;
  await until(`"${prompt}" to be taken`, async () => {
    started = await vscode.commands.executeCommand<{ sessionId: string } | undefined>('assent.ask', { prompt });
    return started !== undefined;
  });
  return started?.sessionId ?? '';
}
