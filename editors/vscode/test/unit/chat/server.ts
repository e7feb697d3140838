/** A server for tests: answers are given by the test, updates too. */
import type { Server, State } from '../../../src/server/connection';
import { Signal } from '../../../src/signal';
import type { Review, SessionNotification, SessionUpdate } from '../../../src/wire';

/** A request that waits for the test. */
export interface Asked {
  name: string;
  params: Record<string, unknown>;
  answer: (result: unknown) => Promise<void>;
  fail: (error: Error) => Promise<void>;
}

export class FakeServer implements Server {
  state: State = 'stopped';
  readonly states = new Signal<State>();
  readonly updates = new Signal<SessionNotification>();
  readonly turns = new Signal<{ sessionId?: string; running: boolean }>();
  readonly asked: Asked[] = [];
  readonly told: { name: string; params: unknown }[] = [];
  readonly onState = this.states.on as Server['onState'];
  readonly onUpdate = this.updates.on as Server['onUpdate'];
  readonly onReview = new Signal<Review>().on as Server['onReview'];

  request<Result>(name: string, params: unknown): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const answer = (result: unknown) => {
        resolve(result as Result);
        return settled();
      };
      const fail = (error: Error) => {
        reject(error);
        return settled();
      };
      this.asked.push({ name, params: params as Record<string, unknown>, answer, fail });
    });
  }

  notify(name: string, params: unknown): Promise<void> {
    this.told.push({ name, params });
    return Promise.resolve();
  }

  execute<Result>(command: string, argument?: unknown): Promise<Result> {
    return this.request<Result>(command, argument);
  }

  /** The oldest request that was not taken yet; it must be of that name. */
  async take(name: string): Promise<Asked> {
    await settled();
    const first = this.asked.shift();
    if (first?.name !== name) throw new Error(`${name} was expected, ${first?.name ?? 'nothing'} was asked`);
    return first;
  }

  become(state: State): void {
    this.state = state;
    this.states.fire(state);
  }

  update(sessionId: string, update: SessionUpdate): void {
    this.updates.fire({ sessionId, update });
  }
}

/** Lets everything run that waits for nothing. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
