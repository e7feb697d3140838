/**
 * What the extension and the panel say to each other. The panel is a web page: what comes from it is checked here field
 * by field, and what does not fit is dropped.
 */
import type { Card } from '../approvals/cards';
import type { AnswerMeta } from '../wire';
import type { Attachment, Entry, Image, PanelState, TextRange } from './entries';
import { MAX_ATTACHMENTS, MAX_IMAGE, MAX_IMAGES, MAX_PROMPT, MAX_RULE } from './limits';
import type { Words } from './words';

/** A change of the list of entries. */
export type EntryChange =
  /** All of them anew. */
  | { op: 'reset'; entries: Entry[] }
  /** Older ones, to go before the first. */
  | { op: 'prepend'; entries: Entry[] }
  /** A new one at the end, or another state of one that is there. */
  | { op: 'put'; entry: Entry }
  /** More text of an answer or a thought. */
  | { op: 'append'; id: number; text: string };

/** Something to complete `@` with. */
export interface Completion {
  attachment: Attachment;
  detail: string;
}

/** From the extension to the panel. */
export type ToPanel =
  | { type: 'update'; words?: Words; state?: Partial<PanelState>; cards?: Card[]; entries?: EntryChange[] }
  | { type: 'completions'; query: string; items: Completion[] }
  /** Puts words into the composer. */
  | { type: 'insert'; text: string }
  | { type: 'focus'; what: 'composer' | 'sessions' };

/** From the panel to the extension. */
export type FromPanel =
  | { type: 'ready' }
  | { type: 'send'; text: string; attachments: Attachment[]; images: Image[] }
  | { type: 'resend'; prompt: number; text: string; attachments: Attachment[]; images: Image[] }
  | { type: 'stop' }
  | { type: 'sendQueued'; id: number }
  | { type: 'editQueued'; id: number; text: string }
  | { type: 'removeQueued'; id: number }
  | { type: 'setOption'; id: string; value: string }
  | { type: 'newSession' }
  | { type: 'sessions'; open: boolean }
  | { type: 'openSession'; id: string; title: string }
  | { type: 'renameSession'; id: string; title: string }
  | { type: 'deleteSession'; id: string }
  | { type: 'earlier'; before: number }
  | { type: 'complete'; query: string }
  | { type: 'attachFile' }
  | { type: 'detach'; index: number }
  | { type: 'copy'; text: string }
  | { type: 'insertCode'; text: string }
  | { type: 'openLink'; href: string }
  | { type: 'openPlace'; path: string; line?: number }
  | { type: 'approve'; key: string; option: string; said: Omit<AnswerMeta, 'digest'> }
  | { type: 'answer'; key: string; values: Record<string, string | string[]> | null }
  | { type: 'restart' }
  | { type: 'blur' };

type Fields = Record<string, unknown>;
type Check<Type extends FromPanel['type']> = (fields: Fields) => Extract<FromPanel, { type: Type }> | undefined;

const draft = (fields: Fields) => {
  const { text } = fields;
  const attachments = list(fields['attachments'], attachment, MAX_ATTACHMENTS);
  const images = list(fields['images'], image, MAX_IMAGES);
  return isText(text, MAX_PROMPT) && attachments && images ? { text, attachments, images } : undefined;
};

/** One check a message; a message without one is not a message. */
const checks: { [Type in FromPanel['type']]: Check<Type> } = {
  ready: () => ({ type: 'ready' }),
  send: (fields) => {
    const checked = draft(fields);
    return checked && { type: 'send', ...checked };
  },
  resend: (fields) => {
    const checked = draft(fields);
    const { prompt } = fields;
    return checked && isCount(prompt) ? { type: 'resend', prompt, ...checked } : undefined;
  },
  stop: () => ({ type: 'stop' }),
  sendQueued: ({ id }) => (isCount(id) ? { type: 'sendQueued', id } : undefined),
  editQueued: ({ id, text }) => (isCount(id) && isText(text, MAX_PROMPT) ? { type: 'editQueued', id, text } : undefined),
  removeQueued: ({ id }) => (isCount(id) ? { type: 'removeQueued', id } : undefined),
  setOption: ({ id, value }) => (isText(id) && isText(value) ? { type: 'setOption', id, value } : undefined),
  newSession: () => ({ type: 'newSession' }),
  sessions: ({ open }) => (typeof open === 'boolean' ? { type: 'sessions', open } : undefined),
  openSession: ({ id, title }) => (isText(id) && isText(title) ? { type: 'openSession', id, title } : undefined),
  renameSession: ({ id, title }) =>
    isText(id) && isText(title) && title.trim() !== '' ? { type: 'renameSession', id, title: title.trim() } : undefined,
  deleteSession: ({ id }) => (isText(id) ? { type: 'deleteSession', id } : undefined),
  earlier: ({ before }) => (isCount(before) ? { type: 'earlier', before } : undefined),
  complete: ({ query }) => (isText(query, 200) ? { type: 'complete', query } : undefined),
  attachFile: () => ({ type: 'attachFile' }),
  detach: ({ index }) => (isCount(index) ? { type: 'detach', index } : undefined),
  copy: ({ text }) => (isText(text, MAX_PROMPT) ? { type: 'copy', text } : undefined),
  insertCode: ({ text }) => (isText(text, MAX_PROMPT) ? { type: 'insertCode', text } : undefined),
  openLink: ({ href }) => (isText(href, 8_000) ? { type: 'openLink', href } : undefined),
  openPlace: ({ path, line }) =>
    isText(path, 8_000) && (line === undefined || isCount(line))
      ? { type: 'openPlace', path, ...(line === undefined ? {} : { line }) }
      : undefined,
  approve: ({ key, option, said }) => {
    const checked = answerMeta(said);
    return isText(key) && isText(option) && checked ? { type: 'approve', key, option, said: checked } : undefined;
  },
  answer: ({ key, values }) => {
    if (!isText(key)) return undefined;
    if (values === null) return { type: 'answer', key, values };
    return isValues(values) ? { type: 'answer', key, values } : undefined;
  },
  restart: () => ({ type: 'restart' }),
  blur: () => ({ type: 'blur' }),
};

