import assert from 'node:assert/strict';
import test from 'node:test';

import { json, Speaker } from './support/browser.js';

const { matching, QueueItems } = await import('../../web/queue-search.js');

test('each word is in the title, the artist or the album', () => {
  const items = [{ title: 'Jóga', artist: 'Björk', album: 'Homogenic' }, { title: 'Army of Me', artist: 'Björk' }, { title: 'Untitled' }];
  for (const [words, titles] of [['bjork', ['Jóga', 'Army of Me']], ['BJÖRK joga', ['Jóga']], ['homo army', []], [' ', ['Jóga', 'Army of Me', 'Untitled']]]) {
    assert.deepEqual(matching(items, words).map(({ title }) => title), titles, words);
  }
});

test('the queue is read in parts, once for each revision', async () => {
  const all = Array.from({ length: 1100 }, (_, index) => ({ id: index }));
  const speaker = new Speaker(({ path }) => {
    const offset = Number(new URL(path, 'http://192.0.2.1').searchParams.get('offset'));
    return json({ items: all.slice(offset, offset + 500), count: all.length });
  });
  const items = new QueueItems();
  assert.equal((await items.read('1')).length, 1100);
  await items.read('1');
  assert.equal(speaker.requests.length, 3);
  await items.read('2');
  assert.equal(speaker.requests.length, 6);
});
