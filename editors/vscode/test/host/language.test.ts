import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answerQuery } from '../../src/language/query';
import { clear, open, write } from './project';

const PLACE = new vscode.Range(1, 2, 1, 5);
const LSP_PLACE = { start: { line: 1, character: 2 }, end: { line: 1, character: 5 } };

function query(method: string, params: unknown = {}): Promise<unknown> {
  return answerQuery(method, params, new vscode.CancellationTokenSource().token);
}

suite('language queries', () => {
  const registered: vscode.Disposable[] = [];
  let uri: vscode.Uri;
  let at: { textDocument: { uri: string }; position: { line: number; character: number } };

  setup(async () => {
    uri = write('words.txt', 'one\ntwo three\n');
    await open('words.txt');
    at = { textDocument: { uri: uri.toString() }, position: { line: 0, character: 1 } };
  });

  teardown(async () => {
    for (const one of registered.splice(0)) one.dispose();
    await clear();
  });

  test('places come as locations, also where the editor has links', async () => {
    const selector = { scheme: 'file', language: 'plaintext' };
    registered.push(
      vscode.languages.registerDefinitionProvider(selector, {
        provideDefinition: () => [{ targetUri: uri, targetRange: new vscode.Range(0, 0, 2, 0), targetSelectionRange: PLACE }],
      }),
      vscode.languages.registerReferenceProvider(selector, {
        provideReferences: () => [new vscode.Location(uri, PLACE), new vscode.Location(uri, new vscode.Range(0, 0, 0, 3))],
      }),
    );
    const place = { uri: uri.toString(), range: LSP_PLACE };
    const other = { uri: uri.toString(), range: { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } } };
    assert.deepEqual(await query('textDocument/definition', at), [place]);
    assert.deepEqual(await query('textDocument/references', { ...at, context: { includeDeclaration: true } }), [other, place]);
    assert.deepEqual(await query('textDocument/references', { ...at, context: { includeDeclaration: false } }), [other]);
    assert.deepEqual(await query('textDocument/implementation', at), []);
  });

  test('hovers of all providers come as one', async () => {
    const say = (text: vscode.MarkdownString): vscode.HoverProvider => ({ provideHover: () => new vscode.Hover(text, PLACE) });
    registered.push(
      vscode.languages.registerHoverProvider('plaintext', say(new vscode.MarkdownString('a *word*'))),
      vscode.languages.registerHoverProvider('plaintext', say(new vscode.MarkdownString().appendCodeblock('let x', 'rust'))),
    );
    const hover = (await query('textDocument/hover', at)) as { contents: { kind: string; value: string }; range: unknown };
    assert.equal(hover.contents.kind, 'markdown');
    assert.match(hover.contents.value, /a \*word\*/);
    assert.match(hover.contents.value, /```rust\nlet x\n```/);
    assert.deepEqual(hover.range, LSP_PLACE);
  });

  test('symbols keep their tree, and their kinds are those of LSP', async () => {
    const outer = new vscode.DocumentSymbol('Outer', 'class', vscode.SymbolKind.Class, new vscode.Range(0, 0, 1, 9), PLACE);
    outer.children.push(new vscode.DocumentSymbol('inner', '', vscode.SymbolKind.Method, PLACE, PLACE));
    registered.push(
      vscode.languages.registerDocumentSymbolProvider('plaintext', { provideDocumentSymbols: () => [outer] }),
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (text) => [
          new vscode.SymbolInformation(text, vscode.SymbolKind.File, 'box', new vscode.Location(uri, PLACE)),
        ],
      }),
    );
    const [found] = (await query('textDocument/documentSymbol', at)) as { name: string; kind: number; children: unknown[] }[];
    assert.equal(found?.kind, 5);
    assert.deepEqual(found?.children, [
      { name: 'inner', detail: '', kind: 6, range: LSP_PLACE, selectionRange: LSP_PLACE, children: [] },
    ]);
    const symbols = (await query('workspace/symbol', { query: 'needle' })) as { name: string }[];
    assert.deepEqual(
      symbols.find((symbol) => symbol.name === 'needle'),
      { name: 'needle', kind: 1, containerName: 'box', location: { uri: uri.toString(), range: LSP_PLACE } },
    );
  });

  test('calls are followed by an item that has been over the wire', async () => {
    const item = (name: string): vscode.CallHierarchyItem =>
      new vscode.CallHierarchyItem(vscode.SymbolKind.Function, name, '', uri, new vscode.Range(0, 0, 1, 9), PLACE);
    registered.push(
      vscode.languages.registerCallHierarchyProvider('plaintext', {
        prepareCallHierarchy: () => item('callee'),
        provideCallHierarchyIncomingCalls: ({ name }) => [
          new vscode.CallHierarchyIncomingCall(item(`calls ${name}`), [PLACE]),
        ],
        provideCallHierarchyOutgoingCalls: ({ name }) => [
          new vscode.CallHierarchyOutgoingCall(item(`called by ${name}`), [PLACE]),
        ],
      }),
    );
    const prepared = JSON.parse(JSON.stringify(await query('textDocument/prepareCallHierarchy', at))) as object[];
    type Incoming = { from: { name: string }; fromRanges: unknown }[];
    const incoming = (await query('callHierarchy/incomingCalls', { item: prepared[0] })) as Incoming;
    assert.equal(incoming[0]?.from.name, 'calls callee');
    assert.deepEqual(incoming[0]?.fromRanges, [LSP_PLACE]);
    const outgoing = (await query('callHierarchy/outgoingCalls', { item: prepared[0] })) as { to: { name: string } }[];
    assert.equal(outgoing[0]?.to.name, 'called by callee');
  });

  test('diagnostics are those of every language server', async () => {
    const collection = vscode.languages.createDiagnosticCollection('test');
    registered.push(collection);
    const found = new vscode.Diagnostic(PLACE, 'spelling', vscode.DiagnosticSeverity.Warning);
    found.source = 'words';
    found.code = { value: 'W1', target: vscode.Uri.parse('https://example.com') };
    collection.set(uri, [found]);
    const expected = [{ range: LSP_PLACE, message: 'spelling', severity: 2, source: 'words', code: 'W1' }];
    assert.deepEqual(await query('textDocument/diagnostic', at), { kind: 'full', items: expected });
    const all = (await query('workspace/diagnostic')) as { items: { uri: string; items: unknown }[] };
    assert.deepEqual(all.items.find((report) => report.uri === uri.toString())?.items, expected);
  });

  test('what is not known, wrong, or fails is null', async () => {
    registered.push(
      vscode.languages.registerHoverProvider('plaintext', {
        provideHover: () => {
          throw new Error('broken');
        },
      }),
    );
    assert.equal(await query('textDocument/hover', at), null);
    assert.equal(await query('textDocument/rename', at), null);
    assert.equal(await query('constructor', at), null);
    assert.equal(await query('textDocument/definition', { textDocument: 7 }), null);
    assert.equal(await query('textDocument/definition', null), null);
    assert.equal(await query('callHierarchy/incomingCalls', {}), null);
  });
});
