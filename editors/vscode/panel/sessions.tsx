/** The sessions of this folder: search, open, rename, delete. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionRow } from '../src/chat/entries';
import { post } from './host';
import { Icon, IconButton } from './icons';
import { useWords } from './words';

interface Props {
  rows: SessionRow[];
  current: string | undefined;
  search: { current: HTMLInputElement | null };
}

export function Sessions({ rows, current, search }: Props) {
  const words = useWords();
  const [query, setQuery] = useState('');
  const close = () => post({ type: 'sessions', open: false });
  const wanted = query.trim().toLowerCase();
  const found = rows.filter(({ title }) => title.toLowerCase().includes(wanted));
  return (
    <section
      class="sessions"
      aria-label={words.sessions}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) close();
      }}
    >
      <div class="bar">
        <input
          ref={search}
          type="search"
          value={query}
          placeholder={words.searchSessions}
          aria-label={words.searchSessions}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <IconButton icon="plus" label={words.newSession} onClick={() => post({ type: 'newSession' })} />
        <IconButton icon="cross" label={words.close} onClick={close} />
      </div>
      {found.length === 0 && <p class="muted">{words.noSessions}</p>}
      <ul>
        {found.map((row) => (
          <Row key={row.id} row={row} current={row.id === current} />
        ))}
      </ul>
    </section>
  );
}

function Row({ row, current }: { row: SessionRow; current: boolean }) {
  const words = useWords();
  const [doing, setDoing] = useState<'nothing' | 'renaming' | 'deleting'>('nothing');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (doing === 'renaming') field.current?.select();
  }, [doing]);
  const rename = () => {
    const title = field.current?.value.trim() ?? '';
    if (title !== '') post({ type: 'renameSession', id: row.id, title });
    setDoing('nothing');
  };
  if (doing === 'renaming') {
    return (
      <li>
        <form
          class="bar"
          onSubmit={(event) => {
            event.preventDefault();
            rename();
          }}
        >
          <input
            ref={field}
            type="text"
            defaultValue={row.title}
            aria-label={words.rename}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.preventDefault();
              setDoing('nothing');
            }}
          />
          <button type="submit" class="link">
            {words.rename}
          </button>
        </form>
      </li>
    );
  }
  return (
    <li class={current ? 'current' : undefined}>
      <button
        type="button"
        class="row"
        aria-current={current}
        onClick={() => post({ type: 'openSession', id: row.id, title: row.title })}
      >
        {row.running && <Icon name="spinner" class="spin" />}
        <span class="what">{row.title}</span>
        {row.running && <span class="unseen">{words.runningSession}</span>}
        {row.updated && <time dateTime={row.updated}>{when(row.updated)}</time>}
      </button>
      {doing === 'deleting' ? (
        <>
          <button type="button" class="link" onClick={() => post({ type: 'deleteSession', id: row.id })}>
            {words.deleteSure}
          </button>
          <IconButton icon="cross" label={words.cancelEdit} onClick={() => setDoing('nothing')} />
        </>
      ) : (
        <>
          <IconButton icon="edit" label={words.rename} onClick={() => setDoing('renaming')} class="on-hover" />
          <IconButton icon="delete" label={words.delete} onClick={() => setDoing('deleting')} class="on-hover" />
        </>
      )}
    </li>
  );
}

/** The time for today, else the day. */
function when(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const today = date.toDateString() === new Date().toDateString();
  return today ? date.toLocaleTimeString(undefined, { timeStyle: 'short' }) : date.toLocaleDateString(undefined, { dateStyle: 'medium' });
}
