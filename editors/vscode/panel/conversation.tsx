/** The list of entries. Stays at its end while the user is there, and where the user is otherwise. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PromptEntry } from '../src/chat/entries';
import { EntryView } from './entry';
import { post } from './host';
import { Icon, IconButton } from './icons';
import type { Model } from './model';
import { useWords } from './words';

/** Pixels from the end that still count as the end. */
const NEAR = 32;

interface Props {
  model: Model;
  /** Whether the user looks at the end; read when messages come. */
  atEnd: { current: boolean };
  onEdit: (entry: PromptEntry) => void;
}

export function Conversation({ model, atEnd, onEdit }: Props) {
  const words = useWords();
  const { entries, state, trimmed } = model;
  const list = useRef<HTMLDivElement>(null);
  const before = useRef({ first: 0, height: 0 });
  const [away, setAway] = useState(false);
  const first = entries[0]?.id ?? 0;

  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    if (atEnd.current) element.scrollTop = element.scrollHeight;
    else if (first < before.current.first) element.scrollTop += element.scrollHeight - before.current.height;
    before.current = { first, height: element.scrollHeight };
  });
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    // What is above changes its size when it comes into sight, the panel when it is dragged.
    const observer = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const onScroll = () => {
    const element = list.current;
    if (!element) return;
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    setAway(!atEnd.current);
  };
  const toEnd = () => {
    atEnd.current = true;
    setAway(false);
    list.current?.scrollTo({ top: list.current.scrollHeight });
  };
  const earlier = () => post({ type: 'earlier', before: first });
  const last = entries.at(-1);
  return (
    <div class="conversation">
      <div class="entries" ref={list} onScroll={onScroll} role="log" aria-live="off" aria-label={words.conversation} tabIndex={0}>
        {(state.earlier > 0 || trimmed > 0) && (
          <button type="button" class="link earlier" onClick={earlier}>
            {words.showEarlier}
          </button>
        )}
        {entries.length === 0 && !state.loading && <Welcome />}
        {entries.map((entry) => (
          <EntryView
            key={entry.id}
            entry={entry}
            growing={state.running && entry === last}
            onEdit={onEdit}
            canEdit={!state.running}
          />
        ))}
        {(state.running || state.loading) && (
          <div class="working">
            <Icon name="spinner" class="spin" />
            {state.loading ? words.loading : words.working}
          </div>
        )}
      </div>
      {away && <IconButton icon="down" label={words.toEnd} onClick={toEnd} class="to-end" />}
    </div>
  );
}

function Welcome() {
  const words = useWords();
  return (
    <div class="welcome">
      <Icon name="shield" />
      <p>{words.welcome}</p>
      <p class="muted">{words.welcomeMore}</p>
    </div>
  );
}
