/** Places in files that a text names, such as `src/lib.rs:12`: what a reader would want to click. */

/** A part of a text: letters, or a place as it is written. */
export type Part = string | { place: string };

// A name with an ending and a line, and perhaps a column or a last line. What stands before it must not make it part of an
// address or of a longer name.
const PLACE = /(?<![\w/.:@%?=&#-])(?:[A-Za-z]:[\\/]|\.{0,2}\/)?[\w@.+~-]+(?:[\\/][\w@.+~()[\]-]+)*\.([A-Za-z]\w{0,9}):[1-9]\d{0,6}(?:[:-]\d{1,7})?(?![\w:/])/g;
/** Endings of hosts, behind which a number is a port. */
const HOSTS = new Set(['com', 'org', 'net', 'io', 'dev', 'app', 'ai', 'local', 'localhost', 'test', 'example', 'internal']);

/** A text in letters and places. */
export function places(text: string): Part[] {
  const parts: Part[] = [];
  let last = 0;
  for (const match of text.matchAll(PLACE)) {
    if (HOSTS.has((match[1] ?? '').toLowerCase()) && !/[\\/]/.test(match[0])) continue;
    if (match.index > last) parts.push(text.slice(last, match.index));
    parts.push({ place: match[0] });
    last = match.index + match[0].length;
  }
  if (last < text.length) parts.push(text.slice(last));
  return parts;
}
