/** The user's decisions on their way to the server. */
import type { Server } from '../server/connection';
import { method, type DecideParams } from '../wire';
import type { Fates } from './fates';
import { refOf, type OpenHunk } from './state';

/** What the user says beside yes or no. */
export interface Words {
  /** The user's own version of the one hunk that is accepted. */
  newText?: string;
  /** Why not, for the model. */
  feedback?: string;
}

export class Decisions {
  constructor(
    private readonly server: Server,
    private readonly fates: Fates,
  ) {}

  /** Sends decisions about hunks, one request for each review: then the edits of a file come as one. */
  async decide(hunks: readonly OpenHunk[], accept: boolean, { newText, feedback }: Words = {}): Promise<void> {
    for (const reviewId of new Set(hunks.map((open) => open.review.reviewId))) {
      const open = hunks.filter((candidate) => candidate.review.reviewId === reviewId);
      if (accept) this.expect(open);
      const decisions = open.map(({ hunk }) => ({ hunk: hunk.id, accept, ...(newText === undefined ? {} : { newText }) }));
      const params: DecideParams = { reviewId, decisions, ...(feedback === undefined ? {} : { feedback }) };
      await this.server.request(method.reviewDecide, params);
    }
  }

  /** These hunks are accepted: the user is told of those of which nothing comes. */
  expect(hunks: readonly OpenHunk[]): void {
    for (const open of hunks) this.fates.accept(refOf(open));
  }
}
