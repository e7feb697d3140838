/** Colours the lines that would go, and marks hunks in the gutter and in the overview ruler. The text is not touched. */
import * as vscode from 'vscode';
import { linesOf, type OpenHunk, type Reviews } from './state';
import { fits, removedRange } from './place';
import { fenced, size } from './words';
import { shown } from './documents';

/** The three ways in which lines are marked. */
interface Styles {
  /** They would go. */
  removed: vscode.TextEditorDecorationType;
  /** In front of them lines would come. */
  inserted: vscode.TextEditorDecorationType;
  /** They are a part of a file that would come. */
  proposed: vscode.TextEditorDecorationType;
}

/** Decorations of the visible editors. */
export class Drawing implements vscode.Disposable {
  private styles: Styles;
  private readonly watching: vscode.Disposable;

  constructor(
    private readonly reviews: Reviews,
    private readonly media: vscode.Uri,
  ) {
    this.styles = styles(media, vscode.window.activeColorTheme);
    this.watching = vscode.Disposable.from(
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.draw(editor))),
      vscode.window.onDidChangeActiveColorTheme((theme) => this.restyle(theme)),
    );
  }

  /** Draws anew what shows one of these documents. */
  refresh(touched: ReadonlySet<string>): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (touched.has(shown(editor.document.uri).uri)) this.draw(editor);
    }
  }

  dispose(): void {
    this.watching.dispose();
    this.drop();
  }

  private restyle(theme: vscode.ColorTheme): void {
    this.drop();
    this.styles = styles(this.media, theme);
    for (const editor of vscode.window.visibleTextEditors) this.draw(editor);
  }

  private drop(): void {
    for (const style of Object.values(this.styles)) style.dispose();
  }

  private draw(editor: vscode.TextEditor): void {
    const { uri, side } = shown(editor.document.uri);
    const hunks = this.reviews.in(uri);
    if (side === 'after') {
      const isNew = hunks.some((open) => open.file.change === 'create');
      editor.setDecorations(this.styles.proposed, isNew ? [wholeText(editor.document)] : []);
    } else if (side === undefined && hunks.every((open) => fits(open, editor.document))) {
      const gone = hunks.filter((open) => linesOf(open.hunk).removed > 0);
      const come = hunks.filter((open) => linesOf(open.hunk).removed === 0 && linesOf(open.hunk).added > 0);
      editor.setDecorations(this.styles.removed, gone.map((open) => this.removedLines(open, editor.document)));
      editor.setDecorations(this.styles.inserted, come.map((open) => insertionPoint(open, editor.document)));
    }
  }

  private removedLines(open: OpenHunk, document: vscode.TextDocument): vscode.DecorationOptions {
    const range = document.validateRange(removedRange(open) ?? new vscode.Range(0, 0, 0, 0));
    const words = new vscode.MarkdownString(`Assent ${size(open)}\n\n${fenced(open.hunk.newText, document.languageId)}`);
    return linesOf(open.hunk).added > 0 ? { range, hoverMessage: words } : { range };
  }
}

function styles(media: vscode.Uri, { kind }: vscode.ColorTheme): Styles {
  const highContrast = kind === vscode.ColorThemeKind.HighContrast || kind === vscode.ColorThemeKind.HighContrastLight;
  // Themes of high contrast have no backgrounds but borders, and other themes no such borders.
  const line = (what: 'removed' | 'inserted'): vscode.DecorationRenderOptions =>
    highContrast
      ? { border: '1px dashed', borderColor: new vscode.ThemeColor(`diffEditor.${what}TextBorder`) }
      : { backgroundColor: new vscode.ThemeColor(`diffEditor.${what}LineBackground`) };
  const mark = (name: string, ruler: string): vscode.DecorationRenderOptions => ({
    gutterIconPath: vscode.Uri.joinPath(media, `${name}.svg`),
    gutterIconSize: 'contain',
    overviewRulerLane: vscode.OverviewRulerLane.Right,
    overviewRulerColor: new vscode.ThemeColor(`editorOverviewRuler.${ruler}Foreground`),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  const make = vscode.window.createTextEditorDecorationType;
  return {
    removed: make({ ...mark('hunk-removed', 'deleted'), ...line('removed'), isWholeLine: true }),
    inserted: make(mark('hunk-inserted', 'added')),
    proposed: make({ ...line('inserted'), isWholeLine: true }),
  };
}

function insertionPoint(open: OpenHunk, document: vscode.TextDocument): vscode.Range {
  return document.validateRange(new vscode.Range(open.hunk.range.start.line, 0, open.hunk.range.start.line, 0));
}

function wholeText(document: vscode.TextDocument): vscode.Range {
  return new vscode.Range(0, 0, document.lineCount, 0);
}
