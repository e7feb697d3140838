/** Approval cards in the panel. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { approvalCard } from '../../src/approvals/cards';
import type { PermissionMeta, RequestPermissionRequest } from '../../src/wire';
import type { Panel } from './page';
import type { Test } from './panel';

/** A request with every field that the server can send. */
export const everything: PermissionMeta = {
  id: 'ap-1',
  requestId: 'ap-1',
  digest: '9f2c1ab7'.repeat(8),
  prompt: 'Make the tests pass, then clean up',
  subject: 'python3 test_basket.py && ./run-checks "two words"\nrm -r build',
  tool: { name: 'bash', kind: 'built-in', source: '/home/me/shop/.assent/tools/bash.json', overrides: 'the built-in bash' },
  command: {
    lines: 2,
    bytes: 65,
    parsed: [
      { argv: ['python3', 'test_basket.py'], program: '/usr/bin/python3', marks: ['runs project code'] },
      { argv: ['./run-checks', 'two words'], program: '/home/me/shop/run-checks', marks: ['project binary'] },
      { argv: ['cd', 'build'], program: null, marks: ['shell builtin'] },
      { argv: ['frobnicate'], program: null, marks: [] },
    ],
  },
  cwd: { path: '/home/me/elsewhere', inside: false },
  env: [{ name: 'RUST_LOG', value: 'debug' }],
  files: [
    { path: 'basket.py', operation: 'edit' },
    { path: 'link/config', target: '/home/me/.ssh/config', operation: 'read', protected: 'secrets' },
  ],
  arguments: '{"command":"python3 test_basket.py","timeout":120000}',
  network: 'not limited',
  sandbox: { name: 'bubblewrap', network: false, writable: ['/home/me/shop', '/tmp'], words: 'bubblewrap: writes only to the workspace, no network' },
  reasons: [
    { what: 'bash asks', source: 'built in' },
    { what: 'python3 test_basket.py may run', source: '/home/me/shop/.assent/settings.yaml:4' },
    { what: 'the command runs outside the workspace', source: 'built in' },
  ],
  reads: 'workspace',
  writes: 'workspace',
  exec: 'untrusted',
  warnings: ['It changes files that git does not know.'],
  agentPath: ['main', 'search'],
  remember: 'bash(python3 test_basket.py)',
  rememberScopes: ['session', 'workspace', 'always'],
};

