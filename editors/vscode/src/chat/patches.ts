/**
 * Tells the panel what changed and no more: the parts of the state that are different, the entries that are new, and of a
 * text that grew only what was added. Changes are gathered for one frame. Knows no editor.
 */
import type { Card } from '../approvals/cards';
import type { Entry, PanelState } from './entries';
import { PAGE_ENTRIES, PATCH_PAUSE } from './limits';
import type { EntryChange, ToPanel } from './messages';
import type { Session } from './session';

/** What is shown. */
export interface Shown {
  session: Session | undefined;
  state: Omit<PanelState, 'earlier'>;
  cards: Card[];
}

/** The panel's end of the state. */
export class Patches {
  private told: { session: Session | undefined; state: Map<string, string>; cards: string; first: number; lengths: Map<number, number> } | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** `post` takes messages to the panel; `shown` gives what is to be seen now. */
  constructor(
    private readonly shown: () => Shown,
    private readonly post: (message: ToPanel) => void,
  ) {}

  /** The panel is there anew and knows nothing. */
  reconnect(): void {
    this.told = undefined;
    this.flush();
  }

  /** The panel is gone. */
  disconnect(): void {
    this.told = undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Something may have changed. */
  readonly note = (): void => {
    if (this.told) this.timer ??= setTimeout(() => this.flush(), PATCH_PAUSE);
  };

  /** Tells the panel now. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { session, state, cards } = this.shown();
    const first = !this.told;
    this.told ??= { session: undefined, state: new Map(), cards: '', first: 0, lengths: new Map() };
    const entries = this.entries(session, first);
    const message: ToPanel & { type: 'update' } = { type: 'update' };
    const earlier = session ? session.transcript.dropped + this.indexOfFirst(session) : 0;
    const different = this.different({ ...state, earlier });
    if (different) message.state = different;
    const allCards = JSON.stringify(cards);
    if (first || allCards !== this.told.cards) {
      this.told.cards = allCards;
      message.cards = cards;
    }
    if (entries.length > 0) message.entries = entries;
    if (message.state || message.cards || message.entries) this.post(message);
  }

  /** Entries before the first that the panel has. */
  earlier(before: number): void {
    const { session } = this.shown();
    if (!session || !this.told) return;
    const { entries } = session.transcript;
    const end = entries.findIndex((entry) => entry.id >= before);
    if (end <= 0) return;
    const page = entries.slice(Math.max(0, end - PAGE_ENTRIES), end);
    for (const entry of page) this.remember(entry);
    this.told.first = Math.min(this.told.first, page[0]?.id ?? this.told.first);
    this.post({ type: 'update', state: { earlier: session.transcript.dropped + this.indexOfFirst(session) }, entries: [{ op: 'prepend', entries: page }] });
  }

  private entries(session: Session | undefined, first: boolean): EntryChange[] {
    const told = this.told;
    if (!told) return [];
    const changes = session?.transcript.takeChanges();
    if (first || told.session !== session || changes?.all) {
      told.session = session;
      told.lengths.clear();
      const page = session?.transcript.entries.slice(-PAGE_ENTRIES) ?? [];
      told.first = page[0]?.id ?? 0;
      for (const entry of page) this.remember(entry);
      return [{ op: 'reset', entries: page }];
    }
    return [...(changes?.entries ?? [])].filter((entry) => entry.id >= told.first).map((entry) => this.change(entry));
  }

  private change(entry: Entry): EntryChange {
    const before = this.told?.lengths.get(entry.id);
    this.remember(entry);
    if (before !== undefined && 'text' in entry && (entry.kind === 'answer' || entry.kind === 'thought')) {
      return { op: 'append', id: entry.id, text: entry.text.slice(before) };
    }
    return { op: 'put', entry };
  }

  private remember(entry: Entry): void {
    if (entry.kind === 'answer' || entry.kind === 'thought') this.told?.lengths.set(entry.id, entry.text.length);
  }

  private indexOfFirst(session: Session): number {
    const first = this.told?.first ?? 0;
    return Math.max(0, session.transcript.entries.findIndex((entry) => entry.id >= first));
  }

  /** The parts of the state that are different from what was told. */
  private different(state: PanelState): Partial<PanelState> | undefined {
    const parts: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(state)) {
      const text = JSON.stringify(value) ?? '';
      if (this.told?.state.get(name) === text) continue;
      this.told?.state.set(name, text);
      parts[name] = value ?? null;
    }
    return Object.keys(parts).length > 0 ? (parts as Partial<PanelState>) : undefined;
  }
}
