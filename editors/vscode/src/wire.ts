/**
 * What goes over the connection to the server, beyond LSP: ACP's types under the names used here, and Assent's own
 * methods as docs/protocol.md has them. Nothing here decides; it only names.
 */
import type * as acp from '@agentclientprotocol/sdk';
import type { Position, Range } from 'vscode-languageclient';

export type {
  AvailableCommand,
  ContentBlock,
  CreateElicitationRequest,
  CreateElicitationResponse,
  ListSessionsResponse,
  LoadSessionResponse,
  NewSessionResponse,
  PermissionOption,
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionConfigOption,
  SessionInfo,
  SessionNotification,
  SessionUpdate,
  ToolCall,
  ToolCallContent,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';

/** Version of ACP that is spoken. */
export const ACP_VERSION = 1;

/** Methods of ACP that the extension uses, as the standard spells them. */
export const method = {
  sessionNew: 'session/new',
  sessionLoad: 'session/load',
  sessionResume: 'session/resume',
  sessionList: 'session/list',
  sessionDelete: 'session/delete',
  sessionPrompt: 'session/prompt',
  sessionCancel: 'session/cancel',
  sessionSetMode: 'session/set_mode',
  sessionSetConfigOption: 'session/set_config_option',
  sessionUpdate: 'session/update',
  requestPermission: 'session/request_permission',
  createElicitation: 'elicitation/create',
  reviewUpdated: '_assent/review/updated',
  reviewDecide: '_assent/review/decide',
  documentSave: '_assent/document/save',
  languageQuery: '_assent/language/query',
  sessionRename: '_assent/session/rename',
  sessionRewind: '_assent/session/rewind',
  trustUpdated: '_assent/trust/updated',
  trustClient: '_assent/trust/client',
} as const;

/** What becomes of one file in a review. */
export type FileChange = 'edit' | 'create' | 'delete' | 'rename';

/** Where a hunk stands. `stale`: its own lines were changed, it is offered again against the new text. */
export type HunkStatus = 'pending' | 'accepted' | 'rejected' | 'stale';

/** One hunk of a proposed edit, placed in the document as it is now. */
export interface Hunk {
  id: string;
  status: HunkStatus;
  range: Range;
  oldText: string;
  newText: string;
}

/** One file of a review. */
export interface ReviewFile {
  uri: string;
  /** Version of the open document that the ranges speak of; null for a closed file. */
  version: number | null;
  change: FileChange;
  /** Where a renamed file goes. */
  newUri?: string;
  hunks: Hunk[];
}

/** The whole state of one review, sent again at each change (`_assent/review/updated`). */
export interface Review {
  reviewId: string;
  sessionId: string;
  toolCallId: string;
  status: 'open' | 'closed';
  files: ReviewFile[];
}

/** One decision in `_assent/review/decide`; `hunk: '*'` is every hunk that is open. */
export interface Decision {
  hunk: string;
  accept: boolean;
  /** The user's own version of the proposal. */
  newText?: string;
}

/** Params of `_assent/review/decide`. */
export interface DecideParams {
  reviewId: string;
  decisions: Decision[];
  feedback?: string;
}

/** How long a rule is kept that an answer saves. */
export type RuleScope = 'session' | 'workspace' | 'always';

/** One simple command of a line that would run. */
export interface ParsedCommand {
  argv: string[];
  /** The program's path; null where none is found, as with what the shell has itself. */
  program: string | null;
  /** `project binary`, `shell builtin`, `runs project code`. */
  marks?: string[];
}

/** A file that a call touches. */
export interface TouchedFile {
  path: string;
  /** Where it leads, if that is another place. */
  target?: string;
  operation: 'read' | 'create' | 'edit' | 'delete' | 'mode';
  /** Why it is guarded, if it is. */
  protected?: string;
}

/** A step of the decision to ask. */
export interface Reason {
  what: string;
  source?: string;
}

/** What confines a process. */
export interface SandboxMeta {
  name: string;
  network: boolean;
  writable?: string[];
  words: string;
}

/** What `session/request_permission` carries in `toolCall._meta.assent`. What a server does not send is not shown. */
export interface PermissionMeta {
  id?: string;
  requestId?: string;
  /** Of all that is judged; goes back with the answer. */
  digest?: string;
  /** First line of the message that the turn works on. */
  prompt?: string;
  tool?: { name: string; kind?: string; source?: string; overrides?: string };
  command?: { lines?: number; bytes?: number; parsed?: ParsedCommand[] };
  cwd?: { path: string; inside: boolean };
  /** Differences from what a process gets otherwise. */
  env?: { name: string; value: string }[];
  files?: TouchedFile[];
  /** As canonical JSON. */
  arguments?: string;
  /** `none`, `not limited`, or an address. */
  network?: string;
  /** In their order; the last one decided. */
  reasons?: Reason[];
  sandbox?: SandboxMeta;
  /** How long the rule may be kept; none: it may not. */
  rememberScopes?: RuleScope[];
  subject?: string;
  reads?: string;
  writes?: string;
  exec?: string;
  rule?: string;
  remember?: string | null;
  warnings?: string[];
  agentPath?: string[];
  unsaved?: string[];
  directory?: string;
}

/** What an answer to `session/request_permission` may say besides its choice. */
export interface AnswerMeta {
  /** The request's own: what was shown is what is answered. */
  digest?: string;
  /** Of a no: why. */
  feedback?: string;
  /** Of a no: ends the turn. */
  stop?: boolean;
  /** Of a lasting yes: the rule as the user left it, and how long it is kept. */
  rule?: string;
  scope?: RuleScope;
}

/** Answer to `session/request_permission`. */
export interface PermissionAnswer extends acp.RequestPermissionResponse {
  _meta?: { assent: AnswerMeta };
}

/** Argument of the commands that start a turn. */
export interface TurnArgument {
  prompt?: string;
  uri?: string;
  range?: Range;
  sessionId?: string;
  diagnostics?: string[];
}

/** Answer of `assent.review.next` and `assent.review.previous`. */
export interface HunkPlace {
  uri: string;
  range: Range;
  reviewId: string;
  hunk: string;
}

/** Argument of `assent.review.next` and `assent.review.previous`. */
export interface HunkSearch {
  uri?: string;
  position?: Position;
}

/** Where a workspace folder stands. `pending`: trusted, with something in it that nobody looked at. */
export type TrustState = 'trusted' | 'untrusted' | 'pending';

/** Params of `_assent/trust/updated`. */
export interface TrustUpdated {
  folder: string;
  state: TrustState;
  /** How many things wait for a look. */
  pending: number;
}

/** Something of the workspace's that trust would enable. */
export interface TrustItem {
  kind: string;
  name: string;
  path: string;
  detail: string;
  state: 'new' | 'changed' | 'approved';
}

/** Answer of `assent.trustWorkspace`. */
export interface TrustShown {
  folder: string;
  state: TrustState;
  items: TrustItem[];
  summary: string;
  /** Of all that is shown; a yes goes with it. */
  digest: string;
}

/** A row of `assent.rules`. */
export interface SavedRule {
  id: string;
  tool: string;
  rule: string;
  scope: RuleScope;
  workspace?: string;
  since?: string;
}
