/**
 * What the page keeps of itself while it is hidden, moved, or the window reloaded: what is being written, what is
 * folded, and where in the conversation the user was. VS Code stores it. All of it is bounded.
 */
import type { Attachment, Entry, Image } from '../src/chat/entries';
import { store } from './host';

/** A place in the conversation: an entry at the top of what is seen. */
export interface Place {
  id: number;
  /** What it is recognised by where ids were given anew. */
  key: string;
  /** Pixels from the top of the list to the entry's own. */
  offset: number;
}

interface Kept {
  draft: string;
  images: Image[];
  /** What the draft's words name. */
  mentions: Attachment[];
  /** The earlier message that is being edited. */
  editing?: number;
  /** The session that the rest is about. */
  session: string;
  folds: [key: string, open: boolean][];
  /** None: at the end. */
  place?: Place;
}

/** Folds that are remembered; the ones chosen last stay. */
const MAX_FOLDS = 300;
/** Length of all pictures of a draft together, in base64. */
const MAX_IMAGES_LENGTH = 2_000_000;
/** Milliseconds for which changes are gathered. */
const PAUSE = 100;

const nothing: Kept = { draft: '', images: [], mentions: [], session: '', folds: [] };
let now: Kept = { ...nothing, ...(store.get() as Partial<Kept> | undefined) };
let folds = new Map(now.folds);
let timer: number | undefined;
/** Where the user is, asked for when it is written down. */
let whereabouts: (() => Place | undefined) | undefined;

function write(): void {
  clearTimeout(timer);
  timer = undefined;
  const { place: _, ...rest } = now;
  const place = whereabouts ? whereabouts() : now.place;
  now = { ...rest, folds: [...folds].slice(-MAX_FOLDS), ...(place ? { place } : {}) };
  store.set(now);
}

function note(): void {
  timer ??= window.setTimeout(write, PAUSE);
}

// The page is taken down without a further word.
for (const event of ['pagehide', 'blur']) window.addEventListener(event, () => timer !== undefined && write());

/** What is being written. */
export const draft = {
  get: (): Pick<Kept, 'draft' | 'images' | 'mentions' | 'editing'> => now,
  set(text: string, images: Image[], mentions: Attachment[]): void {
    let room = MAX_IMAGES_LENGTH;
    const kept = images.filter(({ data }) => (room -= data.length) >= 0);
    now = { ...now, draft: text, images: kept, mentions };
    note();
  },
  edit(prompt: number | undefined): void {
    const { editing: _, ...rest } = now;
    now = { ...rest, ...(prompt === undefined ? {} : { editing: prompt }) };
    note();
  },
};

/** A session is shown. Gives the place to go back to, where the user was in it when the page was taken down. */
export function enter(session: string): Place | undefined {
  if (session === now.session) return now.place;
  const { place: _place, editing: _editing, ...rest } = now;
  now = { ...rest, session };
  folds = new Map();
  note();
  return undefined;
}

/** The user moved; `place` says where to, later. */
export function moved(place: () => Place | undefined): void {
  whereabouts = place;
  note();
}

/** Whether the user opened or closed a fold. */
export function foldOf(key: string): boolean | undefined {
  return folds.get(key);
}

export function keepFold(key: string, open: boolean): void {
  folds.delete(key);
  folds.set(key, open);
  note();
}

/** What an entry is recognised by, also when it was told again. */
export function keyOf(entry: Entry): string {
  return entry.kind === 'call' ? `call ${entry.callId}` : `${entry.kind} ${entry.text.slice(0, 60)}`;
}
