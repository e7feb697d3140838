/** What is judged in an approval, and why it is asked: every field the server sends, for a reader. Knows no editor. */
import type { PermissionMeta, Reason, SandboxMeta, TouchedFile } from '../wire';
import { visible } from './visible';

/** One simple command of a line. */
export interface CommandLine {
  /** Its words as a shell would take them, so that one sees where each begins and ends. */
  words: string[];
  program: string | null;
  marks: string[];
}

/** What is judged. A field without content is not drawn. */
export interface Facts {
  /** First line of the user's message that the turn works on. */
  prompt: string;
  tool: { name: string; kind: string; source: string; overrides: string };
  /** What is judged, whole. */
  subject: string;
  /** Its size as the server counts it; of a command only. */
  size?: { lines: number; bytes: number };
  /** What the line comes to. */
  commands: CommandLine[];
  directory?: { path: string; inside?: boolean };
  env: { name: string; value: string }[];
  files: TouchedFile[];
  arguments: string;
  network: string;
  sandbox?: SandboxMeta;
  /** Why it asks, in order; the last one decided. */
  reasons: Reason[];
  /** What the call does: reads, writes, runs. */
  effects: { reads: string; writes: string; exec: string };
  warnings: string[];
  /** Documents with unsaved changes. */
  unsaved: string[];
  /** From the main agent down to the one that asks. */
  agents: string[];
  /** Small print, the same as in the server's log. */
  id: string;
  /** The beginning of the digest. */
  digest: string;
}

/** How much of the digest is shown. */
const DIGEST_SHOWN = 8;

/** The fields of a request; `name` is the tool's where the server says no more of it. */
export function factsOf(meta: PermissionMeta, name: string): Facts {
  const { tool, command, sandbox } = meta;
  const directory = directoryOf(meta);
  const reasons = meta.reasons ?? (meta.rule ? [{ what: meta.rule }] : []);
  return {
    prompt: visible(meta.prompt ?? ''),
    tool: {
      name: visible(tool?.name ?? name),
      kind: visible(tool?.kind ?? ''),
      source: visible(tool?.source ?? ''),
      overrides: visible(tool?.overrides ?? ''),
    },
    subject: visible(meta.subject ?? ''),
    ...(command?.lines !== undefined && command.bytes !== undefined ? { size: { lines: command.lines, bytes: command.bytes } } : {}),
    commands: (command?.parsed ?? []).map(({ argv, program, marks }) => ({
      words: argv.map((word) => quoted(visible(word))),
      program: program === null ? null : visible(program),
      marks: (marks ?? []).map(visible),
    })),
    ...(directory ? { directory } : {}),
    env: (meta.env ?? []).map(({ name, value }) => ({ name: visible(name), value: visible(value) })),
    files: (meta.files ?? []).map(fileOf),
    arguments: visible(meta.arguments ?? ''),
    network: visible(meta.network ?? ''),
    ...(sandbox ? { sandbox: { ...sandbox, writable: (sandbox.writable ?? []).map(visible), words: visible(sandbox.words) } } : {}),
    reasons: reasons.map(({ what, source }) => ({ what: visible(what), ...(source ? { source: visible(source) } : {}) })),
    effects: { reads: meta.reads ?? '', writes: meta.writes ?? '', exec: meta.exec ?? '' },
    warnings: (meta.warnings ?? []).map(visible),
    unsaved: (meta.unsaved ?? []).map(visible),
    agents: (meta.agentPath ?? []).map(visible),
    id: meta.requestId ?? meta.id ?? '',
    digest: (meta.digest ?? '').slice(0, DIGEST_SHOWN),
  };
}

function directoryOf({ cwd, directory }: PermissionMeta): Facts['directory'] {
  if (cwd) return { path: visible(cwd.path), inside: cwd.inside };
  return directory ? { path: visible(directory) } : undefined;
}

function fileOf(file: TouchedFile): TouchedFile {
  return {
    path: visible(file.path),
    operation: file.operation,
    ...(file.target ? { target: visible(file.target) } : {}),
    ...(file.protected ? { protected: visible(file.protected) } : {}),
  };
}

/** A word as one would have to type it to a shell. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
