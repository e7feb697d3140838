/**
 * All open reviews, as the server last told them, and where their hunks are. Holds no fact that the server cannot
 * send again: `update` replaces a review as a whole. Knows no editor, so that it can be tested without one.
 */
import type { Hunk, Review, ReviewFile } from '../wire';

/** What names a hunk, for commands and menus. */
export interface HunkRef {
  reviewId: string;
  hunk: string;
}

/** A hunk that waits for the user. */
export interface OpenHunk {
  review: Review;
  file: ReviewFile;
  hunk: Hunk;
}

/** A place in a document, as whole lines count. */
export interface Place {
  uri: string;
  line: number;
}

/** A file with the hunks that wait in it, from the top. */
export interface OpenFile {
  uri: string;
  hunks: OpenHunk[];
}

/** A hunk in whole lines. */
export interface Lines {
  /** First line that goes, or in front of which lines come. */
  first: number;
  removed: number;
  added: number;
}

/** The name of a hunk that waits. */
export function refOf(open: OpenHunk): HunkRef {
  return { reviewId: open.review.reviewId, hunk: open.hunk.id };
}

/** A hunk in whole lines. The server's hunks begin at a line and end at one, or at the end of the text. */
export function linesOf(hunk: Hunk): Lines {
  const { start, end } = hunk.range;
  return { first: start.line, removed: end.line - start.line + (end.character > 0 ? 1 : 0), added: countLines(hunk.newText) };
}

function countLines(text: string): number {
  if (text === '') return 0;
  const breaks = text.split('\n').length - 1;
  return text.endsWith('\n') ? breaks : breaks + 1;
}

/** The open reviews. */
export class Reviews {
  /** In the order in which they were opened. */
  private readonly reviews = new Map<string, Review>();
  private files: OpenFile[] = [];
  private byUri = new Map<string, OpenFile>();

  /** `normalise` brings a URI of the server's into the editor's spelling. */
  constructor(private readonly normalise: (uri: string) => string) {}

  /** Takes the new state of a review. Gives the documents to be drawn anew. */
  update(told: Review): Set<string> {
    const touched = this.urisOf(this.reviews.get(told.reviewId));
    const files = told.files.map((file) => ({ ...file, uri: this.normalise(file.uri) }));
    const review = { ...told, files };
    for (const uri of this.urisOf(review)) touched.add(uri);
    if (review.status === 'open') this.reviews.set(review.reviewId, review);
    else this.reviews.delete(review.reviewId);
    this.index();
    return touched;
  }

  /** The server is gone: what is still open, its successor sends again. Gives the documents to be drawn anew. */
  clear(): Set<string> {
    const touched = new Set(this.files.map((file) => file.uri));
    this.reviews.clear();
    this.index();
    return touched;
  }

  /** How many hunks wait. */
  get count(): number {
    return this.files.reduce((sum, file) => sum + file.hunks.length, 0);
  }

  /** The files in which hunks wait, in the order in which they were proposed. */
  openFiles(): readonly OpenFile[] {
    return this.files;
  }

  /** The hunks that wait in a document, from the top. */
  in(uri: string): readonly OpenHunk[] {
    return this.byUri.get(uri)?.hunks ?? [];
  }

  /** A hunk, if it still waits. */
  find(ref: HunkRef): OpenHunk | undefined {
    return this.all().find((open) => open.review.reviewId === ref.reviewId && open.hunk.id === ref.hunk);
  }

  /** The hunk at a line: one whose lines would go, else one that would come right there. */
  at(place: Place): OpenHunk | undefined {
    const distance = ({ hunk }: OpenHunk): number => {
      const { first, removed } = linesOf(hunk);
      if (removed > 0) return place.line >= first && place.line < first + removed ? 0 : Infinity;
      return place.line === first || place.line === first - 1 ? 1 : Infinity;
    };
    const near = this.in(place.uri).filter((open) => distance(open) < Infinity);
    return near.sort((a, b) => distance(a) - distance(b))[0];
  }

  /** The hunk behind (or before) a place, on into the next file, and round the end. */
  step(from: Place | undefined, forward: boolean): OpenHunk | undefined {
    const all = this.all();
    const edge = forward ? all[0] : all.at(-1);
    if (!from) return edge;
    const here = this.in(from.uri);
    const beyond = forward
      ? here.find((open) => open.hunk.range.start.line > from.line)
      : here.findLast((open) => open.hunk.range.start.line < from.line);
    if (beyond) return beyond;
    const file = this.files.findIndex((found) => found.uri === from.uri);
    if (file < 0) return edge;
    const next = this.files[(file + (forward ? 1 : -1) + this.files.length) % this.files.length];
    return forward ? next?.hunks[0] : next?.hunks.at(-1);
  }

  private all(): OpenHunk[] {
    return this.files.flatMap((file) => file.hunks);
  }

  private urisOf(review: Review | undefined): Set<string> {
    return new Set(review?.files.map((file) => file.uri));
  }

  private index(): void {
    this.byUri = new Map();
    for (const review of this.reviews.values()) {
      for (const file of review.files) {
        // A stale hunk is decided: what became of it is offered again as another one.
        const hunks = file.hunks.filter((hunk) => hunk.status === 'pending').map((hunk) => ({ review, file, hunk }));
        if (hunks.length === 0) continue;
        const found = this.byUri.get(file.uri);
        if (found) found.hunks.push(...hunks);
        else this.byUri.set(file.uri, { uri: file.uri, hunks });
      }
    }
    this.files = [...this.byUri.values()];
    for (const file of this.files) file.hunks.sort((a, b) => a.hunk.range.start.line - b.hunk.range.start.line);
  }
}
