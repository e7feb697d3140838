/** `@` mentions in a prompt, and a prompt as ACP's content blocks. Knows no editor. */
import type { ContentBlock } from '../wire';
import type { Attachment, TextRange } from './entries';
import type { Draft } from './session';

/** A mention that is being typed: where its `@` stands, and what follows it up to the caret. */
export interface Typed {
  start: number;
  query: string;
}

/** The `/` or `@` word that the caret stands at the end of. */
export function typedAt(sign: '/' | '@', text: string, caret: number): Typed | undefined {
  const before = text.slice(0, caret);
  const start = sign === '/' ? 0 : Math.max(before.search(/(?<=^|[\s([{"'`])@[^\s@]*$/), -1);
  if (start < 0 || before[start] !== sign) return undefined;
  const query = before.slice(start + 1);
  return /\s/.test(query) ? undefined : { start, query };
}

/** A text with the word being typed replaced, and where the caret goes. */
export function completed(text: string, typed: Typed, caret: number, word: string): { text: string; caret: number } {
  const rest = text.slice(caret);
  const end = /^\s/.test(rest) ? word : `${word} `;
  return { text: text.slice(0, typed.start) + end + rest, caret: typed.start + end.length + (end === word ? 1 : 0) };
}

/** The attachments whose mention still stands in the text. */
export function mentioned(text: string, attachments: Attachment[]): Attachment[] {
  return attachments.filter((attachment) => mentionsOf(text, attachment.label).length > 0);
}

/** Where `@label` stands as a word of its own. */
function mentionsOf(text: string, label: string): number[] {
  const found: number[] = [];
  const word = `@${label}`;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    const after = text.slice(at + word.length);
    if ((at === 0 || /[\s([{"'`]/.test(text[at - 1] ?? '')) && /^($|[\s)\]}"'`,.;:!?])/.test(after)) found.push(at);
  }
  return found;
}

/** What only the editor knows when a prompt is sent. */
export interface Surroundings {
  /** The selection, or the file where nothing is selected. */
  selection: () => { uri: string; range?: TextRange; name: string } | undefined;
  /** The open problems, in words; empty when there are none. */
  problems: () => string;
}

/** A draft as the server takes it: words, pictures, then links to what they speak of. */
export function contentBlocks(draft: Draft, around: Surroundings): ContentBlock[] {
  const links: ContentBlock[] = [];
  const texts: ContentBlock[] = [];
  let words = draft.text;
  const seen = new Set<string>();
  for (const attachment of draft.attachments) {
    // The server would take an `@path` for an attachment of its own; the link already says which document is meant.
    if (attachment.kind === 'file') words = withoutSign(words, attachment.label);
    const link = linkOf(attachment, around);
    if (link) {
      const key = JSON.stringify(link);
      if (!seen.has(key)) links.push(link);
      seen.add(key);
    } else if (attachment.kind === 'problems') {
      const problems = around.problems();
      if (problems !== '') texts.push({ type: 'text', text: problems });
    }
  }
  const images = draft.images.map(({ mimeType, data }): ContentBlock => ({ type: 'image', mimeType, data }));
  return [{ type: 'text', text: words }, ...texts, ...images, ...links];
}

function withoutSign(text: string, label: string): string {
  for (const at of mentionsOf(text, label).reverse()) text = text.slice(0, at) + text.slice(at + 1);
  return text;
}

function linkOf(attachment: Attachment, around: Surroundings): ContentBlock | undefined {
  switch (attachment.kind) {
    case 'file':
    case 'symbol':
      return link(attachment.uri, attachment.label, attachment.range);
    case 'selection': {
      const selection = around.selection();
      return selection && link(selection.uri, selection.name, selection.range);
    }
    default:
      // A folder is named in the words; the server attaches documents only.
      return undefined;
  }
}

function link(uri: string, name: string, range: TextRange | undefined): ContentBlock {
  return { type: 'resource_link', uri, name, ...(range ? { _meta: { assent: { range } } } : {}) };
}
