/** What the parts of the extension tell the status bar. Each part sets what is its own; nobody else reads it. */
import type { State } from '../server/connection';

/** What the status bar shows. */
export interface Facts {
  server: State;
  /** Turns that run. */
  turns: number;
  /** What the latest of them is doing. */
  message: string;
  /** Tokens of the session that was heard of last. */
  tokens: number;
  /** Hunks that wait for a decision. */
  hunks: number;
  /** Approvals that wait for an answer. */
  approvals: number;
  /** Of the session that the panel shows. */
  model: string;
  /** Of the session that the panel shows. */
  mode: string;
}

/** A line in the menu. */
export interface Choice {
  /** Name of a codicon. */
  icon: string;
  label: string;
  detail?: string;
  command: string;
  arguments?: unknown[];
}

/** A line that a part puts into the menu, whenever it makes sense. */
export type Offer = (facts: Readonly<Facts>) => Choice | undefined;

export class StatusBoard {
  private current: Facts = {
    server: 'stopped',
    turns: 0,
    message: '',
    tokens: 0,
    hunks: 0,
    approvals: 0,
    model: '',
    mode: '',
  };
  private readonly listeners = new Set<() => void>();
  private readonly offered: Offer[] = [];

  get facts(): Readonly<Facts> {
    return this.current;
  }

  /** Lines of the parts for the menu, in the order in which they came. */
  get offers(): readonly Offer[] {
    return this.offered;
  }

  /** Sets some facts. */
  set(facts: Partial<Facts>): void {
    this.current = { ...this.current, ...facts };
    for (const listener of this.listeners) listener();
  }

  /** Puts a line into the menu. */
  offer(offer: Offer): void {
    this.offered.push(offer);
  }

  onChange(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }
}
