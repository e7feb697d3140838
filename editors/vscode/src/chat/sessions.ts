/**
 * The sessions that the panel deals with, over the server: starts, loads and names them, sends prompts one after the
 * other, and keeps what comes back. The server knows all of it too; what is kept here can be loaded again.
 */
import type { Server, State } from '../server/connection';
import { ServerUnavailable } from '../server/trouble';
import { Signal, type Subscription } from '../signal';
import { method } from '../wire';
import type {
  ContentBlock,
  ListSessionsResponse,
  LoadSessionResponse,
  NewSessionResponse,
  PromptResponse,
  SessionConfigOption,
  SessionNotification,
} from '../wire';
import type { Queued, SessionRow, TurnCommand } from './entries';
import { Session, type Draft } from './session';
import { pickersOf } from './session-state';
import { assentMeta } from './transcript';

/** What is remembered of a window; `vscode.Memento` fits. */
export interface Memory {
  get<Value>(key: string): Value | undefined;
  update(key: string, value: unknown): Thenable<void>;
}

/** Words that the sessions say themselves. */
export interface SessionWords {
  stopped: string;
  outputLimit: string;
  turnLimit: string;
  refused: string;
  serverGone: string;
  queueFull: string;
  untitled: string;
  notFound: string;
}

/** A turn that began or ended, whoever started it; the connection's `Turn` fits. */
interface TurnNews {
  sessionId?: string;
  running: boolean;
}

/** What the sessions stand on. */
export interface Ground {
  server: Server;
  onTurn: (listener: (turn: TurnNews) => void) => Subscription;
  memory: Memory;
  words: SessionWords;
  /** The folder whose sessions are listed. */
  folder: () => string | undefined;
  /** A draft as ACP has it; reads the selection and the problems as they are then. */
  blocks: (draft: Draft) => Promise<ContentBlock[]>;
}

/** Where the session shown is kept, for after a reload. */
const CURRENT = 'assent.chat.session';

/** What is kept of it: what the server has not. */
interface Kept {
  id: string;
  title: string;
  queue?: Queued[];
  /** A turn ran. What of it waits for the user is brought back with the window, looked at or not. */
  running?: true;
}

/** Pages of the session list that are asked for. */
const MAX_PAGES = 20;

/** All sessions. */
export class Sessions implements Subscription {
  /** Something changed that the panel may show. */
  readonly changed = new Signal<void>();
  /** The session shown. */
  current: Session | undefined;
  private readonly known = new Map<string, Session>();
  private readonly subscriptions: Subscription[];
  private opening: Promise<Session> | undefined;
  /** Somebody wants to see a session. */
  private wanted = false;
  private up: boolean;
  /** The server was there and went. */
  private wasDown = false;

