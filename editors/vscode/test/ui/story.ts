/**
 * The story: a fault is asked about from the palette, a command approved, one hunk accepted and one rejected, undone;
 * the window reloaded while a hunk waits; the conversation goes on in the chat. Each step is what a person does and sees.
 */
import assert from 'node:assert/strict';
import type { Folders } from '../driver/code_server.ts';
import { until } from '../driver/until.ts';
import { files, mended } from './project.ts';
import type { Workbench } from './workbench.ts';

/** Runs one step and counts it. */
export type Step = (name: string, act: () => Promise<void>) => Promise<void>;

const accept = /^\W*Accept\s*$/;
const reject = /^\W*Reject\s*$/;

export async function story(bench: Workbench, folders: Folders, step: Step): Promise<void> {
  const chat = bench.chat();
  const hunks = (count: number): Promise<true> =>
    until(`${count} hunks in the editor`, async () => (await bench.lens(accept).count()) === count);
  const onDisk = (): string => folders.read('basket.py');

  await step('a prompt from the palette', async () => {
    await bench.edit('basket.py');
    await bench.page.keyboard.press('Control+B');
    await bench.textIs('the file', (text) => text.includes('def average'));
    await bench.palette('Assent: Ask');
    await bench.type('Ask Assent', 'Why is the sum negative with a large voucher?');
    await bench.page.keyboard.press('Enter');
  });

  await step('the answer streams into the chat', async () => {
    await chat.locator('.answer', { hasText: 'I read total first' }).waitFor();
    await chat.locator('.working').waitFor();
    await bench.picture('answer', [['dark', 1400]]);
    await chat.locator('.answer', { hasText: 'see it fail.' }).waitFor();
  });

  await step('the approval shows what would run, and is given', async () => {
    const card = chat.locator('.card.approval');
    await card.locator('.subject', { hasText: 'python3 test_basket.py' }).first().waitFor();
    await bench.status('Assent').filter({ hasText: '1' }).waitFor();
    await bench.picture('approval');
    await card.getByRole('button', { name: 'Deny', exact: true }).waitFor();
    await card.getByRole('button', { name: 'Always Allow...' }).click();
    const rule = card.locator('.rule textarea');
    assert.match(await rule.inputValue(), /python3 test_basket\.py/);
    await bench.picture('rule', [['light', 700]]);
    await card.getByRole('button', { name: 'Back' }).click();
    await card.locator('button[aria-disabled=false]', { hasText: 'Allow Once' }).click();
    await card.waitFor({ state: 'detached' });
  });

  await step('the proposal stands in the editor as hunks, and changes nothing', async () => {
    await hunks(2);
    await bench.picture('hunks');
    assert.equal(onDisk(), files['basket.py']);
  });

  await step('one hunk is accepted', async () => {
    await bench.lens(accept).first().click();
    await bench.textIs('the accepted line', (text) => text.includes('return max(0, result - voucher)'));
    await until('the file to be saved', () => onDisk() === mended);
    await hunks(1);
  });

  await step('the other is rejected, and the turn goes on to its end', async () => {
    await bench.lens(reject).click();
    await hunks(0);
    await chat.locator('.answer', { hasText: 'You kept average as it was' }).waitFor();
    await chat.locator('.working').waitFor({ state: 'detached' });
    await bench.picture('done');
    assert.equal(onDisk(), mended);
  });

  await step('one undo takes back the accepted hunk, one redo brings it again', async () => {
    await bench.page.locator('.monaco-editor .view-line', { hasText: 'def total' }).first().click();
    await bench.page.keyboard.press('Control+Z');
    await bench.textIs('the text as it was', (text) => text.includes('return result - voucher'));
    await bench.page.keyboard.press('Control+Shift+Z');
    await bench.textIs('the accepted line again', (text) => text.includes('return max(0, result - voucher)'));
    await bench.page.keyboard.press('Control+S');
    await until('the file to be saved', () => onDisk() === mended);
  });

  await step('a prompt from the chat leads to another hunk', async () => {
    await chat.locator('textarea').fill('Say in the words of `average` what it does with an empty basket.');
    await chat.locator('textarea').press('Enter');
    await hunks(1);
  });

  await step('the window is reloaded, and the hunk waits again', async () => {
    await bench.reload();
    await hunks(1);
    await chat.locator('.prompt', { hasText: 'Why is the sum negative' }).waitFor();
    await bench.picture('reloaded', [['dark', 1400]]);
    await bench.lens(accept).click();
    await until('the accepted words on the disk', () => onDisk().includes('fails for an empty basket'));
    await chat.locator('.answer', { hasText: 'Now the words say so.' }).waitFor();
  });

  await step('a slash command is completed and answered', async () => {
    await chat.locator('textarea').click();
    await chat.locator('textarea').pressSequentially('/exp');
    await chat.locator('[role=option]', { hasText: 'explain' }).first().waitFor();
    await bench.picture('slash');
    await chat.locator('textarea').press('Enter');
    await chat.locator('textarea').pressSequentially('basket.py');
    await chat.locator('textarea').press('Enter');
    await chat.locator('.answer', { hasText: 'takes the voucher off' }).waitFor();
  });

  await step('the session list holds the session', async () => {
    await bench.palette('Assent: Show Sessions');
    await chat.locator('.sessions .row', { hasText: 'Why is the sum negative' }).waitFor();
    await bench.picture('sessions');
    await chat.locator('.sessions input[type=search]').press('Escape');
  });

  await step('a server that is not there is told, with what to do', async () => {
    folders.setMachine({ 'assent.server.path': '/nowhere/assent' });
    await bench.palette('Assent: Restart Server');
    await bench.notification('/nowhere/assent').first().waitFor();
    await bench.picture('missing', [['dark', 1400]]);
  });
}
