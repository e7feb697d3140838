/** What the page keeps of itself, and how it draws what is told and what grows. */
import assert from 'node:assert/strict';
import path from 'node:path';
import type { CallEntry, Entry } from '../../src/chat/entries';
import { until } from '../driver/until';
import type { Panel } from './page';
import type { Test } from './panel';

const call = (id: number): CallEntry => ({
  id,
  kind: 'call',
  callId: `c${id}`,
  title: `Call ${id}`,
  tool: 'bash',
  toolKind: 'execute',
  status: 'completed',
  input: '{"command":"ls"}',
  output: `output ${id}`,
  cut: 0,
  images: [],
  diffs: [],
  places: [],
});

/** A conversation of so many prompts, each answered at some length. */
function talk(prompts: number, first = 1): Entry[] {
  return Array.from({ length: prompts }, (_, index): Entry[] => [
    { id: first + index * 3, kind: 'prompt', text: `Prompt ${index}`, images: [], attached: [], prompt: index },
    call(first + index * 3 + 1),
    { id: first + index * 3 + 2, kind: 'answer', text: `Answer ${index}\n\n${'More words. '.repeat(40)}` },
  ]).flat();
}

const reset = (panel: Panel, entries: Entry[], earlier = 0) =>
  panel.tell({ type: 'update', entries: [{ op: 'reset', entries }], state: { earlier } });

/** Where an entry's top is below the list's own, in pixels. */
async function topOf(panel: Panel, text: string): Promise<number> {
  const list = await panel.find('.entries').boundingBox();
  const entry = await panel.find('.entries > *', new RegExp(`${text}\\b`)).first().boundingBox();
  return (entry?.y ?? 0) - (list?.y ?? 0);
}

/** What is kept is written down a moment later. */
async function kept(panel: Panel, right: (state: Record<string, unknown>) => boolean): Promise<void> {
  await until('the state to be kept', async () => right(JSON.parse((await panel.page.evaluate(() => sessionStorage.getItem('state'))) ?? '{}')));
}

