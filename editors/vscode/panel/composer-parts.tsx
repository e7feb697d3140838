/** What stands around the text area: attachments, pictures, and what the session can be set to. */
import type { Attachment, Image, Picker } from '../src/chat/entries';
import { post } from './host';
import { IconButton } from './icons';
import { memo } from './memo';
import { fill, useWords } from './words';

export const Chips = memo(function Chips({ attachments }: { attachments: Attachment[] }) {
  const words = useWords();
  if (attachments.length === 0) return null;
  return (
    <ul class="chips" aria-label={words.attached}>
      {attachments.map(({ label }, index) => (
        <li class="chip" title={label}>
          <span>{label}</span>
          <IconButton icon="cross" label={fill(words.detach, label)} onClick={() => post({ type: 'detach', index })} />
        </li>
      ))}
    </ul>
  );
});

export function Pictures({ images, onRemove }: { images: Image[]; onRemove: (index: number) => void }) {
  const words = useWords();
  if (images.length === 0) return null;
  return (
    <ul class="chips" aria-label={words.attached}>
      {images.map(({ mimeType, data }, index) => (
        <li class="chip">
          <img class="thumb" src={`data:${mimeType};base64,${data}`} alt={words.image} />
          <IconButton icon="cross" label={fill(words.detach, words.image)} onClick={() => onRemove(index)} />
        </li>
      ))}
    </ul>
  );
}

/** Each as the browser's own list, which every keyboard and screen reader knows. */
export const Pickers = memo(function Pickers({ pickers }: { pickers: Picker[] }) {
  return (
    <>
      {pickers.map(({ id, name, value, choices }) => (
        <label class="picker" title={choices.find((choice) => choice.value === value)?.description ?? name}>
          <span class="unseen">{name}</span>
          <select value={value} onChange={(event) => post({ type: 'setOption', id, value: event.currentTarget.value })}>
            {choices.map((choice) => (
              <option value={choice.value} title={choice.description}>
                {choice.value === 'default' ? name : choice.name}
              </option>
            ))}
          </select>
        </label>
      ))}
    </>
  );
});
