/**
 * The approvals and questions that wait for the user, for whoever shows them or counts them. What is answered elsewhere,
 * by a command or in another way, the server takes back. Nothing is decided here.
 */
import * as vscode from 'vscode';
import { Signal } from '../signal';
import type {
  AnswerMeta,
  CreateElicitationRequest,
  CreateElicitationResponse,
  PermissionAnswer,
  PermissionMeta,
  RequestPermissionRequest,
} from '../wire';
import { approvalCard, permissionAnswer, questionAnswer, questionCard, type Card } from './cards';
import { Waiting, type Token } from './waiting';

/** True while something waits for the user. */
const CONTEXT = 'assent.hasApprovals';

/** The open approvals and questions. */
export class Approvals implements vscode.Disposable {
  /** Something came or went. */
  readonly changed = new Signal<void>();
  private asked = 0;
  private readonly next = (): number => (this.asked += 1);
  private readonly permissions = new Waiting<RequestPermissionRequest, PermissionAnswer>('a', permissionAnswer(undefined), this.next);
  private readonly questions = new Waiting<CreateElicitationRequest, CreateElicitationResponse>('q', questionAnswer(undefined), this.next);
  private readonly subscriptions: vscode.Disposable[];

  constructor() {
    const note = () => {
      void vscode.commands.executeCommand('setContext', CONTEXT, this.count > 0);
      this.changed.fire();
    };
    this.subscriptions = [this.permissions.changed.on(note), this.questions.changed.on(note)];
  }

  dispose(): void {
    this.clear();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** How many wait. */
  get count(): number {
    return this.permissions.open.length + this.questions.open.length;
  }

  /** What waits, oldest first: what comes later never takes the place of what is being read. */
  get cards(): Card[] {
    const cards: { order: number; card: Card | undefined }[] = [
      ...this.permissions.open.map((open) => ({ order: open.order, card: approvalCard(open) })),
      ...this.questions.open.map((open) => ({ order: open.order, card: questionCard(open) })),
    ];
    return cards.sort((one, other) => one.order - other.order).flatMap(({ card }) => card ?? []);
  }

  /** `session/request_permission`. */
  permission(request: RequestPermissionRequest, token: Token): Promise<PermissionAnswer> {
    return this.permissions.ask(request, token);
  }

  /** `elicitation/create`. */
  elicitation(request: CreateElicitationRequest, token: Token): Promise<CreateElicitationResponse> {
    if (!questionCard({ key: '', order: 0, request })) return Promise.resolve({ action: 'decline' });
    return this.questions.ask(request, token);
  }

  /** Answers an approval by one of its own options; anything else is not an answer. */
  approve(key: string, option: string, said: Omit<AnswerMeta, 'digest'> = {}): boolean {
    const open = this.permissions.find(key);
    if (!open?.request.options.some(({ optionId }) => optionId === option)) return false;
    const { digest } = (open.request.toolCall._meta?.['assent'] ?? {}) as PermissionMeta;
    return this.permissions.answer(key, permissionAnswer(option, { ...(digest ? { digest } : {}), ...said }));
  }

  /** Answers a question; `undefined` gives none. */
  answer(key: string, values: Record<string, string | string[]> | undefined): boolean {
    return this.questions.answer(key, questionAnswer(values));
  }

  /** The server that asked is gone. */
  clear(): void {
    this.permissions.clear();
    this.questions.clear();
  }
}
