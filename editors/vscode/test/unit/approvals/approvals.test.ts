import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvalCard, permissionAnswer, questionAnswer, questionCard } from '../../../src/approvals/cards';
import { quoted } from '../../../src/approvals/facts';
import { lastingOption, ruleOf } from '../../../src/approvals/rule';
import { visible } from '../../../src/approvals/visible';
import { Waiting } from '../../../src/approvals/waiting';
import { Signal } from '../../../src/signal';
import type { CreateElicitationRequest, PermissionAnswer, RequestPermissionRequest } from '../../../src/wire';

const request: RequestPermissionRequest = {
  sessionId: 's1',
  toolCall: {
    toolCallId: 'c1',
    title: 'Run a command',
    name: 'bash',
    status: 'pending',
    content: [{ type: 'content', content: { type: 'text', text: '```\nls\n```' } }],
    _meta: {
      assent: {
        id: 'ap-1',
        subject: 'ls && git status',
        reads: 'workspace',
        writes: 'none',
        exec: 'untrusted',
        rule: 'bash asks by default',
        remember: 'ls',
        warnings: ['It runs code of this project.'],
        agentPath: ['main', 'search'],
        unsaved: ['file:///p/a.rs'],
        directory: '/p',
      },
    },
  },
  options: [
    { optionId: 'allow_once', name: 'Allow once', kind: 'allow_once' },
    { optionId: 'allow_always', name: 'Always allow `ls`', kind: 'allow_always' },
    { optionId: 'reject_once', name: 'Reject', kind: 'reject_once' },
  ],
};

function token() {
  const cancelled = new Signal<void>();
  return { isCancellationRequested: false, onCancellationRequested: cancelled.on, cancel: () => cancelled.fire() };
}

const permissions = () => {
  let count = 0;
  return new Waiting<RequestPermissionRequest, PermissionAnswer>('a', permissionAnswer(undefined), () => (count += 1));
};

test('a card has every field of the request, whole', () => {
  assert.deepEqual(approvalCard({ key: 'a1', order: 1, request }), {
    kind: 'approval',
    key: 'a1',
    sessionId: 's1',
    title: 'Run a command',
    prompt: '',
    tool: { name: 'bash', kind: '', source: '', overrides: '' },
    subject: 'ls && git status',
    commands: [],
    directory: { path: '/p' },
    env: [],
    files: [],
    arguments: '',
    network: '',
    reasons: [{ what: 'bash asks by default' }],
    effects: { reads: 'workspace', writes: 'none', exec: 'untrusted' },
    warnings: ['It runs code of this project.'],
    unsaved: ['file:///p/a.rs'],
    agents: ['main', 'search'],
    remember: { text: 'ls', scopes: ['workspace'], editable: false },
    details: '',
    diffs: [],
    choices: [
      { id: 'allow_once', name: 'Allow once', kind: 'allow_once' },
      { id: 'allow_always', name: 'Always allow `ls`', kind: 'allow_always' },
      { id: 'reject_once', name: 'Reject', kind: 'reject_once' },
    ],
    id: 'ap-1',
    digest: '',
  });
});

test('what cannot be seen is written out in every field', () => {
  const hidden = 'a\u202Eb';
  const meta = {
    prompt: hidden,
    subject: hidden,
    tool: { name: hidden, kind: hidden, source: hidden, overrides: hidden },
    command: { parsed: [{ argv: [hidden], program: hidden, marks: [hidden] }] },
    cwd: { path: hidden, inside: true },
    env: [{ name: hidden, value: hidden }],
    files: [{ path: hidden, target: hidden, operation: 'edit', protected: hidden }],
    arguments: hidden,
    network: hidden,
    sandbox: { name: 'landlock', network: false, writable: [hidden], words: hidden },
    reasons: [{ what: hidden, source: hidden }],
    remember: hidden,
    rememberScopes: ['session'],
  };
  const card = approvalCard({ key: 'a1', order: 1, request: { ...request, toolCall: { ...request.toolCall, _meta: { assent: meta } } } });
  assert.ok(!JSON.stringify(card).includes('\u202E'));
  assert.equal(card.remember?.editable, false);
});

test('a rule may be kept as long as the server says, and edited where it says so at all', () => {
  const { options } = request;
  const offered = { text: 'bash(ls)', scopes: ['session', 'always'], editable: true };
  assert.deepEqual(ruleOf({ remember: 'bash(ls)', rememberScopes: ['always', 'session'] }, options), offered);
  assert.equal(ruleOf({ remember: 'bash(ls)', rememberScopes: [] }, options), undefined);
  assert.equal(ruleOf({ remember: null, rememberScopes: ['session'] }, options), undefined);
  assert.equal(ruleOf({ remember: 'bash(ls)', rememberScopes: ['session'] }, []), undefined);
});

