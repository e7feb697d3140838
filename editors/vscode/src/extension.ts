/** Puts the parts together when VS Code activates the extension, and takes them apart with it. */
import * as vscode from 'vscode';
import { registerCommands } from './commands';
import { Edits } from './documents/apply';
import { save } from './documents/save';
import { answerQuery } from './language/query';
import { ReviewPart } from './review/review';
import { Connection, type Answers } from './server/connection';
import { launch } from './server/launch';
import { Log } from './server/log';
import { Notices } from './server/notices';
import { keepServer } from './server/keep';
import { feedStatus } from './status/feed';
import { StatusBoard } from './status/board';
import { Status } from './status';

let connection: Connection | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = new Log(vscode.window.createOutputChannel('Assent', { log: true }));
  const version = String(context.extension.packageJSON.version);
  connection = new Connection({ launch: () => launch(context.extensionPath), version }, answers(), log);
  const notices = new Notices();
  const board = new StatusBoard();
  const status = new Status(board);
  const review = new ReviewPart(connection, context.extensionUri);
  const panel = { sessionId: () => undefined, show: async () => undefined };
  context.subscriptions.push(
    log.channel,
    connection,
    status,
    feedStatus(board, connection),
    registerCommands({ connection, notices, log, status, panel, review, extension: context.extension }),
    review,
    review.onCount((hunks) => board.set({ hunks })),
    keepServer(connection, notices),
  );
}

/** Waits for the server's end, which a mere `dispose` could not. */
export async function deactivate(): Promise<void> {
  await connection?.stop();
}

/** Nothing is allowed and nothing answered until the parts that ask the user are there. */
function answers(): Answers {
  const edits = new Edits();
  return {
    permission: async () => ({ outcome: { outcome: 'cancelled' } }),
    elicitation: async () => ({ action: 'cancel' }),
    apply: (params, converted) => edits.apply(params, converted),
    save: (uris) => save(uris, edits),
    languageQuery: answerQuery,
  };
}
