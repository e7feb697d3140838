/** The language client, made quiet: it logs, and leaves messages, restarts, commands and progress to the extension. */
import * as vscode from 'vscode';
import {
  CloseAction,
  DidChangeConfigurationNotification,
  ErrorAction,
  LanguageClient,
  WorkDoneProgressCancelNotification,
  type DynamicFeature,
  type LanguageClientOptions,
  type StaticFeature,
} from 'vscode-languageclient/node';
import { ACP_VERSION } from '../wire';
import type { Log } from './log';
import type { Program } from './program';
import { section } from './section';
import type { Progress } from './turns';

/** What the owner of a client wants to hear. */
export interface Ears {
  /** The connection is gone. */
  closed(): void;
  /** A turn's progress, instead of a window's progress of its own. */
  progress(token: string | number, progress: Progress): void;
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
        // In restricted mode the workspace counts as not trusted, whatever the user said to the server before.
        trusted: vscode.workspace.isTrusted,
      },
    };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

/** Commands are there before the server starts; the review draws its lenses with the hunks. */
const OWN = ['workspace/executeCommand', 'textDocument/codeLens'];

export class Client extends LanguageClient {
  constructor(
    program: Program,
    private readonly log: Log,
    ears: Ears,
  ) {
    super('assent', 'Assent', () => program.pipes(), options(log, ears, () => this.tellSettings()));
    this.registerFeature(announcement);
  }

  /** Tells the server that its settings changed; it then fetches the section itself, which keeps the rest off the wire. */
  async tellSettings(): Promise<void> {
    await this.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
  }

  /** Cancels a turn by its progress. */
  async cancelProgress(token: string | number): Promise<void> {
    await this.sendNotification(WorkDoneProgressCancelNotification.type, { token });
  }

  /** What the extension does itself the client must not do again. */
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ('registrationType' in feature && OWN.includes(feature.registrationType.method)) return;
    super.registerFeature(feature);
  }

  /** A client that never came up has nothing to stop, and the base class takes that as an error. */
  override async stop(timeout?: number): Promise<void> {
    if (this.isRunning()) await super.stop(timeout);
  }

  // The base class shows some of these as messages with a button of its own.
  override debug(message: string, data?: unknown): void {
    this.log.info(worded(message, data));
  }

  override info(message: string, data?: unknown): void {
    this.log.info(worded(message, data));
  }

  override warn(message: string, data?: unknown): void {
    this.log.warn(worded(message, data));
  }

  override error(message: string, data?: unknown): void {
    this.log.error(worded(message, data));
  }
}

function worded(message: string, data: unknown): string {
  if (data === undefined || data === null || typeof data === 'boolean') return message;
  return `${message} ${data instanceof Error ? data.message : String(data)}`;
}

function options(log: Log, ears: Ears, tellSettings: () => Promise<void>): LanguageClientOptions {
  return {
    documentSelector: [{ scheme: 'file' }, { scheme: 'untitled' }],
    outputChannel: log.channel,
    initializationFailedHandler: () => false,
    errorHandler: {
      // A broken pipe closes the connection too, which says it better.
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        ears.closed();
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    },
    middleware: {
      workspace: {
        configuration: (params) => params.items.map((item) => (item.section === 'assent' ? settings() : null)),
        didChangeConfiguration: () => tellSettings(),
      },
      handleWorkDoneProgress: (token, progress, next) => {
        ears.progress(token, progress);
        // Only the end goes on: it lets the client forget the token, and shows nothing without a beginning.
        if (progress.kind === 'end') next(token, progress);
      },
    },
  };
}

function settings(): Record<string, unknown> {
  const found = vscode.workspace.getConfiguration('assent');
  return section(
    (key) => found.get(key),
    (key) => found.inspect(key),
  );
}
