/** The panel: hears the extension, keeps what it said, draws it. */
import { render } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { PromptEntry } from '../src/chat/entries';
import type { ToPanel } from '../src/chat/messages';
import { Approval } from './approval';
import { Composer } from './composer';
import { Conversation } from './conversation';
import { listen, post } from './host';
import { draft, enter, type Place } from './kept';
import { applied, empty, type Model } from './model';
import { Question } from './question';
import { Plan, Queue } from './queue';
import { Sessions } from './sessions';
import { useWords, WordsProvider } from './words';

function Panel() {
  const [model, setModel] = useState<Model>(empty);
  const [editing, setEditing] = useState<PromptEntry>();
  const [inserted, setInserted] = useState<{ text: string }>();
  const atEnd = useRef(true);
  /** Where the user was when the page was taken down, until that is in sight again. */
  const place = useRef<Place | undefined>(undefined);
  const shown = useRef<string | undefined>(undefined);
  const input = useRef<HTMLTextAreaElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const focus = useRef<(ToPanel & { type: 'focus' })['what'] | undefined>(undefined);

  useEffect(() => {
    let waiting: ToPanel[] = [];
    const take = () => {
      const messages = waiting;
      waiting = [];
      for (const message of messages) {
        if (message.type === 'focus') focus.current = message.what;
        if (message.type === 'insert') setInserted({ text: message.text });
      }
      setModel((now) => messages.reduce((model, message) => applied(model, message, atEnd.current), { ...now }));
    };
    // Drawn once a frame, however many messages came in it.
    listen((message) => {
      if (waiting.length === 0) requestAnimationFrame(take);
      waiting.push(message);
    });
    post({ type: 'ready' });
  }, []);
  // What is to get the focus may only come with the message after.
  useEffect(() => {
    const wanted = { composer: input, sessions: search };
    const element = focus.current && wanted[focus.current].current;
    if (!element) return;
    element.focus();
    focus.current = undefined;
  });
  const id = model.state.session?.id;
  if (id !== undefined && id !== shown.current) {
    shown.current = id;
    place.current = enter(id);
    atEnd.current = place.current === undefined;
    if (editing) setEditing(undefined);
  }
  useEffect(() => {
    // The message that was being edited when the page was taken down, once it is there again.
    const prompt = draft.get().editing;
    if (prompt === undefined || editing) return;
    const entry = model.entries.find((one) => one.kind === 'prompt' && one.prompt === prompt);
    if (entry?.kind === 'prompt') setEditing(entry);
  }, [model.entries]);
  const top = model.cards[0];
  useEffect(() => {
    // The card that had the focus is answered: back to typing.
    if (!top && document.hasFocus() && document.activeElement === document.body) input.current?.focus();
  }, [top?.key]);
  const onEdit = useCallback((entry: PromptEntry) => setEditing(entry), []);
  const onEdited = useCallback(() => {
    setEditing(undefined);
    draft.edit(undefined);
  }, []);

  const { state, words } = model;
  if (!words) return null;
  return (
    <WordsProvider value={words}>
      {state.sessions && <Sessions rows={state.sessions} current={id} search={search} />}
      <Conversation model={model} atEnd={atEnd} place={place} onEdit={onEdit} />
      <Server state={state.server} />
      <Plan plan={state.plan} />
      {top?.kind === 'approval' && <Approval key={top.key} card={top} more={model.cards.length - 1} />}
      {top?.kind === 'question' && <Question key={top.key} card={top} more={model.cards.length - 1} />}
      <Queue queue={state.queue} held={state.held} />
      <Composer model={model} editing={editing} onEdited={onEdited} inserted={inserted} input={input} />
      <Announcements model={model} />
    </WordsProvider>
  );
}

function Server({ state }: { state: Model['state']['server'] }) {
  const words = useWords();
  if (state !== 'failed' && state !== 'starting') return null;
  return (
    <div class={state === 'failed' ? 'notice error' : 'notice info'} role="status">
      <span class="said">{state === 'failed' ? words.serverFailed : words.serverStarting}</span>
      {state === 'failed' && (
        <button type="button" class="link" onClick={() => post({ type: 'restart' })}>
          {words.restart}
        </button>
      )}
    </div>
  );
}

/** What a screen reader is told without being asked: that a turn began or ended, and that something waits. */
function Announcements({ model }: { model: Model }) {
  const words = useWords();
  const { cards, state, entries } = model;
  const top = cards[0];
  const waiting = top ? `${words.approvalNeeded}: ${top.kind === 'approval' ? `${top.title}. ${top.subject}` : top.message}` : '';
  const last = state.running ? undefined : entries.at(-1);
  const said = state.running ? words.working : last?.kind === 'answer' ? last.text.slice(0, 1_000) : '';
  return (
    <div class="unseen">
      <div role="alert">{waiting}</div>
      <div role="status">{said}</div>
    </div>
  );
}

const root = document.getElementById('root');
if (root) render(<Panel />, root);
