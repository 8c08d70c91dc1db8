/** Media servers on the network: browse, search, play. */
import { get, Problem, query } from './api.js';
import { art, button, clip, h, icon, iconButton, set, setArt, setText } from './dom.js';
import { Pages } from './pages.js';
import { store, View } from './store.js';
import { emptyNote, loadingRows, noneFound, searchField, viewHead } from './ui.js';
import { counted, duration, t } from './strings.js';
import { isReadOnly, mayControl, permit } from './controls.js';
import { goTo, isAlbum, makeCard, makeRow, path, play, workOf } from './library-rows.js';
import { showWork } from './work.js';
import './library-search.js';
import './track-lists.js';
import { isMusic } from './library-plan.js';
import { differAtEnd } from './rows.js';
import { everywhere, loader, serverName, serversOf } from './library-lists.js';
import { listPath } from './library-home.js';

/** Titles and parents of containers that were open, for the path above the list. */
const known = new Map();

/** The latest containers and searches, so that Back shows them at once: `{pages, time}` by address. */
const opened = new Map();
const mostOpened = 12;
/** Milliseconds until a container that opens again is also read again. */
const freshTime = 30_000;

function pagesOf(address, load) {
  const { pages, time } = opened.get(address) ?? {};
  opened.delete(address);
  const isKept = pages?.isLoaded && !pages.error;
  const used = isKept ? pages : new Pages(load, 100);
  const isFresh = isKept && performance.now() - time < freshTime;
  if (isKept && !isFresh) pages.refresh();
  opened.set(address, { pages: used, time: isFresh ? time : performance.now() });
  if (opened.size > mostOpened) opened.delete(opened.keys().next().value);
  return used;
}

async function load(server, container, words, offset, count) {
  const answer = await get(words
    ? query('/api/library/search', { server, q: words, offset, count })
    : query('/api/library', { server, container, offset, count }));
  if (words) return answer;
  // Pictures and videos are left out of containers that are read at once.
  if (offset === 0 && answer.items.length === answer.total) {
    answer.items = answer.items.filter(isMusic);
    answer.total = answer.items.length;
  }
  const { title: name, parent, cover } = answer;
  if (offset === 0) known.set(`${server}/${container}`, { title: name, parent, cover });
  // A folder shows its title at once when it is opened, also if its server is slow.
  for (const { id, kind, title } of answer.items) {
    if (kind === 'container') known.set(`${server}/${id}`, { ...known.get(`${server}/${id}`), title, parent: container });
  }
  return answer;
}

class Library extends View {
  build() {
    this.className = 'view';
  }

  attach() {
    this.until(store.show('library'));
    this.watch(['servers', 'connection'], () => {
      if (this.isHome) this.#showServers();
      else if (this.shown && this.shown !== 'list') this.#showList();
      this.offerSearch?.();
    });
    this.watch(['access', 'connection', 'playing'], () => {
      this.allow?.();
      this.list?.refresh?.();
    });
    this.#open();
  }

  /** Called with the parts of the address: server, container, words. */
  route([server, container, words]) {
    [this.server, this.container, this.words] = [server, container ?? (server && '0'), words];
    const list = container?.startsWith(':') ? container.slice(1) : null;
    this.isHome = !server || list === 'home';
    this.shown = this.isHome ? null : list;
    if (this.isConnected) this.#open();
  }

  #open() {
    this.key = null;
    this.offerSearch = null;
    if (this.isHome) this.#showServers();
    else if (this.shown === 'list') this.replaceChildren(this.#crumbs([]), h('sw-track-list', { name: this.words ?? '' }));
    else if (this.shown) this.#showList();
    else if (this.server === everywhere) this.#showSearch();
    else this.#showContainer();
  }

