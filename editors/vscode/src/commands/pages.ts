/** Pages to read: documents that nobody has to save or to throw away. */
import * as vscode from 'vscode';

const SCHEME = 'assent-page';

export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly texts = new Map<string, string>();

  readonly scheme = SCHEME;
  readonly onDidChange = this.changed.event;

  /** The last field: the editor looks for the event above in this very moment. */
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? '';
  }

  /** Shows a text under a file name, in place of what was shown under it before. */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });
    this.texts.set(uri.path, text);
    const { document } = await vscode.window.showTextDocument(uri, { preview: true });
    // Known from before, and perhaps closed a moment ago: only now it is certain to hear of it.
    if (document.getText() !== text) this.changed.fire(uri);
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}
