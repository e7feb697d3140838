/**
 * A conversation as a list of entries, built from the server's `session/update`s. Knows no editor and no panel; says
 * which entries changed, so that the panel can be told no more than that.
 */
import type { ContentBlock, SessionUpdate, ToolCall, ToolCallContent, ToolCallUpdate } from '../wire';
import { fileDiff } from './diff';
import type { Attachment, CallEntry, Entry, Image, NoticeEntry, PlanItem, Picker, PromptEntry, SlashCommand, TextEntry, Usage } from './entries';
import { MAX_ENTRIES, MAX_INPUT, MAX_OUTPUT, MAX_TEXT } from './limits';
import { pickersOf, usageOf } from './session-state';

/** What changed since it was last asked. */
export interface Changes {
  /** Everything is new, or entries went. */
  all: boolean;
  /** Entries that are new or different. */
  entries: Set<Entry>;
}

/** One conversation. */
export class Transcript {
  entries: Entry[] = [];
  title = '';
  mode: string | undefined;
  pickers: Picker[] = [];
  commands: SlashCommand[] = [];
  plan: PlanItem[] = [];
  usage: Usage | null = null;
  /** Entries that were left out at the beginning, because there were too many. */
  dropped = 0;
  private nextId = 1;
  private readonly calls = new Map<string, CallEntry>();
  private changes: Changes = { all: true, entries: new Set() };

  /** Forgets the conversation, before it is told again. Ids go on, so that no entry is taken for an old one. */
  clear(): void {
    this.entries = [];
    this.calls.clear();
    this.plan = [];
    this.usage = null;
    this.dropped = 0;
    this.changes = { all: true, entries: new Set() };
  }

  /** What changed since the last call of this. */
  takeChanges(): Changes {
    const changes = this.changes;
    this.changes = { all: false, entries: new Set() };
    return changes;
  }

  /** The user's own words, when they are sent. */
  say(text: string, images: Image[], attachments: Attachment[]): PromptEntry {
    const attached = attachments.map(({ label }) => label);
    return this.add<PromptEntry>({ id: this.nextId, kind: 'prompt', text, images, attached, attachments });
  }

  /** Which prompt of the session an entry is. */
  number(entry: PromptEntry, prompt: number): void {
    entry.prompt = prompt;
    this.touch(entry);
  }

  /** A word of the extension's, such as why a turn ended; not said twice in a row. */
  tell(level: NoticeEntry['level'], text: string): void {
    const last = this.entries.at(-1);
    if (last?.kind === 'notice' && last.text === text) return;
    this.add<NoticeEntry>({ id: this.nextId, kind: 'notice', level, text });
  }

  /** Calls that were under way when a turn ended, without an end of their own. */
  endCalls(): void {
    for (const call of this.calls.values()) {
      if (call.status !== 'pending' && call.status !== 'running') continue;
      call.status = 'failed';
      this.touch(call);
    }
  }

  /** Takes a prompt and everything behind it away. */
  rewind(prompt: number): void {
    const at = this.entries.findIndex((entry) => entry.kind === 'prompt' && entry.prompt === prompt);
    if (at < 0) return;
    for (const entry of this.entries.splice(at)) if (entry.kind === 'call') this.calls.delete(entry.callId);
    this.plan = [];
    this.changes = { all: true, entries: new Set() };
  }