export const state: Test[] = [
  [
    'folds stay as the user left them when the page is made anew, also where ids are given anew',
    async (panel) => {
      await reset(panel, talk(3));
      await panel.find('.call summary', 'Call 2Done').click();
      await panel.find('.call[open] .fold summary', 'Input').click();
      await panel.find('.call[open] .output', '{"command"').waitFor();
      await kept(panel, ({ folds }) => (folds as unknown[]).length === 2);
      await panel.remake();
      await reset(panel, talk(3).map((entry) => ({ ...entry, id: entry.id + 100 })));
      await panel.find('.call[open] .output', 'output 2').waitFor();
      await panel.find('.call[open] .output', '{"command"').waitFor();
      assert.equal(await panel.find('.call[open]').count(), 1);
    },
  ],
  [
    'the page comes back to where the user was, asking for the past if need be, and else to the end',
    async (panel) => {
      const all = talk(60);
      await reset(panel, all);
      await panel.find('.prompt', /Prompt 20\b/).evaluate((entry) => entry.scrollIntoView({ block: 'start' }));
      await kept(panel, ({ place }) => place !== undefined);
      const before = await topOf(panel, 'Prompt 20');
      await panel.remake();
      await reset(panel, all.slice(-90), 90);
      const { before: oldest } = await panel.heard('earlier');
      assert.equal(oldest, all.at(-90)?.id);
      await panel.tell({ type: 'update', entries: [{ op: 'prepend', entries: all.slice(0, -90) }], state: { earlier: 0 } });
      await until('the place', async () => Math.abs((await topOf(panel, 'Prompt 20')) - before) < 2);
      await panel.button('Scroll to the End').click();
      await kept(panel, ({ place }) => place === undefined);
      await panel.remake();
      await reset(panel, all);
      assert.equal(await panel.button('Scroll to the End').count(), 0);
    },
  ],
  [
    'another session begins at its end, with nothing unfolded',
    async (panel) => {
      await reset(panel, talk(30));
      await panel.find('.call summary', 'Call 2Done').click();
      await kept(panel, ({ place }) => place !== undefined);
      await panel.tell({ type: 'update', state: { session: { id: 's2', title: 'Another' } }, entries: [{ op: 'reset', entries: talk(30) }] });
      assert.equal(await panel.button('Scroll to the End').count(), 0);
      await kept(panel, ({ session, folds, place }) => session === 's2' && (folds as unknown[]).length === 0 && place === undefined);
    },
  ],
  [
    'a draft stays with its words, its pictures and what they name',
    async (panel) => {
      await panel.find('.composer textarea').fill('Look at @a');
      await panel.tell({
        type: 'completions',
        query: 'a',
        items: [{ attachment: { kind: 'file', label: 'a.rs', uri: 'file:///a.rs' }, detail: '' }],
      });
      await panel.find('[role=option]', 'a.rs').click();
      await panel.find('.composer textarea').evaluate((input) => {
        const pasted = new DataTransfer();
        pasted.items.add(new File([Uint8Array.from(atob('iVBORw0KGgo='), (letter) => letter.charCodeAt(0))], 'a.png', { type: 'image/png' }));
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true }));
      });
      await panel.find('.composer .thumb').waitFor();
      await kept(panel, ({ images }) => (images as unknown[]).length === 1);
      await panel.remake();
      await panel.find('.composer .thumb').waitFor();
      assert.equal(await panel.find('.composer textarea').inputValue(), 'Look at @a.rs ');
      await panel.button('Send').click();
      const { text, images, attachments } = await panel.heard('send');
      assert.deepEqual([text, images.length, attachments.map(({ label }) => label)], ['Look at @a.rs', 1, ['a.rs']]);
      await kept(panel, ({ draft, images: left }) => draft === '' && (left as unknown[]).length === 0);
    },
  ],
  [
    'an earlier message that is being edited is still that after the page was made anew',
    async (panel) => {
      await reset(panel, talk(1));
      await panel.button('Edit and Send Again').click();
      await panel.find('.composer textarea').fill('Prompt 0, better');
      await kept(panel, ({ draft }) => draft === 'Prompt 0, better');
      await panel.remake();
      await reset(panel, talk(1));
      await panel.find('.editing').waitFor();
      assert.equal(await panel.find('.composer textarea').inputValue(), 'Prompt 0, better');
      await panel.button('Send').click();
      assert.deepEqual([(await panel.heard('resend')).text], ['Prompt 0, better']);
      await panel.find('.editing').waitFor({ state: 'detached' });
    },
  ],
  [
    'thinking is called that only while it goes on',
    async (panel) => {
      const thought: Entry = { id: 1, kind: 'thought', text: 'Hm.' };
      await panel.tell({ type: 'update', state: { running: true }, entries: [{ op: 'reset', entries: [thought] }] });
      assert.match(await panel.find('.thought summary').innerText(), /^Thinking$/);
      await panel.tell({ type: 'update', entries: [{ op: 'put', entry: { id: 2, kind: 'answer', text: 'So.' } }] });
      assert.match(await panel.find('.thought summary').innerText(), /^Thoughts$/);
    },
  ],
  [
    'code has colours, made of elements; what grows, is long or of no known language keeps its text',
    async (panel, pictures) => {
      const python = '# A comment\ndef total(prices, voucher=0):\n    """The sum."""\n    return max(0, sum(prices) - voucher)\n';
      const rust = 'use std::fmt;\n\n/// A point.\n#[derive(Debug)]\npub struct Point<T> {\n    x: T,\n}\n\nfn main() {\n    println!("{:?}", Point { x: 1.5 });\n}\n';
      const diff = '--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n';
      const page = '<p class="a" onclick="alert(1)">&lt;</p>\n<script>alert(1)</script>\n';
      const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\`\`\`\n\n`;
      const text = fence('python', python) + fence('rust', rust) + fence('diff', diff) + fence('html', page) + fence('klingon', 'nuqneH\n');
      await reset(panel, [{ id: 1, kind: 'answer', text }]);
      await panel.find('.code .t-keyword', 'def').waitFor();
      await panel.find('.code .t-tag', 'script').first().waitFor();
      const shown = await panel.find('.code code').allTextContents();
      assert.deepEqual(shown, [python, rust, diff, page, 'nuqneH\n'].map((code) => code.replace(/\n$/, '')));
      assert.equal(await panel.find('.code script').count(), 0);
      await panel.picture(path.join(pictures, 'code'), [480]);
      // Text that comes after it was read stands behind it at once.
      await reset(panel, [{ id: 2, kind: 'answer', text: '```python\nreturn 1' }]);
      await panel.find('.code .t-keyword', 'return').waitFor();
      await panel.tell({ type: 'update', entries: [{ op: 'append', id: 2, text: '2\nreturn 3' }] });
      assert.deepEqual(await panel.find('.code code').allTextContents(), ['return 12\nreturn 3']);
      await panel.find('.code .t-number', '12').waitFor();
      const long = `x = 1\n`.repeat(3_000);
      await reset(panel, [{ id: 3, kind: 'answer', text: fence('python', long) }]);
      assert.equal((await panel.find('.code code').allTextContents())[0], long.trimEnd());
      assert.equal(await panel.find('.code .t-number').count(), 0);
    },
  ],
];