/** A message of the panel's, or nothing where it is not one. */
export function fromPanel(message: unknown): FromPanel | undefined {
  if (!isFields(message)) return undefined;
  const { type } = message;
  if (typeof type !== 'string' || !Object.hasOwn(checks, type)) return undefined;
  return checks[type as FromPanel['type']](message);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown, longest = 1_000): value is string {
  return typeof value === 'string' && value.length <= longest;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isValues(values: unknown): values is Record<string, string | string[]> {
  return (
    isFields(values) &&
    Object.values(values).every(
      (value) => isText(value, MAX_PROMPT) || (Array.isArray(value) && value.length <= 1_000 && value.every((one) => isText(one))),
    )
  );
}

/** What goes with an answer to an approval; nothing where a part of it is not what it should be. */
function answerMeta(value: unknown): Omit<AnswerMeta, 'digest'> | undefined {
  if (!isFields(value)) return undefined;
  const { feedback, stop, rule, scope } = value;
  if (feedback !== undefined && !isText(feedback, MAX_PROMPT)) return undefined;
  if (stop !== undefined && typeof stop !== 'boolean') return undefined;
  if (rule !== undefined && !isText(rule, MAX_RULE)) return undefined;
  if (scope !== undefined && scope !== 'session' && scope !== 'workspace' && scope !== 'always') return undefined;
  return { ...(feedback ? { feedback } : {}), ...(stop ? { stop } : {}), ...(rule ? { rule } : {}), ...(scope ? { scope } : {}) };
}

function list<Item>(value: unknown, check: (item: unknown) => Item | undefined, most: number): Item[] | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined;
  const checked = value.map(check);
  return checked.every((item) => item !== undefined) ? checked : undefined;
}

function image(value: unknown): Image | undefined {
  if (!isFields(value)) return undefined;
  const { mimeType, data } = value;
  const known = typeof mimeType === 'string' && /^image\/(png|jpeg|gif|webp)$/.test(mimeType);
  return known && isText(data, MAX_IMAGE) && /^[A-Za-z0-9+/]+={0,2}$/.test(data) ? { mimeType, data } : undefined;
}

function range(value: unknown): TextRange | undefined {
  if (!isFields(value)) return undefined;
  const start = position(value['start']);
  const end = position(value['end']);
  return start && end ? { start, end } : undefined;
}

function position(value: unknown): TextRange['start'] | undefined {
  if (!isFields(value)) return undefined;
  const { line, character } = value;
  return isCount(line) && isCount(character) ? { line, character } : undefined;
}

/** An attachment, or nothing where it is not one. */
export function attachment(value: unknown): Attachment | undefined {
  if (!isFields(value)) return undefined;
  const { kind, label, uri } = value;
  if (!isText(label, 8_000)) return undefined;
  if (kind === 'selection' || kind === 'problems') return { kind, label };
  if (!isText(uri, 8_000)) return undefined;
  const place = value['range'] === undefined ? undefined : range(value['range']);
  if (value['range'] !== undefined && !place) return undefined;
  if (kind === 'folder') return { kind, label, uri };
  if (kind === 'file') return { kind, label, uri, ...(place ? { range: place } : {}) };
  return kind === 'symbol' && place ? { kind, label, uri, range: place } : undefined;
}
