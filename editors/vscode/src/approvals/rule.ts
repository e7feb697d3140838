/** The rule that an approval can save: what it says, and how long it may be kept. Knows no editor. */
import type { PermissionMeta, PermissionOption, RuleScope } from '../wire';
import { visible } from './visible';

/** A rule that may be saved. */
export interface OfferedRule {
  text: string;
  /** How long it may be kept, shortest first. */
  scopes: RuleScope[];
  /** Whether the server takes a rule that the user changed. */
  editable: boolean;
}

const SCOPES: readonly RuleScope[] = ['session', 'workspace', 'always'];

/** What servers offered before they named scopes; these take the rule only as it is. */
const SCOPE_OF_OPTION: Record<string, RuleScope> = { allow_session: 'session', allow_always: 'workspace' };

/** The rule of a request, where it may be saved at all. A rule with what cannot be seen in it is not for the user to edit. */
export function ruleOf({ remember, rememberScopes }: PermissionMeta, options: readonly PermissionOption[]): OfferedRule | undefined {
  const lasting = options.filter(({ kind }) => kind === 'allow_always');
  if (!remember || lasting.length === 0) return undefined;
  const named = rememberScopes ?? lasting.flatMap(({ optionId }) => SCOPE_OF_OPTION[optionId] ?? []);
  const scopes = SCOPES.filter((scope) => named.includes(scope));
  const text = visible(remember);
  return scopes.length > 0 ? { text, scopes, editable: rememberScopes !== undefined && text === remember } : undefined;
}

/** The option that saves a rule for that long: the one made for it, else the one that is kept longest. */
export function lastingOption(options: readonly { id: string; kind: string }[], scope: RuleScope): string | undefined {
  const lasting = options.filter(({ kind }) => kind === 'allow_always');
  const made = lasting.find(({ id }) => SCOPE_OF_OPTION[id] === (scope === 'session' ? 'session' : 'workspace'));
  return (made ?? lasting.at(-1))?.id;
}
