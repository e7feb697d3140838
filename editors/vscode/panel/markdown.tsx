/**
 * Markdown as elements. The reader's tokens become elements one by one from a closed list; no string is ever taken for
 * HTML, so what a model writes as HTML is shown as the letters it is, and there is nothing left to clean.
 */
import { Lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { memo } from './memo';
import { Pieces } from './pieces';
import { places } from './places';

/** What a link does when it is clicked. */
export type Follow = (href: string) => void;

/** Longer paragraphs are shown as they are: reading them would take longer than a frame. */
const LONGEST = 40_000;
/** Tokens inside tokens; what lies deeper is shown as it is. */
const DEEPEST = 24;

/** A block of Markdown. */
export const Markdown = memo(function Markdown({ text, follow }: { text: string; follow: Follow }) {
  return <>{markdown(text, follow)}</>;
});

/** A text as elements. */
export function markdown(text: string, follow: Follow): ComponentChildren {
  if (text.length > LONGEST) {
    return (
      <pre class="plain">
        <Pieces text={text} />
      </pre>
    );
  }
  try {
    return blocks(new Lexer({ gfm: true, breaks: false }).lex(text), { follow, depth: 0 });
  } catch {
    // A reader that gives up is no reason to hide the text.
    return <pre class="plain">{text}</pre>;
  }
}

interface Context {
  follow: Follow;
  depth: number;
  /** It stands in a link already. */
  linked?: boolean;
}

function blocks(tokens: Token[], context: Context): ComponentChildren {
  if (context.depth > DEEPEST) return tokens.map((token) => token.raw).join('');
  const inner = { ...context, depth: context.depth + 1 };
  return tokens.map((token) => block(token, inner));
}

function block(token: Token, context: Context): ComponentChildren {
  switch (token.type) {
    case 'space':
    case 'def':
      return token.type === 'def' ? <p>{token.raw.trim()}</p> : null;
    case 'heading':
      return heading(token as Tokens.Heading, context);
    case 'paragraph':
      return <p>{inlines(token.tokens, context)}</p>;
    case 'text':
      return token.tokens ? inlines(token.tokens, context) : entities((token as Tokens.Text).text);
    case 'code':
      return (
        <pre>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [], context)}</blockquote>;
    case 'list':
      return list(token as Tokens.List, context);
    case 'table':
      return table(token as Tokens.Table, context);
    case 'hr':
      return <hr />;
    case 'html':
      return <p>{token.raw.trim()}</p>;
    default:
      return inline(token, context);
  }
}

/** Below the panel's own headings. */
function heading(token: Tokens.Heading, context: Context): VNode {
  const Tag = (['h3', 'h4', 'h5', 'h6'] as const)[Math.min(token.depth, 4) - 1] ?? 'h6';
  return <Tag>{inlines(token.tokens, context)}</Tag>;
}

function list(token: Tokens.List, context: Context): VNode {
  const items = token.items.map((item) => (
    <li class={item.task ? 'task' : undefined}>
      {item.task && <input type="checkbox" checked={item.checked ?? false} disabled />}
      {blocks(
        item.tokens.filter((inner) => inner.type !== 'checkbox'),
        context,
      )}
    </li>
  ));
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function table(token: Tokens.Table, context: Context): VNode {
  const align = (at: number) => token.align[at] ?? undefined;
  return (
    <div class="table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell, at) => (
              <th data-align={align(at)}>{inlines(cell.tokens, context)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row) => (
            <tr>
              {row.map((cell, at) => (
                <td data-align={align(at)}>{inlines(cell.tokens, context)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inlines(tokens: Token[] | undefined, context: Context): ComponentChildren {
  if (context.depth > DEEPEST) return (tokens ?? []).map((token) => token.raw).join('');
  const inner = { ...context, depth: context.depth + 1 };
  return (tokens ?? []).map((token) => inline(token, inner));
}

function inline(token: Token, context: Context): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token.tokens, context)}</strong>;
    case 'em':
      return <em>{inlines(token.tokens, context)}</em>;
    case 'del':
      return <del>{inlines(token.tokens, context)}</del>;
    case 'codespan':
      return <code>{linked((token as Tokens.Codespan).text, context)}</code>;
    case 'br':
      return <br />;
    case 'link':
      return link((token as Tokens.Link).href, inlines(token.tokens, { ...context, linked: true }), context);
    case 'image': {
      // Never loaded: an address can carry what the model has read.
      const { href, text } = token as Tokens.Image;
      return link(href, text || href, context);
    }
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'text':
      return token.tokens ? inlines(token.tokens, context) : linked(entities((token as Tokens.Text).text), context);
    default:
      return token.raw;
  }
}

/** A text whose places in files are links. */
function linked(text: string, context: Context): ComponentChildren {
  if (context.linked) return text;
  return places(text).map((part) => (typeof part === 'string' ? part : link(part.place, part.place, context)));
}

/** Where a link leads is shown whole, and it has no address that anything but a click here could follow. */
function link(href: string, children: ComponentChildren, { follow }: Context): VNode {
  const go = (event: Event) => {
    event.preventDefault();
    follow(href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(event);
  };
  return (
    <a role="link" tabIndex={0} title={href} onClick={go} onKeyDown={onKeyDown}>
      {children}
    </a>
  );
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** The few entities that models write in text; all others stay as they are. */
function entities(text: string): string {
  return text.replace(/&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (all, name?: string, decimal?: string, hex?: string) => {
    if (name) return NAMED[name.toLowerCase()] ?? all;
    const code = decimal ? Number(decimal) : parseInt(hex ?? '', 16);
    return code > 0x1f && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
