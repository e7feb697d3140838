/**
 * An approval: all that is known of it, and the ways to answer. Deny comes first and has the focus when the card gets
 * it; nothing can be allowed in the moment the card appears, nor before the end of what is judged was in sight.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalCard, Choice } from '../src/approvals/cards';
import { lastingOption } from '../src/approvals/rule';
import type { AnswerMeta, RuleScope } from '../src/wire';
import { Facts } from './approval-facts';
import { Rule } from './approval-rule';
import { post } from './host';
import { Icon } from './icons';
import { fill, useWords } from './words';

/** Milliseconds in which a key or click meant for something else cannot allow anything. */
const GUARD = 400;

type Step = { at: 'choices' } | { at: 'reason' } | { at: 'rule'; scope: RuleScope };

type Said = Omit<AnswerMeta, 'digest'>;

interface Props {
  card: ApprovalCard;
  /** Cards behind this one. */
  more: number;
}

export function Approval({ card, more }: Props) {
  const words = useWords();
  const deny = useRef<HTMLButtonElement>(null);
  const [step, setStep] = useState<Step>({ at: 'choices' });
  const [armed, setArmed] = useState(false);
  const [read, setRead] = useState(false);
  const returned = useRef(false);
  const no = card.choices.find(({ kind }) => kind.startsWith('reject'));

  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), GUARD);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    // Only where nothing else in the page has the focus: a card takes it from nobody.
    if (document.hasFocus() && (document.activeElement === document.body || !document.activeElement)) deny.current?.focus();
  }, []);
  useLayoutEffect(() => {
    // Back from a step of its own, whose field had it.
    if (step.at === 'choices' && returned.current) deny.current?.focus();
  }, [step]);

  const ready = armed && read;
  const answer = (choice: Choice | undefined, said: Said = {}) => {
    const allows = choice?.kind.startsWith('allow');
    if (choice && !(allows && !ready)) post({ type: 'approve', key: card.key, option: choice.id, said });
  };
  const save = (rule: string | undefined, scope: RuleScope) => {
    const option = lastingOption(card.choices, scope);
    answer(
      card.choices.find(({ id }) => id === option),
      { scope, ...(rule === undefined ? {} : { rule }) },
    );
  };
  const back = () => {
    setStep({ at: 'choices' });
    returned.current = true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (step.at === 'choices') answer(no);
    else back();
  };
  return (
    <section class="card approval" role="group" aria-labelledby="approval-title" onKeyDown={onKeyDown}>
      <header>
        <Icon name="shield" />
        <h2 id="approval-title">{card.title}</h2>
        {more > 0 && <span class="muted">{fill(words.more, more)}</span>}
      </header>
      <Facts card={card} onRead={() => setRead(true)} />
      {!read && <p class="muted">{words.scrollFirst}</p>}
      {step.at === 'choices' && <Choices card={card} ready={ready} deny={deny} onAnswer={answer} onStep={setStep} />}
      {step.at === 'reason' && <Reason onSay={(feedback) => answer(no, { feedback })} onBack={back} />}
      {step.at === 'rule' && card.remember && (
        <Rule rule={card.remember} wanted={step.scope} ready={ready} onSave={save} onBack={back} />
      )}
    </section>
  );
}

interface ChoicesProps {
  card: ApprovalCard;
  ready: boolean;
  deny: { current: HTMLButtonElement | null };
  onAnswer: (choice: Choice | undefined, said?: Said) => void;
  onStep: (step: Step) => void;
}

function Choices({ card, ready, deny, onAnswer, onStep }: ChoicesProps) {
  const words = useWords();
  const no = card.choices.find(({ kind }) => kind.startsWith('reject'));
  const once = card.choices.filter(({ kind }) => kind === 'allow_once');
  const scopes = card.remember?.scopes ?? [];
  const lasting = scopes.find((scope) => scope !== 'session');
  const names: Record<string, string> = { allow_once: words.allowOnce, save_then_allow: words.saveThenAllow };
  return (
    <>
      <div class="buttons">
        {no && (
          <button type="button" class="secondary" ref={deny} onClick={() => onAnswer(no)}>
            {words.deny}
          </button>
        )}
        {once.map((choice) => (
          <button type="button" class="primary" aria-disabled={!ready} onClick={() => onAnswer(choice)}>
            {names[choice.id] ?? choice.name}
          </button>
        ))}
      </div>
      <div class="buttons" role="group" aria-label={words.moreAnswers}>
        {scopes.includes('session') && (
          <button type="button" class="link" onClick={() => onStep({ at: 'rule', scope: 'session' })}>
            {words.allowSession}
          </button>
        )}
        {lasting && (
          <button type="button" class="link" onClick={() => onStep({ at: 'rule', scope: lasting })}>
            {words.allowAlways}
          </button>
        )}
        {no && (
          <>
            <button type="button" class="link" onClick={() => onStep({ at: 'reason' })}>
              {words.denyWithReason}
            </button>
            <button type="button" class="link" onClick={() => onAnswer(no, { stop: true })}>
              {words.denyAndStop}
            </button>
          </>
        )}
      </div>
    </>
  );
}

function Reason({ onSay, onBack }: { onSay: (feedback: string) => void; onBack: () => void }) {
  const words = useWords();
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const say = () => onSay(field.current?.value.trim() ?? '');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        say();
      }}
    >
      <textarea
        ref={field}
        rows={2}
        aria-label={words.reasonLabel}
        placeholder={words.reasonLabel}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          say();
        }}
      />
      <div class="buttons">
        <button type="submit" class="secondary">
          {words.deny}
        </button>
        <button type="button" class="link" onClick={onBack}>
          {words.back}
        </button>
      </div>
    </form>
  );
}
