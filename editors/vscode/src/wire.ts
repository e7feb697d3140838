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

/** What `session/request_permission` carries in `toolCall._meta.assent`. */
export interface PermissionMeta {
  id?: string;
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

/** Answer to `session/request_permission`; a no may say why, and end the turn. */
export interface PermissionAnswer extends acp.RequestPermissionResponse {
  _meta?: { assent: { feedback?: string; stop?: boolean } };
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
