/** The chat panel's host side: makes the page, passes its messages on, and tells it what changed. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { FromPanel, ToPanel } from './messages';
import { fromPanel } from './messages';
import { page } from './page';
import { Patches, type Shown } from './patches';
import { words } from './words';

/** What the view shows and whom it tells. */
export interface Behind {
  shown: () => Shown;
  handle: (message: FromPanel) => Promise<void>;
  log: (line: string) => void;
}

/** The view, wherever VS Code has it. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  private readonly patches: Patches;
  private view: vscode.WebviewView | undefined;
  private ready = false;
  /** What the page is to be told once it is there. */
  private waiting: ToPanel[] = [];

  constructor(
    private readonly extension: vscode.Uri,
    private readonly behind: Behind,
  ) {
    this.patches = new Patches(behind.shown, (message) => this.send(message));
  }

  dispose(): void {
    this.patches.disconnect();
  }

  get visible(): boolean {
    return this.view?.visible ?? false;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    this.ready = false;
    const media = vscode.Uri.joinPath(this.extension, 'dist');
    view.webview.options = { enableScripts: true, localResourceRoots: [media] };
    const subscriptions = [
      view.webview.onDidReceiveMessage((message: unknown) => this.receive(message)),
      // A hidden page is taken down; shown again it is made anew, and says so.
      view.onDidChangeVisibility(() => {
        if (this.view === view && !view.visible) this.disconnect();
      }),
      view.onDidDispose(() => {
        for (const subscription of subscriptions) subscription.dispose();
        if (this.view !== view) return;
        this.view = undefined;
        this.disconnect();
      }),
    ];
    const uri = (name: string) => view.webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
    view.webview.html = page({
      source: view.webview.cspSource,
      script: uri('panel.js'),
      style: uri('panel.css'),
      nonce: randomBytes(18).toString('base64url'),
      language: vscode.env.language,
    });
    this.note();
  }

  /** Something may have changed. */
  readonly note = (): void => {
    this.patches.note();
    if (!this.view) return;
    const { state, cards } = this.behind.shown();
    const title = state.session?.title;
    this.view.description = title ?? '';
    const tooltip = vscode.l10n.t('Waiting for you: {0}', cards.length);
    if (this.view.badge?.value !== cards.length) this.view.badge = cards.length > 0 ? { value: cards.length, tooltip } : undefined;
  };

  /** Says something to the page, now or when it is there. */
  tell(message: ToPanel): void {
    if (this.ready) this.send(message);
    else this.waiting.push(message);
  }

  /** Tells older entries. */
  earlier(before: number): void {
    this.patches.earlier(before);
  }

  private disconnect(): void {
    this.ready = false;
    this.patches.disconnect();
  }

  private send(message: ToPanel): void {
    void this.view?.webview.postMessage(message);
  }

  private receive(raw: unknown): void {
    const message = fromPanel(raw);
    if (!message) {
      this.behind.log('The chat panel sent a message that is none; it was dropped.');
      return;
    }
    if (message.type === 'ready') {
      this.send({ type: 'update', words: words() });
      this.patches.reconnect();
      this.ready = true;
      for (const waiting of this.waiting.splice(0)) this.send(waiting);
    }
    void this.behind.handle(message);
  }
}
