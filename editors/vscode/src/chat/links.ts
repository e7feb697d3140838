/** Which links of a conversation may be followed, and where they lead. Knows no editor. */

/** A page outside: `http` and `https` only. */
export function isExternal(href: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(href) && URL.canParse(href);
}

/** A file: `file:` without a host, or a path without any scheme. */
export function isFile(href: string): boolean {
  if (/^file:/i.test(href)) return /^file:\/\/\/[^/]/i.test(href);
  // A drive letter is no scheme; `//host` would leave the machine.
  return href !== '' && !href.startsWith('#') && !/^[/\\]{2}/.test(href) && (/^[A-Za-z]:[\\/]/.test(href) || !/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(href));
}

/** The path and line of a file link: `src/a.ts#L10`, `src/a.ts:10`, `file:///…`. */
export function placeOf(href: string): { path: string; line?: number } {
  const [, rest = href, fragment, colon] = /^(.*?)(?:#L(\d+)(?:[-:,].*)?|:(\d+)(?::\d+)?)?$/s.exec(href) ?? [];
  const line = Number(fragment ?? colon);
  let path = rest.replace(/^file:\/\//i, '');
  try {
    path = decodeURIComponent(path);
  } catch {
    // A lone percent sign is a part of the name.
  }
  if (/^\/[A-Za-z]:/.test(path)) path = path.slice(1);
  return { path, ...(line > 0 ? { line } : {}) };
}
