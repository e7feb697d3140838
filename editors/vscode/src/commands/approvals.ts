/** Approvals answered from the palette: every open one with its whole subject, wherever it is shown besides. */
import * as vscode from 'vscode';
import type { Parts, Table } from './parts';

const { t } = vscode.l10n;

/** A row of `assent.approvals`. */
interface Approval {
  id: string;
  title: string;
  subject: string;
  rule: string;
  warnings?: string[];
  unsaved?: string[];
  directory?: string;
}

type Answer = 'assent.approve' | 'assent.deny';

export function approvalCommands(parts: Parts): Table {
  const answerable =
    (id: Answer) =>
    (argument: unknown): Thenable<unknown> =>
      isAnswer(argument) ? parts.connection.execute(id, argument) : choose(parts, id);
  return {
    'assent.approvals': () => choose(parts, undefined),
    'assent.approve': answerable('assent.approve'),
    'assent.deny': answerable('assent.deny'),
  };
}

function isAnswer(argument: unknown): boolean {
  return typeof argument === 'object' && argument !== null && 'id' in argument;
}

async function choose(parts: Parts, wish: Answer | undefined): Promise<unknown> {
  const open = await parts.connection.execute<Approval[]>('assent.approvals');
  if (open.length === 0) {
    void vscode.window.showInformationMessage(t('Nothing waits for your approval.'));
    return open;
  }
  const picked =
    open.length === 1
      ? { approval: open[0] as Approval }
      : await vscode.window.showQuickPick(
          open.map((approval) => ({ label: approval.title, detail: approval.subject, approval })),
          { title: t('Approvals'), placeHolder: t('Choose one to see all of it'), matchOnDetail: true },
        );
  if (!picked) return undefined;
  const answer = await decide(picked.approval, wish);
  if (!answer) return undefined;
  const { stood } = await parts.connection.execute<{ stood: boolean }>(answer.command, answer.argument);
  if (!stood) void vscode.window.showInformationMessage(t('It had been answered already.'));
  return { stood };
}

/** The whole of it in a dialog, which wraps and scrolls where a list would cut. Its first button is the default: no. */
async function decide(approval: Approval, wish: Answer | undefined): Promise<{ command: Answer; argument: object } | undefined> {
  const allow = t('Allow Once');
  const deny = t('Deny');
  const detail = [
    approval.subject,
    ...(approval.directory ? [t('In {0}', approval.directory)] : []),
    ...(approval.warnings ?? []),
    ...(approval.unsaved?.length ? [t('Unsaved, and so not seen by it: {0}', approval.unsaved.join(', '))] : []),
    t('Asked because of: {0}', approval.rule),
  ].join('\n\n');
  const offered = wish === 'assent.deny' ? [deny] : [deny, allow];
  const pressed = await vscode.window.showWarningMessage(approval.title, { modal: true, detail }, ...offered);
  if (pressed === allow) return { command: 'assent.approve', argument: { id: approval.id } };
  if (pressed !== deny) return undefined;
  const feedback = await vscode.window.showInputBox({
    title: t('Deny'),
    prompt: t('A reason for the model, if you like. Escape leaves the approval open.'),
  });
  return feedback === undefined
    ? undefined
    : { command: 'assent.deny', argument: { id: approval.id, ...(feedback.trim() && { feedback }) } };
}
