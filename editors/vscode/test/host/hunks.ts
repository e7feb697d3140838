/** Hunks as the editor offers them: by the code lenses above them. */
import * as vscode from 'vscode';
import { until } from '../driver/until';

/** The lenses of a document that is open. */
export async function lenses(uri: vscode.Uri): Promise<vscode.CodeLens[]> {
  return (await vscode.commands.executeCommand<vscode.CodeLens[] | undefined>('vscode.executeCodeLensProvider', uri)) ?? [];
}

async function lens(uri: vscode.Uri, title: string): Promise<vscode.Command | undefined> {
  return (await lenses(uri)).find((found) => found.command?.title.includes(title))?.command;
}

/** Waits until that many hunks wait in a document. */
export async function waitHunks(uri: vscode.Uri, count: number): Promise<void> {
  const accepts = async (): Promise<number> =>
    (await lenses(uri)).filter((found) => found.command?.command === 'assent.review.accept').length;
  await until(`${count} hunks`, async () => (await accepts()) === count);
}

async function run({ command, arguments: given = [] }: vscode.Command): Promise<void> {
  await vscode.commands.executeCommand(command, ...given);
}

/** Accepts whatever waits, until `done`: for files that are not open, above which no lens can stand. */
export async function acceptAllUntil(what: string, done: () => boolean): Promise<void> {
  await until(what, async () => {
    await vscode.commands.executeCommand('assent.review.acceptAll');
    return done();
  });
}

/** Clicks the first lens of that title. */
export async function click(uri: vscode.Uri, title: string): Promise<void> {
  await run(await until(`a lens ${title}`, () => lens(uri, title)));
}
