/**
 * Shows the lines that would come, whole and with the language's colours, between the lines of the document: a comment
 * thread for each hunk, the one form of that kind that the editor offers to extensions. A zone that opens above what
 * an editor shows would push the text down under the user's eyes, so each is opened when its place comes near.
 */
import * as vscode from 'vscode';
import { linesOf, refOf, type HunkRef, type OpenHunk, type Reviews } from './state';
import { fits, lineAbove } from './place';
import { fenced, hidesSomething, size } from './words';

/** Context value of the threads, for the conditions of their menu. */
const THREAD = 'assentHunk';

/** How many lines below the last visible one zones are opened. */
const AHEAD = 100;
/** The same above the first visible one, while the user scrolls up: then the text moves anyway. */
const BEHIND = 40;

/** A thread and what it shows. */
interface Zone {
  thread: vscode.CommentThread;
  ref: HunkRef;
  text: string;
}

/** The zones of the documents that are visible. */
export class Zones implements vscode.Disposable {
  private readonly controller: vscode.CommentController;
  private readonly watching: vscode.Disposable;
  /** By document, then by hunk. */
  private readonly zones = new Map<string, Map<string, Zone>>();
  /** First visible lines. */
  private readonly tops = new WeakMap<vscode.TextEditor, number>();

  constructor(private readonly reviews: Reviews) {
    this.controller = vscode.comments.createCommentController('assent.review', 'Assent');
    this.watching = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors(() => this.refreshVisible()),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.scrolled(textEditor)),
    );
  }

  /** Shows anew what waits in these documents. */
  refresh(touched: ReadonlySet<string>): void {
    for (const document of visibleDocuments()) if (touched.has(document.uri.toString())) this.show(document);
    this.dropHidden();
  }

  /** The hunk that a thread stands for. */
  refOfThread(thread: unknown): HunkRef | undefined {
    for (const zones of this.zones.values()) {
      for (const zone of zones.values()) if (zone.thread === thread) return zone.ref;
    }
    return undefined;
  }

  dispose(): void {
    this.watching.dispose();
    this.controller.dispose();
    this.zones.clear();
  }

  private refreshVisible(): void {
    for (const document of visibleDocuments()) this.show(document);
    this.dropHidden();
  }

  /** A zone outside of a visible document would only be a line in the editor's list of comments. */
  private dropHidden(): void {
    const visible = new Set(visibleDocuments().map((document) => document.uri.toString()));
    for (const [uri, zones] of this.zones) {
      if (visible.has(uri)) continue;
      for (const zone of zones.values()) zone.thread.dispose();
      this.zones.delete(uri);
    }
  }

  private scrolled(editor: vscode.TextEditor): void {
    const top = topOf(editor);
    const up = top < (this.tops.get(editor) ?? top);
    this.tops.set(editor, top);
    if (isShown(editor.document)) this.show(editor.document, up ? BEHIND : 0);
  }

  private show(document: vscode.TextDocument, behind = 0): void {
    const uri = document.uri.toString();
    const all = this.reviews.in(uri);
    const hunks = all.filter((open) => linesOf(open.hunk).added > 0);
    if (!hunks.every((open) => fits(open, document))) return;
    const before = this.zones.get(uri) ?? new Map<string, Zone>();
    const now = new Map<string, Zone>();
    const near = nearness(document, behind);
    for (const open of hunks) {
      const key = `${open.review.reviewId}\n${open.hunk.id}`;
      const found = before.get(key);
      if (!found && !near(lineAbove(open) ?? 0)) continue;
      const zone = this.zone(open, document, found);
      const label = vscode.l10n.t('Change {0} of {1}', all.indexOf(open) + 1, all.length);
      if (zone.thread.label !== label) zone.thread.label = label;
      now.set(key, zone);
      before.delete(key);
    }
    for (const zone of before.values()) zone.thread.dispose();
    if (now.size > 0) this.zones.set(uri, now);
    else this.zones.delete(uri);
  }

  private zone(open: OpenHunk, document: vscode.TextDocument, found: Zone | undefined): Zone {
    const line = lineAbove(open);
    const range = line === undefined ? undefined : document.validateRange(new vscode.Range(line, 0, line, 0));
    const text = open.hunk.newText;
    const zone = found ?? { thread: this.thread(document.uri, range), ref: refOf(open), text: '' };
    if (zone.thread.range?.start.line !== range?.start.line) zone.thread.range = range;
    if (zone.text !== text) {
      zone.text = text;
      zone.thread.comments = [comment(open, document.languageId)];
    }
    return zone;
  }

  private thread(uri: vscode.Uri, range: vscode.Range | undefined): vscode.CommentThread {
    // Without a range a thread stands above the first line. That is allowed later, so it is at the start, types or not.
    const thread = this.controller.createCommentThread(uri, range as vscode.Range, []);
    thread.canReply = false;
    thread.contextValue = THREAD;
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    return thread;
  }
}

function comment(open: OpenHunk, language: string): vscode.Comment {
  const body = new vscode.MarkdownString(fenced(open.hunk.newText, language));
  // A line under the code: the scroll bar of a narrow editor lies over whatever is last.
  const hidden = hidesSomething(open.hunk.newText);
  body.value += `\n\n${hidden ? vscode.l10n.t('Characters that would not be seen are shown as ⟨U+…⟩.') : '&nbsp;'}`;
  return { author: { name: 'Assent' }, label: size(open), mode: vscode.CommentMode.Preview, body };
}

function visibleDocuments(): vscode.TextDocument[] {
  return [...new Set(vscode.window.visibleTextEditors.map((editor) => editor.document))].filter(isShown);
}

/** Whether zones can be in a document: a proposal's own documents show it by themselves. */
function isShown({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'file' || uri.scheme === 'untitled';
}

/** Whether a line is visible, or soon will be, in some editor of a document. */
function nearness(document: vscode.TextDocument, behind: number): (line: number) => boolean {
  const editors = vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
  const windows = editors.map((editor) => ({ from: topOf(editor) - behind, to: bottomOf(editor) + AHEAD }));
  return (line) => windows.some(({ from, to }) => from <= line && line <= to);
}

function topOf(editor: vscode.TextEditor): number {
  return editor.visibleRanges[0]?.start.line ?? 0;
}

function bottomOf(editor: vscode.TextEditor): number {
  return editor.visibleRanges.at(-1)?.end.line ?? 0;
}
