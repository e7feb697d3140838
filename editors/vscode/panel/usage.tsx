/** How much of the model's window is used, and what it cost as far as that is known. */
import type { Usage as Counts } from '../src/chat/entries';
import { memo } from './memo';
import { fill, useWords } from './words';

export const Usage = memo(function Usage({ usage }: { usage: Counts | null }) {
  const words = useWords();
  if (!usage) return null;
  const { used, size, total, cost } = usage;
  const whole = (count: number) => count.toLocaleString();
  const parts = [size > 0 ? fill(words.tokensOf, short(used), short(size)) : fill(words.tokens, short(used))];
  if (cost) parts.push(new Intl.NumberFormat(undefined, { style: 'currency', currency: cost.currency, maximumFractionDigits: 4 }).format(cost.amount));
  const title = total ? fill(words.tokensTotal, whole(total.input), whole(total.cached), whole(total.output)) : undefined;
  return (
    <div class="usage" title={title}>
      {parts.join(' · ')}
      {title && <span class="unseen"> {title}</span>}
    </div>
  );
});

function short(count: number): string {
  return new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}
