/**
 * The proposal as documents: `assent-review:` is a file as it is (`before`) and as it would be with every hunk that
 * waits in it (`after`). Read-only, never on a disk, and in step with the server's state and the document's text.
 */
import * as vscode from 'vscode';
import { withHunks } from './proposal';
import type { Reviews } from './state';

/** Scheme of the documents. */
export const REVIEW_SCHEME = 'assent-review';

/** A side of a file under review. */
export type Side = 'before' | 'after';

/** The address of a side of a file; it ends in a path, the file's own or where it goes, so that the editor knows its language. */
export function sideOf(uri: string, side: Side, named = uri): vscode.Uri {
  const file = vscode.Uri.parse(named);
  return vscode.Uri.from({ scheme: REVIEW_SCHEME, path: file.path, query: JSON.stringify({ side, uri }) });
}

/** Which file a document shows, and which side of it; no side for the file's own document. */
export function shown(document: vscode.Uri): { uri: string; side?: Side } {
  if (document.scheme !== REVIEW_SCHEME) return { uri: document.toString() };
  try {
    const { side, uri } = JSON.parse(document.query) as { side: unknown; uri: unknown };
    if (typeof uri === 'string') return { uri, side: side === 'before' ? 'before' : 'after' };
  } catch {
    // Not one of ours: somebody else made up the address.
  }
  return { uri: document.toString() };
}

/** Provides the documents. */
export class ReviewDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registered: vscode.Disposable;

  readonly onDidChange = this.changed.event;

  constructor(private readonly reviews: Reviews) {
    this.registered = vscode.workspace.registerTextDocumentContentProvider(REVIEW_SCHEME, this);
  }

  async provideTextDocumentContent(document: vscode.Uri): Promise<string> {
    const { uri, side } = shown(document);
    const hunks = this.reviews.in(uri);
    const text = await textOf(vscode.Uri.parse(uri));
    if (side === 'before') return text;
    // A file that would go is shown by its one hunk; a file that would move keeps its text.
    return withHunks(text, hunks.map((open) => open.hunk));
  }

  /** Reads anew what shows one of these files. */
  refresh(touched: ReadonlySet<string>): void {
    for (const document of vscode.workspace.textDocuments) {
      if (document.uri.scheme === REVIEW_SCHEME && touched.has(shown(document.uri).uri)) this.changed.fire(document.uri);
    }
  }

  dispose(): void {
    this.registered.dispose();
    this.changed.dispose();
  }
}

/** The document's text if it is open, else the file's; nothing where there is no file. */
async function textOf(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) return open.getText();
  try {
    return await vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
  } catch {
    return '';
  }
}
