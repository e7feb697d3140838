/**
 * What the chat panel shows: the entries of a conversation and the state around them. These types are shared by the
 * extension, which holds them, and the panel, which draws them; so they are plain data that can be posted.
 */

/** A range in a document, as LSP has it. */
export interface TextRange {
  start: { line: number; character: number };
  end: { line: number; character: number };
}

/** A picture in a prompt. */
export interface Image {
  /** `image/png` and the like. */
  mimeType: string;
  /** Base64. */
  data: string;
}

/** What goes with a prompt besides its words. */
export type Attachment =
  | { kind: 'file'; label: string; uri: string; range?: TextRange }
  | { kind: 'folder'; label: string; uri: string }
  | { kind: 'symbol'; label: string; uri: string; range: TextRange }
  | { kind: 'selection'; label: string }
  | { kind: 'problems'; label: string };

/** What the user said. */
export interface PromptEntry {
  id: number;
  kind: 'prompt';
  text: string;
  images: Image[];
  /** Labels of what was attached. */
  attached: string[];
  /** The same, where it was sent from here. */
  attachments?: Attachment[];
  /** Which prompt of the session this is, once the server said so; it can then be edited and sent again. */
  prompt?: number;
}

/** Words of the model's, or its thinking. */
export interface TextEntry {
  id: number;
  kind: 'answer' | 'thought';
  text: string;
}

/** Words of Assent's own. */
export interface NoticeEntry {
  id: number;
  kind: 'notice';
  level: 'info' | 'warning' | 'error';
  text: string;
}

/** One line of a diff. */
export interface DiffLine {
  sign: ' ' | '+' | '-' | '…';
  text: string;
}

/** What a call proposes for one file. */
export interface FileDiff {
  path: string;
  added: number;
  removed: number;
  lines: DiffLine[];
  /** Lines that are left out at the end. */
  cut: number;
}

/** A place in a file; lines count from 1. */
export interface Place {
  path: string;
  line?: number;
}

/** A tool call. */
export interface CallEntry {
  id: number;
  kind: 'call';
  callId: string;
  title: string;
  /** The tool's name. */
  tool: string;
  /** ACP's kind of tool. */
  toolKind: string;
  status: 'pending' | 'running' | 'completed' | 'failed';
  /** The arguments as JSON. */
  input: string;
  output: string;
  /** How much of the output's beginning is left out. */
  cut: number;
  images: Image[];
  diffs: FileDiff[];
  places: Place[];
}

/** An entry of the conversation. Ids rise, and are unique in a session for as long as it is not loaded again. */
export type Entry = PromptEntry | TextEntry | NoticeEntry | CallEntry;

/** An item of the model's todo list. */
export interface PlanItem {
  text: string;
  status: 'pending' | 'in_progress' | 'completed';
}

/** Tokens and cost, as far as the server tells them. */
export interface Usage {
  /** Tokens in the model's window, and its size; 0 where that is not known. */
  used: number;
  size: number;
  /** Tokens of the session. */
  total?: { input: number; cached: number; output: number };
  cost?: { amount: number; currency: string };
}

/** A choice the session offers: mode, model, agent, thought level. */
export interface Picker {
  id: string;
  name: string;
  value: string;
  choices: { value: string; name: string; description?: string }[];
}

/** A slash command. */
export interface SlashCommand {
  name: string;
  description: string;
  hint?: string;
}

/** A command of the server's that starts a turn. */
export interface TurnCommand {
  id: string;
  argument: object;
}

/** A message that waits for the turn to end, or a command of the palette's; then its text only names it. */
export interface Queued {
  id: number;
  text: string;
  attachments: Attachment[];
  images: Image[];
  command?: TurnCommand;
}

/** A row of the session list. */
export interface SessionRow {
  id: string;
  title: string;
  /** ISO 8601. */
  updated?: string;
  folder: string;
  running: boolean;
}

/** Everything the panel shows besides the entries. Parts are sent again whole when they change. */
export interface PanelState {
  /** Whether there is a server. */
  server: 'stopped' | 'starting' | 'running' | 'failed';
  /** The session shown; none before the first one is there. */
  session: { id: string; title: string } | null;
  loading: boolean;
  /** A turn is running. */
  running: boolean;
  /** The queue waits for the user, because the turn before it was stopped or failed. */
  held: boolean;
  pickers: Picker[];
  commands: SlashCommand[];
  plan: PlanItem[];
  usage: Usage | null;
  queue: Queued[];
  /** What goes with the next prompt. */
  attachments: Attachment[];
  /** The session list while it is open. */
  sessions: SessionRow[] | null;
  /** Entries before the first one that the panel has. */
  earlier: number;
}
