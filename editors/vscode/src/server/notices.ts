/** Tells the user why there is no server, once for each reason, with what can be done about it. */
import * as vscode from 'vscode';
import type { Trouble } from './trouble';

const { t } = vscode.l10n;

/** A button and the command behind it. */
interface Button {
  title: string;
  command: string;
  argument?: string;
}

const button = {
  log: (): Button => ({ title: t('Show Log'), command: 'assent.showLog' }),
  restart: (): Button => ({ title: t('Restart'), command: 'assent.restartServer' }),
  settings: (): Button => ({ title: t('Open Settings'), command: 'workbench.action.openSettings', argument: 'assent.server' }),
  /** The extension's page, whose text has a section about it. */
  howToGet: (): Button => ({ title: t('How to Get It'), command: 'extension.open', argument: 'assent.assent' }),
};

export class Notices {
  /** Kinds that are on display. */
  private readonly shown = new Set<Trouble['kind']>();

  /** Shows it, unless one of its kind still stands there. Resolves when the user has answered or put it away. */
  async tell(trouble: Trouble): Promise<void> {
    const notice = worded(trouble);
    if (!notice || this.shown.has(trouble.kind)) return;
    this.shown.add(trouble.kind);
    try {
      const show = trouble.kind === 'crashed' ? vscode.window.showWarningMessage : vscode.window.showErrorMessage;
      const pressed = await show(notice.text, ...notice.buttons);
      if (pressed) await vscode.commands.executeCommand(pressed.command, ...(pressed.argument ? [pressed.argument] : []));
    } finally {
      this.shown.delete(trouble.kind);
    }
  }
}

/** In words; undefined for what the user did himself. */
function worded(trouble: Trouble): { text: string; buttons: Button[] } | undefined {
  switch (trouble.kind) {
    case 'missing':
      return {
        text:
          trouble.tried === undefined
            ? t('The Assent server was not found: the extension was packed without it, and there is no `assent` on PATH.')
            : t('The setting assent.server.path names {0}, which is no program that can be started.', trouble.tried),
        buttons: trouble.tried === undefined ? [button.howToGet(), button.settings()] : [button.settings(), button.howToGet()],
      };
    case 'unusable':
      return {
        text: t('{0} can not be used as the Assent server: {1}', trouble.program, trouble.detail.split('\n').join(': ')),
        buttons: [button.restart(), button.settings(), button.log()],
      };
    case 'version':
      return {
        text: t(
          '{0} is Assent {1}, but this extension goes with {2}. Install that one, or let the setting assent.server.path name it.',
          trouble.program,
          trouble.found,
          trouble.wanted,
        ),
        buttons: [button.settings(), button.restart()],
      };
    case 'crashed':
      return {
        text: t('The Assent server ended unexpectedly and is being started again.'),
        buttons: [button.log(), button.restart()],
      };
    case 'down':
      return {
        text: t('The Assent server ended unexpectedly again and again, and stays down until you restart it.'),
        buttons: [button.restart(), button.log()],
      };
    case 'stopped':
      return undefined;
  }
}