  constructor(private readonly on: Ground) {
    this.up = on.server.state === 'running';
    this.subscriptions = [
      on.server.onUpdate((notification) => this.update(notification)),
      on.server.onState((state) => this.serverBecame(state)),
      on.onTurn((turn) => this.turnChanged(turn)),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** The session shown: the one there is, else the one from before a reload, else a new one. */
  ready(): Promise<Session> {
    this.wanted = true;
    if (this.current && !this.opening) return Promise.resolve(this.current);
    this.opening ??= this.restore().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  /** Starts a session and shows it. */
  async create(): Promise<Session> {
    const folder = this.on.folder();
    const response = await this.on.server.request<NewSessionResponse>(method.sessionNew, {
      mcpServers: [],
      ...(folder ? { cwd: folder } : {}),
    });
    const session = this.session(response.sessionId);
    session.whole = true;
    this.options(session, response.configOptions);
    this.show(session);
    return session;
  }

  /** Shows a session, told again by the server as far as it is not known here. */
  async open(id: string, title = ''): Promise<Session> {
    const session = this.session(id);
    if (title !== '') session.transcript.title = title;
    this.show(session);
    if (session.whole) return session;
    try {
      // While a turn runs, its session is not told again; what was heard of it stays.
      if (session.running || session.heardFromTheStart) await this.resume(session);
      else await this.load(session);
    } catch (error) {
      this.forget(id);
      throw error;
    }
    return session;
  }

  /** The sessions of the folder, newest first. */
  async list(): Promise<SessionRow[]> {
    const folder = this.on.folder();
    const rows: SessionRow[] = [];
    let cursor: string | null | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const response: ListSessionsResponse = await this.on.server.request(method.sessionList, {
        ...(folder ? { cwd: folder } : {}),
        ...(cursor ? { cursor } : {}),
      });
      for (const { sessionId, title, updatedAt, cwd } of response.sessions) {
        const running = this.known.get(sessionId)?.running ?? false;
        rows.push({ id: sessionId, title: title || this.on.words.untitled, folder: cwd, running, ...(updatedAt ? { updated: updatedAt } : {}) });
      }
      cursor = response.nextCursor;
      if (!cursor) break;
    }
    return rows;
  }

  async rename(id: string, title: string): Promise<void> {
    await this.on.server.request(method.sessionRename, { sessionId: id, title });
    const known = this.known.get(id);
    if (known) known.transcript.title = title;
    this.changed.fire();
  }

  async remove(id: string): Promise<void> {
    await this.on.server.request(method.sessionDelete, { sessionId: id });
    this.forget(id);
    this.changed.fire();
  }

  /** Sends a draft, or puts it behind the turn that runs. Gives when the turn has ended. */
  async send(draft: Draft): Promise<void> {
    const session = await this.ready();
    if (!this.enqueue(draft, session.id)) await this.turn(session, draft);
  }

  /** Puts a command behind the turn that runs in the session shown. False where none runs there: then it can start now. */
  enqueue(draft: Draft, sessionId = this.current?.id): boolean {
    const session = this.current;
    if (!session?.running || session.id !== sessionId) return false;
    if (!session.enqueue(draft)) session.transcript.tell('warning', this.on.words.queueFull);
    this.queueChanged();
    return true;
  }

  /** Takes a prompt and all behind it back, and sends a draft in its place. */
  async resend(prompt: number, draft: Draft): Promise<void> {
    const session = await this.ready();
    if (session.running) return;
    await this.on.server.request(method.sessionRewind, { sessionId: session.id, prompt });
    session.transcript.rewind(prompt);
    await this.turn(session, draft);
  }

  /** Sends a waiting message now, whether or not the queue is held. */
  async sendQueued(id: number): Promise<void> {
    const session = this.current;
    if (!session || session.running) return;
    const queued = session.dequeue(id);
    if (queued) await this.turn(session, queued);
  }

  editQueued(id: number, text: string): void {
    this.current?.edit(id, text);
    this.queueChanged();
  }

  removeQueued(id: number): void {
    this.current?.dequeue(id);
    this.queueChanged();
  }

  /** Stops the turn of the session shown. */
  async cancel(): Promise<void> {
    if (this.current?.running) await this.on.server.notify(method.sessionCancel, { sessionId: this.current.id });
  }

  /** Sets an option of the session shown: mode, model, agent, thought level. */
  async setOption(configId: string, value: string): Promise<void> {
    const session = await this.ready();
    const response = await this.on.server.request<{ configOptions?: SessionConfigOption[] }>(method.sessionSetConfigOption, {
      sessionId: session.id,
      configId,
      value,
    });
    if (response?.configOptions) this.options(session, response.configOptions);
    this.changed.fire();
  }

  /** A failure of something asked for in the panel, said in the conversation. */
  tell(level: 'info' | 'warning' | 'error', text: string): void {
    this.current?.transcript.tell(level, text);
    this.changed.fire();
  }

  private queueChanged(): void {
    this.remember();
    this.changed.fire();
  }

  private async restore(): Promise<Session> {
    const kept = this.on.memory.get<Kept>(CURRENT);
    if (kept) {
      try {
        const session = await this.open(kept.id, kept.title);
        for (const queued of kept.queue ?? []) session.enqueue(queued);
        session.held = session.queue.length > 0;
        this.remember();
        return session;
      } catch (error) {
        if (this.on.server.state !== 'running') throw error;
        // Deleted meanwhile, or of another machine.
        const session = await this.create();
        session.transcript.tell('info', this.on.words.notFound);
        return session;
      }
    }
    return this.create();
  }

  private async load(session: Session): Promise<void> {
    session.transcript.clear();
    session.loading = true;
    this.changed.fire();
    try {
      await this.fetch(session, method.sessionLoad);
      session.whole = !session.running || session.heardFromTheStart;
    } finally {
      session.loading = false;
      this.changed.fire();
    }
  }

  /** What a session can be set to, without its conversation. */
  private async resume(session: Session): Promise<void> {
    await this.fetch(session, method.sessionResume);
    session.whole = session.heardFromTheStart;
    this.changed.fire();
  }

  private async fetch(session: Session, name: string): Promise<void> {
    const folder = this.on.folder();
    const params = { sessionId: session.id, mcpServers: [], ...(folder ? { cwd: folder } : {}) };
    const response = await this.on.server.request<LoadSessionResponse>(name, params);
    this.options(session, response.configOptions);
  }

  private async turn(session: Session, draft: Draft): Promise<void> {
    if (draft.command) return this.command(session, draft.command);
    session.turn = 'ours';
    session.turns += 1;
    session.held = false;
    const mine = session.turns;
    // Also that it runs, and what is no longer in the queue.
    this.remember();
    const entry = session.transcript.say(draft.text, draft.images, draft.attachments);
    this.changed.fire();
    let went = false;
    try {
      const prompt = await this.on.blocks(draft);
      const response = await this.on.server.request<PromptResponse>(method.sessionPrompt, { sessionId: session.id, prompt });
      this.numbered(session, entry, assentMeta(response._meta)['prompt']);
      went = this.ended(session, response.stopReason);
    } catch (error) {
      this.numbered(session, entry, promptOfError(error));
      // Where the server went away, that was said already.
      if (session.turns === mine) session.transcript.tell('error', error instanceof ServerUnavailable ? this.on.words.serverGone : messageOf(error));
    }
    if (session.turns !== mine) return;
    session.transcript.endCalls();
    session.turn = 'none';
    session.held = !went && session.queue.length > 0;
    this.remember();
    this.changed.fire();
    if (went) await this.next(session);
  }

  /** Starts the turn of a command that waited. It is told, like that of a command which did not. */
  private async command(session: Session, { id, argument }: TurnCommand): Promise<void> {
    session.turn = 'other';
    session.held = false;
    this.remember();
    this.changed.fire();
    try {
      await this.on.server.execute(id, { ...argument, sessionId: session.id });
    } catch (error) {
      if (session.turn === 'other') session.turn = 'none';
      session.held = session.queue.length > 0;
      session.transcript.tell('error', messageOf(error));
      this.remember();
      this.changed.fire();
    }
  }

  private numbered(session: Session, entry: ReturnType<Session['transcript']['say']>, prompt: unknown): void {
    if (typeof prompt === 'number') session.transcript.number(entry, prompt);
  }

  /** Says why a turn ended, where that is not plain; whether what waits may go on. */
  private ended(session: Session, reason: PromptResponse['stopReason']): boolean {
    const { words } = this.on;
    switch (reason) {
      case 'cancelled':
        session.transcript.tell('info', words.stopped);
        return false;
      case 'max_tokens':
        session.transcript.tell('warning', words.outputLimit);
        return false;
      case 'max_turn_requests':
        session.transcript.tell('warning', words.turnLimit);
        return false;
      case 'refusal':
        session.transcript.tell('warning', words.refused);
        return false;
      default:
        return true;
    }
  }

  private async next(session: Session): Promise<void> {
    const first = session.queue[0];
    if (!first || session.running) return;
    session.dequeue(first.id);
    await this.turn(session, first);
  }

  private update({ sessionId, update }: SessionNotification): void {
    const session = this.session(sessionId);
    session.transcript.update(update);
    if (update.sessionUpdate === 'session_info_update' && session === this.current) this.remember();
    this.changed.fire();
  }

  /** A turn that a command started has begun or ended; of those started from here, the answer says more. */
  private turnChanged({ sessionId, running }: TurnNews): void {
    const session = sessionId === undefined ? undefined : this.session(sessionId);
    if (!session || session.turn === 'ours') return;
    if (running) {
      session.turn = 'other';
      this.remember();
    } else if (session.turn === 'other') {
      session.turn = 'none';
      this.remember();
      session.transcript.endCalls();
      void this.next(session);
      if (!session.whole && session === this.current) void this.load(session).catch((error: unknown) => this.tell('error', messageOf(error)));
    }
    this.changed.fire();
  }

  private serverBecame(state: State): void {
    if (state === 'running') {
      this.up = true;
      if (this.wasDown) void this.comeBack();
      else if (this.on.memory.get<Kept>(CURRENT)?.running) this.ready().catch(() => undefined);
      this.wasDown = false;
    } else if (this.up) {
      this.up = false;
      this.wasDown = true;
      for (const session of this.known.values()) this.lost(session);
    } else if (state === 'failed') this.wasDown = true;
    this.changed.fire();
  }

  /** The server went, and a turn that ran with it. */
  private lost(session: Session): void {
    if (!session.running) return;
    session.transcript.tell('error', this.on.words.serverGone);
    session.transcript.endCalls();
    session.held = session.queue.length > 0;
    session.turn = 'none';
    session.turns += 1;
  }

  /** After a restart of the server: the session shown is told again, the others when they are opened. */
  private async comeBack(): Promise<void> {
    for (const id of [...this.known.keys()]) if (id !== this.current?.id) this.known.delete(id);
    const { current } = this;
    if (!current) {
      if (this.wanted) await this.ready().catch(() => undefined);
      return;
    }
    const lostTurn = current.transcript.entries.findLast((entry) => entry.kind === 'notice' && entry.text === this.on.words.serverGone);
    try {
      await this.load(current);
      if (lostTurn) this.tell('error', this.on.words.serverGone);
    } catch {
      // It had no prompt yet, and so was never written down.
      this.forget(current.id);
      const session = await this.create().catch(() => undefined);
      if (session) session.queue = current.queue;
    }
  }

  private session(id: string): Session {
    let session = this.known.get(id);
    if (!session) {
      session = new Session(id);
      this.known.set(id, session);
    }
    return session;
  }

  private show(session: Session): void {
    if (this.current === session) return;
    this.current = session;
    this.remember();
    this.changed.fire();
  }

  private forget(id: string): void {
    this.known.delete(id);
    if (this.current?.id !== id) return;
    this.current = undefined;
    this.remember();
  }

  private remember(): void {
    const { current } = this;
    const kept: Kept | undefined = current && {
      id: current.id,
      title: current.transcript.title,
      ...(current.queue.length > 0 ? { queue: [...current.queue] } : {}),
      ...(current.running ? { running: true } : {}),
    };
    void this.on.memory.update(CURRENT, kept);
  }

  private options(session: Session, options: SessionConfigOption[] | null | undefined): void {
    session.transcript.pickers = pickersOf(options);
  }
}

/** The words of a failure; the server's own where it has some. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A failed turn has a prompt too; its number is in the error's data. */
function promptOfError(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('data' in error)) return undefined;
  const { data } = error;
  return assentMeta(typeof data === 'object' ? (data as { [key: string]: unknown } | null) : undefined)['prompt'];
}
