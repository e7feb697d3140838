/**
 * The one connection to the server: LSP with the conversation on it. Starts on first use, hands what the server sends
 * to whoever listens, and says when it is up or down. It knows no panel, no review and no approval.
 */
import * as vscode from 'vscode';
import {
  LanguageClient,
  type DynamicFeature,
  type LanguageClientOptions,
  type ServerOptions,
  type StaticFeature,
} from 'vscode-languageclient/node';
import { ACP_VERSION, method } from '../wire';
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  PermissionAnswer,
  RequestPermissionRequest,
  Review,
  SessionNotification,
} from '../wire';

/** Requests of the server's that a part of the extension answers. */
export interface Answers {
  permission(request: RequestPermissionRequest, token: vscode.CancellationToken): Promise<PermissionAnswer>;
  elicitation(request: CreateElicitationRequest, token: vscode.CancellationToken): Promise<CreateElicitationResponse>;
  /** Saves documents; returns those that are saved. */
  save(uris: string[]): Promise<string[]>;
  languageQuery(name: string, params: unknown, token: vscode.CancellationToken): Promise<unknown>;
}

/** How to start a server, or why it cannot be. */
export type Launch = { options: ServerOptions } | { problem: string };

/** Whether there is a server. `failed` stays until the user restarts it. */
export type State = 'stopped' | 'starting' | 'running' | 'failed';

/** What parts of the extension may do with the server; a fake of it stands in unit tests. */
export interface Server {
  readonly state: State;
  readonly onState: vscode.Event<State>;
  readonly onUpdate: vscode.Event<SessionNotification>;
  readonly onReview: vscode.Event<Review>;
  /** Sends a request; starts the server first if there is none. */
  request<Result>(name: string, params: unknown, token?: vscode.CancellationToken): Promise<Result>;
  /** Sends a notification; dropped when there is no server. */
  notify(name: string, params: unknown): Promise<void>;
  /** Runs a command of the server's (`workspace/executeCommand`). */
  execute<Result>(command: string, argument?: unknown): Promise<Result>;
}

/** A language client that leaves the registration of commands to the extension, which has them before it starts. */
class Client extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ('registrationType' in feature && feature.registrationType.method === 'workspace/executeCommand') return;
    super.registerFeature(feature);
  }
}

/** What the extension tells the server of itself in `initialize`. */
const announcement: StaticFeature = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = {
      ...(capabilities.experimental as object | undefined),
      assent: {
        acp: { protocolVersion: ACP_VERSION, clientCapabilities: { elicitation: { form: {} } } },
        review: true,
        save: true,
        languageQueries: true,
      },
    };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

/** The connection. Dispose it to stop the server. */
export class Connection implements Server, vscode.Disposable {
  private readonly stateChanged = new vscode.EventEmitter<State>();
  private readonly updated = new vscode.EventEmitter<SessionNotification>();
  private readonly reviewed = new vscode.EventEmitter<Review>();
  private client: Client | undefined;
  private starting: Promise<Client> | undefined;
  private current: State = 'stopped';

  readonly onState = this.stateChanged.event;
  readonly onUpdate = this.updated.event;
  readonly onReview = this.reviewed.event;

  constructor(
    private readonly launch: () => Promise<Launch>,
    private readonly answers: Answers,
    private readonly output: vscode.OutputChannel,
  ) {}

  get state(): State {
    return this.current;
  }

  async request<Result>(name: string, params: unknown, token?: vscode.CancellationToken): Promise<Result> {
    const client = await this.start();
    return token ? client.sendRequest<Result>(name, params, token) : client.sendRequest<Result>(name, params);
  }

  async notify(name: string, params: unknown): Promise<void> {
    if (this.client && this.current === 'running') await this.client.sendNotification(name, params);
  }

  async execute<Result>(command: string, argument?: unknown): Promise<Result> {
    return this.request<Result>('workspace/executeCommand', { command, arguments: argument === undefined ? [] : [argument] });
  }

  /** Starts the server if it is not there; whoever asks meanwhile waits for the same start. */
  start(): Promise<Client> {
    this.starting ??= this.open().catch((error: unknown) => {
      this.starting = undefined;
      this.become('failed');
      throw error;
    });
    return this.starting;
  }

  /** Stops the server. */
  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.starting = undefined;
    if (client) await client.dispose().catch((error: unknown) => this.output.appendLine(`stopping the server: ${String(error)}`));
    this.become('stopped');
  }

  dispose(): void {
    void this.stop();
    this.stateChanged.dispose();
    this.updated.dispose();
    this.reviewed.dispose();
  }

  private async open(): Promise<Client> {
    this.become('starting');
    const launch = await this.launch();
    if ('problem' in launch) throw new Error(launch.problem);
    const client = new Client('assent', 'Assent', launch.options, this.options());
    client.registerFeature(announcement);
    this.listen(client);
    this.client = client;
    await client.start();
    this.become('running');
    return client;
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: [{ scheme: 'file' }, { scheme: 'untitled' }],
      outputChannel: this.output,
      synchronize: { configurationSection: 'assent' },
    };
  }

  private listen(client: Client): void {
    client.onNotification(method.sessionUpdate, (update: SessionNotification) => this.updated.fire(update));
    client.onNotification(method.reviewUpdated, (review: Review) => this.reviewed.fire(review));
    client.onRequest(method.requestPermission, (request: RequestPermissionRequest, token) =>
      this.answers.permission(request, token),
    );
    client.onRequest(method.createElicitation, (request: CreateElicitationRequest, token) =>
      this.answers.elicitation(request, token),
    );
    client.onRequest(method.documentSave, async (params: { uris: string[] }) => ({
      saved: await this.answers.save(params.uris),
    }));
    client.onRequest(method.languageQuery, (params: { method: string; params: unknown }, token) =>
      this.answers.languageQuery(params.method, params.params, token),
    );
  }

  private become(state: State): void {
    if (this.current === state) return;
    this.current = state;
    this.stateChanged.fire(state);
  }
}
