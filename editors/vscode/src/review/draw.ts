/** Colours the lines that would go, and marks hunks in the gutter and in the overview ruler. The text is not touched. */
import * as vscode from 'vscode';
import { linesOf, type OpenHunk, type Reviews } from './state';
import { fits, removedRange } from './place';
import { fenced, size } from './words';
import { shown } from './documents';

/** Decorations of the visible editors. */
export class Drawing implements vscode.Disposable {
  private readonly removed: vscode.TextEditorDecorationType;
  private readonly inserted: vscode.TextEditorDecorationType;
  private readonly proposed: vscode.TextEditorDecorationType;
  private readonly watching: vscode.Disposable;

  constructor(
    private readonly reviews: Reviews,
    media: vscode.Uri,
  ) {
    const mark = (name: string): vscode.DecorationRenderOptions => ({
      gutterIconPath: vscode.Uri.joinPath(media, `${name}.svg`),
      gutterIconSize: 'contain',
      overviewRulerLane: vscode.OverviewRulerLane.Right,
    });
    this.removed = vscode.window.createTextEditorDecorationType({
      ...mark('hunk-removed'),
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('diffEditor.removedLineBackground'),
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.deletedForeground'),
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    });
    this.inserted = vscode.window.createTextEditorDecorationType({
      ...mark('hunk-inserted'),
      overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.addedForeground'),
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    });
    this.proposed = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      backgroundColor: new vscode.ThemeColor('diffEditor.insertedLineBackground'),
    });
    this.watching = vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.draw(editor)));
  }

  /** Draws anew what shows one of these documents. */
  refresh(touched: ReadonlySet<string>): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (touched.has(shown(editor.document.uri).uri)) this.draw(editor);
    }
  }

  dispose(): void {
    for (const part of [this.removed, this.inserted, this.proposed, this.watching]) part.dispose();
  }

  private draw(editor: vscode.TextEditor): void {
    const { uri, side } = shown(editor.document.uri);
    const hunks = this.reviews.in(uri);
    if (side === 'after') {
      const isNew = hunks.some((open) => open.file.change === 'create');
      editor.setDecorations(this.proposed, isNew ? [wholeText(editor.document)] : []);
    } else if (side === undefined && hunks.every((open) => fits(open, editor.document))) {
      const gone = hunks.filter((open) => linesOf(open.hunk).removed > 0);
      const come = hunks.filter((open) => linesOf(open.hunk).removed === 0);
      editor.setDecorations(this.removed, gone.map((open) => this.removedLines(open, editor.document)));
      editor.setDecorations(this.inserted, come.map((open) => insertionPoint(open, editor.document)));
    }
  }

  private removedLines(open: OpenHunk, document: vscode.TextDocument): vscode.DecorationOptions {
    const range = document.validateRange(removedRange(open) ?? new vscode.Range(0, 0, 0, 0));
    const words = new vscode.MarkdownString(`Assent ${size(open)}\n\n${fenced(open.hunk.newText, document.languageId)}`);
    return linesOf(open.hunk).added > 0 ? { range, hoverMessage: words } : { range };
  }
}

function insertionPoint(open: OpenHunk, document: vscode.TextDocument): vscode.Range {
  return document.validateRange(new vscode.Range(open.hunk.range.start.line, 0, open.hunk.range.start.line, 0));
}

function wholeText(document: vscode.TextDocument): vscode.Range {
  return new vscode.Range(0, 0, document.lineCount, 0);
}