function request(meta: PermissionMeta): RequestPermissionRequest {
  return {
    sessionId: 's1',
    toolCall: { toolCallId: 'c1', title: 'Run a command', name: 'bash', status: 'pending', _meta: { assent: meta } },
    options: [
      { optionId: 'allow_once', name: 'Allow once', kind: 'allow_once' },
      { optionId: 'allow_session', name: 'Allow in this session', kind: 'allow_always' },
      { optionId: 'allow_always', name: 'Always allow', kind: 'allow_always' },
      { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
    ],
  };
}

async function asked(panel: Panel, meta: PermissionMeta): Promise<void> {
  const card = approvalCard({ key: 'a1', order: 1, request: request(meta) });
  await panel.tell({ type: 'update', cards: [card] });
  await panel.find('.approval').waitFor();
}

/** What would be done has to have been in sight to its end. */
async function readToTheEnd(panel: Panel): Promise<void> {
  await panel.find('.facts').evaluate((facts) => facts.scrollTo(0, facts.scrollHeight));
  await panel.find('button[aria-disabled=false]', 'Allow Once').waitFor();
}

const plain: PermissionMeta = { id: 'ap-2', subject: 'ls', remember: 'bash(ls)', rememberScopes: ['session', 'workspace', 'always'], digest: 'd'.repeat(64) };

export const approvals: Test[] = [
  [
    'an approval shows every field, as text that a screen reader reads too',
    async (panel, pictures) => {
      await asked(panel, everything);
      const shown = (await panel.find('.approval').innerText()).replace(/\s+/g, ' ');
      for (const text of [
        '1 python3 test_basket.py && ./run-checks "two words" 2 rm -r build',
        '2 lines, 65 bytes',
        'python3 test_basket.py → /usr/bin/python3 runs code of this project',
        "./run-checks 'two words' → /home/me/shop/run-checks program of this project",
        'cd build built into the shell',
        'frobnicate (program not found)',
        'Warning: It changes files that git does not know.',
        '/home/me/elsewhere outside the workspace',
        'edit basket.py',
        'read link/config → /home/me/.ssh/config protected: secrets',
        'bubblewrap: writes only to the workspace, no network',
        'May write /home/me/shop /tmp',
        'Network not limited',
        'RUST_LOG=debug',
        '{"command":"python3 test_basket.py","timeout":120000}',
        'reads: workspace · writes: workspace · runs: untrusted',
        'bash (built-in) from /home/me/shop/.assent/tools/bash.json replaces the built-in bash',
        'main → search',
        'the command runs outside the workspace (built in)',
        'Make the tests pass, then clean up',
        'ap-1 · 9f2c1ab7',
      ]) {
        assert.ok(shown.includes(text), `${text}\nis missing in\n${shown}`);
      }
      // What is read aloud is what is seen: no other name on anything within, and nothing kept from a reader.
      assert.equal(await panel.find('.facts dl [aria-label], .facts dl [aria-hidden], .facts dl [title]').count(), 0);
      await panel.picture(path.join(pictures, 'approval'));
      await panel.find('.facts').evaluate((facts) => facts.scrollTo(0, facts.scrollHeight));
      await panel.picture(path.join(pictures, 'approval-end'));
    },
  ],
  [
    'a field that the server does not send is not drawn',
    async (panel) => {
      await asked(panel, { subject: 'ls', rule: 'bash asks' });
      assert.deepEqual(await panel.find('.facts dt').allInnerTexts(), ['Why it asks', 'Tool']);
    },
  ],
  [
    'Deny has the focus, and nothing is allowed before its end was in sight',
    async (panel) => {
      await asked(panel, { ...everything, subject: 'echo\n'.repeat(200) });
      assert.equal(await panel.focused(), 'Deny');
      await panel.find('button[aria-disabled=true]', 'Allow Once').click({ force: true });
      await panel.button('Always Allow...').click();
      await panel.button('Save Rule and Allow').click({ force: true });
      assert.deepEqual(await panel.said(), []);
      await panel.button('Back').click();
      assert.equal(await panel.focused(), 'Deny');
      await readToTheEnd(panel);
      await panel.button('Allow Once').click();
      assert.deepEqual(await panel.heard('approve'), { type: 'approve', key: 'a1', option: 'allow_once', said: {} });
    },
  ],
  [
    'a rule is shown whole, changed, and saved for as long as chosen',
    async (panel, pictures) => {
      await asked(panel, plain);
      await readToTheEnd(panel);
      await panel.button('Always Allow...').click();
      const field = panel.find('.rule textarea');
      assert.equal(await field.inputValue(), 'bash(ls)');
      assert.equal(await panel.find('.rule input:checked').evaluate((input) => input.parentElement?.textContent), 'Always in this workspace');
      await panel.picture(path.join(pictures, 'rule'), [480]);
      await field.press('Enter');
      assert.deepEqual(await panel.said(), []);
      await field.fill(`bash(${'echo long '.repeat(12)})`);
      assert.ok(await field.evaluate((input) => input.scrollHeight <= input.clientHeight), 'all of a longer rule is in sight');
      await field.fill('bash(ls *)');
      await panel.find('.rule label', 'Always, in every workspace').click();
      await panel.button('Save Rule and Allow').click();
      const said = { scope: 'always', rule: 'bash(ls *)' };
      assert.deepEqual(await panel.heard('approve'), { type: 'approve', key: 'a1', option: 'allow_always', said });
    },
  ],
  [
    'a rule for the session is answered by the option made for it; an empty one is none',
    async (panel) => {
      await asked(panel, plain);
      await readToTheEnd(panel);
      await panel.button('Allow in This Session...').click();
      await panel.find('.rule textarea').fill('  ');
      await panel.button('Save Rule and Allow').click({ force: true });
      assert.deepEqual(await panel.said(), []);
      await panel.find('.rule textarea').fill('bash(ls)');
      await panel.button('Save Rule and Allow').click();
      const said = { scope: 'session', rule: 'bash(ls)' };
      assert.deepEqual(await panel.heard('approve'), { type: 'approve', key: 'a1', option: 'allow_session', said });
    },
  ],
  [
    'where no rule may be saved none is offered',
    async (panel) => {
      await asked(panel, { ...plain, rememberScopes: [] });
      assert.equal(await panel.button('Always Allow...').count() + (await panel.button('Allow in This Session...').count()), 0);
    },
  ],
  [
    'Escape goes back from a step, and then says no; a reason goes with the no',
    async (panel) => {
      await asked(panel, plain);
      await panel.button('Deny with Reason...').click();
      await panel.page.keyboard.press('Escape');
      assert.equal(await panel.focused(), 'Deny');
      await panel.button('Deny with Reason...').click();
      await panel.page.keyboard.type('not there');
      await panel.page.keyboard.press('Enter');
      const said = { feedback: 'not there' };
      assert.deepEqual(await panel.heard('approve'), { type: 'approve', key: 'a1', option: 'reject_once', said });
      await panel.page.keyboard.press('Escape');
      await panel.page.keyboard.press('Escape');
      assert.deepEqual(await panel.heard('approve'), { type: 'approve', key: 'a1', option: 'reject_once', said: {} });
    },
  ],
];
