/** A session's options and counts, from ACP's shapes to those the panel shows. */
import type { SessionConfigOption, SessionUpdate } from '../wire';
import type { Picker, Usage } from './entries';

/** The choices that a session offers; those with one choice only are left out. */
export function pickersOf(options: SessionConfigOption[] | null | undefined): Picker[] {
  return (options ?? []).flatMap((option) => {
    if (option.type !== 'select') return [];
    const choices = option.options.flatMap((choice) => ('options' in choice ? choice.options : [choice]));
    if (choices.length < 2) return [];
    return [
      {
        id: option.id,
        name: option.name,
        value: option.currentValue,
        choices: choices.map(({ value, name, description }) => (description ? { value, name, description } : { value, name })),
      },
    ];
  });
}

/** Tokens and cost of a `usage_update`. */
export function usageOf(update: SessionUpdate & { sessionUpdate: 'usage_update' }): Usage {
  const usage: Usage = { used: update.used, size: update.size };
  const ours = update._meta?.['assent'];
  const total = typeof ours === 'object' && ours !== null && 'total' in ours ? ours.total : undefined;
  if (typeof total === 'object' && total !== null) {
    const count = (name: string) => {
      const value = (total as Record<string, unknown>)[name];
      return typeof value === 'number' ? value : 0;
    };
    usage.total = { input: count('input'), cached: count('cached'), output: count('output') };
  }
  if (update.cost) usage.cost = { amount: update.cost.amount, currency: update.cost.currency };
  return usage;
}
