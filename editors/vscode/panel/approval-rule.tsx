/** The rule that an approval can save: the exact text, which the user may change, and how long it is kept. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { OfferedRule } from '../src/approvals/rule';
import { MAX_RULE } from '../src/chat/limits';
import type { RuleScope } from '../src/wire';
import { useWords } from './words';

interface Props {
  rule: OfferedRule;
  /** The scope that is chosen at first. */
  wanted: RuleScope;
  /** Whether anything may be allowed yet. */
  ready: boolean;
  onSave: (rule: string | undefined, scope: RuleScope) => void;
  onBack: () => void;
}

export function Rule({ rule, wanted, ready, onSave, onBack }: Props) {
  const words = useWords();
  const field = useRef<HTMLTextAreaElement>(null);
  const back = useRef<HTMLButtonElement>(null);
  const [text, setText] = useState(rule.text);
  const [scope, setScope] = useState<RuleScope>(wanted);
  useLayoutEffect(() => (field.current ?? back.current)?.focus(), []);
  const names: Record<RuleScope, string> = { session: words.scopeSession, workspace: words.scopeWorkspace, always: words.scopeAlways };
  const usable = ready && text.trim() !== '';
  const save = () => usable && onSave(rule.editable ? text.trim() : undefined, scope);
  return (
    <div class="rule" role="group" aria-label={words.ruleField}>
      <p>{words.ruleField}</p>
      {rule.editable ? (
        <textarea
          ref={field}
          class="subject"
          rows={1}
          maxLength={MAX_RULE}
          spellcheck={false}
          aria-label={words.ruleField}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          // A rule is one line, and Enter allows nothing.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      ) : (
        <pre class="subject">{rule.text}</pre>
      )}
      <fieldset class="scopes">
        <legend class="unseen">{words.scope}</legend>
        {rule.scopes.map((one) => (
          <label class="option">
            <input type="radio" name="scope" checked={scope === one} onChange={() => setScope(one)} />
            {names[one]}
          </label>
        ))}
      </fieldset>
      {rule.editable && <p class="muted">{words.ruleChecked}</p>}
      <div class="buttons">
        <button type="button" class="secondary" ref={back} onClick={onBack}>
          {words.back}
        </button>
        <button type="button" class="primary" aria-disabled={!usable} onClick={save}>
          {words.ruleConfirm}
        </button>
      </div>
    </div>
  );
}