test('a rule is saved by the option that is made for its scope', () => {
  const both = [{ id: 'allow_session', kind: 'allow_always' }, { id: 'allow_always', kind: 'allow_always' }, { id: 'allow_once', kind: 'allow_once' }];
  assert.equal(lastingOption(both, 'session'), 'allow_session');
  assert.equal(lastingOption(both, 'workspace'), 'allow_always');
  assert.equal(lastingOption(both, 'always'), 'allow_always');
  assert.equal(lastingOption([{ id: 'other', kind: 'allow_always' }], 'session'), 'other');
  assert.equal(lastingOption([], 'session'), undefined);
});

test('a word of a command is shown as one word', () => {
  assert.equal(quoted('--flag=a/b'), '--flag=a/b');
  assert.equal(quoted('two words'), "'two words'");
  assert.equal(quoted("it's"), "'it'\\''s'");
  assert.equal(quoted(''), "''");
});

test('without fields the details of the request are shown, and nothing of a long subject is lost', () => {
  const bare = { ...request, toolCall: { ...request.toolCall, _meta: null } };
  assert.equal(approvalCard({ key: 'a1', order: 1, request: bare }).details, '```\nls\n```');
  const subject = 'x'.repeat(100_000);
  const long = { ...request, toolCall: { ...request.toolCall, _meta: { assent: { subject } } } };
  assert.equal(approvalCard({ key: 'a1', order: 1, request: long }).subject, subject);
});

test('what a reader could not see is written out', () => {
  assert.equal(visible('rm \u202Egnp.exe'), 'rm ‹U+202E›gnp.exe');
  assert.equal(visible('a\u200Bb\u0007c\rd'), 'a‹U+200B›b‹U+0007›c‹U+000D›d');
  assert.equal(visible('a\u{E0041}b'), 'a‹U+E0041›b');
  assert.equal(visible('über\n\tnaïve 日本 🎉'), 'über\n\tnaïve 日本 🎉');
});

test('an approval is answered once, from wherever first, and then gone', async () => {
  const open = permissions();
  let changes = 0;
  open.changed.on(() => (changes += 1));
  const answer = open.ask(request, token());
  const [first] = open.open;
  assert.ok(first);
  assert.equal(open.answer(first.key, permissionAnswer('allow_once')), true);
  assert.equal(open.answer(first.key, permissionAnswer('reject_once')), false);
  assert.deepEqual(await answer, { outcome: { outcome: 'selected', optionId: 'allow_once' } });
  assert.deepEqual(open.open, []);
  assert.equal(changes, 2);
});

test('one that is taken back vanishes, and counts as no', async () => {
  const open = permissions();
  const taken = token();
  const answer = open.ask(request, taken);
  taken.cancel();
  assert.deepEqual(await answer, { outcome: { outcome: 'cancelled' } });
  assert.equal(open.open.length, 0);
  assert.deepEqual(await open.ask(request, { ...token(), isCancellationRequested: true }), { outcome: { outcome: 'cancelled' } });
});

test('when the server goes all are gone', async () => {
  const open = permissions();
  const answers = [open.ask(request, token()), open.ask(request, token())];
  assert.deepEqual(
    open.open.map(({ key }) => key),
    ['a1', 'a2'],
  );
  open.clear();
  assert.equal(open.open.length, 0);
  for (const answer of answers) assert.deepEqual(await answer, { outcome: { outcome: 'cancelled' } });
});

test('a no may have a reason, and end the turn', () => {
  assert.deepEqual(permissionAnswer('reject_once', { feedback: 'not there', stop: true }), {
    outcome: { outcome: 'selected', optionId: 'reject_once' },
    _meta: { assent: { feedback: 'not there', stop: true } },
  });
  assert.deepEqual(permissionAnswer('reject_once'), { outcome: { outcome: 'selected', optionId: 'reject_once' } });
});

const form = (properties: object): CreateElicitationRequest =>
  ({ mode: 'form', sessionId: 's1', message: 'Which one?', requestedSchema: { type: 'object', properties } }) as CreateElicitationRequest;

test('a question is a form of the fields that can be shown', () => {
  const one = [{ const: 'a', title: 'A', description: 'first' }, { const: 'b', title: 'B' }];
  const fields = questionCard({
    key: 'q1',
    order: 1,
    request: form({
      answer: { type: 'string', oneOf: one },
      many: { type: 'array', items: { anyOf: one } },
      other: { type: 'string', title: 'Something else' },
    }),
  })?.fields;
  const options = [{ value: 'a', title: 'A', description: 'first' }, { value: 'b', title: 'B' }];
  assert.deepEqual(fields, [
    { name: 'answer', title: '', required: false, input: 'one', options },
    { name: 'many', title: '', required: false, input: 'many', options },
    { name: 'other', title: 'Something else', required: false, input: 'text', options: [] },
  ]);
  assert.equal(questionCard({ key: 'q1', order: 1, request: form({ age: { type: 'integer' } }) }), undefined);
  assert.deepEqual(questionAnswer({ answer: 'a' }), { action: 'accept', content: { answer: 'a' } });
  assert.deepEqual(questionAnswer(undefined), { action: 'cancel' });
});
