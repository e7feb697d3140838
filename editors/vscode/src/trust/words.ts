/** What a workspace would enable if it is trusted, and the saved rules, as text to read. Knows no editor. */
import { visible } from '../approvals/visible';
import type { TrustItem, TrustShown } from '../wire';

/** The words around it, in the user's language. */
export interface Words {
  /** `{0}` is the folder. */
  title: string;
  states: Record<string, string>;
  kinds: Record<string, string>;
  itemStates: Record<string, string>;
  /** What there is to do about it. */
  none: string;
  file: string;
}

/** All of it: where the folder stands, then each thing that would count, whole. What waits for a look comes first. */
export function trustText(shown: TrustShown, words: Words): string {
  const order = ['new', 'changed', 'approved'];
  const items = [...shown.items].sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
  const head = `${words.title.replace('{0}', visible(shown.folder))}\n${words.states[shown.state] ?? shown.state}\n`;
  if (items.length === 0) return `${head}\n${words.none}\n`;
  return `${head}\n${items.map((item) => itemText(item, words)).join('\n\n')}\n`;
}

function itemText({ kind, name, path, detail, state }: TrustItem, words: Words): string {
  const head = `${words.kinds[kind] ?? kind} ${visible(name)} (${words.itemStates[state] ?? state})`;
  const lines = [`${words.file} ${visible(path)}`, ...visible(detail).split('\n')].filter((line) => line.trim() !== '');
  return [head, ...lines.map((line) => `    ${line}`)].join('\n');
}

/** How many of the items nobody has looked at. */
export function unseen({ items }: TrustShown): number {
  return items.filter(({ state }) => state !== 'approved').length;
}
