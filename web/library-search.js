/** The results of all media servers, grouped by server, as they arrive. */
import { get, query } from './api.js';
import { clip, h } from './dom.js';
import { View } from './store.js';
import { announce, emptyNote, problemText } from './ui.js';
import { counted, t } from './strings.js';
import { makeRow, path } from './library-rows.js';

/** Maximum rows of a server. A link leads to the others. */
const most = 10;

class LibrarySearch extends View {
  build() {
    this.words = this.getAttribute('words');
    this.groups = new Map();
    this.stop = new AbortController();
    this.waiting = h('p', { class: 'waiting', role: 'status' }, t('searching'));
    this.none = h('div', { hidden: true }, emptyNote('search', t('noResults'), t('noResultsHint')));
    this.append(this.waiting, this.none);
  }

  attach() {
    this.watch(['servers'], ({ servers = [] }) => {
      for (const server of servers) {
        if (server.searchable && !this.groups.has(server.id)) this.#ask(server);
      }
      this.#showProgress();
    });
    this.watch(['access'], () => { for (const row of this.querySelectorAll('.list-row')) row.update(row.item); });
  }

  detach() { this.stop.abort(); }

  async #ask({ id, name }) {
    const group = { isDone: false, count: 0 };
    this.groups.set(id, group);
    let content;
    try {
      const answer = await get(query('/api/library/search', { server: id, q: this.words, offset: 0, count: most }), { signal: this.stop.signal });
      group.count = answer.total ?? answer.items.length;
      content = answer.items.map((item) => {
        const row = makeRow(id);
        row.update(item);
        return h('li', {}, row);
      });
    } catch (error) {
      if (this.stop.signal.aborted) return;
      content = [h('li', { class: 'problem' }, problemText(error))];
    }
    group.isDone = true;
    if (content.length) this.#show(id, clip(name, 120), content, group.count);
    this.#showProgress();
  }

  /** Appends a group. Groups keep the order in which their answers arrive, so that nothing moves under a finger. */
  #show(id, name, content, count) {
    const heading = h('h2', { id: `results-${this.groups.size}-${this.children.length}`, dir: 'auto' }, name);
    this.insertBefore(h('section', { class: 'results', 'aria-labelledby': heading.id },
      h('header', {}, heading, count > most && h('a', {
        href: path(id, '0', this.words), class: 'quiet-link', 'aria-label': `${t('showAll')}: ${t('resultsOf', { name })}`,
      }, `${t('showAll')} (${count})`)),
      h('ul', {}, content)), this.waiting);
  }

  #showProgress() {
    const groups = [...this.groups.values()];
    const isDone = groups.length > 0 && groups.every((group) => group.isDone);
    const count = groups.reduce((sum, group) => sum + group.count, 0);
    this.waiting.hidden = isDone;
    this.none.hidden = !isDone || Boolean(this.querySelector('.results'));
    if (isDone && this.told !== count) {
      this.told = count;
      announce(count ? counted('tracks', count) : t('noResults'));
    }
  }
}
customElements.define('sw-library-search', LibrarySearch);
