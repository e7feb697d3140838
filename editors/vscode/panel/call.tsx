/** A tool call as one line that unfolds to what it was given, what it proposes and what it said. */
import type { CallEntry, FileDiff, Place } from '../src/chat/entries';
import { Fold } from './fold';
import { post } from './host';
import { Icon, type IconName } from './icons';
import { keyOf } from './kept';
import { memo } from './memo';
import { Text } from './text';
import { fill, useWords } from './words';

const KINDS: Record<string, IconName> = {
  read: 'read',
  edit: 'edit',
  delete: 'delete',
  move: 'move',
  search: 'search',
  execute: 'execute',
  think: 'think',
  fetch: 'fetch',
};
const STATUS: Record<CallEntry['status'], { icon: IconName; class: string }> = {
  pending: { icon: 'circle', class: '' },
  running: { icon: 'spinner', class: 'spin' },
  completed: { icon: 'check', class: 'good' },
  failed: { icon: 'cross', class: 'bad' },
};

export const Call = memo(function Call({ entry }: { entry: CallEntry }) {
  const words = useWords();
  const status = STATUS[entry.status];
  const added = entry.diffs.reduce((sum, diff) => sum + diff.added, 0);
  const removed = entry.diffs.reduce((sum, diff) => sum + diff.removed, 0);
  const summary = (
    <>
      <Icon name={KINDS[entry.toolKind] ?? 'other'} />
      <span class="what" title={entry.title}>
        {entry.title}
      </span>
      {entry.diffs.length > 0 && (
        <span class="counts">
          <span class="plus">+{added}</span> <span class="minus">−{removed}</span>
        </span>
      )}
      <span class="status" title={words[entry.status]}>
        <Icon name={status.icon} class={status.class} />
        <span class="unseen">{words[entry.status]}</span>
      </span>
    </>
  );
  return (
    <Fold id={keyOf(entry)} class="call" initially={entry.status === 'running' && entry.output !== ''} summary={summary}>
      <Body entry={entry} />
    </Fold>
  );
});

function Body({ entry }: { entry: CallEntry }) {
  const words = useWords();
  return (
    <div class="body">
      {entry.places.length > 0 && (
        <div class="places">
          {entry.places.map((place) => (
            <PlaceButton place={place} />
          ))}
        </div>
      )}
      {entry.diffs.map((diff) => (
        <Diff diff={diff} />
      ))}
      {entry.output !== '' && (
        <section aria-label={words.output}>
          {entry.cut > 0 && <p class="cut">{fill(words.beginningCut, entry.cut)}</p>}
          {entry.toolKind === 'think' ? (
            // Another agent's answer: findings, a plan.
            <div class="answer">
              <Text text={entry.output} />
            </div>
          ) : (
            <pre class="output" tabIndex={0}>
              {entry.output}
            </pre>
          )}
        </section>
      )}
      {entry.images.map((image) => (
        <img class="picture" src={`data:${image.mimeType};base64,${image.data}`} alt={words.image} />
      ))}
      {entry.input !== '' && (
        <Fold
          id={`${keyOf(entry)} input`}
          summary={
            <span class="what">
              {words.input} {entry.tool && <code>{entry.tool}</code>}
            </span>
          }
        >
          <pre class="output" tabIndex={0}>
            {entry.input}
          </pre>
        </Fold>
      )}
    </div>
  );
}

function PlaceButton({ place }: { place: Place }) {
  const words = useWords();
  const label = place.line === undefined ? place.path : `${place.path}:${place.line}`;
  return (
    <button type="button" class="link" title={fill(words.openFile, label)} onClick={() => post({ type: 'openPlace', ...place })}>
      {label}
    </button>
  );
}

/** Lines that go, lines that come, and a little around them. */
export function Diff({ diff }: { diff: FileDiff }) {
  const words = useWords();
  return (
    <figure class="diff">
      <figcaption>
        <PlaceButton place={{ path: diff.path }} />
        <span class="counts">
          <span class="plus">+{diff.added}</span> <span class="minus">−{diff.removed}</span>
        </span>
      </figcaption>
      <pre tabIndex={0}>
        {diff.lines.map(({ sign, text }) => (
          <div class={sign === '+' ? 'line plus' : sign === '-' ? 'line minus' : 'line'}>
            {sign} {text}
          </div>
        ))}
        {diff.cut > 0 && <div class="cut">{fill(words.linesCut, diff.cut)}</div>}
      </pre>
    </figure>
  );
}
