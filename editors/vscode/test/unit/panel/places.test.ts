import assert from 'node:assert/strict';
import { test } from 'node:test';
import { places } from '../../../panel/places';

const found = (text: string) => places(text).flatMap((part) => (typeof part === 'string' ? [] : [part.place]));
const whole = (text: string) => places(text).map((part) => (typeof part === 'string' ? part : part.place)).join('');

test('a file with a line is a place, wherever it stands in a text', () => {
  assert.deepEqual(found('See src/lib.rs:12, then (a/b-c.test.ts:3:7) and x.py:1-9.'), ['src/lib.rs:12', 'a/b-c.test.ts:3:7', 'x.py:1-9']);
  assert.deepEqual(found('/abs/a.go:5 ./b.c:6 ../d.h:7 C:\\w\\e.cs:8'), ['/abs/a.go:5', './b.c:6', '../d.h:7', 'C:\\w\\e.cs:8']);
  assert.deepEqual(found('app/[id]/(group)/page.tsx:4'), ['app/[id]/(group)/page.tsx:4']);
});

test('an address, a time and a version are no places', () => {
  for (const text of ['https://a.test/b.html:80', 'example.com:8080', '127.0.0.1:80', 'at 12:30', 'v1.2:3', 'a::b', 'host.internal:5', 'x.rs:0', 'a.rs:12:34:56']) {
    assert.deepEqual(found(text), [], text);
  }
});

test('no letter of a text is lost, and a long one is read at once', () => {
  for (const text of ['', 'a.rs:1', 'b a.rs:1 c', 'a.rs:1b.rs:2', `${'a/'.repeat(20_000)}b.rs:1`, 'a.'.repeat(20_000)]) {
    assert.equal(whole(text), text);
  }
});
