/** The slash commands of the session shown, picked from a list: the server's own, and those of tools and of the user. */
import * as vscode from 'vscode';
import type { SlashCommand } from '../chat/entries';
import type { Parts, Table } from './parts';

const { t } = vscode.l10n;

/** A row of the list. */
interface Row extends vscode.QuickPickItem {
  command: SlashCommand;
}

export function slashCommands(parts: Parts): Table {
  return { 'assent.runSlashCommand': () => run(parts) };
}

async function run(parts: Parts): Promise<void> {
  const { sessions } = parts.panel;
  const session = await sessions.ready();
  const command = await picked(parts, () => session.transcript.commands);
  if (!command) return;
  const given = command.hint === undefined ? '' : await words(command);
  if (given === undefined) return;
  await parts.panel.show(session.id);
  // A turn that runs is waited for, like by every message.
  await sessions.send({ text: `/${command.name} ${given}`.trim(), attachments: [], images: [] });
}

/** The one that the user picks; what the server announces while the list is open comes into it. */
function picked(parts: Parts, announced: () => readonly SlashCommand[]): Promise<SlashCommand | undefined> {
  const list = vscode.window.createQuickPick<Row>();
  list.title = t('Run Slash Command');
  list.placeholder = t('What the server and its tools offer in this session');
  list.matchOnDescription = true;
  let shown: readonly SlashCommand[] | undefined;
  const refresh = (): void => {
    const commands = announced();
    if (commands === shown) return;
    shown = commands;
    const active = list.activeItems[0]?.command.name;
    list.items = commands.map((command) => ({ label: `/${command.name}`, description: command.description, command }));
    list.busy = commands.length === 0;
    list.activeItems = list.items.filter(({ command }) => command.name === active);
  };
  refresh();
  return new Promise((resolve) => {
    const listening = parts.panel.sessions.changed.on(refresh);
    list.onDidAccept(() => {
      resolve(list.selectedItems[0]?.command);
      list.hide();
    });
    list.onDidHide(() => {
      resolve(undefined);
      listening.dispose();
      list.dispose();
    });
    list.show();
  });
}

/** What goes with a command that takes words; none where Escape was pressed. */
function words({ name, hint }: SlashCommand): Thenable<string | undefined> {
  return vscode.window.showInputBox({ title: `/${name}`, placeHolder: hint ?? '', ignoreFocusOut: true });
}
