/** What the chat takes from the editor: completions for `@`, the selection, the problems, and the ways back into it. */
import * as vscode from 'vscode';
import type { Attachment, TextRange } from './entries';
import { MAX_COMPLETIONS, MAX_PROBLEMS } from './limits';
import type { Surroundings } from './mentions';
import type { Completion } from './messages';
import { isExternal, isFile, placeOf } from './links';

/** Milliseconds that one source of completions may take. */
const PATIENCE = 1_500;

/** The selection and the problems, as they are when asked. */
export const surroundings: Surroundings = {
  selection: () => {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return undefined;
    const { document, selection } = editor;
    const uri = document.uri.toString();
    const name = vscode.workspace.asRelativePath(document.uri);
    return selection.isEmpty ? { uri, name } : { uri, name, range: rangeOf(selection) };
  },
  problems: () => {
    const lines: string[] = [];
    for (const [uri, diagnostics] of vscode.languages.getDiagnostics()) {
      for (const { severity, range, message, source } of diagnostics) {
        if (severity > vscode.DiagnosticSeverity.Warning) continue;
        const kind = severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning';
        const place = `${vscode.workspace.asRelativePath(uri)}:${range.start.line + 1}:${range.start.character + 1}`;
        lines.push(`${place}: ${kind}: ${message}${source ? ` (${source})` : ''}`);
      }
    }
    if (lines.length === 0) return '';
    const more = lines.length > MAX_PROBLEMS ? `\n… and ${lines.length - MAX_PROBLEMS} more` : '';
    return `The open problems in the editor:\n${lines.slice(0, MAX_PROBLEMS).join('\n')}${more}`;
  },
};

/** The open file, or what is selected in it, as an attachment. */
export function openFile(withSelection: boolean): Attachment | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  return withSelection && !selection.isEmpty ? excerpt(document, selection) : fileAttachment(document.uri);
}

/** A part of a document, as an attachment that names its lines. */
export function excerpt(document: vscode.TextDocument, range: vscode.Range): Attachment {
  const [first, last] = [range.start.line + 1, range.end.line + 1];
  const lines = first === last ? `${first}` : `${first}-${last}`;
  return { kind: 'file', label: `${vscode.workspace.asRelativePath(document.uri)}:${lines}`, uri: document.uri.toString(), range: rangeOf(range) };
}

/** A file named by its URI, as the explorer names it. */
export function fileAttachment(uri: vscode.Uri): Attachment {
  return { kind: 'file', label: vscode.workspace.asRelativePath(uri), uri: uri.toString() };
}

/** What `@query` could mean. */
export async function completions(query: string): Promise<Completion[]> {
  const fixed: Completion[] = [
    { attachment: { kind: 'selection', label: 'selection' }, detail: vscode.l10n.t('What is selected in the editor') },
    { attachment: { kind: 'problems', label: 'problems' }, detail: vscode.l10n.t('Open errors and warnings') },
  ];
  const wanted = query.toLowerCase();
  const source = new vscode.CancellationTokenSource();
  const timer = setTimeout(() => source.cancel(), PATIENCE);
  try {
    const [files, symbols] = await Promise.all([filesOf(query, source.token), wanted === '' ? [] : within(PATIENCE, symbolsOf(query))]);
    return [...fixed.filter(({ attachment }) => attachment.label.startsWith(wanted)), ...files, ...symbols].slice(0, MAX_COMPLETIONS);
  } finally {
    clearTimeout(timer);
    source.dispose();
  }
}

async function filesOf(query: string, token: vscode.CancellationToken): Promise<Completion[]> {
  if (query === '') {
    const uris = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
    const distinct = new Map(uris.map((uri) => [uri.toString(), uri]));
    return [...distinct.values()].map((uri) => ({ attachment: fileAttachment(uri), detail: '' }));
  }
  // Letters in any case, anywhere in the path; what a glob would take for its own is a gap.
  const letters = [...query].map((letter) => (/[a-z]/i.test(letter) ? `[${letter.toLowerCase()}${letter.toUpperCase()}]` : /[[\]{}*?!,\\]/.test(letter) ? '?' : letter));
  const pattern = letters.join('');
  const found = await vscode.workspace.findFiles(`**/*${pattern}*`, undefined, 200, token);
  const inside = await vscode.workspace.findFiles(`**/*${pattern}*/**`, undefined, 200, token);
  const files = [...new Map([...found, ...inside].map((uri) => [uri.toString(), uri])).values()];
  const folders = foldersOf(files, query);
  return [...files.sort(byLength).slice(0, 20).map((uri) => ({ attachment: fileAttachment(uri), detail: '' })), ...folders];
}

