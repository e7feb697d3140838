/** What the connection tells the status bar, and the context keys that follow from it. */
import * as vscode from 'vscode';
import type { Connection } from '../server/connection';
import type { SessionNotification } from '../wire';
import type { StatusBoard } from './board';

export function feedStatus(board: StatusBoard, connection: Connection): vscode.Disposable {
  const context = (key: string, value: unknown): void => void vscode.commands.executeCommand('setContext', key, value);
  let knowsSession = false;
  return vscode.Disposable.from(
    connection.onState((server) => {
      board.set({ server });
      context('assent.server', server);
    }),
    connection.onTurn(() => {
      const { turns } = connection;
      board.set({ turns: turns.length, message: turns.at(-1)?.message ?? '' });
      context('assent.running', turns.length > 0);
    }),
    connection.onUpdate((notification) => {
      if (!knowsSession) context('assent.hasSession', (knowsSession = true));
      const tokens = totalTokens(notification);
      if (tokens !== undefined) board.set({ tokens });
    }),
  );
}

/** Input and output tokens of the whole session, from a `usage_update`. */
function totalTokens({ update }: SessionNotification): number | undefined {
  if (update.sessionUpdate !== 'usage_update') return undefined;
  const assent = update._meta?.['assent'] as { total?: { input?: number; output?: number } } | undefined;
  return assent?.total && (assent.total.input ?? 0) + (assent.total.output ?? 0);
}
