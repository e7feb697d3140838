/** The commands that start a turn, stop one, or take one back. */
import * as vscode from 'vscode';
import type { Attachment } from '../chat/entries';
import type { Draft } from '../chat/session';
import type { TurnArgument } from '../wire';
import type { Parts, Run, Table } from './parts';
import { fixTarget, problemsAt, selected, target, type Place } from './target';

const { t } = vscode.l10n;

/** Answer of the commands that start a turn. */
interface Started {
  sessionId: string;
}

export function turnCommands(parts: Parts): Table {
  const aboutHere = (id: string): Run => (argument) => start(parts, id, given(argument) ?? here());
  const aboutNothing = (id: string): Run => (argument) => start(parts, id, given(argument) ?? {});
  return {
    'assent.ask': (argument) => ask(parts, given(argument)),
    'assent.explain': aboutHere('assent.explain'),
    'assent.fix': async (argument) => start(parts, 'assent.fix', given(argument) ?? (await problems())),
    'assent.tests': aboutHere('assent.tests'),
    'assent.document': aboutHere('assent.document'),
    'assent.refactor': aboutHere('assent.refactor'),
    'assent.reviewDiff': aboutNothing('assent.reviewDiff'),
    'assent.plan': aboutNothing('assent.plan'),
    'assent.newSession': async () => {
      const started = await parts.connection.execute<Started>('assent.newSession');
      await parts.panel.show(started.sessionId);
      return started;
    },
    'assent.cancel': (argument) => cancel(parts, argument),
    'assent.undoTurn': async (argument) => {
      const undone = await parts.connection.execute<string>('assent.undoTurn', argument ?? inSession(parts));
      void vscode.window.showInformationMessage(undone);
      return undone;
    },
  };
}

/** What a lens, a code action or another extension passed. A menu passes URIs and groups, which are not ours. */
function given(argument: unknown): TurnArgument | undefined {
  const isOurs = typeof argument === 'object' && argument !== null && !(argument instanceof vscode.Uri);
  return isOurs ? (argument as TurnArgument) : undefined;
}

function inSession(parts: Parts): { sessionId?: string } {
  const sessionId = parts.panel.sessionId();
  return sessionId === undefined ? {} : { sessionId };
}

/**
 * Starts a turn in the session that the user looks at, or puts it behind the one that runs there. Nothing is started
 * when there is nothing to start it with.
 */
async function start(parts: Parts, id: string, about: TurnArgument | undefined): Promise<Started | undefined> {
  if (!about) return undefined;
  const { panel } = parts;
  const argument = { ...inSession(parts), ...about };
  const { sessionId } = argument;
  if (sessionId !== undefined && panel.sessions.enqueue(waiting(id, about), sessionId)) {
    await panel.show(sessionId);
    return { sessionId };
  }
  const started = await parts.connection.execute<Started>(id, argument);
  await panel.show(started.sessionId);
  return started;
}

/** What waits behind a running turn: a question is a message like one of the chat's, the rest is named. */
function waiting(id: string, about: TurnArgument): Draft {
  const { uri, range, prompt, diagnostics = [] } = about;
  const file = uri === undefined ? '' : vscode.workspace.asRelativePath(vscode.Uri.parse(uri));
  const place = range ? `${file}:${range.start.line + 1}-${range.end.line + 1}` : file;
  if (id === 'assent.ask' && prompt !== undefined) {
    const attachments: Attachment[] = uri === undefined ? [] : [{ kind: 'file', label: place, uri, ...(range ? { range } : {}) }];
    return { text: prompt, attachments, images: [] };
  }
  const names: Record<string, string> = {
    'assent.explain': t('Explain {0}', place),
    'assent.fix': t('Fix {0}', [place, ...diagnostics.slice(0, 1)].join(': ')),
    'assent.tests': t('Write tests for {0}', place),
    'assent.document': t('Document {0}', place),
    'assent.refactor': t('Refactor {0}', place),
    'assent.reviewDiff': t('Review uncommitted changes'),
    'assent.plan': prompt ?? t('Make a plan'),
  };
  return { text: names[id] ?? id, attachments: [], images: [], command: { id, argument: about } };
}

async function ask(parts: Parts, argument: TurnArgument | undefined): Promise<Started | undefined> {
  const place = activePlace();
  const about = argument ?? selected(place);
  const file = place && vscode.workspace.asRelativePath(vscode.Uri.parse(place.uri));
  const lines = file !== undefined && about.range ? t('About the selection in {0}', file) : '';
  const prompt =
    argument?.prompt ??
    (await vscode.window.showInputBox({
      title: t('Ask Assent'),
      placeHolder: t('What should be explained, found or changed?'),
      prompt: lines,
      ignoreFocusOut: true,
    }));
  return prompt?.trim() ? start(parts, 'assent.ask', { ...about, prompt }) : undefined;
}

function activePlace(): Place | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && { uri: editor.document.uri.toString(), selection: editor.selection };
}

function here(): TurnArgument | undefined {
  const place = activePlace();
  if (place) return target(place);
  void vscode.window.showInformationMessage(t('Open a file first: this is about what the editor shows.'));
  return undefined;
}

/** The problems at the selection or the cursor; the user picks where there are none. */
async function problems(): Promise<TurnArgument | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return here();
  const place = { uri: editor.document.uri.toString(), selection: editor.selection };
  const all = vscode.languages.getDiagnostics(editor.document.uri);
  const found = problemsAt(all, editor.selection);
  if (found.length > 0) return fixTarget(place, found);
  if (!editor.selection.isEmpty) return { ...target(place), diagnostics: [] };
  if (all.length === 0) {
    const news = t('No problem is reported in this file. Select the lines that are wrong, or use Ask.');
    void vscode.window.showInformationMessage(news);
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    all.map((problem) => ({
      label: problem.message,
      description: t('line {0}', problem.range.start.line + 1),
      problem,
    })),
    { title: t('Fix Problem'), placeHolder: t('Which problem should be fixed?') },
  );
  return picked && fixTarget(place, [picked.problem]);
}

/** Stops the session that is named, else what runs; the user picks where several run. */
async function cancel(parts: Parts, argument: unknown): Promise<void> {
  if (typeof argument === 'object' && argument !== null && 'sessionId' in argument) {
    await parts.connection.execute('assent.cancel', argument);
    return;
  }
  const turns = parts.connection.turns;
  const all = { label: t('All of them'), turns };
  const picked =
    turns.length < 2
      ? all
      : await vscode.window.showQuickPick([all, ...turns.map((turn) => ({ label: turn.message, turns: [turn] }))], {
          title: t('Stop'),
          placeHolder: t('Several turns are running. Which one should be stopped?'),
        });
  for (const turn of picked?.turns ?? []) await parts.connection.cancel(turn);
}