  #showServers() {
    const servers = store.listed('servers');
    const key = JSON.stringify(['servers', servers, store.connection]);
    if (this.key === key) return;
    this.key = key;
    const list = h('ul', { class: 'cards' }, (servers ?? []).map((server) => h('li', {}, h('a', { class: 'card', href: path(server.id) },
      art(server.icon, 'server'), h('span', { class: 'row-title', dir: 'auto' }, clip(serverName(server))), icon('forward')))));
    const search = servers?.length > 0
      && searchField(t('searchAll'), '', (text) => (text ? path(everywhere, '0', text) : '#/library'));
    const choice = this.#serverChoice(servers ?? []);
    // Keep the search field, so that typing continues when another server appears.
    if (search && this.rootSearch?.isConnected && this.selected === this.server) {
      this.choice.replaceWith(choice);
      this.choice = choice;
      this.cards.replaceWith(list);
      this.cards = list;
      return;
    }
    [this.rootSearch, this.cards, this.choice, this.selected] = [search, list, choice, this.server];
    this.replaceChildren(...[viewHead(t('library'), choice), search,
      ...(servers?.length ? [h('sw-library-home', { selection: this.server ?? everywhere }),
        h('section', { class: 'shelf' }, h('h2', {}, t('folders')), list)]
        : [h('sw-track-lists'), noneFound('server', servers, t('noServers'), t('noServersHint'))])].filter(Boolean));
  }

  /** Chooses the server whose music is shown. */
  #serverChoice(servers) {
    const choice = h('select', { 'aria-label': t('servers'), hidden: servers.length < 2, onchange: () => {
      location.hash = choice.value === everywhere ? '#/library' : listPath(choice.value, 'home');
    } }, [{ id: everywhere, name: t('allServers') }, ...servers].map((server) => h('option', {
      value: server.id, selected: server.id === (this.server ?? everywhere),
    }, clip(serverName(server), 40))));
    return choice;
  }

  /** All albums, artists and so on, of one server or of all. */
  #showList() {
    const { server, shown: list } = this;
    const servers = serversOf(server);
    const key = JSON.stringify([list, servers]);
    if (this.key === key) return;
    this.key = key;
    this.#forget();
    this.heading = h('h1', { tabindex: '-1' }, t(list));
    this.subtitle = h('p', { class: 'subtitle' });
    this.note = h('div', { class: 'state' }, loadingRows(t(servers.length ? 'loading' : 'searching')));
    this.crumbs = this.#crumbs(server === everywhere ? [] : [[this.#serverName(), listPath(server, 'home')]]);
    this.list = null;
    this.replaceChildren(this.crumbs, h('header', { class: 'view-head' }, this.heading, this.subtitle), this.note);
    if (!servers.length) return;
    this.pages = pagesOf(key, loader(server, list));
    this.pages.addEventListener('change', this.#listLoaded);
    this.pages.want(0, 0);
    this.#listLoaded();
  }

  #listLoaded = () => {
    const { pages, shown: list } = this;
    if (!pages.isLoaded || this.list || this.#hasFailed(() => { this.key = null; this.#showList(); })) return;
    if (!pages.total) {
      this.note.replaceChildren(emptyNote('folder', t('emptyFolder')));
      return;
    }
    this.note.remove();
    setText(this.subtitle, `${pages.total}`);
    this.list = h('virtual-list', { 'aria-label': t(list) }).configure(['albums', 'recent'].includes(list)
      ? { pages, columnWidth: 168, rowHeight: (width) => Math.round(width) + 56, makeRow: () => makeCard(this.server) }
      : { pages, rowHeight: 64, makeRow: () => makeRow(this.server, {}) });
    this.append(this.list);
  };

  /** Shows why the list cannot be read, if so. */
  #hasFailed(again) {
    const { error, total } = this.pages;
    if (!error || total) return false;
    this.note.replaceChildren(emptyNote('server', t('serverFailed'), error instanceof Problem ? error.message : '', button(t('retry'), again)));
    return true;
  }

  #crumbs(steps) {
    return h('nav', { class: 'crumbs', 'aria-label': t('breadcrumb') }, h('ol', {}, [[t('library'), '#/library'], ...steps].map(([text, href]) => h('li', {},
      h('a', { href, dir: 'auto' }, clip(text, 60))))));
  }

  /** The results of all servers. */
  #showSearch() {
    const { words = '' } = this;
    this.replaceChildren(
      this.#crumbs([]),
      viewHead(t('searchFor', { words: clip(words, 60) })),
      searchField(t('searchAll'), words, (text) => (text ? path(everywhere, '0', text) : '#/library')),
      h('sw-library-search', { words }));
  }

  #serverName() {
    return serverName(store.state?.servers?.find(({ id }) => id === this.server)) ?? known.get(`${this.server}/0`)?.title ?? t('library');
  }

  #showContainer() {
    const { server, container, words } = this;
    this.heading = h('h1', { tabindex: '-1', dir: 'auto' }, words ? t('searchFor', { words: clip(words, 60) })
      : clip(known.get(`${server}/${container}`)?.title));
    this.cover = art(null, 'note', 'album-cover');
    this.cover.hidden = true;
    this.subtitle = h('p', { class: 'subtitle', dir: 'auto' });
    this.crumbs = h('nav', { class: 'crumbs', 'aria-label': t('breadcrumb') });
    const action = (make, label, symbol, where, more) => {
      const act = () => play(server, container, { container, ...more }, where);
      const control = make === button ? button(t(label), act, { symbol, kind: label === 'playAll' ? 'primary' : '' }) : iconButton(symbol, t(label), act);
      showWork(control, workOf(server, container), where);
      return control;
    };
    // Hidden for guests, who can only add to the end.
    const controls = [
      action(button, 'playAll', 'play', 'replace', { shuffle: false }), action(button, 'shuffle', 'shuffle', 'replace', { shuffle: true }),
      action(iconButton, 'playNext', 'playNext', 'next'),
    ];
    this.actions = h('div', { class: 'buttons', hidden: true }, controls, action(iconButton, 'playEnd', 'add', 'end'));
    this.allow = () => {
      for (const control of controls) control.hidden = !mayControl();
      for (const control of this.actions.querySelectorAll('button')) permit(control, true, true);
    };
    this.allow();
    this.search = searchField(t('search'), words ?? '', (text) => (text ? path(server, container, text) : path(server, container)));
    // In albums and folders, the field opens by an icon.
    const isRoot = container === '0';
    let isOpen = isRoot || Boolean(words);
    this.openSearch = iconButton('search', t('search'), () => {
      isOpen = true;
      this.offerSearch();
      this.focusSearch();
    });
    // A server that cannot search is named in place of the field.
    const silent = h('p', { class: 'hint', hidden: true });
    this.offerSearch = () => {
      const entry = store.state?.servers?.find(({ id }) => id === server);
      const isSilent = entry?.searchable === false;
      this.openSearch.hidden = isSilent || isOpen;
      this.search.hidden = isSilent || !isOpen;
      silent.hidden = !isSilent || !isRoot;
      setText(silent, entry && !silent.hidden ? t('cannotSearch', { names: clip(entry.name, 60) }) : '');
    };
    this.offerSearch();
    this.note = h('div', { class: 'state' }, loadingRows());
    this.#forget();
    this.pages = pagesOf(path(server, container, words), (offset, count) => load(server, container, words, offset, count));
    this.pages.addEventListener('change', this.#loaded);
    this.list = null;
    this.replaceChildren(h('div', { class: 'way' }, this.crumbs, this.openSearch), h('header', { class: 'view-head library-head' }, this.cover,
      h('div', { class: 'library-titles' }, this.heading, this.subtitle), this.actions), this.search, silent,
    ...(words ? [h('sw-library-search', { words, server })] : []), this.note);
    this.#showCrumbs();
    this.pages.want(0, 0);
    this.#loaded();
  }

  #forget() { for (const heard of [this.#loaded, this.#listLoaded]) this.pages?.removeEventListener('change', heard); }

  detach() { this.#forget(); }

  #loaded = () => {
    const { pages, words } = this;
    if (!pages.isLoaded) return;
    const here = known.get(`${this.server}/${this.container}`);
    if (!words && here) setText(this.heading, clip(this.container === '0' ? this.#serverName() : here.title) || this.#serverName());
    if (this.#hasFailed(() => this.#showContainer())) return;
    if (!pages.total) {
      this.note.classList.add('is-empty');
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
      ? { pages, columnWidth: 168, rowHeight: (width) => Math.round(width) + 56, makeRow: () => makeCard(this.server) }
      : { pages, rowHeight: this.#rowHeight(tracks), makeRow: () => makeRow(this.server, words ? { q: words } : { container: this.container }, this.album) });
    this.append(this.list);
    this.#showCrumbs();
  };

  /** Tracks of an album by one artist need only one line, unless their titles are alike. */
  #rowHeight(tracks) {
    return this.album && !this.album.severalArtists && !differAtEnd(tracks.map(({ title }) => title)) ? 50 : 64;
  }

  /** An album shows its picture and artist above its tracks. */
  #showAlbum(tracks) {
    const [one] = tracks;
    const isSame = (key) => tracks.length > 0 && tracks.every((track) => track[key] === one[key]);
    const hasOneAlbum = !this.words && isSame('album') && Boolean(one.album);
    this.album = hasOneAlbum ? { pages: this.pages, severalArtists: !isSame('artist') } : null;
    this.cover.hidden = !hasOneAlbum;
    if (hasOneAlbum) setArt(this.cover, known.get(`${this.server}/${this.container}`)?.cover ?? one.art);
    const seconds = tracks.reduce((sum, track) => sum + (track.duration ?? NaN), 0);
    const artist = hasOneAlbum && isSame('artist') && clip(one.artist, 120);
    this.subtitle.replaceChildren(...[
      artist && h('button', { type: 'button', class: 'text-link', onclick: () => goTo('artists', one.artist, null, this.server) }, artist),
      [
        hasOneAlbum && isSame('year') && one.year, this.pages.total > 1 && tracks.length && counted('tracks', this.pages.total),
        tracks.length === this.pages.total && seconds > 0 && duration(seconds),
      ].filter(Boolean).join(' · '),
    ].filter(Boolean));
  }

  /** Shows the path from the list of servers to this container. Parents that were never open are read. */
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

  /** Focuses the search field, for the shortcut. Returns false if there is none. */
  focusSearch() {
    if (this.openSearch?.isConnected && !this.openSearch.hidden) {
      this.openSearch.click();
      return true;
    }
    const field = this.querySelector('input[type=search]');
    field?.focus();
    field?.select();
    return Boolean(field);
  }
}
customElements.define('sw-library', Library);
