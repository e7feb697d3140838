/** The chat: its sessions, its view, its commands. What the user does in the panel becomes requests to the server. */
import * as vscode from 'vscode';
import type { Approvals } from '../approvals/approvals';
import type { Panel } from '../commands/parts';
import type { Connection } from '../server/connection';
import { ServerUnavailable } from '../server/trouble';
import type { StatusBoard } from '../status/board';
import { addToChatAction } from './code-actions';
import type { Attachment, SessionRow } from './entries';
import { MAX_ATTACHMENTS } from './limits';
import { contentBlocks } from './mentions';
import { attachment, type FromPanel } from './messages';
import type { Shown } from './patches';
import type { Draft } from './session';
import { messageOf, Sessions, type Memory } from './sessions';
import { completions, fileAttachment, insertCode, openFile, openLink, openPlace, surroundings } from './surroundings';
import { ChatView } from './view';

/** The view in the secondary side bar. It is there from the start: one that a key brings late is not drawn in a bar that is open. */
const SECONDARY = 'assent.chat';
/** The view in the side bar, which takes its place where VS Code knows no views of extensions in the secondary one. */
const PRIMARY = 'assent.chatSideBar';
/** Shows the one and hides the other. */
const PRIMARY_KEY = 'assent.primarySideBar';
/** Where attachments are kept, for after a reload. */
const ATTACHMENTS = 'assent.chat.attachments';

/** What the chat stands on. */
export interface Ground {
  extension: vscode.Uri;
  memory: Memory;
  connection: Connection;
  approvals: Approvals;
  board: StatusBoard;
  log: (line: string) => void;
}

/** The chat. */
export class Chat implements Panel, vscode.Disposable {
  readonly sessions: Sessions;
  private readonly view: ChatView;
  private readonly viewId: string;
  private readonly subscriptions: vscode.Disposable[] = [];
  /** What goes with the next prompt. */
  private attachments: readonly Attachment[] = [];
  /** The session list while it is open. */
  private list: SessionRow[] | null = null;

