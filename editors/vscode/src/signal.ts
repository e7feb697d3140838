/** An event with listeners, for code that must not import `vscode`. */

/** Ends a subscription; `vscode.Disposable` fits. */
export interface Subscription {
  dispose(): void;
}

/** A list of listeners. A listener that throws does not keep the others from hearing. */
export class Signal<Value> {
  private readonly listeners = new Set<(value: Value) => void>();

  /** Adds a listener. */
  readonly on = (listener: (value: Value) => void): Subscription => {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  };

  fire(value: Value): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
