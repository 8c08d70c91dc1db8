/** Media servers on the network: browse, search, play. */
import { get, post, Problem, query } from './api.js';
import { art, button, clip, h, icon, iconButton, set, setArt, setText } from './dom.js';
import { Pages } from './list.js';
import { store, View } from './store.js';
import { emptyNote, menu, report, toast, viewHead } from './ui.js';
import { counted, number, t, time } from './strings.js';
import { isReadOnly } from './controls.js';

const path = (server, container, words) => ['#/library', server, container, words].filter((part) => part != null)
  .map((part, index) => (index ? encodeURIComponent(part) : part)).join('/');

const isAlbum = (item) => (item.class ?? '').includes('album') || (item.class ?? '').includes('playlist');
const symbolOf = (item) => {
  if (item.kind === 'track') return 'note';
  if ((item.class ?? '').includes('person')) return 'person';
  return isAlbum(item) ? 'note' : 'folder';
};

/** Titles and parents of containers that were open, for the path above the list. */
const known = new Map();

/** Plays or adds items or a whole container, and says how many tracks came. */
export async function play(server, what, where) {
  try {
    const { added = 0 } = await post('/api/library/play', { server, ...what, where }, 120);
    toast(counted('added', added));
  } catch (error) {
    report(error);
  }
}

class Library extends View {
  build() {
    this.className = 'view';
  }

  attach() {
    this.until(store.show('library'));
    this.watch(['servers'], () => { if (!this.server) this.#showServers(); });
    this.#open();
  }

  /** Called with the parts of the address: server, container, words. */
  route([server, container, words]) {
    [this.server, this.container, this.words] = [server, container ?? (server && '0'), words];
    if (this.isConnected) this.#open();
  }

  #open() {
    if (this.server) this.#showContainer();
    else this.#showServers();
  }

  #showServers() {
    const servers = store.state?.servers;
    const key = JSON.stringify(['servers', servers]);
    if (this.key === key) return;
    this.key = key;
    const list = h('ul', { class: 'cards' }, (servers ?? []).map((server) => h('li', {}, h('a', { class: 'card', href: path(server.id) },
      art(server.icon, 'server'), h('span', { class: 'row-title', dir: 'auto' }, clip(server.name)), icon('forward')))));
    this.replaceChildren(viewHead(t('library')), servers?.length ? list : emptyNote('server', t('noServers'), t('noServersHint')));
  }

