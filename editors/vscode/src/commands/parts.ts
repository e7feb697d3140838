/** What the commands need of the other parts of the extension. */
import type * as vscode from 'vscode';
import type { Picker } from '../chat/entries';
import type { ReviewPart } from '../review/review';
import type { Connection } from '../server/connection';
import type { Log } from '../server/log';
import type { Notices } from '../server/notices';
import type { Status } from '../status';

/** The chat panel, as far as commands are concerned. */
export interface Panel {
  /** The session that it shows. */
  sessionId(): string | undefined;
  /** The user started something in this session: have it shown where its answer can be read. */
  show(sessionId: string): Promise<void>;
  readonly sessions: {
    /** The session that it shows; a new one where there is none. */
    ready(): Promise<{ transcript: { pickers: readonly Picker[] } }>;
    /** Sets an option of that session. */
    setOption(id: string, value: string): Promise<void>;
  };
}

export interface Parts {
  connection: Connection;
  notices: Notices;
  log: Log;
  status: Status;
  panel: Panel;
  review: ReviewPart;
  extension: vscode.Extension<unknown>;
}

/** What runs behind a command; the argument is whatever its caller passed. */
export type Run = (argument: unknown) => Thenable<unknown>;

/** Commands by id. */
export type Table = Record<string, Run>;
