import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../driver/until';
import { clear, logged, open, play, write } from './project';

const problem = 'the sum is wrong in this line';

function actions(uri: vscode.Uri, range: vscode.Range): Thenable<vscode.CodeAction[]> {
  return vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', uri, range);
}

/** Waits for a code action by a part of its title; the server may still be starting. */
async function action(uri: vscode.Uri, range: vscode.Range, title: string): Promise<vscode.Command> {
  const found = await until(`the code action ${title}`, async () =>
    (await actions(uri, range)).find((candidate) => candidate.title.includes(title)),
  );
  assert.ok(found.command, `${title} has a command`);
  return found.command;
}

suite('code actions and problems', () => {
  const reported = vscode.languages.createDiagnosticCollection('assent-test');
  const line = new vscode.Range(1, 0, 1, 5);

  async function withProblem(): Promise<vscode.TextEditor> {
    const uri = write('sum.txt', 'one\ntwo two\nthree\n');
    reported.set(uri, [new vscode.Diagnostic(line, problem, vscode.DiagnosticSeverity.Error)]);
    return open('sum.txt');
  }

  teardown(async () => {
    reported.clear();
    await clear();
  });
  suiteTeardown(() => reported.dispose());

  test('the light bulb of a selection explains it', async () => {
    const editor = await withProblem();
    await play([[{ say: 'It counts.' }]]);
    const { command, arguments: given } = await action(editor.document.uri, new vscode.Range(0, 0, 2, 0), 'explain');
    await vscode.commands.executeCommand(command, ...(given ?? []));
    await logged('It counts.');
  });

  test('the light bulb of a problem fixes it', async () => {
    const editor = await withProblem();
    await play([[{ say: 'Mended by the bulb.' }]]);
    const { command, arguments: given } = await action(editor.document.uri, line, 'fix');
    assert.equal(command, 'assent.fix');
    await vscode.commands.executeCommand(command, ...(given ?? []));
    await logged('Mended by the bulb.');
    await logged(problem);
  });

  test('the palette takes the problem at the cursor', async () => {
    const editor = await withProblem();
    editor.selection = new vscode.Selection(1, 6, 1, 6);
    await play([[{ say: 'Mended from the palette.' }]]);
    await vscode.commands.executeCommand('assent.fix');
    await logged('Mended from the palette.');
  });
});
