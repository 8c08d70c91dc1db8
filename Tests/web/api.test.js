import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';

import { json, openPage, pass, settle, Speaker } from './support/browser.js';

const api = await import('../../web/api.js');

let speaker;
let answer;

beforeEach(() => {
  openPage();
  api.setToken(null);
  api.setSilent(false);
  answer = () => json({});
  speaker = new Speaker((request) => answer(request));
});

/** What a request throws. */
const problem = (request) => request.then(() => assert.fail('it succeeded'), (error) => error);

test('a query leaves out absent values', () => {
  assert.equal(api.query('/api/x', { q: 'a b&c', offset: 0, kind: null, more: undefined }), '/api/x?q=a+b%26c&offset=0');
});

test('a command sends JSON, and returns the answer', async () => {
  answer = () => json({ added: 2 });
  assert.deepEqual(await api.post('/api/queue/add', { items: [1] }), { added: 2 });
  const { method, headers, body } = speaker.requests[0];
  assert.deepEqual([method, headers['Content-Type'], headers.Authorization, body], ['POST', 'application/json', undefined, { items: [1] }]);
});

test('an error has status, type, text and time', async () => {
  answer = () => json({ type: '/problems/too-many', title: 'Too many', detail: 'Wait.' }, 429, { 'Retry-After': '7' });
  const error = await problem(api.get('/api/x'));
  assert.ok(error instanceof api.Problem);
  assert.deepEqual([error.status, error.message, error.retryAfter, error.isLocked], [429, 'Wait.', 7, false]);
});

test('no answer is an error of its own', async () => {
  answer = () => { throw new TypeError('network'); };
  assert.equal((await problem(api.get('/api/x'))).status, 0);
});

test('a token is sent until the speaker has forgotten it', async () => {
  api.setToken('t');
  await api.post('/api/play');
  assert.equal(speaker.requests[0].headers.Authorization, 'Bearer t');
  answer = () => json({ type: '/problems/locked' }, 403);
  assert.ok((await problem(api.post('/api/play'))).isLocked);
  assert.deepEqual([api.hasToken(), localStorage.getItem('swiftlet.token')], [false, null]);
});

test('a token that another page has entered is kept', async () => {
  api.setToken('old');
  answer = () => {
    api.setToken('new');
    return json({ owner: false });
  };
  await api.checkToken();
  assert.deepEqual(api.authorization(), { Authorization: 'Bearer new' });
  answer = () => json({ owner: false });
  await api.checkToken();
  assert.equal(api.hasToken(), false);
});

test('while the speaker is silent, commands fail at once, and waiting ones end', async () => {
  answer = () => new Promise(() => {});
  const waiting = problem(api.post('/api/play'));
  await settle();
  api.setSilent(true);
  assert.equal((await waiting).status, 0);
  assert.equal((await problem(api.post('/api/pause'))).status, 0);
  assert.deepEqual(speaker.paths, ['/api/play']);
  api.setSilent(false);
  answer = () => json({});
  assert.deepEqual(await api.post('/api/play'), {});
});

test('of many values, the latest is sent when the one before has been answered', async () => {
  const sent = [];
  let release = [];
  const latest = new api.Latest((value) => new Promise((resolve) => {
    sent.push(value);
    release.push(resolve);
  }));
  for (const value of [1, 2, 3]) latest.set(value);
  assert.deepEqual(sent, [1]);
  release[0]();
  await settle();
  assert.deepEqual(sent, [1, 3]);
  release[1]();
  await settle();
  latest.set(4);
  assert.deepEqual(sent, [1, 3, 4]);
});

test('after a value that could not be sent, others are', async () => {
  const sent = [];
  const latest = new api.Latest(async (value) => {
    sent.push(value);
    if (value === 1) throw new Error('refused');
  });
  await latest.set(1).catch(() => {});
  await latest.set(2);
  assert.deepEqual(sent, [1, 2]);
  await pass(0);
});
