import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isExternal, isFile, placeOf } from '../../../src/chat/links';
import { page } from '../../../src/chat/page';

test('only pages and files can be followed', () => {
  for (const href of ['https://example.org/a?b#c', 'http://localhost:3000']) assert.ok(isExternal(href), href);
  for (const href of ['src/a.rs', '/p/a.rs#L3', 'file:///p/a.rs', 'C:\\p\\a.rs', 'a.rs:10']) assert.ok(isFile(href), href);
  for (const href of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'command:workbench.action.quit',
    'vscode://x',
    'mailto:a@b',
    'file://host/share',
    '//host/x',
    '\\\\host\\x',
    '#top',
    '',
    'https://',
    'ftp://a/b',
  ]) {
    assert.ok(!isExternal(href), `not outside: ${href}`);
    if (!/^ /.test(href)) assert.ok(!isFile(href), `no file: ${href}`);
  }
});

test('a place is a path and a line', () => {
  assert.deepEqual(placeOf('src/a%20b.rs#L10-L20'), { path: 'src/a b.rs', line: 10 });
  assert.deepEqual(placeOf('src/a.rs:7:2'), { path: 'src/a.rs', line: 7 });
  assert.deepEqual(placeOf('file:///p/a.rs'), { path: '/p/a.rs' });
  assert.deepEqual(placeOf('file:///C:/p/a.rs'), { path: 'C:/p/a.rs' });
  assert.deepEqual(placeOf('100%.txt'), { path: '100%.txt' });
});

test('the page lets nothing in but its own script and style', () => {
  const html = page({ source: 'https://x.test', script: 'https://x.test/p.js', style: 'https://x.test/p.css', nonce: 'N', language: 'de' });
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
  assert.equal(
    policy,
    "default-src 'none'; script-src 'nonce-N'; style-src https://x.test; img-src data:; base-uri 'none'; " +
      "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
  assert.ok(!/unsafe|\son\w+=|style="/.test(html));
});
