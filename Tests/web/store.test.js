import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';

import { errors, EventStream, openPage, page, pass, settle, Speaker, window } from './support/browser.js';

/** A store of its own for each test. */
let store;
let speaker;
let streams;

beforeEach(async () => {
  openPage();
  streams = [];
  ({ store } = await import(`../../web/store.js?${Math.random()}`));
  speaker = new Speaker((request) => {
    const stream = new EventStream(request);
    streams.push(stream);
    return stream.response;
  });
});

const latest = () => streams.at(-1);

async function open(state = {}) {
  store.start();
  await settle();
  latest().send('state', state);
  await settle();
}

test('the first event opens the connection, and changes are merged by section', async () => {
  store.start();
  await settle();
  assert.deepEqual([store.connection, store.state, speaker.paths], ['connecting', null, ['/api/events']]);
  latest().write(':\n\nretry: 1000\n\n');
  await settle();
  assert.equal(store.connection, 'connecting');
  latest().send('state', { volume: { level: 10 }, playing: { title: 'One' } });
  await settle();
  assert.equal(store.connection, 'open');
  latest().send('change', { volume: { level: 20 } });
  await settle();
  assert.deepEqual(store.state, { volume: { level: 20 }, playing: { title: 'One' } });
});

test('watchers are called for their sections only, until they end', async () => {
  await open({ volume: 1 });
  const calls = [];
  const end = store.watch(['volume'], ({ volume }) => calls.push(volume));
  store.watch(['volume'], ({ volume }) => { if (volume > 1) throw new Error('a view is broken'); });
  store.watch(['volume'], ({ volume }) => calls.push(-volume));
  latest().send('change', { playing: {} });
  latest().send('change', { volume: 2 });
  await settle();
  assert.deepEqual(calls, [1, -1, 2, -2]);
  assert.equal(errors.length, 1, 'it does not stop the others');
  end();
  latest().send('change', { volume: 3 });
  await settle();
  assert.deepEqual(calls.slice(4), [-3]);
});

test('an event that cannot be read does not end the stream', async () => {
  await open({ volume: 1 });
  latest().write('event: change\ndata: {\n\n');
  latest().send('change', { volume: 2 });
  await settle();
  assert.deepEqual([store.state.volume, errors.length, store.connection], [2, 1, 'open']);
});

test('silence loses the connection, and the store reconnects', async () => {
  await open({ position: { seconds: 10, advancing: true } });
  await pass(4000);
  assert.equal(store.position, 14);
  latest().write(':\n\n');
  await pass(4999);
  assert.equal(store.connection, 'open');
  await pass(1);
  assert.equal(store.connection, 'lost');
  await pass(3000);
  assert.equal(store.position, 19, 'a position that nobody knows does not advance');
  assert.equal(streams.length, 2);
  latest().send('state', { position: { seconds: 90, advancing: true } });
  await settle();
  assert.deepEqual([store.connection, store.position], ['open', 90]);
});

test('an ended or refused stream is opened again, ever more rarely', async () => {
  let refused = 0;
  store.onRefused = (status) => { refused = status; };
  await open();
  const times = [];
  speaker.answer = () => {
    times.push(performance.now());
    return new Response('', { status: 503 });
  };
  const start = performance.now();
  latest().end();
  await pass(20_000);
  assert.deepEqual(times.map((time) => time - start), [300, 1000, 2500, 5500, 10_500, 15_500]);
  assert.deepEqual([store.connection, refused], ['lost', 503]);
});

test('a speaker whose first byte takes longer than the longest silence is reached in the end', async () => {
  speaker.answer = (request) => new Promise((resolve) => {
    const stream = new EventStream(request);
    stream.send('state', {});
    setTimeout(() => resolve(stream.response), 8000);
  });
  store.start();
  await pass(5000);
  assert.equal(store.connection, 'lost');
  await pass(9000);
  assert.equal(store.connection, 'open');
});

test('a hidden page closes its stream, and a shown one opens it', async () => {
  await open();
  page.hidden = true;
  page.dispatch('visibilitychange');
  await pass(60_000);
  assert.deepEqual([streams.length, latest().isAborted, store.connection], [1, true, 'open']);
  page.hidden = false;
  page.dispatch('visibilitychange');
  await settle();
  assert.equal(streams.length, 2);
});

test('a page that leaves closes its stream, and one that comes back opens it', async () => {
  await open();
  window.dispatch('pagehide');
  await settle();
  assert.ok(latest().isAborted);
  window.dispatch('pageshow', { persisted: true });
  await settle();
  assert.equal(streams.length, 2);
});

test('lists are requested while a view shows them', async () => {
  await open();
  const [one, two] = [store.show('servers'), store.show('speakers')];
  await settle();
  const again = store.show('servers');
  await settle();
  one();
  await settle();
  two();
  await settle();
  again();
  store.show('servers');
  await settle();
  assert.deepEqual(speaker.paths, ['/api/events', '/api/events?show=servers,speakers', '/api/events?show=servers']);
});

test('an empty list is known only after the search', async () => {
  store.show('servers');
  await open();
  latest().send('servers', { servers: [] });
  await settle();
  let calls = 0;
  store.watch(['servers'], () => { calls += 1; });
  assert.equal(store.listed('servers'), null);
  await pass(4000);
  latest().write(':\n\n');
  await pass(1100);
  assert.deepEqual([store.listed('servers'), calls], [[], 2]);
  latest().send('servers', { servers: [{ id: 'a' }] });
  await settle();
  assert.deepEqual(store.listed('servers'), [{ id: 'a' }]);
});

test('other events go to their receiver, and a changed path is used at once', async () => {
  const received = [];
  store.onEvent = (name, value) => received.push([name, value]);
  await open();
  latest().send('launch', { url: '/x' });
  await settle();
  assert.deepEqual(received, [['launch', { url: '/x' }]]);
  Object.assign(store, { path: '/api/companion/events', headers: { Authorization: 'Bearer t' } });
  store.reconnect();
  await settle();
  assert.deepEqual([speaker.paths.at(-1), speaker.requests.at(-1).headers.Authorization], ['/api/companion/events', 'Bearer t']);
});
