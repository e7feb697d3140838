/** Hunks in words and in Markdown. Everything in them comes from a model: it is shown as code, never as markup. */
import type { OpenHunk } from './state';
import { linesOf } from './state';

/** How much a hunk adds and takes away, `+2 −1`. */
export function size(open: OpenHunk): string {
  const { added, removed } = linesOf(open.hunk);
  return [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''].filter((part) => part !== '').join(' ');
}

/** The first line that tells a hunk from others: what comes, else what goes. */
export function gist(open: OpenHunk): string {
  const { newText, oldText } = open.hunk;
  const line = (newText || oldText).split('\n').find((candidate) => candidate.trim() !== '') ?? '';
  return visible(line.trim());
}

/** A fenced block that holds `text` whole, whatever fences are in the text. */
export function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  const body = visible(text).replace(/\r\n?/g, '\n');
  return `${fence}${language}\n${body}${body.endsWith('\n') ? '' : '\n'}${fence}`;
}

/**
 * Characters that show as nothing or turn the text around them, made visible: the editor marks them in a document,
 * but not where a proposal is shown outside of one.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => `⟨U+${hex(character)}⟩`);
}

/** Whether `visible` would change the text. */
export function hidesSomething(text: string): boolean {
  return text.search(HIDDEN) >= 0;
}

/** Controls other than tab and line ends, formatting characters (bidirectional, zero width), odd separators. */
const HIDDEN = /(?![\t\n\r])[\p{Cc}\p{Cf}\u2028\u2029\u3164\u115f\u1160]/gu;

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
