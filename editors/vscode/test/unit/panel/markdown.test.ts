import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ComponentChild, ComponentChildren, VNode } from 'preact';
import { blocksOf } from '../../../panel/blocks';
import { markdown } from '../../../panel/markdown';

interface Element {
  type: string;
  props: Record<string, unknown>;
}

/** Every element that a text becomes, and its letters. */
function drawn(text: string): { elements: Element[]; letters: string; followed: string[] } {
  const elements: Element[] = [];
  const followed: string[] = [];
  let letters = '';
  const visit = (child: ComponentChildren): void => {
    if (Array.isArray(child)) child.forEach((one: ComponentChild) => visit(one));
    else if (typeof child === 'string' || typeof child === 'number') letters += String(child);
    else if (child && typeof child === 'object' && 'type' in child) {
      const { type, props } = child as VNode<Record<string, unknown>>;
      if (typeof type === 'string') elements.push({ type, props });
      visit(props['children'] as ComponentChildren);
    }
  };
  visit(markdown(text, (href) => followed.push(href)));
  return { elements, letters, followed };
}

const types = (text: string) => drawn(text).elements.map(({ type }) => type);

test('Markdown becomes the elements it means', () => {
  assert.deepEqual(types('# T\n\na **b** `c`'), ['h3', 'p', 'strong', 'code']);
  assert.deepEqual(types('- a\n- b'), ['ul', 'li', 'li']);
  assert.deepEqual(types('| a |\n|---|\n| b |'), ['div', 'table', 'thead', 'tr', 'th', 'tbody', 'tr', 'td']);
  assert.equal(drawn('a &amp; b &lt;i&gt; &#33; &bogus;').letters, 'a & b <i> ! &bogus;');
});

test('HTML is shown as the letters it is', () => {
  for (const text of [
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<div onclick="x()">\n\n**b**\n\n</div>',
    '<svg/onload=alert(1)>',
    '<a href="javascript:alert(1)">x</a>',
    '<!-- --><iframe src="https://x.test"></iframe>',
    '<style>body{display:none}</style>',
  ]) {
    const { elements, letters } = drawn(text);
    const allowed = ['p', 'strong', 'em', 'a', 'code', 'pre', 'div'];
    assert.ok(elements.every(({ type }) => allowed.includes(type)), `${text}: ${elements.map(({ type }) => type).join()}`);
    assert.ok(elements.every(({ props }) => !('dangerouslySetInnerHTML' in props)), text);
    assert.ok(letters.includes('<'), `${text} is shown as ${letters}`);
  }
});

test('a link has no address of its own, shows where it leads, and leads there by a click only', () => {
  for (const href of ['https://example.org/a?b=c', 'javascript:alert(1)', 'data:text/html,x', 'src/a.rs#L3']) {
    const { elements, followed } = drawn(`[click](<${href}>)`);
    const link = elements.find(({ type }) => type === 'a');
    assert.ok(link, href);
    assert.equal(link.props['title'], href);
    assert.ok(!('href' in link.props));
    (link.props['onClick'] as (event: { preventDefault: () => void }) => void)({ preventDefault: () => undefined });
    assert.deepEqual(followed, [href]);
  }
});

test('a place in a file is a link, in words and in code, and not twice', () => {
  const { elements, letters } = drawn('**src/a.rs:12** and `b.ts:3` but [c.go:4](https://x.test)');
  const links = elements.filter(({ type }) => type === 'a').map(({ props }) => props['title']);
  assert.deepEqual(links, ['src/a.rs:12', 'b.ts:3', 'https://x.test']);
  assert.equal(letters, 'src/a.rs:12 and b.ts:3 but c.go:4');
});

test('a picture is not loaded: it is a link to it', () => {
  const { elements } = drawn('![secret](https://evil.test/?q=key)');
  assert.deepEqual(
    elements.map(({ type }) => type),
    ['p', 'a'],
  );
});

test('deep nesting and very long paragraphs end in plain text, soon', () => {
  const start = performance.now();
  assert.ok(drawn('> '.repeat(2_000) + 'x').letters.includes('x'));
  assert.ok(drawn('*'.repeat(5_000) + 'x').letters.includes('x'));
  assert.ok(drawn('['.repeat(5_000) + 'x').letters.includes('x'));
  assert.deepEqual(types('word '.repeat(20_000)), ['pre']);
  assert.ok(performance.now() - start < 5_000, 'it took seconds');
});

const texts = (text: string) => blocksOf(text).map((block) => (block.kind === 'code' ? `[${block.language}] ${block.text}` : block.text.trim()));

test('a text is cut at blank lines and fences, but not inside lists and fences', () => {
  assert.deepEqual(texts('a\nb\n\nc'), ['a\nb', 'c']);
  assert.deepEqual(texts('a\n```rust\nfn a() {\n\n}\n```\nb'), ['a', '[rust] fn a() {\n\n}', 'b']);
  assert.deepEqual(texts('- a\n\n- b\n\n  more\n\nend'), ['- a\n\n- b\n\n  more', 'end']);
  assert.deepEqual(texts('~~~\n```\n~~~'), ['[] ```']);
  assert.deepEqual(texts('````md\n```\nx\n```\n````'), ['[md] ```\nx\n```']);
  assert.deepEqual(texts('```js\nunfinished'), ['[js] unfinished']);
});

test('growing a text letter by letter gives what reading it at once gives', () => {
  const text = 'Intro\n\n1. one\n\n2. two\n\n```py\na\n\nb\n```\n\n> quote\n\n| a |\n|---|\n| b |\n\nend `x`\n';
  let grown: ReturnType<typeof blocksOf> = [];
  for (let end = 1; end <= text.length; end += 1) grown = blocksOf(text.slice(0, end), grown);
  assert.deepEqual(grown, blocksOf(text));
});

test('of an answer that grows, what is done stays the same object, and 2 MB cost little more than the last block', () => {
  const paragraph = `${'word '.repeat(40)}\n\n`;
  let text = paragraph.repeat(10_000);
  assert.ok(text.length > 2_000_000);
  let known = blocksOf(text);
  const start = performance.now();
  for (let step = 0; step < 20; step += 1) {
    text += 'more ';
    const next = blocksOf(text, known);
    assert.equal(next[0], known[0]);
    assert.equal(next[known.length - 2], known[known.length - 2]);
    known = next;
  }
  assert.ok(performance.now() - start < 1_000, 'each step takes a frame');
});
