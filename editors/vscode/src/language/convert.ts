/** From the editor's types to LSP's, as far as language queries need them. */
import * as vscode from 'vscode';
import type * as lsp from 'vscode-languageclient';

export function range(value: vscode.Range): lsp.Range {
  return { start: position(value.start), end: position(value.end) };
}

function position({ line, character }: vscode.Position): lsp.Position {
  return { line, character };
}

/** A location, also of a link. */
export function location(value: vscode.Location | vscode.LocationLink): lsp.Location {
  const [uri, place] =
    'targetUri' in value
      ? [value.targetUri, value.targetSelectionRange ?? value.targetRange]
      : [value.uri, value.range];
  return { uri: uri.toString(), range: range(place) };
}

export function hover(value: vscode.Hover): lsp.Hover {
  const text = value.contents.map((content) => {
    if (typeof content === 'string') return content;
    return 'language' in content ? `\`\`\`${content.language}\n${content.value}\n\`\`\`` : content.value;
  });
  const contents: lsp.MarkupContent = { kind: 'markdown', value: text.filter((part) => part !== '').join('\n\n---\n\n') };
  return value.range ? { contents, range: range(value.range) } : { contents };
}

/** A symbol of a document, as a tree where the language server gives one. */
export function documentSymbol(value: vscode.DocumentSymbol): lsp.DocumentSymbol {
  return {
    name: value.name,
    detail: value.detail,
    kind: symbolKind(value.kind),
    range: range(value.range),
    selectionRange: range(value.selectionRange),
    children: value.children.map(documentSymbol),
  };
}

export function symbolInformation(value: vscode.SymbolInformation): lsp.SymbolInformation {
  const { name, containerName, kind } = value;
  return { name, kind: symbolKind(kind), location: location(value.location), ...(containerName ? { containerName } : {}) };
}

export function callItem(value: vscode.CallHierarchyItem): lsp.CallHierarchyItem {
  return {
    name: value.name,
    kind: symbolKind(value.kind),
    uri: value.uri.toString(),
    range: range(value.range),
    selectionRange: range(value.selectionRange),
    ...(value.detail ? { detail: value.detail } : {}),
  };
}

export function diagnostic(value: vscode.Diagnostic): lsp.Diagnostic {
  const code = typeof value.code === 'object' ? value.code.value : value.code;
  const related = value.relatedInformation?.map((info) => ({ message: info.message, location: location(info.location) }));
  return {
    range: range(value.range),
    message: value.message,
    severity: severity(value.severity),
    ...(value.source === undefined ? {} : { source: value.source }),
    ...(code === undefined ? {} : { code }),
    ...(related ? { relatedInformation: related } : {}),
  };
}

/** The editor counts both from 0, LSP from 1. */
function symbolKind(kind: vscode.SymbolKind): lsp.SymbolKind {
  return (kind + 1) as lsp.SymbolKind;
}

function severity(value: vscode.DiagnosticSeverity): lsp.DiagnosticSeverity {
  return (value + 1) as lsp.DiagnosticSeverity;
}
