/** Why there is no server, as a value; `notices.ts` puts it into words. */

export type Trouble =
  /** No program was found: where the setting points (`tried`), or anywhere. */
  | { kind: 'missing'; tried?: string }
  /** A program was found that does not behave like `assent`. */
  | { kind: 'unusable'; program: string; detail: string }
  /** It is `assent`, of a version that this extension does not go with. */
  | { kind: 'version'; program: string; found: string; wanted: string }
  /** It ended by itself and is being started again. */
  | { kind: 'crashed'; detail: string }
  /** It ended by itself too often and stays down. */
  | { kind: 'down'; detail: string }
  /** The user stopped or restarted it meanwhile. */
  | { kind: 'stopped' };

/** What a request fails with when there is no server to answer it. */
export class ServerUnavailable extends Error {
  override readonly name = 'ServerUnavailable';

  constructor(readonly trouble: Trouble) {
    super(`the Assent server is not available: ${trouble.kind}`);
  }
}
