import assert from 'node:assert/strict';
import test from 'node:test';

import { EventReader } from '../../web/events.js';

const stream = ':\n\nretry: 1000\n\nevent: state\nid: 7\ndata: {"a":1}\n\nevent: change\r\ndata: {"b":\r\ndata: "ü"}\r\n\r\ndata: 3\n\n';
const events = [{ name: 'state', data: ' {"a":1}' }, { name: 'change', data: ' {"b":\n "ü"}' }, { name: 'message', data: ' 3' }];

test('events are read however the stream is divided', () => {
  for (let size = 1; size <= stream.length; size += 1) {
    const reader = new EventReader();
    const read = [];
    for (let at = 0; at < stream.length; at += size) read.push(...reader.read(stream.slice(at, at + size)));
    assert.deepEqual(read, events, `in pieces of ${size}`);
  }
});

test('an event without its end is kept for later', () => {
  const reader = new EventReader();
  assert.deepEqual(reader.read('data: 1\n'), []);
  assert.deepEqual(reader.read('\n'), [{ name: 'message', data: ' 1' }]);
});
