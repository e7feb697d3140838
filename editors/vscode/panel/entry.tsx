/** One entry of the conversation. */
import type { Entry, NoticeEntry, PromptEntry, TextEntry } from '../src/chat/entries';
import { Call } from './call';
import { Fold } from './fold';
import { Icon, IconButton } from './icons';
import { keyOf } from './kept';
import { memo } from './memo';
import { Text } from './text';
import { useWords } from './words';

interface Props {
  entry: Entry;
  /** Whether it is the last, and still growing. */
  growing: boolean;
  onEdit: (entry: PromptEntry) => void;
  /** Whether prompts can be edited now. */
  canEdit: boolean;
}

export const EntryView = memo(function EntryView({ entry, growing, onEdit, canEdit }: Props) {
  switch (entry.kind) {
    case 'prompt':
      return <Prompt entry={entry} onEdit={onEdit} canEdit={canEdit} />;
    case 'answer':
      return (
        <div class="answer">
          <Text text={entry.text} />
        </div>
      );
    case 'thought':
      return <Thought entry={entry} growing={growing} />;
    case 'call':
      return <Call entry={entry} />;
    case 'notice':
      return <Notice entry={entry} />;
  }
});

function Thought({ entry, growing }: { entry: TextEntry; growing: boolean }) {
  const words = useWords();
  const summary = (
    <>
      <span class="what">{growing ? words.thinking : words.thoughts}</span>
      {growing && <Icon name="spinner" class="spin" />}
    </>
  );
  return (
    <Fold id={keyOf(entry)} class="thought" summary={summary}>
      <div class="body">
        <Text text={entry.text} />
      </div>
    </Fold>
  );
}

function Prompt({ entry, onEdit, canEdit }: { entry: PromptEntry; onEdit: (entry: PromptEntry) => void; canEdit: boolean }) {
  const words = useWords();
  return (
    <div class="prompt" role="group" aria-label={words.you}>
      {canEdit && entry.prompt !== undefined && (
        <IconButton icon="edit" label={words.editAndResend} onClick={() => onEdit(entry)} class="on-hover" />
      )}
      <div class="bubble">
        <div class="said">{entry.text}</div>
        {entry.images.map((image) => (
          <img class="picture" src={`data:${image.mimeType};base64,${image.data}`} alt={words.image} />
        ))}
        {entry.attached.length > 0 && (
          <ul class="chips" aria-label={words.attached}>
            {entry.attached.map((label) => (
              <li class="chip" title={label}>
                {label.replace(/^.*[\\/](?=.)/, '')}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function Notice({ entry }: { entry: NoticeEntry }) {
  return (
    <div class={`notice ${entry.level}`}>
      <Icon name={entry.level === 'info' ? 'info' : 'warning'} />
      <div class="said">{entry.text}</div>
    </div>
  );
}
