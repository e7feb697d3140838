/**
 * The section `assent` of the editor's settings as the server takes it: without what only the extension reads, without
 * what is not set, and with the lists of `policy` added up over user and workspace, so that a workspace's list never
 * takes a rule of the user's away.
 */

/** A setting in each place where it may be set, the later ones winning. */
export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

/** Settings that the server takes, besides `policy`. */
const PLAIN = ['model', 'mode', 'providers', 'agents'] as const;

type Json = Record<string, unknown>;

/** The section, from a setting's merged value (`get`) and its values by place (`inspect`). */
export function section(get: (key: string) => unknown, inspect: (key: string) => Inspected | undefined): Json {
  const found: Json = {};
  for (const key of PLAIN) {
    const value = get(key);
    if (isSet(value)) found[key] = value;
  }
  const policy = inspect('policy');
  const layers = [policy?.globalValue, policy?.workspaceValue, policy?.workspaceFolderValue].filter(isSet);
  if (layers.length > 0) found['policy'] = layers.reduce(addUp);
  return found;
}

function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return !(isMap(value) && Object.keys(value).length === 0);
}

/** Maps are joined, lists appended; of anything else the later one wins, and the server says what is wrong with it. */
function addUp(earlier: unknown, later: unknown): unknown {
  if (Array.isArray(earlier) && Array.isArray(later)) return [...earlier, ...later];
  if (!isMap(earlier) || !isMap(later)) return later;
  const joined: Json = { ...earlier };
  for (const [key, value] of Object.entries(later)) joined[key] = key in earlier ? addUp(earlier[key], value) : value;
  return joined;
}

function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
