/**
 * Where the user types. Enter sends, Shift+Enter begins a line, Escape stops the turn or goes back to the editor, the
 * arrows go through earlier messages. What is typed is the text area's own: drawing the rest does not touch it.
 */
import type { TargetedClipboardEvent, TargetedKeyboardEvent } from './events';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Attachment, Image, PromptEntry } from '../src/chat/entries';
import { MAX_IMAGES } from '../src/chat/limits';
import { completed, mentioned } from '../src/chat/mentions';
import { Chips, Pictures, Pickers } from './composer-parts';
import { post } from './host';
import { IconButton } from './icons';
import { draft } from './kept';
import type { Model } from './model';
import { pastedImages } from './paste';
import { suggestions, typing, type Suggestion } from './suggestions';
import { Usage } from './usage';
import { useWords } from './words';

interface Props {
  model: Model;
  /** The earlier message that is edited. */
  editing: PromptEntry | undefined;
  onEdited: () => void;
  /** Words to put in: what an extension's command says, each time another object. */
  inserted: { text: string } | undefined;
  input: { current: HTMLTextAreaElement | null };
}

export function Composer({ model, editing, onEdited, inserted, input }: Props) {
  const words = useWords();
  const { state } = model;
  const [caret, setCaret] = useState<{ text: string; at: number }>({ text: draft.get().draft, at: -1 });
  const [dismissed, setDismissed] = useState(false);
  const [active, setActive] = useState(0);
  const [images, setImages] = useState<Image[]>(draft.get().images);
  const mentions = useRef<Attachment[]>(draft.get().mentions);
  const history = useRef<{ at: number; kept: string }>({ at: -1, kept: '' });

  const at = dismissed || caret.at < 0 ? undefined : typing(caret.text, caret.at);
  const rows = suggestions(at, state.commands, model.completions);
  const row = rows[Math.min(active, rows.length - 1)];

  const query = at?.sign === '@' ? at.query : undefined;
  useEffect(() => {
    if (query !== undefined) post({ type: 'complete', query });
  }, [query]);
  useEffect(() => {
    if (!editing) return;
    // One that was being edited when the page was taken down has its words already.
    if (editing.prompt !== draft.get().editing) set(editing.text, editing.images);
    draft.edit(editing.prompt);
  }, [editing]);
  useEffect(() => keep(images), [images]);
  useEffect(() => {
    if (inserted) set(`${input.current?.value ?? ''}${inserted.text}`, images);
  }, [inserted]);

  const keep = (pictures: Image[]) => draft.set(input.current?.value ?? '', pictures, mentions.current);
  const note = () => {
    const element = input.current;
    if (!element) return;
    keep(images);
    setCaret({ text: element.value, at: element.selectionStart === element.selectionEnd ? element.selectionStart : -1 });
  };
  const set = (text: string, pictures: Image[], position = text.length) => {
    const element = input.current;
    if (!element) return;
    element.value = text;
    element.setSelectionRange(position, position);
    setImages(pictures);
    note();
    element.focus();
  };
  const accept = (suggestion: Suggestion) => {
    const element = input.current;
    if (!at || !element) return;
    const result = completed(element.value, at, element.selectionStart, suggestion.word);
    if (suggestion.attachment) mentions.current = [...mentions.current, suggestion.attachment];
    set(result.text, images, result.caret);
  };
  const send = () => {
    const text = input.current?.value.trim() ?? '';
    if (text === '' && images.length === 0) return;
    // What went with an edited message goes with it again; of what its words named, only what they still name.
    const before = editing?.attachments ?? [];
    const named = mentioned(editing?.text ?? '', before);
    const kept = [...before.filter((attachment) => !named.includes(attachment)), ...mentioned(text, named)];
    const message = { text, images, attachments: [...kept, ...mentioned(text, mentions.current)] };
    if (editing?.prompt !== undefined) post({ type: 'resend', prompt: editing.prompt, ...message });
    else post({ type: 'send', ...message });
    mentions.current = [];
    history.current = { at: -1, kept: '' };
    set('', []);
    onEdited();
  };
  const recall = (step: 1 | -1): boolean => {
    const element = input.current;
    const said = model.entries.filter((entry) => entry.kind === 'prompt').map((entry) => entry.text);
    const next = history.current.at + step;
    if (!element || next < -1 || next >= said.length) return false;
    if (history.current.at === -1) history.current.kept = element.value;
    history.current.at = next;
    set(next === -1 ? history.current.kept : (said[said.length - 1 - next] ?? ''), images);
    return true;
  };
  const escape = () => {
    if (rows.length > 0) setDismissed(true);
    else if (editing) {
      set('', []);
      onEdited();
    } else post(state.running ? { type: 'stop' } : { type: 'blur' });
  };

  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    if (event.isComposing) return;
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const plain = !shiftKey && !ctrlKey && !metaKey && !altKey;
    const element = event.currentTarget;
    if (key === 'Escape') escape();
    else if (rows.length > 0 && row && plain && (key === 'Enter' || key === 'Tab')) accept(row);
    else if (rows.length > 0 && plain && (key === 'ArrowDown' || key === 'ArrowUp'))
      setActive((now) => (Math.min(now, rows.length - 1) + (key === 'ArrowDown' ? 1 : rows.length - 1)) % rows.length);
    else if (key === 'Enter' && !shiftKey && !altKey) send();
    else if (key === 'ArrowUp' && plain && element.selectionEnd === 0 && recall(1)) element.setSelectionRange(0, 0);
    else if (key === 'ArrowDown' && plain && history.current.at >= 0 && element.selectionStart === element.value.length && recall(-1)) {
      // Done: the later message stands there.
    } else return;
    event.preventDefault();
  };
  const onInput = () => {
    setDismissed(false);
    setActive(0);
    history.current.at = -1;
    note();
  };
  const onPaste = (event: TargetedClipboardEvent<HTMLTextAreaElement>) => {
    void pastedImages(event.clipboardData, MAX_IMAGES - images.length).then((pasted) => {
      if (pasted.length > 0) setImages((now) => [...now, ...pasted].slice(0, MAX_IMAGES));
    });
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {editing && (
        <p class="editing">
          {words.editing}{' '}
          <button type="button" class="link" onClick={escape}>
            {words.cancelEdit}
          </button>
        </p>
      )}
      {rows.length > 0 && (
        <ul class="suggestions" id="suggestions" role="listbox" aria-label={words.suggestions}>
          {rows.map((suggestion, index) => (
            <li
              id={`suggestion-${index}`}
              role="option"
              aria-selected={suggestion === row}
              ref={(element) => {
                if (suggestion === row) element?.scrollIntoView({ block: 'nearest' });
              }}
              onMouseDown={(event) => {
                event.preventDefault();
                accept(suggestion);
              }}
            >
              <span class="label">{suggestion.label}</span>
              <span class="detail">{suggestion.detail}</span>
            </li>
          ))}
        </ul>
      )}
      <div class="box">
        <Chips attachments={state.attachments} />
        <Pictures images={images} onRemove={(index) => setImages(images.filter((_, other) => other !== index))} />
        <textarea
          ref={input}
          rows={1}
          defaultValue={draft.get().draft}
          placeholder={state.running ? words.placeholderRunning : words.placeholder}
          aria-label={words.message}
          aria-autocomplete="list"
          aria-controls="suggestions"
          aria-activedescendant={row ? `suggestion-${rows.indexOf(row)}` : undefined}
          onKeyDown={onKeyDown}
          onInput={onInput}
          onClick={note}
          onKeyUp={(event) => event.key.startsWith('Arrow') && rows.length === 0 && note()}
          onPaste={onPaste}
        />
        <div class="bar">
          <IconButton icon="attach" label={words.attachFile} onClick={() => post({ type: 'attachFile' })} />
          <div class="pickers">
            <Pickers pickers={state.pickers} />
          </div>
          {state.running && <IconButton icon="stop" label={words.stop} onClick={() => post({ type: 'stop' })} class="stop" />}
          <IconButton icon="up" label={state.running ? words.enqueue : words.send} onClick={send} class="send" />
        </div>
      </div>
      <Usage usage={state.usage} />
    </form>
  );
}
