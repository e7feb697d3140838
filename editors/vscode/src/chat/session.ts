/** One session as the panel sees it: its conversation, whether a turn runs, and what waits behind the turn. */
import type { Attachment, Image, Queued, TurnCommand } from './entries';
import { MAX_QUEUE } from './limits';
import { Transcript } from './transcript';

/** What the user wants to send, or to have done by a command; then the text names it. */
export interface Draft {
  text: string;
  attachments: Attachment[];
  images: Image[];
  command?: TurnCommand;
}

/** A session. */
export class Session {
  readonly transcript = new Transcript();
  /** The turn that runs: `ours` was started by a prompt from here, `other` by a command. */
  turn: 'none' | 'ours' | 'other' = 'none';
  /** Turns started from here so far; one that is no longer the last has nothing to say at its end. */
  turns = 0;
  /** Whether the conversation is being told again. */
  loading = false;
  /** Whether all of the conversation is here, and what the session can be set to; else it was only heard of. */
  whole = false;
  /** Whether the queue waits for the user, because the turn before it was stopped or failed. */
  held = false;
  queue: readonly Queued[] = [];
  private nextQueued = 1;

  constructor(readonly id: string) {}

  get running(): boolean {
    return this.turn !== 'none';
  }

  /** Whether what was heard begins where the conversation does. */
  get heardFromTheStart(): boolean {
    const first = this.transcript.entries[0];
    return first?.kind === 'prompt' && first.prompt === 0;
  }

  /** Puts a message behind those that wait. False when too many do. */
  enqueue(draft: Draft): boolean {
    if (this.queue.length >= MAX_QUEUE) return false;
    this.queue = [...this.queue, { ...draft, id: this.nextQueued }];
    this.nextQueued += 1;
    return true;
  }

  /** Takes a waiting message out. */
  dequeue(id: number): Queued | undefined {
    const found = this.queue.find((queued) => queued.id === id);
    this.queue = this.queue.filter((queued) => queued !== found);
    return found;
  }

  /** Changes the words of a waiting message; a command has none. */
  edit(id: number, text: string): void {
    this.queue = this.queue.map((queued) => (queued.id === id && !queued.command ? { ...queued, text } : queued));
  }
}
