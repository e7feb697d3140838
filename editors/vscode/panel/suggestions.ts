/** What completes the word at the caret: slash commands known here, mentions that the extension looks up. */
import type { Attachment, SlashCommand } from '../src/chat/entries';
import { typedAt, type Typed } from '../src/chat/mentions';
import type { Completion } from '../src/chat/messages';

/** One row of the list. */
export interface Suggestion {
  label: string;
  detail: string;
  /** What is put into the text. */
  word: string;
  attachment?: Attachment;
}

/** The word being typed, and which sign it has. */
export interface Typing extends Typed {
  sign: '/' | '@';
}

/** What is being typed at the caret that can be completed. */
export function typing(text: string, caret: number): Typing | undefined {
  for (const sign of ['/', '@'] as const) {
    const typed = typedAt(sign, text, caret);
    if (typed) return { ...typed, sign };
  }
  return undefined;
}

/** The rows for it. */
export function suggestions(at: Typing | undefined, commands: SlashCommand[], found: { query: string; items: Completion[] }): Suggestion[] {
  if (!at) return [];
  if (at.sign === '/') {
    const query = at.query.toLowerCase();
    return commands
      .filter(({ name }) => name.toLowerCase().startsWith(query))
      .map(({ name, description, hint }) => ({ label: `/${name}`, detail: hint ? `${hint} ${description}` : description, word: `/${name}` }));
  }
  // While an answer is on its way, what it narrows down to is shown of the one before.
  if (!at.query.startsWith(found.query)) return [];
  return found.items
    .filter(({ attachment }) => attachment.label.toLowerCase().includes(at.query.toLowerCase()))
    .map(({ attachment, detail }) => ({ label: attachment.label, detail, word: `@${attachment.label}`, attachment }));
}