  constructor(private readonly on: Ground) {
    const primary = !hasSecondarySideBar(vscode.version);
    this.viewId = primary ? PRIMARY : SECONDARY;
    if (primary) void vscode.commands.executeCommand('setContext', PRIMARY_KEY, true);
    const kept = on.memory.get<unknown[]>(ATTACHMENTS) ?? [];
    this.attachments = kept.flatMap((one) => attachment(one) ?? []).slice(0, MAX_ATTACHMENTS);
    this.sessions = new Sessions({
      server: on.connection,
      onTurn: on.connection.onTurn,
      memory: on.memory,
      words: {
        stopped: vscode.l10n.t('Stopped.'),
        outputLimit: vscode.l10n.t('The answer was cut at the model\'s output limit.'),
        turnLimit: vscode.l10n.t('The turn was ended at its limit of steps. Send a message to go on.'),
        refused: vscode.l10n.t('The model refused to answer.'),
        serverGone: vscode.l10n.t('The server stopped, and this turn with it.'),
        queueFull: vscode.l10n.t('Too many messages wait already.'),
        untitled: vscode.l10n.t('Untitled'),
        notFound: vscode.l10n.t('The last session could not be loaded; this is a new one.'),
      },
      folder: () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
      blocks: async (draft) => contentBlocks(draft, surroundings),
    });
    this.view = new ChatView(on.extension, { shown: () => this.shown(), handle: (message) => this.handle(message), log: on.log });
    this.subscriptions.push(
      this.sessions,
      this.view,
      this.sessions.changed.on(() => this.changed()),
      on.approvals.changed.on(() => this.changed()),
      on.connection.onState((state) => {
        if (state !== 'running') on.approvals.clear();
      }),
      vscode.window.registerWebviewViewProvider(this.viewId, this.view),
      addToChatAction('assent.chat.addSelection'),
      ...this.commands(),
    );
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** Opens the panel and puts the focus into it. */
  async open(): Promise<void> {
    await vscode.commands.executeCommand(`${this.viewId}.focus`);
    this.view.tell({ type: 'focus', what: 'composer' });
  }

  /** The session that it shows. */
  sessionId(): string | undefined {
    return this.sessions.current?.id;
  }

  /** Shows a session that the user started something in; the focus stays where it is. */
  async show(sessionId: string): Promise<void> {
    const focus = this.view.visible ? Promise.resolve() : vscode.commands.executeCommand(`${this.viewId}.focus`, { preserveFocus: true });
    await Promise.all([focus, this.sessions.open(sessionId)]);
  }

  private commands(): vscode.Disposable[] {
    const register = (id: string, run: (...args: unknown[]) => Promise<void>) =>
      vscode.commands.registerCommand(id, (...args: unknown[]) => this.attempt(() => run(...args)));
    return [
      register('assent.chat.open', () => this.open()),
      register('assent.chat.addSelection', (given) => this.add(attachment(given) ?? openFile(true))),
      register('assent.chat.addFile', (uri) => this.add(uri instanceof vscode.Uri ? fileAttachment(uri) : openFile(false))),
      register('assent.chat.sessions', async () => {
        await this.showList(this.list === null);
        await vscode.commands.executeCommand(`${this.viewId}.focus`);
        if (this.list) this.view.tell({ type: 'focus', what: 'sessions' });
      }),
    ];
  }

  private async add(added: Attachment | undefined): Promise<void> {
    if (added) this.attach(added);
    else void vscode.window.showInformationMessage(vscode.l10n.t('Open a file first.'));
    await this.open();
  }

  private attach(attachment: Attachment): void {
    const known = this.attachments.some(({ label }) => label === attachment.label);
    if (!known && this.attachments.length < MAX_ATTACHMENTS) this.setAttachments([...this.attachments, attachment]);
  }

  private setAttachments(attachments: readonly Attachment[]): void {
    this.attachments = attachments;
    void this.on.memory.update(ATTACHMENTS, attachments.length > 0 ? attachments : undefined);
    this.view.note();
  }

  private changed(): void {
    this.view.note();
    const pickers = this.sessions.current?.transcript.pickers ?? [];
    const chosen = (id: string) => {
      const picker = pickers.find((one) => one.id === id);
      return picker?.choices.find(({ value }) => value === picker.value)?.name ?? '';
    };
    this.on.board.set({ approvals: this.on.approvals.count, model: chosen('model'), mode: chosen('mode') });
  }

  private shown(): Shown {
    const session = this.sessions.current;
    return {
      session,
      cards: this.on.approvals.cards,
      state: {
        server: this.on.connection.state,
        session: session ? { id: session.id, title: session.transcript.title } : null,
        loading: session?.loading ?? false,
        running: session?.running ?? false,
        held: session?.held ?? false,
        pickers: session?.transcript.pickers ?? [],
        commands: session?.transcript.commands ?? [],
        plan: session?.transcript.plan ?? [],
        usage: session?.transcript.usage ?? null,
        queue: [...(session?.queue ?? [])],
        attachments: [...this.attachments],
        sessions: this.list,
      },
    };
  }

  private handle(message: FromPanel): Promise<void> {
    return this.attempt(() => this.act(message));
  }

  /** One arm a message. */
  private async act(message: FromPanel): Promise<void> {
    const { sessions } = this;
    switch (message.type) {
      case 'ready':
        await sessions.ready();
        break;
      case 'send':
        await sessions.send(this.draft(message));
        break;
      case 'resend':
        await sessions.resend(message.prompt, this.draft(message));
        break;
      case 'stop':
        await sessions.cancel();
        break;
      case 'sendQueued':
        await sessions.sendQueued(message.id);
        break;
      case 'editQueued':
        sessions.editQueued(message.id, message.text);
        break;
      case 'removeQueued':
        sessions.removeQueued(message.id);
        break;
      case 'setOption':
        await sessions.setOption(message.id, message.value);
        break;
      case 'earlier':
        this.view.earlier(message.before);
        break;
      case 'approve':
        this.on.approvals.approve(message.key, message.option, message.said);
        break;
      case 'answer':
        this.on.approvals.answer(message.key, message.values ?? undefined);
        break;
      default:
        await this.actBesides(message);
    }
  }

  /** What has to do with the list of sessions, or with the editor around the panel. */
  private async actBesides(message: Exclude<FromPanel, { type: 'ready' | 'send' | 'resend' | 'stop' | 'earlier' | 'approve' | 'answer' }>): Promise<void> {
    const { sessions } = this;
    switch (message.type) {
      case 'newSession':
        this.list = null;
        await sessions.create();
        break;
      case 'sessions':
        await this.showList(message.open);
        break;
      case 'openSession':
        this.list = null;
        await sessions.open(message.id, message.title);
        this.view.note();
        break;
      case 'renameSession':
        await sessions.rename(message.id, message.title);
        await this.showList(true);
        break;
      case 'deleteSession':
        await sessions.remove(message.id);
        await this.showList(true);
        if (!sessions.current) await sessions.create();
        break;
      case 'complete':
        this.view.tell({ type: 'completions', query: message.query, items: await completions(message.query) });
        break;
      case 'attachFile': {
        const file = openFile(false);
        if (file) this.attach(file);
        break;
      }
      case 'detach':
        this.setAttachments(this.attachments.filter((_, index) => index !== message.index));
        break;
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        break;
      case 'insertCode':
        await insertCode(message.text);
        break;
      case 'openLink':
        await openLink(message.href);
        break;
      case 'openPlace':
        await openPlace(message.path, message.line);
        break;
      case 'restart':
        await vscode.commands.executeCommand('assent.restartServer');
        break;
      case 'blur':
        await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
        break;
      default:
        break;
    }
  }

  /** A draft with what was attached before; that is used up. */
  private draft({ text, attachments, images }: Draft): Draft {
    const all = [...this.attachments, ...attachments].slice(0, MAX_ATTACHMENTS);
    this.setAttachments([]);
    return { text, attachments: all, images };
  }

  private async showList(open: boolean): Promise<void> {
    this.list = open ? await this.sessions.list() : null;
    this.view.note();
  }

  /** Does what was asked; a failure is said where the user looks. */
  private async attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.on.log(`chat: ${messageOf(error)}`);
      // That there is no server is told once, and stands in the panel for as long as it is so.
      if (error instanceof ServerUnavailable) return;
      if (this.view.visible && this.sessions.current) this.sessions.tell('error', messageOf(error));
      else void vscode.window.showErrorMessage(messageOf(error));
    }
  }
}

/** Since 1.106 an extension can have a view in the secondary side bar. */
function hasSecondarySideBar(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 1 || (major === 1 && minor >= 106);
}
