/**
 * An approval: all that is known of it, and the ways to answer. Deny comes first and has the focus when the card gets
 * it; nothing can be allowed in the moment the card appears, nor before the end of what is judged was in sight.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalCard, Choice } from '../src/approvals/cards';
import { Diff } from './call';
import { post } from './host';
import { Icon } from './icons';
import { fill, useWords } from './words';

/** Milliseconds in which a key or click meant for something else cannot allow anything. */
const GUARD = 400;

type Step = { at: 'choices' } | { at: 'reason' } | { at: 'rule'; choice: Choice };

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
  const no = card.choices.find(({ kind }) => kind.startsWith('reject'));

  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), GUARD);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    // Only where nothing else in the page has the focus: a card takes it from nobody.
    if (document.hasFocus() && (document.activeElement === document.body || !document.activeElement)) deny.current?.focus();
  }, []);

  const answer = (choice: Choice | undefined, said: { feedback?: string; stop?: boolean } = {}) => {
    const allows = choice?.kind.startsWith('allow');
    if (choice && !(allows && !(armed && read))) post({ type: 'approve', key: card.key, option: choice.id, ...said });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    if (step.at === 'choices') answer(no);
    else setStep({ at: 'choices' });
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
      {step.at === 'choices' && (
        <Choices card={card} ready={armed && read} deny={deny} onAnswer={answer} onStep={setStep} />
      )}
      {step.at === 'reason' && <Reason onSay={(feedback) => answer(no, { feedback })} onBack={() => setStep({ at: 'choices' })} />}
      {step.at === 'rule' && (
        <Rule card={card} choice={step.choice} onSave={() => answer(step.choice)} onBack={() => setStep({ at: 'choices' })} />
      )}
    </section>
  );
}

/** Everything that is judged, and why it is asked. */
function Facts({ card, onRead }: { card: ApprovalCard; onRead: () => void }) {
  const words = useWords();
  const box = useRef<HTMLDivElement>(null);
  const look = () => {
    const element = box.current;
    if (element && element.scrollHeight - element.scrollTop - element.clientHeight < 4) onRead();
  };
  useLayoutEffect(() => {
    look();
    // A panel without a size shows nothing yet.
    const observer = new ResizeObserver(look);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const { effects } = card;
  const classes = [
    effects.reads && fill(words.reads, effects.reads),
    effects.writes && fill(words.writes, effects.writes),
    effects.exec && fill(words.runs, effects.exec),
  ].filter(Boolean);
  const lines = card.subject.split('\n').length;
  return (
    <div class="facts" ref={box} onScroll={look} tabIndex={0} role="group" aria-label={words.subject}>
      {card.subject !== '' && <pre class="subject">{card.subject}</pre>}
      {(lines > 1 || card.subject.length > 200) && <p class="muted">{fill(words.size, lines, card.subject.length)}</p>}
      {card.details !== '' && <pre class="subject">{card.details}</pre>}
      {card.diffs.map((diff) => (
        <Diff diff={diff} />
      ))}
      {card.warnings.map((warning) => (
        <Warning name={words.warning} text={warning} />
      ))}
      {card.unsaved.length > 0 && <Warning name={words.unsaved} text={card.unsaved.join(', ')} />}
      <dl>
        <Fact name={words.directory} value={card.directory} code />
        <Fact name={words.reason} value={card.rule} />
        <Fact name={words.effects} value={classes.join(' · ')} />
        <Fact name={words.tool} value={card.tool} code />
        <Fact name={words.agent} value={card.agents.length > 1 ? card.agents.join(' → ') : ''} />
      </dl>
      {card.id !== '' && (
        <p class="muted small">
          {words.approvalId} {card.id}
        </p>
      )}
    </div>
  );
}

function Warning({ name, text }: { name: string; text: string }) {
  return (
    <p class="notice warning">
      <Icon name="warning" />
      <span>
        <strong>{name}:</strong> {text}
      </span>
    </p>
  );
}

function Fact({ name, value, code = false }: { name: string; value: string | undefined; code?: boolean }) {
  if (!value) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{code ? <code>{value}</code> : value}</dd>
    </>
  );
}

interface ChoicesProps {
  card: ApprovalCard;
  ready: boolean;
  deny: { current: HTMLButtonElement | null };
  onAnswer: (choice: Choice | undefined, said?: { stop?: boolean }) => void;
  onStep: (step: Step) => void;
}

function Choices({ card, ready, deny, onAnswer, onStep }: ChoicesProps) {
  const words = useWords();
  const no = card.choices.find(({ kind }) => kind.startsWith('reject'));
  const once = card.choices.filter(({ kind }) => kind === 'allow_once');
  const rules = card.choices.filter(({ kind }) => kind === 'allow_always');
  const names: Record<string, string> = {
    allow_once: words.allowOnce,
    save_then_allow: words.saveThenAllow,
    allow_session: words.allowSession,
    allow_always: words.allowAlways,
  };
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
        {rules.map((choice) => (
          <button type="button" class="link" title={card.remember} onClick={() => onStep({ at: 'rule', choice })}>
            {names[choice.id] ?? choice.name}
          </button>
        ))}
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
  useEffect(() => field.current?.focus(), []);
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

/** The exact rule, before it is saved. */
function Rule({ card, choice, onSave, onBack }: { card: ApprovalCard; choice: Choice; onSave: () => void; onBack: () => void }) {
  const words = useWords();
  const back = useRef<HTMLButtonElement>(null);
  useEffect(() => back.current?.focus(), []);
  const always = choice.id !== 'allow_session';
  return (
    <div class="rule">
      <p>{always ? words.ruleAlways : words.ruleSession}</p>
      <pre class="subject">{card.remember ?? choice.name}</pre>
      <div class="buttons">
        <button type="button" class="secondary" ref={back} onClick={onBack}>
          {words.back}
        </button>
        <button type="button" class="primary" onClick={onSave}>
          {always ? words.ruleConfirm : words.ruleConfirmSession}
        </button>
      </div>
    </div>
  );
}
