/**
 * Requests of the server's that wait for the user. Each is answered once, from wherever first: a card, a quick pick, a
 * command; then it is gone everywhere. Knows no editor.
 */
import { Signal, type Subscription } from '../signal';

/** What takes a request back; `vscode.CancellationToken` fits. */
export interface Token {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): Subscription;
}

/** A request that waits. */
export interface Open<Request> {
  /** Unique for as long as the extension runs. */
  readonly key: string;
  /** Rises from request to request, of whatever kind. */
  readonly order: number;
  readonly request: Request;
}

/** The open requests of one kind, oldest first. */
export class Waiting<Request, Answer> {
  /** A request came or went. */
  readonly changed = new Signal<void>();
  private readonly waiting = new Map<string, Open<Request> & { settle: (answer: Answer) => void }>();

  /** `none` is the answer where nobody gave one; `count` numbers requests of all kinds. */
  constructor(
    private readonly prefix: string,
    private readonly none: Answer,
    private readonly count: () => number,
  ) {}

  get open(): readonly Open<Request>[] {
    return [...this.waiting.values()];
  }

  find(key: string): Open<Request> | undefined {
    return this.waiting.get(key);
  }

  /** Puts a request before the user, and gives the answer. */
  ask(request: Request, token: Token): Promise<Answer> {
    if (token.isCancellationRequested) return Promise.resolve(this.none);
    return new Promise((resolve) => {
      const order = this.count();
      const key = `${this.prefix}${order}`;
      const taken = token.onCancellationRequested(() => this.answer(key, this.none));
      const settle = (answer: Answer) => {
        taken.dispose();
        resolve(answer);
      };
      this.waiting.set(key, { key, order, request, settle });
      this.changed.fire();
    });
  }

  /** Answers a request; false when it was not open any more. */
  answer(key: string, answer: Answer): boolean {
    const found = this.waiting.get(key);
    if (!found) return false;
    this.waiting.delete(key);
    found.settle(answer);
    this.changed.fire();
    return true;
  }

  /** Takes all back: the server that asked is gone. */
  clear(): void {
    for (const key of [...this.waiting.keys()]) this.answer(key, this.none);
  }
}
