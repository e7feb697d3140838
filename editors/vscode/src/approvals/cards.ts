/**
 * What a user is shown of a request: plain data for a card, with everything the server says, nothing shortened, and
 * with whatever a reader could not see made visible. Knows no editor.
 */
import type { CreateElicitationRequest, CreateElicitationResponse, PermissionAnswer, PermissionMeta, RequestPermissionRequest } from '../wire';
import { fileDiff } from '../chat/diff';
import type { FileDiff } from '../chat/entries';
import type { Open } from './waiting';

/** One way to answer an approval. */
export interface Choice {
  id: string;
  /** The server's words for it. */
  name: string;
  kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always';
}

/** An approval as it is shown. */
export interface ApprovalCard {
  kind: 'approval';
  key: string;
  sessionId: string;
  title: string;
  tool: string;
  /** What is judged, whole. */
  subject: string;
  directory?: string;
  /** Why it asks. */
  rule: string;
  /** What the call does: reads, writes, runs. */
  effects: { reads: string; writes: string; exec: string };
  warnings: string[];
  /** Documents with unsaved changes. */
  unsaved: string[];
  /** From the main agent down to the one that asks. */
  agents: string[];
  /** The exact rule that would be saved. */
  remember?: string;
  /** What comes beside the subject: the server's details where it gave no fields, and diffs. */
  details: string;
  diffs: FileDiff[];
  choices: Choice[];
  /** Small print, the same as in the server's log. */
  id: string;
}

/** One field of a question. */
export interface QuestionField {
  name: string;
  title: string;
  required: boolean;
  input: 'text' | 'one' | 'many';
  options: { value: string; title: string; description?: string }[];
}

/** A question of the model's. */
export interface QuestionCard {
  kind: 'question';
  key: string;
  sessionId: string;
  message: string;
  fields: QuestionField[];
}

/** What waits for the user. */
export type Card = ApprovalCard | QuestionCard;

/** An approval as a card. */
export function approvalCard({ key, request }: Open<RequestPermissionRequest>): ApprovalCard {
  const { toolCall, options, sessionId } = request;
  const facts = (toolCall._meta?.['assent'] ?? {}) as PermissionMeta;
  const details: string[] = [];
  const diffs: FileDiff[] = [];
  for (const content of toolCall.content ?? []) {
    if (content.type === 'diff') diffs.push(diffOf(content.path, content.oldText ?? '', content.newText));
    else if (content.type === 'content' && content.content.type === 'text' && !facts.subject) details.push(content.content.text);
  }
  return {
    kind: 'approval',
    key,
    sessionId,
    title: visible(toolCall.title ?? ''),
    tool: visible(toolCall.name ?? ''),
    subject: visible(facts.subject ?? ''),
    ...(facts.directory ? { directory: visible(facts.directory) } : {}),
    rule: visible(facts.rule ?? ''),
    effects: { reads: facts.reads ?? '', writes: facts.writes ?? '', exec: facts.exec ?? '' },
    warnings: (facts.warnings ?? []).map(visible),
    unsaved: (facts.unsaved ?? []).map(visible),
    agents: (facts.agentPath ?? []).map(visible),
    ...(facts.remember ? { remember: visible(facts.remember) } : {}),
    details: visible(details.join('\n\n')),
    diffs,
    choices: options.map(({ optionId, name, kind }) => ({ id: optionId, name: visible(name), kind })),
    id: facts.id ?? '',
  };
}

function diffOf(path: string, before: string, after: string): FileDiff {
  const diff = fileDiff(visible(path), before, after);
  return { ...diff, lines: diff.lines.map((line) => ({ ...line, text: visible(line.text) })) };
}

interface Option {
  const: string;
  title: string;
  description?: string | null;
}

/** The parts of a form's schema that can be shown here. */
interface Form {
  properties?: Record<
    string,
    {
      type: string;
      title?: string | null;
      oneOf?: Option[] | null;
      enum?: string[] | null;
      items?: { anyOf?: Option[]; enum?: string[] };
    }
  >;
  required?: string[] | null;
}

/** A question as a card; none where it asks for what cannot be shown here. */
export function questionCard({ key, request }: Open<CreateElicitationRequest>): QuestionCard | undefined {
  if (request.mode !== 'form') return undefined;
  const { properties, required } = request.requestedSchema as Form;
  const fields: QuestionField[] = [];
  for (const [name, property] of Object.entries(properties ?? {})) {
    const offers = property.type === 'array' ? { oneOf: property.items?.anyOf, enum: property.items?.enum } : property;
    const options = (offers.oneOf ?? offers.enum?.map((value) => ({ const: value, title: value })) ?? []).map(optionOf);
    const inputs: Record<string, QuestionField['input']> = { string: options.length > 0 ? 'one' : 'text', array: 'many' };
    const input = inputs[property.type];
    if (!input) return undefined;
    fields.push({ name, title: visible(property.title ?? ''), required: required?.includes(name) ?? false, input, options });
  }
  const session: unknown = 'sessionId' in request ? request.sessionId : undefined;
  const sessionId = typeof session === 'string' ? session : '';
  return { kind: 'question', key, sessionId, message: visible(request.message), fields };
}

function optionOf(option: Option): QuestionField['options'][number] {
  const { description } = option;
  return { value: option.const, title: visible(option.title), ...(description ? { description: visible(description) } : {}) };
}

/** The answer that an option, a reason and a stop make. */
export function permissionAnswer(optionId: string | undefined, feedback?: string, stop?: boolean): PermissionAnswer {
  const said = { ...(feedback ? { feedback } : {}), ...(stop ? { stop } : {}) };
  return {
    outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
    ...(Object.keys(said).length > 0 ? { _meta: { assent: said } } : {}),
  };
}

/** The answer that the fields of a question make. */
export function questionAnswer(values: Record<string, string | string[]> | undefined): CreateElicitationResponse {
  return values ? { action: 'accept', content: values } : { action: 'cancel' };
}

/** Characters that a reader does not see, or that change the order of what is seen. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]|\udb40[\udc00-\udfff]/g;

/** A text with what cannot be seen written out, as `‹U+202E›`. Line ends and tabs stay. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
  });
}
