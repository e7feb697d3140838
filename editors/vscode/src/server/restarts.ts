/** How often a server that ends by itself is started again, and how soon. */

/** Starts within one window before it stays down. */
const MOST = 3;
/** The window, in milliseconds. */
const WINDOW = 60_000;
/** The wait before the first restart of a window; each further one waits four times as long. */
const FIRST_WAIT = 250;

export class Restarts {
  private crashes: number[] = [];

  /** Notes a crash at a time. Milliseconds to wait before the next start; undefined when it should stay down. */
  crashed(now: number): number | undefined {
    this.crashes = this.crashes.filter((time) => now - time < WINDOW);
    this.crashes.push(now);
    const restarts = this.crashes.length;
    return restarts > MOST ? undefined : FIRST_WAIT * 4 ** (restarts - 1);
  }

  /** Whether the crash noted last is the first of its window, so that the user is told of it once. */
  get first(): boolean {
    return this.crashes.length === 1;
  }

  /** The user restarted it: what was before does not count. */
  forget(): void {
    this.crashes = [];
  }
}
