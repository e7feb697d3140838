/** A question of the model's, as a form. */
import { useEffect, useRef } from 'preact/hooks';
import type { QuestionCard, QuestionField } from '../src/approvals/cards';
import { post } from './host';
import { Icon } from './icons';
import { fill, useWords } from './words';

export function Question({ card, more }: { card: QuestionCard; more: number }) {
  const words = useWords();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (document.hasFocus() && (document.activeElement === document.body || !document.activeElement)) {
      form.current?.querySelector<HTMLElement>('input, textarea')?.focus();
    }
  }, []);
  const dismiss = () => post({ type: 'answer', key: card.key, values: null });
  const submit = () => {
    if (!form.current) return;
    const data = new FormData(form.current);
    const values: Record<string, string | string[]> = {};
    for (const { name, input } of card.fields) {
      const given = data.getAll(name).map(String).filter((value) => value.trim() !== '');
      if (input === 'many') {
        if (given.length > 0) values[name] = given;
      } else if (given[0] !== undefined) values[name] = given[0];
    }
    if (Object.keys(values).length > 0) post({ type: 'answer', key: card.key, values });
  };
  return (
    <section class="card question" role="group" aria-labelledby="question-title">
      <header>
        <Icon name="info" />
        <h2 id="question-title">{card.message}</h2>
        {more > 0 && <span class="muted">{fill(words.more, more)}</span>}
      </header>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') dismiss();
        }}
      >
        {card.fields.map((field) => (
          <Field field={field} />
        ))}
        <div class="buttons">
          <button type="submit" class="primary">
            {words.answer}
          </button>
          <button type="button" class="secondary" onClick={dismiss}>
            {words.noAnswer}
          </button>
        </div>
      </form>
    </section>
  );
}

function Field({ field }: { field: QuestionField }) {
  const words = useWords();
  const { name, title, required, input, options } = field;
  if (input === 'text') {
    const label = title || words.answer;
    return <input type="text" name={name} aria-label={label} placeholder={label} required={required} />;
  }
  return (
    <fieldset>
      <legend class="unseen">{title || words.answer}</legend>
      {options.map((option) => (
        <label class="option">
          <input type={input === 'one' ? 'radio' : 'checkbox'} name={name} value={option.value} />
          <span>
            {option.title}
            {option.description && <span class="muted"> {option.description}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