  #serverName() {
    return store.state?.servers?.find(({ id }) => id === this.server)?.name ?? known.get(`${this.server}/0`)?.title ?? t('library');
  }

  #showContainer() {
    const { server, container, words } = this;
    this.key = null;
    this.heading = h('h1', { tabindex: '-1', dir: 'auto' }, words ? t('searchFor', { words: clip(words, 60) }) : '');
    this.cover = art(null, 'note', 'album-cover');
    this.cover.hidden = true;
    this.subtitle = h('p', { class: 'subtitle', dir: 'auto' });
    this.crumbs = h('nav', { class: 'crumbs', 'aria-label': t('breadcrumb') });
    this.actions = h('div', { class: 'buttons', hidden: true },
      button(t('playAll'), () => play(server, { container }, 'now'), { symbol: 'play', kind: 'primary' }),
      button(t('playNext'), () => play(server, { container }, 'next'), { symbol: 'next' }),
      button(t('addAll'), () => play(server, { container }, 'end'), { symbol: 'add' }));
    const field = h('input', {
      type: 'search', name: 'q', value: words ?? '', placeholder: t('search'), 'aria-label': t('search'), autocomplete: 'off',
      dir: 'auto', enterkeyhint: 'search', maxlength: 200,
    });
    this.search = h('form', { role: 'search', class: 'search', onsubmit(event) {
      event.preventDefault();
      const text = field.value.trim();
      location.hash = text ? path(server, container, text) : path(server, container);
      field.blur();
    } }, icon('search'), field);
    this.note = h('div', { class: 'state' }, h('p', { class: 'waiting' }, t('loading')));
    this.pages = new Pages((offset, count) => this.#load(offset, count), 100);
    this.pages.addEventListener('change', () => this.#loaded());
    this.list = null;
    this.replaceChildren(this.crumbs, h('header', { class: 'view-head library-head' }, this.cover,
      h('div', { class: 'library-titles' }, this.heading, this.subtitle, this.actions)), this.search, this.note);
    this.#showCrumbs();
    this.pages.want(0, 0);
  }

  async #load(offset, count) {
    const { server, container, words } = this;
    const answer = await get(words
      ? query('/api/library/search', { server, q: words, offset, count })
      : query('/api/library', { server, container, offset, count }));
    if (!words) known.set(`${server}/${container}`, { title: answer.title, parent: answer.parent });
    return answer;
  }

  #loaded() {
    const { pages, words } = this;
    if (!pages.isLoaded) return;
    const here = known.get(`${this.server}/${this.container}`);
    if (!words && here) setText(this.heading, clip(this.container === '0' ? this.#serverName() : here.title) || this.#serverName());
    if (pages.error && !pages.total) {
      const text = pages.error instanceof Problem ? pages.error.message : '';
      this.note.replaceChildren(emptyNote('server', t('serverFailed'), text, button(t('retry'), () => this.#showContainer())));
      return;
    }
    if (!pages.total) {
      this.note.replaceChildren(words ? emptyNote('search', t('noResults'), t('noResultsHint')) : emptyNote('folder', t('emptyFolder')));
      return;
    }
    if (this.list) return;
    this.note.remove();
    const first = pages.items.slice(0, 100).filter(Boolean);
    const tracks = first.filter(({ kind }) => kind === 'track');
    const isGrid = !tracks.length && first.filter((item) => isAlbum(item) || item.art).length * 2 > first.length;
    this.actions.hidden = isReadOnly() || Boolean(words) || (this.container === '0') || !(tracks.length || isGrid);
    this.#showAlbum(tracks);
    this.list = h('virtual-list', { 'aria-label': words ? t('results') : this.heading.textContent }).configure(isGrid
      ? { pages, columnWidth: 168, rowHeight: (width) => Math.round(width) + 56, makeRow: () => this.#makeCard() }
      : { pages, rowHeight: 64, makeRow: () => this.#makeRow() });
    this.append(this.list);
    this.#showCrumbs();
  }

  /** An album shows its picture and artist above its tracks. */
  #showAlbum(tracks) {
    const [one] = tracks;
    const isSame = (key) => tracks.length > 0 && tracks.every((track) => track[key] === one[key]);
    this.isAlbum = !this.words && isSame('album') && Boolean(one.album);
    this.cover.hidden = !this.isAlbum;
    if (this.isAlbum) setArt(this.cover, one.art);
    setText(this.subtitle, [
      this.isAlbum && isSame('artist') && clip(one.artist, 120), this.pages.total > 1 && tracks.length && counted('tracks', this.pages.total),
    ].filter(Boolean).join(' · '));
  }

  /** The way from the list of servers to here. Parents that were never open are read. */
  async #showCrumbs() {
    const { server, container, crumbs, words } = this;
    const steps = [];
    let at = words ? container : known.get(`${server}/${container}`)?.parent;
    for (let depth = 0; depth < 12 && at != null && at !== '-1' && at !== '0'; depth += 1) {
      const key = `${server}/${at}`;
      if (!known.has(key)) {
        try {
          const answer = await get(query('/api/library', { server, container: at, offset: 0, count: 1 }));
          known.set(key, { title: answer.title, parent: answer.parent });
        } catch {
          break;
        }
      }
      steps.unshift([known.get(key).title || t('back'), path(server, at)]);
      at = known.get(key).parent;
    }
    if (crumbs !== this.crumbs) return;
    if (container !== '0' || words) steps.unshift([this.#serverName(), path(server)]);
    steps.unshift([t('library'), '#/library']);
    crumbs.replaceChildren(h('ol', {}, steps.map(([text, href]) => h('li', {}, h('a', { href, dir: 'auto' }, clip(text, 60))))));
  }

  #options(anchor, item) {
    const what = item.kind === 'container' ? { container: item.id } : { items: [item.id] };
    const entry = (label, symbol, where) => ({ label: t(label), symbol, action: () => play(this.server, what, where) });
    menu(anchor, clip(item.title, 80) || t('untitled'), [
      entry('playNow', 'play', 'now'), entry('playNext', 'next', 'next'), entry('playEnd', 'add', 'end'),
    ]);
  }

  #makeRow() {
    const row = h('div', { class: 'list-row' });
    const picture = art(null);
    const position = h('span', { class: 'number' });
    const title = h('span', { class: 'row-title', dir: 'auto' });
    const more = h('span', { class: 'row-more', dir: 'auto' });
    const end = h('span', { class: 'row-end' });
    const open = h('button', { type: 'button', class: 'row', onclick: () => this.#choose(row.item) },
      position, picture, h('span', { class: 'row-text' }, title, more), end);
    const options = iconButton('more', '', () => this.#options(options, row.item), { 'aria-haspopup': 'menu' });
    row.append(open, options);
    row.update = (item, index) => {
      row.item = item;
      row.title_ = clip(item.title) || t('untitled');
      const isTrack = item.kind === 'track';
      setText(title, item.id == null ? '…' : row.title_);
      setText(more, [!this.isAlbum && item.artist, !this.isAlbum && item.album].filter(Boolean).map((text) => clip(text, 120)).join(' · '));
      setText(position, this.isAlbum ? number(index + 1) : '');
      position.hidden = !this.isAlbum;
      picture.hidden = this.isAlbum;
      setArt(picture, item.art, item.id == null ? 'note' : symbolOf(item));
      setText(end, isTrack ? (item.duration ? time(item.duration) : '') : item.count != null ? number(item.count) : '');
      set(open, { 'aria-label': t(isTrack ? 'playItem' : 'open', { title: row.title_ }) });
      set(options, { 'aria-label': t('options', { title: row.title_ }), title: t('more') });
      options.hidden = isReadOnly() || item.id == null;
    };
    return row;
  }

  #makeCard() {
    const cell = h('div', { class: 'cell' });
    const picture = art(null);
    const title = h('span', { class: 'row-title', dir: 'auto' });
    const more = h('span', { class: 'row-more', dir: 'auto' });
    const open = h('button', { type: 'button', class: 'tile', onclick: () => this.#choose(cell.item) }, picture, title, more);
    const options = iconButton('more', '', () => this.#options(options, cell.item), { 'aria-haspopup': 'menu' });
    cell.append(open, options);
    cell.update = (item) => {
      cell.item = item;
      const text = clip(item.title) || t('untitled');
      setText(title, item.id == null ? '…' : text);
      setText(more, clip(item.artist || (item.count != null ? counted('tracks', item.count) : ''), 120));
      setArt(picture, item.art, item.id == null ? 'note' : symbolOf(item));
      set(open, { 'aria-label': t('open', { title: text }) });
      set(options, { 'aria-label': t('options', { title: text }), title: t('more') });
      options.hidden = isReadOnly() || item.id == null;
    };
    return cell;
  }

  #choose(item) {
    if (item?.id == null) return;
    if (item.kind === 'container') location.hash = path(this.server, item.id);
    else play(this.server, { items: [item.id] }, 'now');
  }

  /** The shortcut for search. */
  focusSearch() {
    const field = this.querySelector('input[type=search]');
    field?.focus();
    field?.select();
    return Boolean(field);
  }
}
customElements.define('sw-library', Library);
