/** What the commands need of the other parts of the extension. */
import type * as vscode from 'vscode';
import type { Sessions } from '../chat/sessions';
import type { ReviewPart } from '../review/review';
import type { Connection } from '../server/connection';
import type { Log } from '../server/log';
import type { Notices } from '../server/notices';
import type { Status } from '../status';
import type { Trust } from '../trust/trust';
import type { Pages } from './pages';

/** The chat panel, as far as commands are concerned. */
export interface Panel {
  /** The session that it shows. */
  sessionId(): string | undefined;
  /** The user started something in this session: have it shown where its answer can be read. */
  show(sessionId: string): Promise<void>;
  readonly sessions: Pick<Sessions, 'ready' | 'setOption' | 'enqueue' | 'send' | 'changed'>;
}

export interface Parts {
  connection: Connection;
  notices: Notices;
  log: Log;
  status: Status;
  panel: Panel;
  review: ReviewPart;
  trust: Trust;
  pages: Pages;
  extension: vscode.Extension<unknown>;
}

/** What runs behind a command; the argument is whatever its caller passed. */
export type Run = (argument: unknown) => Thenable<unknown>;

/** Commands by id. */
export type Table = Record<string, Run>;
