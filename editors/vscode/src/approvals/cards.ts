/**
 * What a user is shown of a request: plain data for a card, with everything the server says, nothing shortened, and
 * with whatever a reader could not see made visible. Knows no editor.
 */
import type {
  AnswerMeta,
  CreateElicitationRequest,
  CreateElicitationResponse,
  PermissionAnswer,
  PermissionMeta,
  RequestPermissionRequest,
} from '../wire';
import { fileDiff } from '../chat/diff';
import type { FileDiff } from '../chat/entries';
import { factsOf, type Facts } from './facts';
import { ruleOf, type OfferedRule } from './rule';
import { visible } from './visible';
import type { Open } from './waiting';

/** One way to answer an approval. */
export interface Choice {
  id: string;
  /** The server's words for it. */
  name: string;
  kind: 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always';
}

/** An approval as it is shown. */
export interface ApprovalCard extends Facts {
  kind: 'approval';
  key: string;
  sessionId: string;
  title: string;
  /** The rule that would be saved, where one may be. */
  remember?: OfferedRule;
  /** What comes beside the subject: the server's details where it gave no fields, and diffs. */
  details: string;
  diffs: FileDiff[];
  choices: Choice[];
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
  const remember = ruleOf(facts, options);
  return {
    ...factsOf(facts, toolCall.name ?? ''),
    kind: 'approval',
    key,
    sessionId,
    title: visible(toolCall.title ?? ''),
    ...(remember ? { remember } : {}),
    details: visible(details.join('\n\n')),
    diffs,
    choices: options.map(({ optionId, name, kind }) => ({ id: optionId, name: visible(name), kind })),
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

/** The answer that an option makes, with what is said besides. */
export function permissionAnswer(optionId: string | undefined, said: AnswerMeta = {}): PermissionAnswer {
  return {
    outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId },
    ...(Object.keys(said).length > 0 ? { _meta: { assent: said } } : {}),
  };
}

/** The answer that the fields of a question make. */
export function questionAnswer(values: Record<string, string | string[]> | undefined): CreateElicitationResponse {
  return values ? { action: 'accept', content: values } : { action: 'cancel' };
}
