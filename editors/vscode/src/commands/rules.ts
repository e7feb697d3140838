/** The rules that the user saved with his approvals: a list, from which each can be taken back. */
import * as vscode from 'vscode';
import { visible } from '../approvals/visible';
import type { SavedRule } from '../wire';
import type { Parts, Table } from './parts';

const { t } = vscode.l10n;

/** A row of the list. */
interface Row extends vscode.QuickPickItem {
  rule?: SavedRule;
}

export function ruleCommands(parts: Parts): Table {
  return {
    'assent.rules': () => list(parts),
    'assent.rules.remove': (argument) => (isNamed(argument) ? parts.connection.execute('assent.rules.remove', argument) : list(parts)),
  };
}

function isNamed(argument: unknown): argument is { id: string } {
  return typeof argument === 'object' && argument !== null && 'id' in argument && typeof argument.id === 'string';
}

async function list(parts: Parts): Promise<unknown> {
  for (;;) {
    const { rules } = await parts.connection.execute<{ rules: SavedRule[] }>('assent.rules');
    if (rules.length === 0) {
      void vscode.window.showInformationMessage(t('No rule is saved. "Always Allow..." in an approval saves one.'));
      return undefined;
    }
    const picked = await vscode.window.showQuickPick(rows(rules), {
      title: t('Saved Rules'),
      placeHolder: t('Choose one to see all of it, and to take it back'),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (!picked?.rule) return { rules };
    await revoke(parts, picked.rule);
  }
}

/** By how long they hold, the shortest first. */
function rows(rules: readonly SavedRule[]): Row[] {
  const scopes: SavedRule['scope'][] = ['session', 'workspace', 'always'];
  return scopes.flatMap((scope) => {
    const kept = rules.filter((rule) => rule.scope === scope);
    if (kept.length === 0) return [];
    const head: Row = { label: named(scope), kind: vscode.QuickPickItemKind.Separator };
    return [head, ...kept.map((rule): Row => ({ label: visible(rule.rule), description: visible(rule.tool), detail: about(rule), rule }))];
  });
}

function named(scope: SavedRule['scope']): string {
  return { session: t('until this session ends'), workspace: t('in one workspace'), always: t('in every workspace') }[scope];
}

function about({ workspace, since }: SavedRule): string {
  const date = since === undefined ? undefined : t('since {0}', new Date(since).toLocaleDateString());
  return [workspace === undefined ? undefined : visible(workspace), date].filter(Boolean).join(' · ');
}

/** The whole of it in a dialog, which wraps where a list would cut. */
async function revoke(parts: Parts, rule: SavedRule): Promise<void> {
  const yes = t('Take Back');
  const detail = [visible(rule.rule), `${visible(rule.tool)}, ${named(rule.scope)}`, about(rule)].filter(Boolean).join('\n\n');
  const question = t('Ask again for what this rule allows?');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) !== yes) return;
  const { removed } = await parts.connection.execute<{ removed: boolean }>('assent.rules.remove', { id: rule.id });
  if (!removed) void vscode.window.showInformationMessage(t('That rule was gone already.'));
}
