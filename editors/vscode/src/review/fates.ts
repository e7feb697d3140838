/** What became of the hunks that the user accepted: whoever says yes is told when nothing came of it. */
import type { Review } from '../wire';
import type { HunkRef } from './state';

/** Accepted hunks that are on their way into the text. */
export class Fates {
  private readonly accepted = new Set<string>();

  /** The user accepted a hunk. */
  accept(ref: HunkRef): void {
    this.accepted.add(key(ref));
  }

  /**
   * Takes a review's new state. Gives the files in which something that was accepted did not get into the text and is
   * not offered again either.
   */
  note(review: Review): string[] {
    const lost = review.files.filter((file) => {
      const offered = file.hunks.some((hunk) => hunk.status === 'pending');
      // Each is noted, so no `some` that stops at the first.
      const failed = file.hunks.filter((hunk) => this.settled(review, hunk.id, hunk.status));
      return failed.length > 0 && !offered;
    });
    return lost.map((file) => file.uri);
  }

  /** The server is gone, and with it what was on its way. */
  forget(): void {
    this.accepted.clear();
  }

  /** Whether an accepted hunk has come to its end, and not into the text. */
  private settled(review: Review, hunk: string, status: string): boolean {
    if (status === 'pending') return false;
    return this.accepted.delete(key({ reviewId: review.reviewId, hunk })) && status !== 'accepted';
  }
}

function key({ reviewId, hunk }: HunkRef): string {
  return `${reviewId}\n${hunk}`;
}
