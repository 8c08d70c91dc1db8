import assert from 'node:assert/strict';
import test from 'node:test';

import { albumsOf, isMusic, lists, merged, named, once, plan } from '../../web/library-plan.js';

const containers = (entries) => Object.entries(entries).map(([id, title]) => ({ kind: 'container', class: 'object.container', id, title }));

/** What servers list in their root and in their container of music, as they were read, and where their lists are. */
const servers = {
  'minidlna 1.3': {
    root: { 64: 'Browse Folders', 1: 'Music', 3: 'Pictures', 2: 'Video' },
    music: { '1$7': 'Album', '1$4': 'All Music', '1$6': 'Artist', '1$14': 'Folders', '1$5': 'Genre', '1$F': 'Playlists', '1$FF0': 'Recently Added' },
    ask: '1', found: { albums: '1$7', artists: '1$6', genres: '1$5', playlists: '1$F', recent: '1$FF0' },
  },
  'minidlna with root_container=M': {
    root: { 7: 'Album', 4: 'All Music', 6: 'Artist', 14: 'Folders', 5: 'Genre', F: 'Playlists' },
    found: { albums: '7', artists: '6', genres: '5', playlists: 'F' },
  },
  'gerbera 1.1': {
    root: { 16: 'Audio', 8: 'Photos' },
    music: { 25: 'Albums', 34: 'All - full name', 17: 'All Audio', 19: 'Artists', 28: 'Genres', 31: 'Year' },
    ask: '16', found: { albums: '25', artists: '19', genres: '28' },
  },
  'rygel 0.42': {
    root: {
      Filesystem: 'Files & Folders', 'virtual-parent:object.item.audioItem.musicTrack': 'Musique',
      'virtual-parent:object.item.imageItem.photo': 'Images', 'virtual-parent:object.item.playlistItem': 'Listes',
    },
    music: { 'virtual-container:e1': 'Album', 'virtual-container:d6': 'Tout', 'virtual-container:03': 'Artiste', 'virtual-container:70': 'Genre', 'virtual-container:1a': 'Année' },
    ask: 'virtual-parent:object.item.audioItem.musicTrack',
    found: { albums: 'virtual-container:e1', artists: 'virtual-container:03', genres: 'virtual-container:70', playlists: 'virtual-parent:object.item.playlistItem' },
  },
  'a library of this program': {
    root: { albums: 'Alben', artists: 'Künstler', albumArtists: 'Albumkünstler', genres: 'Genres', recentlyAdded: 'Neu', playlists: 'Listen', folders: 'Ordner' },
    found: { albums: 'albums', artists: 'artists', genres: 'genres', playlists: 'playlists', recent: 'recentlyAdded' },
  },
  'folders only': { root: { 1: 'Disk', 2: 'Stick' }, found: {} },
};

for (const [name, { root, music, ask = null, found }] of Object.entries(servers)) {
  test(`the lists of ${name} are found`, () => {
    const first = plan(containers(root), null, false);
    assert.equal(first.ask, ask);
    const last = ask ? plan(containers(root), containers(music), false) : first;
    assert.equal(last.ask, null);
    assert.deepEqual(Object.fromEntries(Object.entries(last.found).map(([list, { container }]) => [list, container])), found);
    assert.ok(Object.keys(last.found).every((list) => lists.includes(list)));
  });
}

test('a server without such containers is searched for albums and artists', () => {
  assert.deepEqual(plan(containers({ 1: 'Disk' }), null, true), { found: { albums: { kind: 'album' }, artists: { kind: 'artist' } }, ask: null });
});

test('pictures and videos are no music', () => {
  const items = [...containers({ 1: 'Music', 2: 'Video', 3: 'Bilder', 4: 'Video Games Live' }), { kind: 'track', class: 'object.item.imageItem.photo', id: '5', title: 'Music' }];
  assert.deepEqual(items.filter(isMusic).map(({ id }) => id), ['1', '4']);
});

test('an album that several servers have is listed once', () => {
  const album = (title, artist, server) => ({ title, artist, server });
  assert.deepEqual(merged([
    [album('Études', 'Chopin', 'a'), album('Best of 10', 'X', 'a')],
    [album('etudes', 'CHOPIN', 'b'), album('Best of 9', 'X', 'b'), album('Études', 'Debussy', 'b')],
  ]).map(({ title, server }) => [title, server]), [['Best of 9', 'b'], ['Best of 10', 'a'], ['Études', 'a'], ['Études', 'b']]);
});

test('new albums of several servers keep their order, and the sharp picture is shown', () => {
  const [small, large] = [{ title: 'Enigma', art: '/small', small: true }, { title: 'Enigma', art: '/large' }];
  assert.deepEqual(once([small, { title: 'Aria' }, large]), [large, { title: 'Aria' }]);
  assert.deepEqual(once([large, small]), [large]);
});

test('of the same album, the one with a picture is listed', () => {
  const [plain, pictured] = [{ title: 'Enigma', server: 'a' }, { title: 'Enigma', artist: 'Edward Elgar', art: '/art', server: 'b' }];
  assert.deepEqual(merged([[plain], [pictured]]), [pictured]);
  assert.deepEqual(merged([[pictured], [plain]]), [pictured]);
});

test('recent tracks are shown as their albums', () => {
  const track = (id, album, artist) => ({ kind: 'track', id, title: id, album, artist });
  const items = [track('1', 'A', 'X'), track('2', 'A', 'Y'), track('3', 'Best', 'X'), track('4', 'B', 'X'), track('5', 'Best', 'Y'), track('6', 'A', 'X'), track('7')];
  assert.deepEqual(albumsOf(items).map(({ title, artist }) => [title, artist]), [['A', 'X'], ['Best', 'X'], ['B', 'X'], ['Best', 'Y']]);
});

test('an album is found by its title and its artist', () => {
  const all = [['Best', 'X'], ['Best', 'Y'], ['Debüt', null]].map(([title, artist]) => ({ kind: 'container', title, artist }));
  assert.deepEqual([named(all, 'best', 'Y'), named(all, 'Debut', 'Björk'), named(all, 'Best', 'Various'), named(all, 'None')], [all[1], all[2], all[0], undefined]);
});
