/**
 * `_assent/language/query`: what LSP would answer, from whatever language support the editor has. A method that is
 * not known here, wrong params and a provider that fails are all null: the server asks because it may help, and goes
 * on without.
 */
import * as vscode from 'vscode';
import type * as lsp from 'vscode-languageclient';
import { callItem, diagnostic, documentSymbol, hover, location, range, symbolInformation } from './convert';

/** Params of any of the methods; who fills them in is checked where they are used. */
interface Params {
  textDocument?: { uri?: unknown };
  position?: Partial<lsp.Position>;
  query?: unknown;
  context?: { includeDeclaration?: unknown };
  item?: Partial<lsp.CallHierarchyItem>;
}

type Places = (vscode.Location | vscode.LocationLink)[];
type Direction = 'Incoming' | 'Outgoing';

const methods: Record<string, (params: Params) => Promise<unknown>> = {
  'textDocument/definition': (params) => places('vscode.executeDefinitionProvider', params),
  'textDocument/declaration': (params) => places('vscode.executeDeclarationProvider', params),
  'textDocument/typeDefinition': (params) => places('vscode.executeTypeDefinitionProvider', params),
  'textDocument/implementation': (params) => places('vscode.executeImplementationProvider', params),
  'textDocument/references': references,
  'textDocument/hover': hovers,
  'textDocument/documentSymbol': documentSymbols,
  'textDocument/diagnostic': async (params) => ({ kind: 'full', items: diagnostics(uriOf(params)) }),
  'textDocument/prepareCallHierarchy': async (params) => (await calls(uriOf(params), positionOf(params.position))).map(callItem),
  'callHierarchy/incomingCalls': async (params) => (await callsOf(params, 'Incoming')) ?? null,
  'callHierarchy/outgoingCalls': async (params) => (await callsOf(params, 'Outgoing')) ?? null,
  'workspace/symbol': workspaceSymbols,
  'workspace/diagnostic': async () => ({ items: allDiagnostics() }),
};

/** Answers a query. */
export async function answerQuery(method: string, params: unknown, token: vscode.CancellationToken): Promise<unknown> {
  const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!answer || typeof params !== 'object' || params === null) return null;
  const cancelled = new Promise<null>((resolve) => token.onCancellationRequested(() => resolve(null)));
  try {
    // The editor's own commands cannot be cancelled; nobody waits for them then.
    return await Promise.race([answer(params), cancelled]);
  } catch {
    return null;
  }
}

async function places(command: string, params: Params): Promise<lsp.Location[]> {
  const found = await vscode.commands.executeCommand<Places | undefined>(command, uriOf(params), positionOf(params.position));
  return (found ?? []).map(location);
}

async function references(params: Params): Promise<lsp.Location[]> {
  const found = await places('vscode.executeReferenceProvider', params);
  if (params.context?.includeDeclaration !== false) return found;
  const declared = new Set((await places('vscode.executeDefinitionProvider', params)).map((place) => JSON.stringify(place)));
  return found.filter((place) => !declared.has(JSON.stringify(place)));
}

async function hovers(params: Params): Promise<lsp.Hover | null> {
  const at = positionOf(params.position);
  const found = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uriOf(params), at);
  const all = found.map(hover);
  const [first] = all;
  if (!first) return null;
  const contents = all.map((one) => (one.contents as lsp.MarkupContent).value).join('\n\n---\n\n');
  return { ...first, contents: { kind: 'markdown', value: contents } };
}

async function documentSymbols(params: Params): Promise<unknown> {
  type Found = (vscode.DocumentSymbol | vscode.SymbolInformation)[];
  const found = await vscode.commands.executeCommand<Found | undefined>('vscode.executeDocumentSymbolProvider', uriOf(params));
  return (found ?? []).map((symbol) => ('selectionRange' in symbol ? documentSymbol(symbol) : symbolInformation(symbol)));
}

async function workspaceSymbols(params: Params): Promise<lsp.SymbolInformation[]> {
  if (typeof params.query !== 'string') throw new TypeError('no query');
  type Found = vscode.SymbolInformation[] | undefined;
  const found = await vscode.commands.executeCommand<Found>('vscode.executeWorkspaceSymbolProvider', params.query);
  return (found ?? []).map(symbolInformation);
}

function calls(uri: vscode.Uri, position: vscode.Position): Thenable<vscode.CallHierarchyItem[]> {
  return vscode.commands.executeCommand('vscode.prepareCallHierarchy', uri, position);
}

/** The editor knows an item only as the object it gave, so the item is looked up again by its place. */
async function callsOf({ item }: Params, direction: Direction): Promise<unknown[] | undefined> {
  if (typeof item?.uri !== 'string' || !item.selectionRange) throw new TypeError('no item');
  const prepared = await calls(vscode.Uri.parse(item.uri), positionOf(item.selectionRange.start));
  const found = prepared.find((candidate) => candidate.name === item.name) ?? prepared[0];
  if (!found) return undefined;
  if (direction === 'Incoming') {
    type Calls = vscode.CallHierarchyIncomingCall[];
    const incoming = await vscode.commands.executeCommand<Calls>('vscode.provideIncomingCalls', found);
    return incoming.map(({ from, fromRanges }) => ({ from: callItem(from), fromRanges: fromRanges.map(range) }));
  }
  type Calls = vscode.CallHierarchyOutgoingCall[];
  const outgoing = await vscode.commands.executeCommand<Calls>('vscode.provideOutgoingCalls', found);
  return outgoing.map(({ to, fromRanges }) => ({ to: callItem(to), fromRanges: fromRanges.map(range) }));
}

function diagnostics(uri: vscode.Uri): lsp.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).map(diagnostic);
}

function allDiagnostics(): unknown[] {
  const all = vscode.languages.getDiagnostics().filter(([, found]) => found.length > 0);
  return all.map(([uri, found]) => ({ kind: 'full', uri: uri.toString(), version: null, items: found.map(diagnostic) }));
}

function uriOf({ textDocument }: Params): vscode.Uri {
  if (typeof textDocument?.uri !== 'string') throw new TypeError('no document');
  return vscode.Uri.parse(textDocument.uri);
}

function positionOf(position: Partial<lsp.Position> | undefined): vscode.Position {
  if (typeof position?.line !== 'number' || typeof position.character !== 'number') throw new TypeError('no position');
  return new vscode.Position(position.line, position.character);
}
