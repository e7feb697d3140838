/**
 * The one connection to the server: LSP with the conversation on it. Starts on first use, starts again when the server
 * ends by itself, hands what it sends to whoever listens, and says when it is up or down. It knows no panel, no review
 * and no approval, and shows nothing.
 */
import * as vscode from 'vscode';
import {
  ApplyWorkspaceEditRequest,
  ResponseError,
  type ApplyWorkspaceEditParams,
  type ApplyWorkspaceEditResult,
} from 'vscode-languageclient/node';
import { method } from '../wire';
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  PermissionAnswer,
  RequestPermissionRequest,
  Review,
  SessionNotification,
  TrustUpdated,
} from '../wire';
import { Client } from './client';
import { misfit } from './fit';
import type { Log } from './log';
import { Program, type Launch } from './program';
import { Restarts } from './restarts';
import { ServerUnavailable, type Trouble } from './trouble';
import { Turns, type Turn } from './turns';

/** Requests of the server's that a part of the extension answers. */
export interface Answers {
  permission(request: RequestPermissionRequest, token: vscode.CancellationToken): Promise<PermissionAnswer>;
  elicitation(request: CreateElicitationRequest, token: vscode.CancellationToken): Promise<CreateElicitationResponse>;
  /** Applies an edit of the server's; `converted` is the same in the editor's own types. */
  apply(params: ApplyWorkspaceEditParams, converted: vscode.WorkspaceEdit): Promise<ApplyWorkspaceEditResult>;
  /** Saves documents; returns those that are saved. */
  save(uris: string[]): Promise<string[]>;
  languageQuery(name: string, params: unknown, token: vscode.CancellationToken): Promise<unknown>;
}

/** Whether there is a server. `starting` is also the wait before it is started again; `failed` needs the user. */
export type State = 'stopped' | 'starting' | 'running' | 'failed';

/** What parts of the extension may do with the server; a fake of it stands in unit tests. */
export interface Server {
  readonly state: State;
  /** Told when `state` has changed. `running` again after a crash: what the server knew of open sessions is to be loaded anew. */
  readonly onState: vscode.Event<State>;
  readonly onUpdate: vscode.Event<SessionNotification>;
  readonly onReview: vscode.Event<Review>;
  /** Sends a request; starts the server first if there is none. Rejects with `ServerUnavailable` when there can be none. */
  request<Result>(name: string, params: unknown, token?: vscode.CancellationToken): Promise<Result>;
  /** Sends a notification; dropped when there is no server. */
  notify(name: string, params: unknown): Promise<void>;
  /** Runs a command of the server's (`workspace/executeCommand`). */
  execute<Result>(command: string, argument?: unknown): Promise<Result>;
}

/** How to find what to start, and what to hold its answer against. */
export interface Plan {
  /** Found anew for each start, because settings change. */
  launch(): Launch | { trouble: Trouble };
  /** Version of the extension. */
  version: string;
}

/** How long a program may take to answer `initialize`. */
const START_TIME = 10_000;
/** How long a server may take to answer `shutdown`. */
const STOP_TIME = 2_000;
/** The codes that vscode-jsonrpc rejects requests with when the connection goes away under them. */
const LOST = { writing: -32099, waiting: -32097, asking: -32096 };

/** The connection. Dispose it to stop the server. */
export class Connection implements Server, vscode.Disposable {
  private readonly stateChanged = new vscode.EventEmitter<State>();
  private readonly updated = new vscode.EventEmitter<SessionNotification>();
  private readonly reviewed = new vscode.EventEmitter<Review>();
  private readonly trusted = new vscode.EventEmitter<TrustUpdated>();
  private readonly turnChanged = new vscode.EventEmitter<Turn>();
  private readonly troubled = new vscode.EventEmitter<Trouble>();
  private readonly running = new Turns();
  private readonly restarts = new Restarts();
  private current: State = 'stopped';
  private starting: Promise<Client> | undefined;
  private client: Client | undefined;
  private program: Program | undefined;
  /** Counts starts and stops; whatever an earlier one still has under way is void. */
  private attempt = 0;
  /** Set while it stays down because it crashed too often. */
  private down: Trouble | undefined;
  /** Ends the wait before a restart. */
  private wake: () => void = () => undefined;

