/** Media servers on the network: browse, search, play. */
import { get, Problem, query } from './api.js';
import { art, button, clip, h, icon, set, setArt, setText } from './dom.js';
import { Pages } from './pages.js';
import { store, View } from './store.js';
import { emptyNote, noneFound, searchField, viewHead } from './ui.js';
import { counted, t } from './strings.js';
import { isReadOnly, mayControl, permit } from './controls.js';
import { isAlbum, makeCard, makeRow, path, play, workOf } from './library-rows.js';
import { showWork } from './work.js';
import './library-search.js';

/** Stands for all servers in the address of a search. */
const everywhere = '*';

/** Titles and parents of containers that were open, for the path above the list. */
const known = new Map();

/** The latest containers and searches, so that Back shows them at once: `{pages, time}` by address. */
const opened = new Map();
const mostOpened = 12;
/** Milliseconds until a container that opens again is also read again. */
const freshTime = 30_000;

function pagesOf(server, container, words) {
  const address = path(server, container, words);
  const { pages, time } = opened.get(address) ?? {};
  opened.delete(address);
  const isKept = pages?.isLoaded && !pages.error;
  const used = isKept ? pages : new Pages((offset, count) => load(server, container, words, offset, count), 100);
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
  known.set(`${server}/${container}`, { title: answer.title, parent: answer.parent });
  // A folder shows its title at once when it is opened, also if its server is slow.
  for (const { id, kind, title } of answer.items) {
    if (kind === 'container') known.set(`${server}/${id}`, { title, parent: container });
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
      if (!this.server) this.#showServers();
      this.offerSearch?.();
    });
    this.watch(['access', 'connection'], () => {
      this.allow?.();
      this.list?.refresh?.();
    });
    this.#open();
  }

  /** Called with the parts of the address: server, container, words. */
  route([server, container, words]) {
    [this.server, this.container, this.words] = [server, container ?? (server && '0'), words];
    if (this.isConnected) this.#open();
  }

  #open() {
    if (this.server === everywhere) this.#showSearch();
    else if (this.server) this.#showContainer();
    else this.#showServers();
  }

  #showServers() {
    this.offerSearch = null;
    const servers = store.listed('servers');
    const key = JSON.stringify(['servers', servers, store.connection]);
    if (this.key === key) return;
    this.key = key;
    const list = h('ul', { class: 'cards' }, (servers ?? []).map((server) => h('li', {}, h('a', { class: 'card', href: path(server.id) },
      art(server.icon, 'server'), h('span', { class: 'row-title', dir: 'auto' }, clip(server.name)), icon('forward')))));
    const search = servers?.length > 0
      && searchField(t('searchAll'), '', (text) => (text ? path(everywhere, '0', text) : '#/library'));
    // Keep the search field, so that typing continues when another server appears.
    if (search && this.rootSearch?.isConnected) {
      this.rootSearch.nextElementSibling.replaceWith(list);
      return;
    }
    this.rootSearch = search;
    this.replaceChildren(...[viewHead(t('library')), search,
      servers?.length ? list : noneFound('server', servers, t('noServers'), t('noServersHint'))].filter(Boolean));
  }

  /** The results of all servers. */
  #showSearch() {
    this.offerSearch = null;
    this.key = null;
    const { words = '' } = this;
    this.replaceChildren(
      h('nav', { class: 'crumbs', 'aria-label': t('breadcrumb') }, h('ol', {}, h('li', {}, h('a', { href: '#/library' }, t('library'))))),
      viewHead(t('searchFor', { words: clip(words, 60) })),
      searchField(t('searchAll'), words, (text) => (text ? path(everywhere, '0', text) : '#/library')),
      h('sw-library-search', { words }));
  }

  #serverName() {
    return store.state?.servers?.find(({ id }) => id === this.server)?.name ?? known.get(`${this.server}/0`)?.title ?? t('library');
  }

  #showContainer() {
    const { server, container, words } = this;
    this.key = null;
    this.heading = h('h1', { tabindex: '-1', dir: 'auto' }, words ? t('searchFor', { words: clip(words, 60) })
      : clip(known.get(`${server}/${container}`)?.title));
    this.cover = art(null, 'note', 'album-cover');
    this.cover.hidden = true;
    this.subtitle = h('p', { class: 'subtitle', dir: 'auto' });
    this.crumbs = h('nav', { class: 'crumbs', 'aria-label': t('breadcrumb') });
    const action = (label, where, look) => {
      const control = button(t(label), () => play(server, container, { container }, where), look);
      showWork(control, workOf(server, container), where);
      return control;
    };
    // Hidden for guests, who can only add to the end.
    const controls = [
      action('playAll', 'replace', { symbol: 'play', kind: 'primary' }), action('playNext', 'next', { symbol: 'next' }),
    ];
    this.actions = h('div', { class: 'buttons', hidden: true }, controls, action('addAll', 'end', { symbol: 'add' }));
    this.allow = () => {
      for (const control of controls) control.hidden = !mayControl();
      for (const control of this.actions.querySelectorAll('button')) permit(control, true, true);
    };
    this.allow();
    this.search = searchField(t('search'), words ?? '', (text) => (text ? path(server, container, text) : path(server, container)));
    // A server that cannot search is named in place of the field.
    const silent = h('p', { class: 'hint', hidden: true });
    this.offerSearch = () => {
      const entry = store.state?.servers?.find(({ id }) => id === server);
      this.search.hidden = entry?.searchable === false;
      silent.hidden = !this.search.hidden;
      setText(silent, entry && !silent.hidden ? t('cannotSearch', { names: clip(entry.name, 60) }) : '');
    };
    this.offerSearch();
    this.note = h('div', { class: 'state' }, h('p', { class: 'waiting' }, t('loading')));
    this.#forget();
    this.pages = pagesOf(server, container, words);
    this.pages.addEventListener('change', this.#loaded);
    this.list = null;
    this.replaceChildren(this.crumbs, h('header', { class: 'view-head library-head' }, this.cover,
      h('div', { class: 'library-titles' }, this.heading, this.subtitle, this.actions)), this.search, silent,
    ...(words ? [h('sw-library-search', { words, server })] : []), this.note);
    this.#showCrumbs();
    this.pages.want(0, 0);
    this.#loaded();
  }

  #forget() { this.pages?.removeEventListener('change', this.#loaded); }

  detach() { this.#forget(); }

  #loaded = () => {
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
      : { pages, rowHeight: 64, makeRow: () => makeRow(this.server, words ? { q: words } : { container: this.container }, this.album) });
    this.append(this.list);
    this.#showCrumbs();
  };

  /** An album shows its picture and artist above its tracks. */
  #showAlbum(tracks) {
    const [one] = tracks;
    const isSame = (key) => tracks.length > 0 && tracks.every((track) => track[key] === one[key]);
    const hasOneAlbum = !this.words && isSame('album') && Boolean(one.album);
    this.album = hasOneAlbum ? { pages: this.pages, severalArtists: !isSame('artist') } : null;
    this.cover.hidden = !hasOneAlbum;
    if (hasOneAlbum) setArt(this.cover, one.art);
    setText(this.subtitle, [
      hasOneAlbum && isSame('artist') && clip(one.artist, 120), this.pages.total > 1 && tracks.length && counted('tracks', this.pages.total),
    ].filter(Boolean).join(' · '));
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
}
customElements.define('sw-library', Library);
