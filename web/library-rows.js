/** Rows and tiles for tracks and folders of media servers. */
import { get, post, query } from './api.js';
import { art, clip, h, iconButton, set, setArt, setText, setTexts } from './dom.js';
import { menu, report, toast, undoOf } from './ui.js';
import { counted, number, t, time } from './strings.js';
import { isGuest, isReadOnly, mayControl, permit } from './controls.js';
import { pinEntry } from './pin-places.js';
import { store } from './store.js';
import { showWork, work } from './work.js';
import { find } from './library-lists.js';
import { chooseSpeaker } from './elsewhere.js';

/** The address of a container or a search. */
export const path = (server, container, words) => ['#/library', server, container, words].filter((part) => part != null)
  .map((part, index) => (index ? encodeURIComponent(part) : part)).join('/');

export const isAlbum = (item) => (item.class ?? '').includes('album') || (item.class ?? '').includes('playlist');
const symbolOf = (item) => {
  const { kind, class: name = '' } = item;
  if (kind === 'track') return 'note';
  return name.includes('person') ? 'person' : name.includes('genre') ? 'tag' : isAlbum(item) ? 'album' : 'folder';
};

/** What `showWork` needs for a container or a track. */
export const workOf = (server, id) => `${server}/${id}`;

/**
 * Plays a container or a track with this id, or adds it to the queue or the `favorite` tracks, and shows how many tracks were added.
 * `what` says what to send.
 */
export function play(server, id, what, where) {
  return work(workOf(server, id), where, t('readingTracks'), async () => {
    try {
      const { name, ...body } = what;
      const { added = 0, undo } = await post(`/api/library/${where === 'favorite' ? where : 'play'}`, { server, ...body, where }, 150);
      toast(name ? t('playsOn', { name: clip(name, 60) }) : counted(undo ? 'replaced' : 'added', added), undoOf(undo));
    } catch (error) {
      report(error);
    }
  });
}

/** Opens the album or the artist with a name, wherever it is; `list` is `albums` or `artists`. */
export function goTo(list, title, artist, server) {
  return work(`${list} ${title}`, 'open', t('searching'), async () => {
    const found = await find(list, title, artist, server);
    if (found) location.hash = path(found.server, found.item.id);
    else toast(t('notInLibrary', { title: clip(title, 60) }), { kind: 'error' });
  });
}

/** Entries of a menu that lead to the album and to the artist of something. */
export const links = ({ album, artist, server, kind }) => [
  album && kind !== 'container' && { label: t('goToAlbum'), symbol: 'album', action: () => goTo('albums', album, artist, server) },
  artist && { label: t('goToArtist'), symbol: 'person', action: () => goTo('artists', artist, null, server) },
];

async function options(anchor, server, chosen) {
  // An album of which only the name is known.
  const item = chosen.kind === 'album' ? (await find('albums', chosen.title, chosen.artist, server))?.item : chosen;
  if (!item) {
    toast(t('notInLibrary', { title: clip(chosen.title, 60) }), { kind: 'error' });
    return;
  }
  const isFolder = item.kind === 'container';
  const what = isFolder ? { container: item.id } : { items: [item.id] };
  const entry = (label, symbol, where, more) => ({ label: t(label), symbol, action: () => play(server, item.id, { ...what, ...more }, where) });
  const title = clip(item.title, 80) || t('untitled');
  const pin = { what: 'container', title: clip(item.title, 200) || t('untitled'), server, container: item.id };
  menu(anchor, title, [
    mayControl() && entry('playNow', 'play', isFolder ? 'replace' : 'now', isFolder && { shuffle: false }),
    mayControl() && isFolder && entry('shuffle', 'shuffle', 'replace', { shuffle: true }), mayControl() && entry('playNext', 'next', 'next'), entry('playEnd', 'add', 'end'),
    mayControl() && entry('addFavorite', 'heart', 'favorite'),
    mayControl() && { label: t('playOn'), symbol: 'speakers', action: () => chooseSpeaker(anchor, (to, name) => play(server, item.id, { ...what, to, name }, 'replace')) },
    mayControl() && isFolder && pinEntry(anchor, { ...pin, ...(item.artist && { description: clip(item.artist, 120) }), ...(item.art && { art: item.art }) }),
    ...links({ ...item, server }),
  ]);
}

/**
 * Opens a container; plays a track and what follows it in the list, the content of a container or the results of a search. A guest
 * adds the track to the queue.
 */
function choose(server, item, list, offset) {
  if (item?.id == null) return;
  if (item.kind === 'album') goTo('albums', item.title, item.artist, server);
  else if (item.kind === 'container') location.hash = path(server, item.id);
  else if (isGuest()) play(server, item.id, { items: [item.id] }, 'end');
  else play(server, item.id, { ...list, start: { id: item.id, offset } }, 'replace');
}

const nameOf = (item, title) => t(item.kind !== 'track' ? 'open' : isGuest() ? 'addItem' : 'playItem', { title });

