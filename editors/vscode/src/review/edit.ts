/**
 * A proposal in the user's own words: the text that would come, as a document that can be edited. Saving it (by hand,
 * not by an editor that saves by itself) accepts the hunk with the text as it stands there. It lies in memory only.
 */
import * as path from 'node:path';
import * as vscode from 'vscode';
import { tabsOf } from '../documents/tabs';
import type { Decisions } from './decisions';
import { id } from './ids';
import { refOf, type HunkRef, type OpenHunk, type Reviews } from './state';

/** Scheme of the documents. */
export const PROPOSAL_SCHEME = 'assent-proposal';

/** A proposal being edited. */
interface Draft {
  ref: HunkRef;
  bytes: Uint8Array;
  changed: number;
  /** It was accepted; what is saved after that only lets its tab close without a question. */
  accepted: boolean;
}

/** The drafts, as a file system of their own. */
export class Proposals implements vscode.FileSystemProvider, vscode.CodeLensProvider, vscode.Disposable {
  private readonly drafts = new Map<string, Draft>();
  /** Documents that the user, not the editor, is saving. */
  private readonly saving = new Set<vscode.TextDocument>();
  private readonly fileChanged = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly registered: vscode.Disposable;

  readonly onDidChangeFile = this.fileChanged.event;

  constructor(
    private readonly reviews: Reviews,
    private readonly decisions: Decisions,
  ) {
    this.registered = vscode.Disposable.from(
      vscode.workspace.registerFileSystemProvider(PROPOSAL_SCHEME, this, { isCaseSensitive: true }),
      vscode.languages.registerCodeLensProvider({ scheme: PROPOSAL_SCHEME }, this),
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        if (document.uri.scheme === PROPOSAL_SCHEME && reason === vscode.TextDocumentSaveReason.Manual) this.saving.add(document);
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        // By the command, where what goes wrong is told.
        if (this.saving.delete(document)) void vscode.commands.executeCommand(id.acceptEdited, document.uri);
      }),
      this.fileChanged,
    );
  }

  /** Opens a hunk's text for editing. */
  async open(open: OpenHunk): Promise<void> {
    const { reviewId, hunk } = refOf(open);
    const name = path.posix.basename(vscode.Uri.parse(open.file.uri).path);
    const uri = vscode.Uri.from({ scheme: PROPOSAL_SCHEME, path: `/proposed change/${reviewId}-${hunk}/${name}` });
    const edited = new Set(vscode.workspace.textDocuments.map((document) => document.uri.toString()));
    for (const known of this.drafts.keys()) if (!edited.has(known)) this.drafts.delete(known);
    if (!this.drafts.has(uri.toString())) {
      const bytes = new TextEncoder().encode(open.hunk.newText);
      this.drafts.set(uri.toString(), { ref: { reviewId, hunk }, bytes, changed: Date.now(), accepted: false });
    }
    await vscode.window.showTextDocument(uri, { preview: false });
  }

  /** Accepts a draft with the text that its document has now; the active one where none is named. */
  async accept(argument: unknown): Promise<void> {
    const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
    const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri?.toString());
    const draft = document && this.drafts.get(document.uri.toString());
    if (!document || !draft || draft.accepted) return;
    const open = this.reviews.find(draft.ref);
    if (!open) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('This change no longer waits. It was decided, or its lines were edited and it is offered anew.'),
      );
      return;
    }
    await this.decisions.decide([open], true, { newText: document.getText() });
    draft.accepted = true;
    await document.save();
    await vscode.window.tabGroups.close(tabsOf(document.uri));
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!this.drafts.has(document.uri.toString())) return [];
    const title = `$(check) ${vscode.l10n.t('Accept This Text (or Save It)')}`;
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command: id.acceptEdited, arguments: [document.uri] })];
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.draft(uri).bytes;
  }

  writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    Object.assign(this.draft(uri), { bytes, changed: Date.now() });
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { bytes, changed } = this.draft(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime: changed, size: bytes.length };
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  dispose(): void {
    this.registered.dispose();
    this.drafts.clear();
  }

  private draft(uri: vscode.Uri): Draft {
    const draft = this.drafts.get(uri.toString());
    if (!draft) throw vscode.FileSystemError.FileNotFound(uri);
    return draft;
  }
}
