import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';

import { json, openPage, Speaker } from './support/browser.js';

const { setToken } = await import('../../web/api.js');
const { isGuest, isReadOnly, mayControl, seekBy, toggleMute } = await import('../../web/controls.js');
const { isAlbum, path } = await import('../../web/library-rows.js');
const { isUrl } = await import('../../web/pin-places.js');
const { store } = await import('../../web/store.js');
const { undoOf } = await import('../../web/ui.js');

let speaker;

beforeEach(() => {
  openPage();
  setToken(null);
  speaker = new Speaker(() => json({}));
});

test('guests and readers may not control', () => {
  for (const [access, token, expected] of [
    [undefined, null, [false, false, true]],
    [{ lock: true }, null, [true, false, false]],
    [{ lock: true }, 't', [false, false, true]],
    [{ read_only: true }, 't', [false, true, false]],
    [{ read_only: true, lock: true }, null, [false, true, false]],
  ]) {
    store.state = { access };
    setToken(token);
    assert.deepEqual([isGuest(), isReadOnly(), mayControl()], expected, JSON.stringify(access));
  }
});

test('seeking stays within the track, and adds up until the speaker confirms it', async () => {
  const position = { seconds: 95, duration: 100 };
  for (const [can, by, seconds] of [[true, -10, 85], [true, 10, 95], [true, 10, 100], [true, -200, 0], [false, 10, null]]) {
    store.state = { playing: { can: { seek: can } }, position };
    await seekBy(by);
    assert.equal(speaker.requests.pop()?.body.seconds ?? null, seconds);
  }
  store.state = { playing: { can: { seek: true } }, position: { seconds: 5 } };
  await seekBy(10);
  assert.deepEqual(speaker.requests, [], 'a station has no duration');
});

test('mute shows at once', async () => {
  store.state = { volume: { level: 10, muted: false } };
  const done = toggleMute();
  assert.equal(store.state.volume.muted, true);
  await done;
  assert.deepEqual(speaker.requests[0].body, { muted: true });
});

test('an address of the library keeps any id', () => {
  const ids = ['uuid:1/2', 'a#b?c%', 'Ä ö'];
  const parts = path(...ids).split('/').slice(2).map(decodeURIComponent);
  assert.deepEqual(parts, ids);
  assert.equal(path('s'), '#/library/s');
});

test('albums and playlists are shown as albums', () => {
  const classes = ['object.container.album.musicAlbum', 'object.container.playlistContainer', 'object.container', undefined];
  assert.deepEqual(classes.map((name) => isAlbum({ class: name })), [true, true, false, false]);
});

test('only addresses of the web are accepted', () => {
  for (const [text, isRight] of [
    ['http://x', true], ['HTTPS://x/y', true], ['http://', false], ['http:// x', false], ['ftp://x', false], ['x', false], ['javascript:x', false],
  ]) assert.equal(isUrl(text) === null, isRight, text);
});

test('an undo sends its token', async () => {
  assert.equal(undoOf(undefined), undefined);
  await undoOf('u1').action();
  assert.deepEqual([speaker.paths, speaker.requests[0].body], [['/api/queue/undo'], { undo: 'u1' }]);
});