  /** Takes an update in. */
  update(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'user_message_chunk':
        this.userChunk(update.content, assentMeta(update._meta)['prompt']);
        break;
      case 'agent_message_chunk':
        this.agentChunk(update.content, assentMeta(update._meta)['notice']);
        break;
      case 'agent_thought_chunk':
        this.grow('thought', textOf(update.content));
        break;
      case 'tool_call':
      case 'tool_call_update':
        this.call(update);
        break;
      case 'plan':
        this.plan = update.entries.map((item) => ({ text: item.content, status: item.status }));
        break;
      case 'available_commands_update':
        this.commands = update.availableCommands.map(({ name, description, input }) => ({
          name,
          description,
          ...(input && 'hint' in input && input.hint ? { hint: input.hint } : {}),
        }));
        break;
      case 'current_mode_update':
        this.mode = update.currentModeId;
        this.pickers = this.pickers.map((picker) => (picker.id === 'mode' ? { ...picker, value: update.currentModeId } : picker));
        break;
      case 'config_option_update':
        this.pickers = pickersOf(update.configOptions);
        break;
      case 'session_info_update':
        if (typeof update.title === 'string') this.title = update.title;
        break;
      case 'usage_update':
        this.usage = usageOf(update);
        break;
      default:
        // A kind that this version does not know is no reason to lose the others.
        break;
    }
  }

  /** A message comes in pieces: its words, pictures, then what was attached or added to it. */
  private userChunk(content: ContentBlock, prompt: unknown): void {
    const number = typeof prompt === 'number' ? prompt : undefined;
    const last = this.entries.at(-1);
    let entry: PromptEntry;
    if (last?.kind === 'prompt' && last.prompt === number) entry = last;
    else {
      entry = this.add<PromptEntry>({ id: this.nextId, kind: 'prompt', text: '', images: [], attached: [] });
      if (number !== undefined) entry.prompt = number;
    }
    if (content.type === 'text') {
      const document = /^<document path="([^"\n]*)"(?: lines="([\d-]+)")?>/.exec(content.text);
      if (document) entry.attached.push(document[2] ? `${document[1]}:${document[2]}` : (document[1] ?? ''));
      else if (entry.text === '') entry.text = content.text;
      else entry.attached.push(firstLine(content.text));
    } else if (content.type === 'image') entry.images.push({ mimeType: content.mimeType, data: content.data });
    else entry.attached.push(textOf(content));
    this.touch(entry);
  }

  private agentChunk(content: ContentBlock, notice: unknown): void {
    if (notice === 'info' || notice === 'warning' || notice === 'error') this.tell(notice, textOf(content));
    else this.grow('answer', textOf(content));
  }

  private grow(kind: TextEntry['kind'], text: string): void {
    const last = this.entries.at(-1);
    if (last?.kind === kind && last.text.length + text.length <= MAX_TEXT) {
      last.text += text;
      this.touch(last);
    } else if (text !== '') this.add<TextEntry>({ id: this.nextId, kind, text });
  }

  private call(update: ToolCall | ToolCallUpdate): void {
    const known = this.calls.get(update.toolCallId);
    const call: CallEntry = known ?? {
      id: this.nextId,
      kind: 'call',
      callId: update.toolCallId,
      title: update.toolCallId,
      tool: '',
      toolKind: 'other',
      status: 'pending',
      input: '',
      output: '',
      cut: 0,
      images: [],
      diffs: [],
      places: [],
    };
    if (update.title) call.title = update.title;
    if (update.name) call.tool = update.name;
    if (update.kind) call.toolKind = update.kind;
    if (update.status) call.status = update.status === 'in_progress' ? 'running' : update.status;
    if (update.rawInput !== undefined && update.rawInput !== null) call.input = json(update.rawInput);
    if (update.locations) call.places = update.locations.map(({ path, line }) => (line ? { path, line } : { path }));
    if (update.content) fill(call, update.content);
    if (known) this.touch(known);
    else {
      this.calls.set(call.callId, call);
      this.add(call);
    }
  }

  private add<Kind extends Entry>(entry: Kind): Kind {
    this.nextId += 1;
    this.entries.push(entry);
    this.touch(entry);
    if (this.entries.length > MAX_ENTRIES) {
      // A tenth at once: the rest need not be sent anew with each further entry.
      const gone = this.entries.splice(0, Math.ceil(MAX_ENTRIES / 10));
      for (const old of gone) if (old.kind === 'call') this.calls.delete(old.callId);
      this.dropped += gone.length;
      this.changes.all = true;
    }
    return entry;
  }

  private touch(entry: Entry): void {
    this.changes.entries.add(entry);
  }
}

/** The result of a call, or the end of its output so far. */
function fill(call: CallEntry, content: ToolCallContent[]): void {
  const texts: string[] = [];
  call.images = [];
  call.diffs = [];
  for (const piece of content) {
    if (piece.type === 'diff') call.diffs.push(fileDiff(piece.path, piece.oldText ?? '', piece.newText));
    else if (piece.type !== 'content') continue;
    else if (piece.content.type === 'image') call.images.push({ mimeType: piece.content.mimeType, data: piece.content.data });
    else texts.push(textOf(piece.content));
  }
  const output = texts.join('\n');
  call.cut = Math.max(0, output.length - MAX_OUTPUT);
  call.output = output.slice(call.cut);
}

function textOf(content: ContentBlock): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'resource_link':
      return content.uri;
    case 'resource':
      return content.resource.uri;
    default:
      return content.type;
  }
}

function json(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  return text.length > MAX_INPUT ? `${text.slice(0, MAX_INPUT)}\n… (${text.length - MAX_INPUT} more)` : text;
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}

/** Our own part of an ACP `_meta`; empty where there is none. */
export function assentMeta(meta: { [key: string]: unknown } | null | undefined): Record<string, unknown> {
  const ours = meta?.['assent'];
  return typeof ours === 'object' && ours !== null ? (ours as Record<string, unknown>) : {};
}