function byLength(one: vscode.Uri, other: vscode.Uri): number {
  return one.path.length - other.path.length || one.path.localeCompare(other.path);
}

/** The folders on the way to files whose own name has the query in it. */
function foldersOf(files: vscode.Uri[], query: string): Completion[] {
  const found = new Map<string, Completion>();
  for (const file of files) {
    const label = vscode.workspace.asRelativePath(file);
    const parts = label.split('/');
    for (let end = 1; end < parts.length; end += 1) {
      const folder = `${parts.slice(0, end).join('/')}/`;
      if (!folder.toLowerCase().includes(query.toLowerCase()) || found.has(folder)) continue;
      const uri = file.with({ path: file.path.slice(0, file.path.length - label.length + folder.length) });
      found.set(folder, { attachment: { kind: 'folder', label: folder, uri: uri.toString() }, detail: vscode.l10n.t('Folder') });
    }
  }
  return [...found.values()].slice(0, 10);
}

async function symbolsOf(query: string): Promise<Completion[]> {
  const symbols = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>('vscode.executeWorkspaceSymbolProvider', query);
  return (symbols ?? []).slice(0, 20).map(({ name, location }) => ({
    attachment: { kind: 'symbol', label: name.replace(/\s+/g, ''), uri: location.uri.toString(), range: rangeOf(location.range) },
    detail: vscode.workspace.asRelativePath(location.uri),
  }));
}

/** What there is by then; a language server that is slow, or fails, has no say. */
async function within<Item>(milliseconds: number, work: Promise<Item[]>): Promise<Item[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Item[]>((resolve) => {
    timer = setTimeout(() => resolve([]), milliseconds);
  });
  try {
    return await Promise.race([work.catch(() => []), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Puts code where the cursor is, in place of what is selected; undone in one step. */
export async function insertCode(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a file first: code is inserted where its cursor is.'));
    return;
  }
  const { document, selection } = editor;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, selection, text);
  await vscode.workspace.applyEdit(edit);
  await vscode.window.showTextDocument(document, { viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active });
}

/** Follows a link that the user clicked: a page outside, a file here; nothing else. */
export async function openLink(href: string): Promise<void> {
  if (isExternal(href)) {
    await vscode.env.openExternal(vscode.Uri.parse(href, true));
    return;
  }
  if (isFile(href)) {
    const { path, line } = placeOf(href);
    await openPlace(path, line);
  }
}

/** Opens a file at a line, counted from 1. A relative path is looked for in the workspace's folders. */
export async function openPlace(path: string, line?: number): Promise<void> {
  const uri = await find(path);
  if (!uri) {
    void vscode.window.showWarningMessage(vscode.l10n.t('There is no file {0}.', path));
    return;
  }
  const at = Math.max(0, (line ?? 1) - 1);
  const selection = new vscode.Range(at, 0, at, 0);
  await vscode.window.showTextDocument(uri, { preview: true, ...(line === undefined ? {} : { selection }) });
}

async function find(path: string): Promise<vscode.Uri | undefined> {
  const absolute = path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
  const candidates = absolute
    ? [vscode.Uri.file(path)]
    : (vscode.workspace.workspaceFolders ?? []).map((folder) => vscode.Uri.joinPath(folder.uri, path));
  for (const uri of candidates) {
    try {
      const { type } = await vscode.workspace.fs.stat(uri);
      if (type & vscode.FileType.File) return uri;
    } catch {
      // Not there: the next folder may have it.
    }
  }
  return undefined;
}

function rangeOf(range: vscode.Range): TextRange {
  const { start, end } = range;
  return { start: { line: start.line, character: start.character }, end: { line: end.line, character: end.character } };
}
