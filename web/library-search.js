/** The results of all media servers, grouped by server, as they arrive; or with `server`, the artists and albums of one. */
import { get, query } from './api.js';
import { clip, h } from './dom.js';
import { View } from './store.js';
import { announce, emptyNote, problemText } from './ui.js';
import { counted, t } from './strings.js';
import { serverName } from './library-lists.js';
import { makeRow, path } from './library-rows.js';

/** What is searched for, in the order of the results, with the maximum rows of a server. A link leads to further tracks. */
const kinds = [['artist', 5], ['album', 8], ['track', 10]];

class LibrarySearch extends View {
  build() {
    this.words = this.getAttribute('words');
    this.server = this.getAttribute('server');
    this.kinds = this.server ? kinds.slice(0, 2) : kinds;
    this.groups = new Map();
    this.stop = new AbortController();
    this.waiting = h('p', { class: 'waiting', role: 'status' }, t('searching'));
    this.none = h('div', { hidden: true }, emptyNote('search', t('noResults'), t('noResultsHint')));
    this.silent = h('p', { class: 'hint', role: 'note', hidden: true });
    // The list of the server's tracks, below, has notes of its own.
    if (!this.server) this.append(this.waiting, this.none, this.silent);
  }

  attach() {
    this.watch(['servers'], (state) => {
      const servers = (state.servers ?? []).filter(({ id }) => !this.server || id === this.server);
      for (const server of servers) {
        if (server.searchable && !this.groups.has(server.id)) this.#ask(server);
      }
      const names = servers.filter(({ searchable }) => searchable === false).map(({ name }) => clip(name, 60));
      this.silent.hidden = !names.length;
      this.silent.textContent = names.length ? t('cannotSearch', { names: names.join(', ') }) : '';
      this.isAsked = servers.length > 0 && servers.every(({ searchable }) => searchable != null);
      this.#showProgress();
    });
    this.watch(['access'], () => { for (const row of this.querySelectorAll('.list-row')) row.update(row.item); });
  }

  detach() { this.stop.abort(); }

  async #ask(server) {
    const { id } = server;
    const group = { isDone: false, count: 0 };
    this.groups.set(id, group);
    const lists = await Promise.all(this.kinds.map(([kind, most]) => this.#find(id, kind, most)));
    if (this.stop.signal.aborted) return;
    group.isDone = true;
    group.count = lists.reduce((sum, { count }) => sum + count, 0);
    // One message is enough for a server that fails.
    const problem = lists.find((list) => list.problem)?.problem;
    const content = lists.flatMap(({ rows }) => rows);
    if (problem) content.push(h('li', { class: 'problem' }, problem));
    if (content.length) this.#show(id, clip(serverName(server), 120), content, lists.at(-1).count);
    this.#showProgress();
  }

  async #find(server, kind, most) {
    try {
      const answer = await get(query('/api/library/search', { server, kind, q: this.words, offset: 0, count: most }), { signal: this.stop.signal });
      const count = answer.total ?? answer.items.length;
      const rows = answer.items.map((item, index) => {
        const row = makeRow(server, { q: this.words });
        row.index = index;
        row.update(item, index);
        return h('li', {}, row);
      });
      if (rows.length) rows.unshift(h('li', { class: 'kind' }, h('h3', {}, t(kind === 'track' ? 'tracksTitle' : `${kind}s`))));
      return { rows, count };
    } catch (error) {
      return { rows: [], count: 0, problem: this.stop.signal.aborted ? null : problemText(error) };
    }
  }

  /** Appends a group. Groups keep the order in which their answers arrive, so that nothing moves under a finger. */
  #show(id, name, content, tracks) {
    if (this.server) {
      this.append(h('section', { class: 'results' }, h('ul', {}, content), h('h3', { class: 'tracks-below' }, t('tracksTitle'))));
      return;
    }
    const heading = h('h2', { id: `results-${this.groups.size}-${this.children.length}`, dir: 'auto' }, name);
    this.insertBefore(h('section', { class: 'results', 'aria-labelledby': heading.id },
      h('header', {}, heading, tracks > kinds.at(-1)[1] && h('a', {
        href: path(id, '0', this.words), class: 'quiet-link', 'aria-label': `${t('showAll')}: ${t('resultsOf', { name })}`,
      }, `${t('showAll')} (${tracks})`)),
      h('ul', {}, content)), this.waiting);
  }

  #showProgress() {
    const groups = [...this.groups.values()];
    const isDone = Boolean(this.isAsked) && groups.every((group) => group.isDone);
    const count = groups.reduce((sum, group) => sum + group.count, 0);
    this.waiting.hidden = isDone;
    this.none.hidden = !isDone || Boolean(this.querySelector('.results'));
    if (isDone && this.told !== count) {
      this.told = count;
      announce(count ? counted('found', count) : t('noResults'));
    }
  }
}
customElements.define('sw-library-search', LibrarySearch);
