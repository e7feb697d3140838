/** The list of entries. Stays at its end while the user is there, and where the user is otherwise. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Entry, PromptEntry } from '../src/chat/entries';
import { EntryView } from './entry';
import { post } from './host';
import { Icon, IconButton } from './icons';
import { keyOf, moved, type Place } from './kept';
import type { Model } from './model';
import { useWords } from './words';

/** Pixels from the end that still count as the end. */
const NEAR = 32;
/** Pieces of the past that are asked for to find a place again. */
const MAX_PAGES = 10;
/** Frames for which a place must not move to be reached, and in which it must be. */
const STILL = 5;
const MAX_FRAMES = 60;

interface Props {
  model: Model;
  /** Whether the user looks at the end; read when messages come. */
  atEnd: { current: boolean };
  /** Where to go back to, as soon as that is there. */
  place: { current: Place | undefined };
  onEdit: (entry: PromptEntry) => void;
}

export function Conversation({ model, atEnd, place, onEdit }: Props) {
  const words = useWords();
  const { entries, state, trimmed } = model;
  const list = useRef<HTMLDivElement>(null);
  const before = useRef({ first: 0, height: 0 });
  const asked = useRef({ pages: 0, first: -1 });
  /** What the list is being scrolled to; what happens meanwhile is not the user's doing. */
  const goal = useRef<unknown>(undefined);
  const [away, setAway] = useState(false);
  const first = entries[0]?.id ?? 0;
  const more = state.earlier > 0 || trimmed > 0;
  const latest = useRef(entries);
  latest.current = entries;

  /** Scrolls until nothing is missing any more, or the user goes elsewhere. */
  const go = (to: unknown, missing: () => number) => {
    const element = list.current;
    if (!element) return;
    goal.current = to;
    settle(element, missing, () => goal.current === to, () => {
      goal.current = place.current = undefined;
      onScroll();
    });
  };
  /** Goes back to where the user was before the page was taken down; further into the past for a while, if need be. */
  const goBack = (element: HTMLElement, wanted: Place) => {
    if (entries.length === 0 || state.loading) return;
    const at = indexOf(entries, wanted);
    const found = entryElements(element)[at];
    if (found) {
      if (goal.current === wanted) return;
      setAway(true);
      go(wanted, () => found.getBoundingClientRect().top - element.getBoundingClientRect().top - wanted.offset);
    } else if (more && asked.current.pages < MAX_PAGES) {
      if (asked.current.first === first) return;
      asked.current = { pages: asked.current.pages + 1, first };
      post({ type: 'earlier', before: first });
    } else {
      place.current = undefined;
      atEnd.current = true;
    }
  };
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const back = place.current !== undefined;
    if (place.current) goBack(element, place.current);
    if (atEnd.current) element.scrollTop = element.scrollHeight;
    else if (!back && first < before.current.first) element.scrollTop += element.scrollHeight - before.current.height;
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
    if (place.current || goal.current) return;
    atEnd.current = missingToEnd(element) < NEAR;
    setAway(!atEnd.current);
    moved(() => (atEnd.current ? undefined : placeIn(element, latest.current)));
  };
  const toEnd = () => {
    const element = list.current;
    if (!element) return;
    place.current = undefined;
    atEnd.current = true;
    setAway(false);
    go('end', () => missingToEnd(element));
  };
  const earlier = () => post({ type: 'earlier', before: first });
  const last = entries.at(-1);
  return (
    <div class="conversation">
      <div class="entries" ref={list} onScroll={onScroll} role="log" aria-live="off" aria-label={words.conversation} tabIndex={0}>
        {more && (
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

function missingToEnd(list: HTMLElement): number {
  return list.scrollHeight - list.scrollTop - list.clientHeight;
}

/** Scrolls by what is missing, and again until what comes into sight has got its size. The user's own moves end it. */
function settle(list: HTMLElement, missing: () => number, going: () => boolean, done: () => void): void {
  let frames = 0;
  let still = 0;
  const stop = () => (frames = MAX_FRAMES);
  const moves = ['wheel', 'pointerdown', 'keydown'];
  for (const move of moves) list.addEventListener(move, stop, { passive: true });
  const step = () => {
    const off = missing();
    still = Math.abs(off) < 1 ? still + 1 : 0;
    frames += 1;
    if (going() && still < STILL && frames < MAX_FRAMES) {
      list.scrollTop += off;
      requestAnimationFrame(step);
      return;
    }
    for (const move of moves) list.removeEventListener(move, stop);
    if (going()) done();
  };
  step();
}

/** The elements of the entries, in their order. */
function entryElements(list: HTMLElement): Element[] {
  return [...list.children].filter((child) => !child.matches('.earlier, .welcome, .working'));
}

/** The entry at the top of what is seen. */
function placeIn(list: HTMLElement, entries: Entry[]): Place | undefined {
  const { top } = list.getBoundingClientRect();
  const elements = entryElements(list);
  const at = elements.findIndex((element) => element.getBoundingClientRect().bottom > top);
  const entry = entries[at];
  return entry && { id: entry.id, key: keyOf(entry), offset: (elements[at]?.getBoundingClientRect().top ?? top) - top };
}

/** The entry that a place names: the same, or where ids were given anew the one that reads like it. */
function indexOf(entries: Entry[], { id, key }: Place): number {
  const same = entries.findIndex((entry) => entry.id === id && keyOf(entry) === key);
  return same >= 0 ? same : entries.findLastIndex((entry) => keyOf(entry) === key);
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
