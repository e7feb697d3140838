/**
 * The turns that run, as the server's work-done progress tells them. That is the one signal which every turn gives,
 * whoever started it: a command, a code action or the chat.
 */
import type { WorkDoneProgressBegin, WorkDoneProgressEnd, WorkDoneProgressReport } from 'vscode-languageclient';

/** One turn. */
export interface Turn {
  /** The token of its progress. */
  token: string | number;
  /** Its session, from the progress's `sessionId`. */
  sessionId?: string;
  /** What it is doing, in the server's words. */
  message: string;
  running: boolean;
}

export type Progress = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

export class Turns {
  private readonly running = new Map<string | number, Turn>();

  /** What changed about a turn, if anything. */
  note(token: string | number, progress: Progress): Turn | undefined {
    const known = this.running.get(token);
    if (progress.kind === 'begin') {
      const sessionId = 'sessionId' in progress && typeof progress.sessionId === 'string' ? progress.sessionId : undefined;
      const turn: Turn = { token, message: progress.message ?? '', running: true };
      if (sessionId !== undefined) turn.sessionId = sessionId;
      this.running.set(token, turn);
      return turn;
    }
    if (!known) return undefined;
    if (progress.kind === 'end') {
      this.running.delete(token);
      return { ...known, running: false };
    }
    const turn = { ...known, message: progress.message ?? known.message };
    this.running.set(token, turn);
    return turn;
  }

  /** Those that run now, oldest first. */
  list(): Turn[] {
    return [...this.running.values()];
  }

  /** The server is gone, and every turn with it. */
  clear(): Turn[] {
    const ended = this.list().map((turn) => ({ ...turn, running: false }));
    this.running.clear();
    return ended;
  }
}