  readonly onState = this.stateChanged.event;
  readonly onUpdate = this.updated.event;
  readonly onReview = this.reviewed.event;
  /** Where a folder of the workspace stands, whenever that changes. */
  readonly onTrust = this.trusted.event;
  /** A turn began, does something else, or ended. */
  readonly onTurn = this.turnChanged.event;
  /** There is no server, or there was none for a moment; each is to be told once. */
  readonly onTrouble = this.troubled.event;

  constructor(
    private readonly plan: Plan,
    private readonly answers: Answers,
    private readonly log: Log,
  ) {}

  get state(): State {
    return this.current;
  }

  /** The turns that run, oldest first. */
  get turns(): Turn[] {
    return this.running.list();
  }

  async request<Result>(name: string, params: unknown, token?: vscode.CancellationToken): Promise<Result> {
    const client = await this.start();
    try {
      return await (token ? client.sendRequest<Result>(name, params, token) : client.sendRequest<Result>(name, params));
    } catch (error) {
      throw wasLost(error) ? new ServerUnavailable({ kind: 'crashed', detail: '' }) : error;
    }
  }

  async notify(name: string, params: unknown): Promise<void> {
    if (this.client && this.current === 'running') await this.client.sendNotification(name, params);
  }

  async execute<Result>(command: string, argument?: unknown): Promise<Result> {
    return this.request<Result>('workspace/executeCommand', { command, arguments: argument === undefined ? [] : [argument] });
  }

  /** Cancels a turn. */
  async cancel(turn: Turn): Promise<void> {
    if (this.current === 'running') await this.client?.cancelProgress(turn.token);
  }

  /** Has the server fetch its settings anew. */
  async tellSettings(): Promise<void> {
    if (this.current === 'running') await this.client?.tellSettings();
  }

  /** Starts the server if it is not there; whoever asks meanwhile waits for the same start. */
  start(): Promise<Client> {
    if (this.down) return Promise.reject(new ServerUnavailable(this.down));
    return this.starting ?? this.begin(0);
  }

  /** Stops the server, however it stands, and starts it. */
  async restart(): Promise<void> {
    await this.stop();
    this.restarts.forget();
    this.down = undefined;
    await this.start();
  }

  /** Stops the server. */
  async stop(): Promise<void> {
    this.attempt += 1;
    this.wake();
    const { client, program } = this;
    this.client = this.program = this.starting = undefined;
    this.endTurns();
    const stopped = client?.dispose(STOP_TIME).catch((error: unknown) => this.log.warn(`stopping the server: ${String(error)}`));
    await stopped;
    await program?.end(client === undefined);
    this.become('stopped');
  }

  dispose(): void {
    void this.stop();
    for (const emitter of [this.stateChanged, this.updated, this.reviewed, this.trusted, this.turnChanged, this.troubled]) emitter.dispose();
  }

  private begin(wait: number): Promise<Client> {
    this.attempt += 1;
    const attempt = this.attempt;
    const starting = this.open(attempt, wait).catch((error: unknown) => {
      if (attempt === this.attempt) this.fail(troubleOf(error));
      throw error;
    });
    this.starting = starting;
    // A start that nobody waits for tells by its state and its trouble.
    starting.catch(() => undefined);
    return starting;
  }

  private fail(trouble: Trouble): void {
    this.starting = this.client = this.program = undefined;
    this.become('failed');
    this.troubled.fire(trouble);
  }

  private async open(attempt: number, wait: number): Promise<Client> {
    this.become('starting');
    if (wait > 0) await this.pause(wait);
    this.stillWanted(attempt);
    const launch = this.plan.launch();
    if ('trouble' in launch) throw new ServerUnavailable(launch.trouble);
    this.log.info(`starting ${[launch.command, ...launch.arguments].join(' ')}`);
    const program = new Program(launch, (line) => this.log.warn(`server: ${line}`));
    const client = new Client(program, this.log, {
      closed: () => void this.closed(attempt, program),
      progress: (token, progress) => this.tellTurn(this.running.note(token, progress)),
    });
    this.listen(client);
    this.program = program;
    await this.greet(client, program, launch.command);
    if (attempt !== this.attempt) await client.dispose(STOP_TIME).catch(() => undefined);
    this.stillWanted(attempt);
    this.client = client;
    this.become('running');
    return client;
  }

