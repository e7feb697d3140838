/** The one item in the status bar, and the menu behind it. */
import * as vscode from 'vscode';
import { StatusBoard } from './status/board';
import { choices, view, type Words } from './status/view';

/** Draws the board for as long as it lives. */
export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('assent.status', vscode.StatusBarAlignment.Right, 100);
  private readonly listener: { dispose(): void };

  constructor(private readonly board: StatusBoard) {
    this.item.name = 'Assent';
    this.item.command = 'assent.showMenu';
    this.listener = board.onChange(() => this.draw());
    this.draw();
    this.item.show();
  }

  /** The menu: what makes sense now. */
  async menu(): Promise<void> {
    const items = choices(this.board.facts, words()).map((choice) => ({
      label: `$(${choice.icon}) ${choice.label}`,
      description: choice.detail ?? '',
      choice,
    }));
    const placeHolder = view(this.board.facts, words()).tooltip;
    const picked = await vscode.window.showQuickPick(items, { title: 'Assent', placeHolder });
    if (picked) await vscode.commands.executeCommand(picked.choice.command);
  }

  dispose(): void {
    this.listener.dispose();
    this.item.dispose();
  }

  private draw(): void {
    const { text, tooltip, severity } = view(this.board.facts, words());
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: tooltip, role: 'button' };
    this.item.backgroundColor =
      severity === 'none' ? undefined : new vscode.ThemeColor(`statusBarItem.${severity}Background`);
  }
}

function words(): Words {
  const { t } = vscode.l10n;
  return {
    idle: t('Assent is ready'),
    starting: t('Assent is starting'),
    down: t('The Assent server is not running'),
    working: t('Assent is working'),
    hunks: (count) => (count === 1 ? t('1 change to review') : t('{0} changes to review', count)),
    approvals: (count) => (count === 1 ? t('1 approval waits') : t('{0} approvals wait', count)),
    trust: (count) => (count === 1 ? t('1 thing of this workspace to look at') : t('{0} things of this workspace to look at', count)),
    tokens: (count) => t('{0} tokens', count),
    model: (name) => t('model {0}', name),
    mode: (name) => t('mode {0}', name),
    showApprovals: t('Show Approvals'),
    lookAtTrust: t('Look at What This Workspace Would Enable'),
    stop: t('Stop'),
    nextHunk: t('Go to Next Change'),
    acceptAll: t('Accept All Changes'),
    rejectAll: t('Reject All Changes'),
    ask: t('Ask...'),
    openChat: t('Open Chat'),
    selectModel: t('Select Model...'),
    selectMode: t('Select Mode...'),
    restart: t('Restart Server'),
    log: t('Show Log'),
  };
}
