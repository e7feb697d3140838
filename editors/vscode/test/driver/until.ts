/** Waiting: always for a condition, and always with an end. */

/** How long anything is waited for, in milliseconds. */
const DEADLINE = 20_000;
/** Between two looks. */
const PAUSE = 40;

/** Looks until `look` gives something, and gives that. `what` is for the message when it never does. */
export async function until<Value>(
  what: string,
  look: () => PromiseLike<Value | undefined | null | false> | Value | undefined | null | false,
  deadline = DEADLINE,
): Promise<Value> {
  const end = Date.now() + deadline;
  for (;;) {
    const value = await look();
    if (value !== undefined && value !== null && value !== false) return value;
    if (Date.now() > end) throw new Error(`waited ${deadline / 1000} s in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