  /** Has the two introduce themselves; whatever comes of it but a fitting server is a `ServerUnavailable`. */
  private async greet(client: Client, program: Program, name: string): Promise<void> {
    let silent = false;
    const patience = setTimeout(() => {
      silent = true;
      void program.end(true);
    }, START_TIME);
    const unusable = (detail: string): ServerUnavailable => new ServerUnavailable({ kind: 'unusable', program: name, detail });
    try {
      await client.start();
      // The client takes a connection that closes while it starts for a start that went well.
      if (!client.isRunning()) throw new ResponseError(LOST.waiting, 'the connection was closed');
      const found = misfit(client.initializeResult?.capabilities.experimental, this.plan.version);
      if (found?.kind === 'version') throw new ServerUnavailable({ ...found, program: name });
      if (found) throw unusable('it is some other language server');
    } catch (error) {
      await client.dispose(STOP_TIME).catch(() => undefined);
      await program.end(true);
      if (error instanceof ServerUnavailable) throw error;
      if (silent) throw unusable(`it did not answer within ${START_TIME / 1000} s`);
      throw unusable(wasLost(error) ? await program.epitaph() : messageOf(error));
    } finally {
      clearTimeout(patience);
    }
  }

  /** The connection was closed by the other side. */
  private async closed(attempt: number, program: Program): Promise<void> {
    // While it starts, the start fails by itself.
    if (attempt !== this.attempt || this.current !== 'running') return;
    this.client = this.program = this.starting = undefined;
    const wait = this.restarts.crashed(Date.now());
    const first = this.restarts.first;
    const down: Trouble = { kind: 'down', detail: '' };
    // Set before anything is awaited: whoever asks for the server now waits for the next one, or is refused.
    if (wait === undefined) this.down = down;
    else void this.begin(wait);
    this.endTurns();
    const detail = await program.epitaph();
    void program.end(true);
    this.log.error(`the server ended by itself: ${detail}`);
    if (wait === undefined && this.down === down) {
      down.detail = detail;
      this.fail(down);
    } else if (first) {
      this.troubled.fire({ kind: 'crashed', detail });
    }
  }

  private stillWanted(attempt: number): void {
    if (attempt !== this.attempt) throw new ServerUnavailable({ kind: 'stopped' });
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private listen(client: Client): void {
    client.onNotification(method.sessionUpdate, (update: SessionNotification) => this.updated.fire(update));
    client.onNotification(method.reviewUpdated, (review: Review) => this.reviewed.fire(review));
    client.onNotification(method.trustUpdated, (state: TrustUpdated) => this.trusted.fire(state));
    client.onRequest(method.requestPermission, (request: RequestPermissionRequest, token) =>
      this.answers.permission(request, token),
    );
    client.onRequest(method.createElicitation, (request: CreateElicitationRequest, token) =>
      this.answers.elicitation(request, token),
    );
    // Takes the place of the client's own answer, which says no without a reason.
    client.onRequest(ApplyWorkspaceEditRequest.type, async (params) =>
      this.answers.apply(params, await client.protocol2CodeConverter.asWorkspaceEdit(params.edit)),
    );
    client.onRequest(method.documentSave, async (params: { uris: string[] }) => ({
      saved: await this.answers.save(params.uris),
    }));
    client.onRequest(method.languageQuery, (params: { method: string; params: unknown }, token) =>
      this.answers.languageQuery(params.method, params.params, token),
    );
  }

  private endTurns(): void {
    for (const turn of this.running.clear()) this.tellTurn(turn);
  }

  private tellTurn(turn: Turn | undefined): void {
    if (turn) this.turnChanged.fire(turn);
  }

  private become(state: State): void {
    if (this.current === state) return;
    this.current = state;
    this.stateChanged.fire(state);
  }
}

function troubleOf(error: unknown): Trouble {
  return error instanceof ServerUnavailable ? error.trouble : { kind: 'unusable', program: 'assent', detail: String(error) };
}

/** Whether a request failed because the connection went away under it. */
function wasLost(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return Object.values<unknown>(LOST).includes(code);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
