/** Where media servers keep their lists of albums, artists and so on. Pure decisions. */

/** The lists of a music library, in the order in which they are shown. */
export const lists = ['albums', 'artists', 'genres', 'playlists', 'recent'];

/** Titles of the containers, in lower case: of minidlna, gerbera, rygel, Kodi, Asset, Twonky, Jellyfin, and in German. */
const titles = {
  albums: ['album', 'albums', 'by album', 'alben', 'álbumes', 'disques'],
  artists: ['artist', 'artists', 'by artist', 'album artists', 'album artist', 'künstler', 'interpret', 'interpreten', 'artiste', 'artistes', 'artista', 'artistas'],
  genres: ['genre', 'genres', 'by genre', 'género', 'generi'],
  playlists: ['playlists', 'all playlists', 'music playlists', 'wiedergabelisten'],
  recent: ['recently added', 'recently added music', 'recently added albums', 'latest', 'zuletzt hinzugefügt', 'kürzlich hinzugefügt'],
  music: ['music', 'audio', 'my music', 'musik'],
  other: ['pictures', 'photos', 'images', 'video', 'videos', 'movies', 'tv shows', 'bilder', 'fotos', 'filme'],
};
const byTitle = new Map(Object.entries(titles).flatMap(([name, all]) => all.map((title) => [title, name])));

/** Ids that do not depend on the language: of this program, and of rygel. */
const ids = {
  albums: 'albums', artists: 'artists', genres: 'genres', playlists: 'playlists', recentlyAdded: 'recent',
  'virtual-parent:object.item.audioItem.musicTrack': 'music', 'virtual-parent:object.item.playlistItem': 'playlists',
  'virtual-parent:object.item.imageItem.photo': 'other', 'virtual-parent:object.item.videoItem': 'other',
};

const known = ({ id, title = '' }) => (Object.hasOwn(ids, id) ? ids[id] : byTitle.get(title.trim().toLowerCase()));

/** Whether an object belongs to a music library: neither pictures nor videos. */
export const isMusic = (item) => !/imageItem|videoItem|photoAlbum/.test(item.class ?? '')
  && (item.kind !== 'container' || known(item) !== 'other');

/**
 * Finds the lists of a server. `root` has the children of the root, `music` those of the container to which an earlier plan has
 * led, or null. Returns `{found}`, containers by the name of their list; `kind` instead of `container` is found by search.
 * `ask` is the container to read next.
 */
export function plan(root, music, isSearchable) {
  const found = {};
  for (const item of [...music ?? [], ...root]) {
    const name = item.kind === 'container' ? known(item) : null;
    if (lists.includes(name)) found[name] ??= { container: item.id };
  }
  const next = music ? null : root.find((item) => item.kind === 'container' && known(item) === 'music');
  if (next && !found.albums) return { found, ask: next.id };
  if (isSearchable) for (const kind of ['album', 'artist']) found[`${kind}s`] ??= { kind };
  return { found, ask: null };
}

const folded = (text) => (text ?? '').normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase();
const inOrder = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/**
 * The items of several servers, those with the same title together. What several have is listed once: from the first with a large
 * picture, or any. A server that names no artist means any.
 */
export function once(items) {
  const titled = new Map();
  for (const item of items) {
    const same = titled.get(folded(item.title)) ?? [];
    titled.set(folded(item.title), same);
    const at = same.findIndex(({ artist }) => !artist || !item.artist || folded(artist) === folded(item.artist));
    if (at < 0) same.push(item);
    else if (item.art && (!same[at].art || (same[at].small && !item.small))) same[at] = item;
  }
  return [...titled.values()].flat();
}

/** The lists of several servers as one, by title. */
export function merged(parts) {
  return once(parts.flat()).sort((a, b) => inOrder.compare(a.title ?? '', b.title ?? ''));
}

/** The albums of tracks that were added lately, each once; containers stay as they are. */
export function albumsOf(items) {
  const seen = new Set();
  let last = null;
  return items.flatMap((item) => {
    if (item.kind === 'container') return [item];
    const key = `${folded(item.album)}\n${folded(item.artist)}`;
    // The tracks of an album by several artists follow each other.
    const isSame = !item.album || folded(item.album) === last || seen.has(key);
    last = folded(item.album);
    seen.add(key);
    return isSame ? [] : [{ kind: 'album', class: 'album', id: item.id, title: item.album, artist: item.artist, art: item.art, small: item.small, server: item.server }];
  });
}

/** The container with a title, and an artist if both name one. */
export const named = (items, title, artist) => items.find((item) => item.kind === 'container' && folded(item.title) === folded(title)
  && (!artist || !item.artist || folded(item.artist) === folded(artist)))
  ?? items.find((item) => item.kind === 'container' && folded(item.title) === folded(title));
