/** What the panel knows, and how a message of the extension's changes it. Pure: no page, no framework. */
import type { Card } from '../src/approvals/cards';
import type { Entry, PanelState } from '../src/chat/entries';
import type { Completion, EntryChange, ToPanel } from '../src/chat/messages';
import type { Words } from '../src/chat/words';

/** Entries drawn at most while the user looks at the end; the oldest are taken out and can be had again. */
const MOST = 400;
const LEFT = 200;

export interface Model {
  /** Nothing is drawn before the words are there. */
  words: Words | undefined;
  state: PanelState;
  cards: Card[];
  entries: Entry[];
  /** Entries that were here and were taken out again. */
  trimmed: number;
  completions: { query: string; items: Completion[] };
}

export const empty: Model = {
  words: undefined,
  state: {
    server: 'starting',
    session: null,
    loading: false,
    running: false,
    held: false,
    pickers: [],
    commands: [],
    plan: [],
    usage: null,
    queue: [],
    attachments: [],
    sessions: null,
    earlier: 0,
  },
  cards: [],
  entries: [],
  trimmed: 0,
  completions: { query: '', items: [] },
};

/** The model after a message. `atEnd`: whether the user looks at the newest entries. */
export function applied(model: Model, message: ToPanel, atEnd: boolean): Model {
  switch (message.type) {
    case 'update': {
      const { words, state, cards, entries } = message;
      let next = model;
      if (words) next = { ...next, words };
      if (state) next = { ...next, state: { ...next.state, ...state } };
      if (cards) next = { ...next, cards };
      if (entries) next = withEntries(next, entries);
      // What was just asked for is not taken out again.
      if (entries?.every(({ op }) => op !== 'prepend')) next = trimmed(next, atEnd);
      return next;
    }
    case 'completions':
      return { ...model, completions: { query: message.query, items: message.items } };
    default:
      return model;
  }
}

function withEntries(model: Model, changes: EntryChange[]): Model {
  let entries = [...model.entries];
  let gone = model.trimmed;
  for (const change of changes) {
    switch (change.op) {
      case 'reset':
        entries = [...change.entries];
        gone = 0;
        break;
      case 'prepend':
        entries = [...change.entries, ...entries];
        gone = Math.max(0, gone - change.entries.length);
        break;
      case 'put':
        put(entries, change.entry);
        break;
      case 'append': {
        const at = indexOf(entries, change.id);
        const entry = entries[at];
        if (entry && (entry.kind === 'answer' || entry.kind === 'thought')) entries[at] = { ...entry, text: entry.text + change.text };
      }
    }
  }
  return { ...model, entries, trimmed: gone };
}

/** Replaces an entry, or adds one at the end; one from before the first is not here and need not be. */
function put(entries: Entry[], entry: Entry): void {
  const at = indexOf(entries, entry.id);
  if (at >= 0) entries[at] = entry;
  else if (entry.id > (entries.at(-1)?.id ?? 0)) entries.push(entry);
}

/** Ids rise. */
function indexOf(entries: Entry[], id: number): number {
  return entries.findLastIndex((entry) => entry.id === id);
}

function trimmed(model: Model, atEnd: boolean): Model {
  const { entries } = model;
  if (!atEnd || entries.length <= MOST) return model;
  return { ...model, entries: entries.slice(-LEFT), trimmed: model.trimmed + entries.length - LEFT };
}
