/**
 * Trust in the workspace: what it would enable is shown as a page, whole and in the server's words; a yes is given from
 * that page, and holds for exactly what it showed. VS Code's own restricted mode comes before: while that is on, nothing
 * can be trusted here.
 */
import * as vscode from 'vscode';
import { visible } from '../approvals/visible';
import type { Pages } from '../commands/pages';
import type { Table } from '../commands/parts';
import type { Connection } from '../server/connection';
import type { StatusBoard } from '../status/board';
import { method, type TrustShown, type TrustUpdated } from '../wire';

const { t } = vscode.l10n;

/** Name of the page. */
const PAGE = 'Workspace Trust.txt';

/** The part; its commands are registered with all others. */
export class Trust implements vscode.CodeLensProvider, vscode.Disposable {
  /** Where each folder stands, as the server last said. */
  private readonly states = new Map<string, TrustUpdated>();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly parts: vscode.Disposable;
  /** What the page shows. */
  private shown: TrustShown | undefined;

  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly connection: Connection,
    private readonly pages: Pages,
    private readonly board: StatusBoard,
  ) {
    this.parts = vscode.Disposable.from(
      this.changed,
      vscode.languages.registerCodeLensProvider({ scheme: pages.scheme, pattern: `**/${PAGE}` }, this),
      connection.onTrust((state) => this.note(state)),
      connection.onState((state) => {
        if (state === 'running') return;
        this.states.clear();
        this.count();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void connection.notify(method.trustClient, { trusted: true })),
    );
  }

  /** The commands by id. */
  table(): Table {
    return {
      'assent.trustWorkspace': () => this.look(),
      'assent.trust.approve': () => this.approve(),
      'assent.untrustWorkspace': () => this.end(),
    };
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { shown } = this;
    if (!shown || document.uri.path !== `/${PAGE}`) return [];
    const lens = (title: string, command: string): vscode.CodeLens =>
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command });
    return [
      ...(shown.state === 'trusted' || shown.items.length === 0 ? [] : [lens(`$(check) ${t('Trust What Is Shown Here...')}`, 'assent.trust.approve')]),
      ...(shown.state === 'untrusted' ? [] : [lens(`$(close) ${t('Stop Trusting This Workspace')}`, 'assent.untrustWorkspace')]),
    ];
  }

  dispose(): void {
    this.parts.dispose();
  }

  /** Shows what would count. */
  private async look(): Promise<TrustShown | undefined> {
    if (!vscode.workspace.isTrusted) {
      await vscode.commands.executeCommand('workbench.trust.manage');
      return undefined;
    }
    const folder = await folderMeant();
    if (!folder) return undefined;
    const shown = await this.connection.execute<TrustShown>('assent.trustWorkspace', folder);
    await this.show(shown);
    return shown;
  }

  private async show(shown: TrustShown): Promise<void> {
    this.shown = shown;
    await this.pages.show(PAGE, visible(shown.summary));
    this.changed.fire();
  }

  /** Trusts exactly what the page shows, once the user said so to its count. */
  private async approve(): Promise<void> {
    const { shown } = this;
    if (!shown) {
      await this.look();
      return;
    }
    const yes = t('Trust');
    const count = shown.items.filter(({ state }) => state !== 'approved').length;
    const question = count === 1 ? t('Trust 1 item of {0}?', shown.folder) : t('Trust {0} items of {1}?', count, shown.folder);
    const detail = t('They count from then on as the page shows them, and each has to be looked at again when it changes. What they run is still asked for.');
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) !== yes) return;
    try {
      await this.show(await this.connection.execute<TrustShown>('assent.trustWorkspace', { folder: shown.folder, digest: shown.digest }));
    } catch (error) {
      // What would count is no longer what was shown: that is shown now, and nothing was trusted.
      await this.show(await this.connection.execute<TrustShown>('assent.trustWorkspace', { folder: shown.folder }));
      throw error;
    }
  }

  private async end(): Promise<void> {
    const folder = await folderMeant();
    if (!folder) return;
    await this.connection.execute('assent.untrustWorkspace', folder);
    if (this.shown) await this.show(await this.connection.execute<TrustShown>('assent.trustWorkspace', folder));
    void vscode.window.showInformationMessage(t('This workspace is not trusted any more: none of its own tools and settings count.'));
  }

  private note(state: TrustUpdated): void {
    this.states.set(state.folder, state);
    this.count();
  }

  private count(): void {
    this.board.set({ trust: [...this.states.values()].reduce((sum, { pending }) => sum + pending, 0) });
  }
}

/** The folder as an argument: the only one, or the one that the user picks; nothing where Escape was pressed. */
async function folderMeant(): Promise<{ folder?: string } | undefined> {
  if ((vscode.workspace.workspaceFolders ?? []).length < 2) return {};
  const picked = await vscode.window.showWorkspaceFolderPick({ placeHolder: t('Which folder?') });
  return picked && { folder: picked.uri.fsPath };
}
