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
  /** Things of the workspace's own that wait for a look. */
  trust: number;
  /** Of the session that the panel shows. */
  model: string;
  /** Of the session that the panel shows. */
  mode: string;
}

export class StatusBoard {
  private current: Facts = {
    server: 'stopped',
    turns: 0,
    message: '',
    tokens: 0,
    hunks: 0,
    approvals: 0,
    trust: 0,
    model: '',
    mode: '',
  };
  private readonly listeners = new Set<() => void>();

  get facts(): Readonly<Facts> {
    return this.current;
  }

  /** Sets some facts. */
  set(facts: Partial<Facts>): void {
    this.current = { ...this.current, ...facts };
    for (const listener of this.listeners) listener();
  }

  onChange(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }
}
