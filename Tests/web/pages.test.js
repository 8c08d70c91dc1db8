import assert from 'node:assert/strict';
import test from 'node:test';

import { pass, settle } from './support/browser.js';

const { Pages } = await import('../../web/pages.js');

/** A list of `total` items on a server, in a revision. `isTotalKnown` is false for servers that do not tell it. */
function server(total, { isTotalKnown = true } = {}) {
  const served = { total, revision: 1, asked: [], fails: false, held: null };
  served.load = async (offset, count) => {
    served.asked.push(offset);
    if (served.fails) throw new Error('failed');
    const { revision } = served;
    const items = Array.from({ length: Math.max(0, Math.min(count, served.total - offset)) }, (_, index) => `${revision}.${offset + index}`);
    if (served.held) await served.held;
    return { items, total: isTotalKnown ? served.total : undefined, revision };
  };
  return served;
}

test('only the pages in view are loaded, each once', async () => {
  const served = server(1000);
  const pages = new Pages(served.load, 100);
  pages.want(0, 20);
  pages.want(0, 20);
  await settle();
  assert.deepEqual([served.asked, pages.total, pages.items[20]], [[0], 1000, '1.20']);
  pages.want(395, 420);
  await settle();
  assert.deepEqual(served.asked, [0, 300, 400]);
  pages.want(395, 420);
  pages.want(990, 2000);
  await settle();
  assert.deepEqual(served.asked, [0, 300, 400, 900]);
});

test('items of another revision are dropped', async () => {
  const served = server(300);
  const pages = new Pages(served.load, 100);
  pages.want(0, 250);
  await settle();
  served.revision = 2;
  pages.refresh();
  assert.equal(pages.items[250], '1.250', 'they stay until the new ones are there');
  pages.want(0, 20);
  await settle();
  assert.deepEqual([pages.items[20], pages.items[250]], ['2.20', undefined]);
});

test('an answer from before a refresh is ignored', async () => {
  const served = server(10);
  const pages = new Pages(served.load, 100);
  let release;
  served.held = new Promise((resolve) => { release = resolve; });
  pages.want(0, 9);
  served.held = null;
  served.revision = 2;
  pages.refresh();
  pages.want(0, 9);
  await settle();
  release();
  await settle();
  assert.equal(pages.items[0], '2.0');
});

test('a failed page is requested again after a while', async () => {
  const served = server(10);
  const pages = new Pages(served.load, 100);
  let changes = 0;
  pages.addEventListener('change', () => { changes += 1; });
  served.fails = true;
  pages.want(0, 9);
  await settle();
  assert.deepEqual([pages.error?.message, changes], ['failed', 1]);
  pages.want(0, 9);
  await settle();
  assert.equal(served.asked.length, 1);
  served.fails = false;
  await pass(5000);
  assert.equal(changes, 2);
  pages.want(0, 9);
  await settle();
  assert.deepEqual([pages.error, pages.items.length], [null, 10]);
});

test('a refresh that failed is repeated', async () => {
  const served = server(10);
  const pages = new Pages(served.load, 100);
  pages.want(0, 9);
  await settle();
  served.revision = 2;
  served.fails = true;
  pages.refresh();
  pages.want(0, 9);
  await settle();
  served.fails = false;
  await pass(5000);
  pages.want(0, 9);
  await settle();
  assert.equal(pages.items[0], '2.0');
});

test('a list of unknown length ends with a short page', async () => {
  const served = server(150, { isTotalKnown: false });
  const pages = new Pages(served.load, 100);
  pages.want(0, 20);
  await settle();
  assert.equal(pages.total, 101, 'there may be more');
  pages.want(90, 100);
  await settle();
  assert.equal(pages.total, 150);
});

test('an item is moved and removed at once', async () => {
  const pages = new Pages(server(4).load);
  pages.want(0, 3);
  await settle();
  pages.move(0, 2);
  assert.deepEqual(pages.items, ['1.1', '1.2', '1.0', '1.3']);
  pages.removeAt(1);
  assert.deepEqual([pages.items, pages.total], [['1.1', '1.0', '1.3'], 3]);
});

test('a list has its length before its first items', async () => {
  const pages = new Pages(server(4).load);
  pages.expect(16_000);
  assert.equal(pages.total, 16_000);
  pages.want(0, 3);
  await settle();
  pages.expect(16_000);
  assert.equal(pages.total, 4);
});
