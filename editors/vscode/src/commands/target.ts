/** What a command is about, from what is open and selected. */
import type { TurnArgument } from '../wire';

interface Position {
  line: number;
  character: number;
}

interface Range {
  start: Position;
  end: Position;
}

/** A diagnostic, as far as a command needs it. */
export interface Problem {
  message: string;
  range: Range;
}

/** The document that the user is in. */
export interface Place {
  uri: string;
  selection: Range;
}

/** The document with the selection; the whole of it where nothing is selected. */
export function target(place: Place): TurnArgument {
  return isEmpty(place.selection) ? { uri: place.uri } : { uri: place.uri, range: plain(place.selection) };
}

/** Only what is selected: an open document is no part of a question by itself. */
export function selected(place: Place | undefined): TurnArgument {
  return place && !isEmpty(place.selection) ? target(place) : {};
}

/** The problems that a selection touches; for a mere cursor those it stands in, else those of its line. */
export function problemsAt<P extends Problem>(problems: readonly P[], selection: Range): P[] {
  const touched = problems.filter((problem) => touches(problem.range, selection));
  if (touched.length > 0 || !isEmpty(selection)) return touched;
  return problems.filter(
    (problem) => problem.range.start.line <= selection.start.line && selection.start.line <= problem.range.end.line,
  );
}

/** The target of a fix: the problems' messages, and the selection or else the stretch that the problems cover. */
export function fixTarget(place: Place, problems: readonly Problem[]): TurnArgument {
  const [first, ...others] = problems;
  const covered = first && others.reduce((range, problem) => union(range, problem.range), first.range);
  const range = isEmpty(place.selection) ? covered : place.selection;
  return {
    uri: place.uri,
    ...(range && { range: plain(range) }),
    diagnostics: problems.map((problem) => problem.message),
  };
}

function isEmpty(range: Range): boolean {
  return compare(range.start, range.end) === 0;
}

function touches(one: Range, other: Range): boolean {
  return compare(one.start, other.end) <= 0 && compare(other.start, one.end) <= 0;
}

function union(one: Range, other: Range): Range {
  return {
    start: compare(one.start, other.start) <= 0 ? one.start : other.start,
    end: compare(one.end, other.end) >= 0 ? one.end : other.end,
  };
}

function compare(one: Position, other: Position): number {
  return one.line - other.line || one.character - other.character;
}

/** As the wire has it: the editor's own ranges have more to them. */
function plain({ start, end }: Range): Range {
  return {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
}
