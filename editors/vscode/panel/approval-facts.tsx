/**
 * Everything that is known of an approval: first what would be done, to its end; then why that is asked, and around it.
 * What the server did not send is not drawn.
 */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ApprovalCard } from '../src/approvals/cards';
import type { CommandLine } from '../src/approvals/facts';
import type { TouchedFile } from '../src/wire';
import { Diff } from './call';
import { Icon } from './icons';
import { fill, useWords } from './words';

/** `onRead`: the end of what would be done was in sight. */
export function Facts({ card, onRead }: { card: ApprovalCard; onRead: () => void }) {
  const words = useWords();
  const box = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const look = () => {
    if (!box.current || !end.current || box.current.clientHeight === 0) return;
    if (end.current.getBoundingClientRect().top - box.current.getBoundingClientRect().bottom < 4) onRead();
  };
  useLayoutEffect(() => {
    look();
    // A panel without a size shows nothing yet.
    const observer = new ResizeObserver(look);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="facts" ref={box} onScroll={look} tabIndex={0} role="group" aria-label={words.subject}>
      <Subject card={card} />
      {card.commands.length > 0 && <Commands commands={card.commands} />}
      {card.diffs.map((diff) => (
        <Diff diff={diff} />
      ))}
      <Warnings card={card} />
      <Done card={card} />
      <div ref={end} />
      <Around card={card} />
      {(card.id !== '' || card.digest !== '') && (
        <p class="muted small">
          {words.approvalId} {[card.id, card.digest].filter(Boolean).join(' · ')}
        </p>
      )}
    </div>
  );
}

/** The whole of it, its lines numbered where it has several, and its size where that is not plain. */
function Subject({ card }: { card: ApprovalCard }) {
  const words = useWords();
  const { subject, details, size } = card;
  const lines = subject.split('\n');
  const long = lines.length > 1 || subject.length > 200;
  return (
    <>
      {subject !== '' && (
        <pre class="subject">{lines.length > 1 ? lines.map((line, index) => <Line number={index + 1} text={line} />) : subject}</pre>
      )}
      {long && size && <p class="muted">{fill(words.sizeBytes, size.lines, size.bytes)}</p>}
      {long && !size && <p class="muted">{fill(words.size, lines.length, subject.length)}</p>}
      {details !== '' && <pre class="subject">{details}</pre>}
    </>
  );
}

function Line({ number, text }: { number: number; text: string }) {
  return (
    <div class="numbered">
      <span class="number">{number}</span> <span>{text}</span>
    </div>
  );
}

/** What a line comes to: each program that it starts, with its arguments apart. */
function Commands({ commands }: { commands: CommandLine[] }) {
  const words = useWords();
  const marks: Record<string, string> = {
    'project binary': words.markProjectBinary,
    'shell builtin': words.markBuiltin,
    'runs project code': words.markProjectCode,
  };
  return (
    <section class="commands" aria-label={words.commands}>
      <h3>{words.commands}</h3>
      <ol>
        {commands.map((command) => (
          <li>
            <code>
              {command.words.map((word, index) => (
                <>
                  {index > 0 && ' '}
                  <span class={index === 0 ? 'word program' : 'word'}>{word}</span>
                </>
              ))}
            </code>
            <span class="where">
              {command.program !== null ? (
                <>
                  {' → '}
                  <code>{command.program}</code>
                </>
              ) : (
                !command.marks.includes('shell builtin') && ` ${words.programNotFound}`
              )}
              {command.marks.map((mark) => (
                <Mark text={marks[mark] ?? mark} warning={mark !== 'shell builtin'} />
              ))}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Warnings({ card }: { card: ApprovalCard }) {
  const words = useWords();
  return (
    <>
      {card.warnings.map((warning) => (
        <Warning name={words.warning} text={warning} />
      ))}
      {card.unsaved.length > 0 && <Warning name={words.unsaved} text={card.unsaved.join(', ')} />}
    </>
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

/** What would be done, besides the subject. */
function Done({ card }: { card: ApprovalCard }) {
  const words = useWords();
  const { directory, network } = card;
  const networks: Record<string, string> = { none: words.networkNone, 'not limited': words.networkUnlimited };
  return (
    <dl>
      <Fact name={words.directory} show={directory !== undefined}>
        <code>{directory?.path}</code>
        {directory?.inside !== undefined && <Mark text={directory.inside ? words.inside : words.outside} warning={!directory.inside} />}
      </Fact>
      <Fact name={words.files} show={card.files.length > 0}>
        <List items={card.files.map((file) => <FileLine file={file} />)} />
      </Fact>
      <Fact name={words.environment} show={card.env.length > 0}>
        <List items={card.env.map(({ name, value }) => <code>{`${name}=${value}`}</code>)} />
      </Fact>
      <Fact name={words.arguments} show={card.arguments !== '' && card.commands.length === 0}>
        <code>{card.arguments}</code>
      </Fact>
      <Fact name={words.network} show={network !== ''}>
        {networks[network] ?? <code>{network}</code>}
      </Fact>
    </dl>
  );
}

/** Why it is asked, within what it would run, and who wants it. */
function Around({ card }: { card: ApprovalCard }) {
  const words = useWords();
  const { effects, sandbox, tool } = card;
  const writable = sandbox?.writable ?? [];
  const classes = [
    effects.reads && fill(words.reads, effects.reads),
    effects.writes && fill(words.writes, effects.writes),
    effects.exec && fill(words.runs, effects.exec),
  ].filter(Boolean);
  return (
    <dl>
      <Fact name={words.reason} show={card.reasons.length > 0}>
        <Reasons card={card} />
      </Fact>
      <Fact name={words.sandbox} show={sandbox !== undefined}>
        <span class={sandbox?.name === 'none' ? 'flag warning' : ''}>{sandbox?.words}</span>
      </Fact>
      <Fact name={words.writable} show={writable.length > 0}>
        <List items={writable.map((path) => <code>{path}</code>)} />
      </Fact>
      {/* Of a command they say once more what stands above. */}
      <Fact name={words.arguments} show={card.arguments !== '' && card.commands.length > 0}>
        <code>{card.arguments}</code>
      </Fact>
      <Fact name={words.effects} show={classes.length > 0}>
        {classes.join(' · ')}
      </Fact>
      <Fact name={words.tool} show={tool.name !== ''}>
        <code>{tool.name}</code>
        {tool.kind !== '' && ` (${tool.kind})`}
        {tool.source !== '' && (
          <>
            {` ${words.from} `}
            <code>{tool.source}</code>
          </>
        )}
        {tool.overrides !== '' && <Mark text={fill(words.overrides, tool.overrides)} warning />}
      </Fact>
      <Fact name={words.agent} show={card.agents.length > 1}>
        {card.agents.join(' → ')}
      </Fact>
      <Fact name={words.worksOn} show={card.prompt !== ''}>
        {card.prompt}
      </Fact>
    </dl>
  );
}

function List({ items }: { items: ComponentChildren[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
}

function Fact({ name, show, children }: { name: string; show: boolean; children: ComponentChildren }) {
  if (!show) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A word about what stands before it. */
function Mark({ text, warning = false }: { text: string; warning?: boolean }) {
  return <span class={warning ? 'flag warning' : 'flag'}>{` ${text}`}</span>;
}

/** The steps to the question, in their order; the last one decided. */
function Reasons({ card }: { card: ApprovalCard }) {
  const { reasons } = card;
  const said = reasons.map(({ what, source }) => (
    <>
      {what}
      {source && <span class="muted"> ({source})</span>}
    </>
  ));
  if (said.length === 1) return <>{said}</>;
  return (
    <ol class="reasons">
      {said.map((one, index) => (
        <li class={index === said.length - 1 ? 'decides' : ''}>{one}</li>
      ))}
    </ol>
  );
}

function FileLine({ file }: { file: TouchedFile }) {
  const words = useWords();
  const operations: Record<TouchedFile['operation'], string> = {
    read: words.fileRead,
    create: words.fileCreate,
    edit: words.fileEdit,
    delete: words.fileDelete,
    mode: words.fileMode,
  };
  return (
    <>
      {operations[file.operation] ?? file.operation} <code>{file.path}</code>
      {file.target !== undefined && (
        <>
          {' → '}
          <code>{file.target}</code>
        </>
      )}
      {file.protected !== undefined && <Mark text={fill(words.protected, file.protected)} warning />}
    </>
  );
}
