import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';

import { openPage, settle } from './support/browser.js';
import { History } from './support/history.js';

let history;
let trail;
let scroller;
let shown;

/** What scrolls: a view is high enough for any place. */
class Scroller extends EventTarget {
  scrollTop = 0;
  firstElementChild = null;
  scroll(top) {
    this.scrollTop = top;
    this.dispatchEvent(new Event('scroll'));
  }
}

async function start(hash) {
  history = new History(hash);
  ({ trail } = await import(`../../web/trail.js?${Math.random()}`));
  shown = [];
  scroller = new Scroller();
  trail.start(scroller, () => {
    shown.push(history.hash);
    return { name: history.hash.split('/')[1], view: {} };
  });
}

beforeEach(() => {
  openPage();
  sessionStorage.removeItem('places');
  globalThis.ResizeObserver = class { observe() {} disconnect() {} };
});

/** Opens something above the view. */
function cover() {
  const layer = { isOpen: true };
  const uncover = trail.cover(() => {
    layer.isOpen = false;
    uncover();
  });
  layer.close = () => {
    layer.isOpen = false;
    uncover();
  };
  return layer;
}

test('Back shows the view before, where it was left', async () => {
  await start('#/now');
  history.visit('#/queue');
  scroller.scroll(300);
  history.visit('#/radio');
  await settle();
  assert.deepEqual([shown, scroller.scrollTop], [['#/now', '#/queue', '#/radio'], 0]);
  await history.press(-1);
  assert.deepEqual([shown.at(-1), scroller.scrollTop], ['#/queue', 300]);
  await history.press(1);
  assert.deepEqual([shown.at(-1), scroller.scrollTop], ['#/radio', 0]);
});

test('a tab leads to where its view was left, and then to its first page', async () => {
  await start('#/library');
  history.visit('#/library/server/7');
  history.visit('#/now');
  await settle();
  assert.equal(trail.address('library'), '#/library/server/7');
  history.visit('#/library/server/7');
  await settle();
  assert.equal(trail.address('library'), '#/library');
});

for (const hash of ['#/now', '#/queue']) {
  test(`Back closes what is open, and the page stays at ${hash}`, async () => {
    await start('#/now');
    if (hash !== '#/now') history.visit(hash);
    await settle();
    const [below, above] = [cover(), cover()];
    await history.press(-1);
    assert.deepEqual([below.isOpen, above.isOpen, history.hash, history.index], [true, false, hash, 1]);
    await history.press(-1);
    assert.deepEqual([below.isOpen, history.hash, history.index], [false, hash, 1]);
    await history.press(-1);
    if (hash === '#/now') assert.ok(history.isLeft);
    else assert.equal(history.hash, '#/now');
  });
}

test('something that was closed otherwise is not closed again', async () => {
  await start('#/now');
  history.visit('#/queue');
  await settle();
  cover().close();
  await history.press(-1);
  assert.deepEqual([history.hash, shown.at(-1)], ['#/now', '#/now']);
});

test('a link closes what is open', async () => {
  await start('#/now');
  const layer = cover();
  history.visit('#/radio');
  await settle();
  assert.deepEqual([layer.isOpen, shown.at(-1)], [false, '#/radio']);
});
