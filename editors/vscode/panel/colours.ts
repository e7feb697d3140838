/**
 * Code in colours: a closed set of languages, read by highlight.js into a tree, from which the page's own elements are
 * built; never a string of HTML. What is too long, or of no known language, stays as it is.
 */
import { createLowlight } from 'lowlight';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

/** Length of code that is coloured; some languages take ten milliseconds for a thousand characters. */
const MAX_COLOURED = 8_000;

/** A piece of code: its words, or a span of a kind around further pieces. */
export type Piece = string | { kind: string; pieces: Piece[] };

const known = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
});

/** Whether code of that language and length gets colours. */
export function colourable(text: string, language: string): boolean {
  return text.length <= MAX_COLOURED && known.registered(language.toLowerCase());
}

/** The code in pieces; together they are the text. */
export function coloured(text: string, language: string): Piece[] {
  return known.highlight(language.toLowerCase(), text, { prefix: '' }).children.flatMap(piece);
}

type Node = ReturnType<typeof known.highlight>['children'][number];

function piece(node: Node): Piece[] {
  if (node.type === 'text') return [node.value];
  if (node.type !== 'element') return [];
  const classes = node.properties['className'];
  const kind = Array.isArray(classes) ? String(classes[0] ?? '') : '';
  return [{ kind, pieces: node.children.flatMap(piece) }];
}