/** Whether this is the track that plays, as far as its texts tell. */
function isPlaying({ title, album, artist }) {
  const { playing } = store.state ?? {};
  return Boolean(playing?.title) && playing.title === title && (playing.album ?? '') === (album ?? '') && (playing.artist ?? '') === (artist ?? '');
}

/** Whether the track at an index is the first one of a disc, in an album with several. */
function startsDisc(tracks, index) {
  const { disc } = tracks[index] ?? {};
  return disc != null && tracks[index - 1]?.disc !== disc && tracks.some((track) => track && track.disc !== disc);
}

/**
 * A row of a list: the content of a `container`, or the results of the search `q`. `album` for the tracks of an album: its `pages`,
 * and whether they have `severalArtists`.
 */
export function makeRow(own, list, album) {
  let server = own;
  const row = h('div', { class: 'list-row' });
  const picture = art(null);
  const position = h('span', { class: 'number' });
  const disc = h('span', { class: 'row-disc', hidden: true });
  const title = h('span', { class: 'row-title', dir: 'auto' });
  const more = h('span', { class: 'row-more', dir: 'auto' });
  const end = h('span', { class: 'row-end' });
  const open = h('button', { type: 'button', class: 'row', onclick: () => choose(server, row.item, list, row.index) },
    position, picture, h('span', { class: 'row-text' }, disc, title, more), end);
  const button = iconButton('more', '', () => options(button, server, row.item), { 'aria-haspopup': 'menu' });
  row.append(open, button);
  row.update = (item, index) => {
    row.item = item;
    server = item.server ?? own;
    showWork(open, workOf(server, item.id));
    row.classList.toggle('is-current', item.kind === 'track' && isPlaying(item));
    row.title_ = clip(item.title) || t('untitled');
    const isTrack = item.kind === 'track';
    setText(title, item.id == null ? '…' : row.title_);
    setTexts(more, [(!album || album.severalArtists) && item.artist, !album && item.album]);
    const isFirst = Boolean(album) && startsDisc(album.pages.items, index);
    row.classList.toggle('starts-disc', isFirst);
    disc.hidden = !isFirst;
    setText(disc, isFirst ? t('disc', { number: number(item.disc) }) : '');
    setText(position, album && item.track != null ? number(item.track) : '');
    position.hidden = !album;
    picture.hidden = Boolean(album);
    setArt(picture, item.art, item.id == null ? 'note' : symbolOf(item));
    setText(end, isTrack ? (item.duration ? time(item.duration) : '') : item.count != null ? number(item.count) : '');
    set(open, { 'aria-label': [disc.textContent, nameOf(item, row.title_)].filter(Boolean).join(': ') });
    // Everybody may open folders, also without a connection: the page still has their contents.
    if (isTrack) permit(open, !isReadOnly(), true);
    else open.disabled = false;
    permit(button, true, true);
    set(button, { 'aria-label': t('options', { title: row.title_ }), title: t('more') });
    button.hidden = isReadOnly() || item.id == null;
  };
  return row;
}

/** Albums whose picture is looked for, one after the other: many servers have it, or a sharp one, only at the tracks. */
let looking = Promise.resolve();

function lookForArt(server, item, show) {
  if ((item.art && !item.small) || item.isLooked || item.kind !== 'container' || !isAlbum(item)) return;
  item.isLooked = true;
  looking = looking.then(async () => {
    const { items: [track], cover } = await get(query('/api/library', { server, container: item.id, offset: 0, count: 1 }));
    if (!cover) return;
    item.art = cover;
    item.artist ??= track.artist;
    show();
  }).catch(() => { /* The drawing stays. */ });
}

/** A tile, for albums. Items of several servers have their `server`. */
export function makeCard(own) {
  let server = own;
  const cell = h('div', { class: 'cell' });
  const picture = art(null);
  const title = h('span', { class: 'row-title', dir: 'auto' });
  const more = h('span', { class: 'row-more', dir: 'auto' });
  const open = h('button', { type: 'button', class: 'tile', onclick: () => choose(server, cell.item) }, picture, title, more);
  const button = iconButton('more', '', () => options(button, server, cell.item), { 'aria-haspopup': 'menu' });
  cell.append(open, button);
  cell.update = (item) => {
    cell.item = item;
    server = item.server ?? own;
    showWork(open, workOf(server, item.id));
    const text = clip(item.title) || t('untitled');
    setText(title, item.id == null ? '…' : text);
    setText(more, clip(item.artist || (item.count != null ? counted('tracks', item.count) : ''), 120));
    setArt(picture, item.art, item.id == null ? 'note' : symbolOf(item));
    set(open, { 'aria-label': nameOf(item, text) });
    lookForArt(server, item, () => { if (cell.item === item) cell.update(item); });
    permit(button, true, true);
    set(button, { 'aria-label': t('options', { title: text }), title: t('more') });
    button.hidden = isReadOnly() || item.id == null;
  };
  return cell;
}
