/** The todo list of the model, and the messages that wait behind its turn. */
import { useRef, useState } from 'preact/hooks';
import type { PlanItem, Queued } from '../src/chat/entries';
import { Fold } from './fold';
import { post } from './host';
import { Icon, IconButton, type IconName } from './icons';
import { memo } from './memo';
import { useWords } from './words';

const PLAN_ICONS: Record<PlanItem['status'], IconName> = { pending: 'circle', in_progress: 'half', completed: 'check' };

export const Plan = memo(function Plan({ plan }: { plan: PlanItem[] }) {
  const words = useWords();
  if (plan.length === 0) return null;
  const done = plan.filter(({ status }) => status === 'completed').length;
  const now = plan.find(({ status }) => status === 'in_progress');
  const names = { pending: words.pending, in_progress: words.running, completed: words.completed };
  return (
    <Fold
      id="plan"
      class="plan"
      summary={
        <span class="what">
          {words.todos} ({done}/{plan.length}){now && <span class="muted"> {now.text}</span>}
        </span>
      }
    >
      <ul>
        {plan.map(({ text, status }) => (
          <li class={status}>
            <Icon name={PLAN_ICONS[status]} />
            <span class="unseen">{names[status]}</span>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </Fold>
  );
});

export const Queue = memo(function Queue({ queue, held }: { queue: Queued[]; held: boolean }) {
  const words = useWords();
  if (queue.length === 0) return null;
  return (
    <section class="queue" aria-label={words.queue}>
      <p class="muted">{held ? words.queueHeld : words.queue}</p>
      <ul>
        {queue.map((queued) => (
          <QueuedView key={queued.id} queued={queued} held={held} />
        ))}
      </ul>
    </section>
  );
});

function QueuedView({ queued, held }: { queued: Queued; held: boolean }) {
  const words = useWords();
  const [editing, setEditing] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const keep = () => {
    const text = field.current?.value.trim() ?? '';
    if (text !== '') post({ type: 'editQueued', id: queued.id, text });
    setEditing(false);
  };
  if (editing) {
    return (
      <li>
        <textarea
          ref={field}
          rows={2}
          defaultValue={queued.text}
          aria-label={words.edit}
          onBlur={keep}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setEditing(false);
            else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) keep();
            else return;
            event.preventDefault();
          }}
        />
      </li>
    );
  }
  return (
    <li>
      <span class="what" title={queued.text}>
        {queued.text}
      </span>
      {held && <IconButton icon="up" label={words.sendNow} onClick={() => post({ type: 'sendQueued', id: queued.id })} />}
      {!queued.command && <IconButton icon="edit" label={words.edit} onClick={() => setEditing(true)} />}
      <IconButton icon="delete" label={words.remove} onClick={() => post({ type: 'removeQueued', id: queued.id })} />
    </li>
  );
}
