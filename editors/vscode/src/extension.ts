/** Puts the parts together when VS Code activates the extension, and takes them apart with it. */
import * as vscode from 'vscode';
import { Approvals } from './approvals/approvals';
import { Chat } from './chat/chat';
import { registerCommands } from './commands';
import { Edits } from './documents/apply';
import { save } from './documents/save';
import { answerQuery } from './language/query';
import { ReviewPart } from './review/review';
import { Trust } from './trust/trust';
import { Pages } from './commands/pages';
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
  const approvals = new Approvals();
  connection = new Connection({ launch: () => launch(context.extensionPath), version }, answers(approvals), log);
  const notices = new Notices();
  const board = new StatusBoard();
  const status = new Status(board);
  const review = new ReviewPart(connection, context.extensionUri);
  const pages = new Pages();
  const trust = new Trust(connection, pages, board);
  const panel = new Chat({
    extension: context.extensionUri,
    memory: context.workspaceState,
    connection,
    approvals,
    board,
    log: (line) => log.warn(line),
  });
  context.subscriptions.push(
    log.channel,
    connection,
    approvals,
    panel,
    status,
    feedStatus(board, connection),
    registerCommands({ connection, notices, log, status, panel, review, trust, pages, extension: context.extension }),
    review,
    trust,
    pages,
    review.onCount((hunks) => board.set({ hunks })),
    keepServer(connection, notices),
  );
}

/** Waits for the server's end, which a mere `dispose` could not. */
export async function deactivate(): Promise<void> {
  await connection?.stop();
}

/** Who answers what the server asks. */
function answers(approvals: Approvals): Answers {
  const edits = new Edits();
  return {
    permission: (request, token) => approvals.permission(request, token),
    elicitation: (request, token) => approvals.elicitation(request, token),
    apply: (params, converted) => edits.apply(params, converted),
    save: (uris) => save(uris, edits),
    languageQuery: answerQuery,
  };
}
