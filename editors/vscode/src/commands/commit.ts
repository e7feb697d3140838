/**
 * A commit message for the repository that the user is in: a session of its own writes it, and its last words go into
 * the input box of the git extension. Nothing is ever committed.
 */
import * as vscode from 'vscode';
import { method } from '../wire';
import type { Parts, Table } from './parts';
import { lastWords, type Words } from './words';

const { t } = vscode.l10n;

/** The git extension's API, as far as it is used. */
interface Repository {
  rootUri: vscode.Uri;
  inputBox: { value: string };
}

interface GitExtension {
  /** False when the setting `git.enabled` is; then there is no API. */
  enabled: boolean;
  getAPI(version: 1): Git;
}

interface Git {
  repositories: Repository[];
  getRepository(uri: vscode.Uri): Repository | null;
}

export function commitCommands(parts: Parts): Table {
  return { 'assent.commitMessage': (argument) => commitMessage(parts, argument) };
}

async function commitMessage(parts: Parts, argument: unknown): Promise<string | undefined> {
  const repository = await chosenRepository(argument);
  if (!repository) return undefined;
  const before = repository.inputBox.value;
  await vscode.commands.executeCommand('setContext', 'assent.writingCommitMessage', true);
  try {
    const message = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.SourceControl, title: t('Writing a commit message') },
      () => written(parts, repository.rootUri),
    );
    if (message !== undefined && (await mayPut(repository, before))) repository.inputBox.value = message;
    return message;
  } finally {
    await vscode.commands.executeCommand('setContext', 'assent.writingCommitMessage', false);
  }
}

/** The repository whose title bar was clicked, else the one of the open file, else the user picks. */
async function chosenRepository(argument: unknown): Promise<Repository | undefined> {
  const extension = await vscode.extensions.getExtension<GitExtension>('vscode.git')?.activate();
  const git = extension?.enabled ? extension.getAPI(1) : undefined;
  const open = vscode.window.activeTextEditor?.document.uri;
  const clicked = rootOf(argument);
  const found = (clicked && git?.getRepository(clicked)) ?? (open && git?.getRepository(open));
  if (found) return found;
  const all = git?.repositories ?? [];
  if (all.length < 2) {
    if (!all[0]) void vscode.window.showInformationMessage(t('No git repository is open.'));
    return all[0];
  }
  const rows = all.map((repository) => ({ label: vscode.workspace.asRelativePath(repository.rootUri), repository }));
  return (await vscode.window.showQuickPick(rows, { title: t('Commit Message'), placeHolder: t('For which repository?') }))
    ?.repository;
}

/** A source control's title bar passes the source control. */
function rootOf(argument: unknown): vscode.Uri | undefined {
  const root = typeof argument === 'object' && argument !== null && 'rootUri' in argument ? argument.rootUri : undefined;
  return root instanceof vscode.Uri ? root : undefined;
}

/** The last words of a turn in a new session. Its approvals are asked like any other's. */
async function written(parts: Parts, root: vscode.Uri): Promise<string | undefined> {
  const { connection } = parts;
  const { sessionId } = await connection.request<{ sessionId: string }>(method.sessionNew, {
    cwd: root.fsPath,
    mcpServers: [],
  });
  const words: Words[] = [];
  const listeners: vscode.Disposable[] = [];
  const ended = new Promise<void>((resolve) => {
    listeners.push(
      connection.onUpdate((update) => {
        if (update.sessionId === sessionId) words.push(update.update);
      }),
      connection.onTurn((turn) => {
        if ((turn.sessionId ?? sessionId) === sessionId && !turn.running) resolve();
      }),
    );
  });
  try {
    await connection.execute('assent.commitMessage', { sessionId });
    await ended;
  } finally {
    vscode.Disposable.from(...listeners).dispose();
  }
  const { text, problem } = lastWords(words);
  if (problem !== undefined || text === '') {
    void vscode.window.showErrorMessage(problem ?? t('The model wrote no commit message.'));
    return undefined;
  }
  // What it was for stands in the input box; among the user's conversations it would be in the way.
  await connection.request(method.sessionDelete, { sessionId });
  return text;
}

/** What the user has written is his; it is replaced only when he says so. */
async function mayPut(repository: Repository, before: string): Promise<boolean> {
  const now = repository.inputBox.value;
  if (now.trim() === '') return true;
  const replace = t('Replace');
  const question =
    now === before
      ? t('Replace the commit message that stands there?')
      : t('You have written a commit message meanwhile. Replace it?');
  return (await vscode.window.showWarningMessage(question, { modal: true }, replace)) === replace;
}
