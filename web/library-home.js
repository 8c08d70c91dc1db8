/** The first page of the library: its lists, what was added lately, and the albums. */
import { button, clip, h, icon, set, setText } from './dom.js';
import { View } from './store.js';
import { t } from './strings.js';
import { lists } from './library-plan.js';
import { everywhere, listsOf, loader, serverName, serversOf } from './library-lists.js';
import { makeCard, path } from './library-rows.js';

/** The lists that are shown here, and the number of their tiles. The others have only a link. */
const shelves = { recent: 12, albums: 30 };
const symbols = { albums: 'album', artists: 'person', genres: 'tag', playlists: 'queue', recent: 'clock' };

/** The address of a list. */
export const listPath = (selection, list) => path(selection, `:${list}`);

class LibraryHome extends View {
  build() {
    this.selection = this.getAttribute('selection') ?? everywhere;
    /** Where the lists of each server are; null while that is read, a Boolean `failed` if it cannot be. */
    this.found = new Map();
    this.links = new Map(lists.map((list) => [list, h('a', { class: 'button', href: listPath(this.selection, list), hidden: true },
      icon(symbols[list]), h('span', {}, t(list)))]));
    this.shelves = Object.keys(shelves).map((list) => new Shelf(this.selection, list));
    this.silent = h('span', { dir: 'auto' });
    this.failure = h('p', { class: 'hint', role: 'status', hidden: true }, this.silent, button(t('retry'), () => {
      for (const [id, found] of this.found) if (found?.failed) this.found.delete(id);
      this.#read();
    }, { kind: 'quiet' }));
    this.append(this.failure, h('nav', { class: 'buttons lists', 'aria-label': t('lists') }, [...this.links.values()]), h('sw-track-lists'), ...this.shelves.map(({ element }) => element));
  }

  attach() {
    this.watch(['servers', 'connection'], () => this.#read());
    this.watch(['access'], () => { for (const cell of this.querySelectorAll('.cell')) cell.update?.(cell.item); });
  }

  #read() {
    const servers = serversOf(this.selection);
    for (const id of this.found.keys()) if (!servers.some((server) => server.id === id)) this.found.delete(id);
    for (const server of servers) {
      if (this.found.has(server.id)) continue;
      this.found.set(server.id, null);
      listsOf(server).catch(() => ({ failed: true })).then((found) => {
        this.found.set(server.id, found);
        this.#show();
      });
    }
    this.#show();
  }

  #show() {
    const known = [...this.found.values()];
    const failed = serversOf(this.selection).filter(({ id }) => this.found.get(id)?.failed);
    this.failure.hidden = !failed.length;
    setText(this.silent, failed.length ? `${failed.map((server) => clip(serverName(server), 40)).join(', ')}: ${t('serverFailed')}` : '');
    for (const [list, link] of this.links) link.hidden = !known.some((found) => found?.[list]);
    for (const shelf of this.shelves) {
      const having = [...this.found].filter(([, found]) => found?.[shelf.list]).map(([id]) => id);
      shelf.show(having, known.includes(null));
    }
  }
}
customElements.define('sw-library-home', LibraryHome);

/** The first tiles of a list. */
class Shelf {
  #key = null;

  constructor(selection, list) {
    [this.selection, this.list] = [selection, list];
    this.more = h('span', { class: 'count' });
    this.tiles = h('div', { class: list === 'albums' ? 'tiles' : 'tiles strip' });
    this.element = h('section', { class: 'shelf', hidden: true, 'aria-label': t(list) },
      h('h2', {}, h('a', { href: listPath(selection, list) }, t(list), icon('forward')), this.more), this.tiles);
  }

  /** Shows the list of these servers. `isReading` while some are not known yet. */
  async show(servers, isReading) {
    this.element.hidden = !servers.length && !isReading;
    const key = servers.join();
    if (key === this.#key) return;
    this.#key = key;
    if (!this.tiles.childElementCount) this.tiles.append(...Array.from({ length: 6 }, () => h('div', { class: 'cell skeleton', 'aria-hidden': 'true' }, h('div', { class: 'tile' }, h('span', { class: 'art' }), h('span', { class: 'row-title' })))));
    if (!servers.length) return;
    try {
      const { items, total } = await loader(this.selection, this.list)(0, shelves[this.list]);
      if (key !== this.#key) return;
      this.tiles.replaceChildren(...items.map((item, index) => {
        const cell = makeCard(item.server);
        cell.update(item, index);
        return cell;
      }));
      setText(this.more, total > items.length ? `${total}` : '');
      this.element.hidden = !items.length;
    } catch {
      // The folders of the servers say what is wrong.
      this.element.hidden = true;
      this.#key = null;
    }
    set(this.tiles, { 'aria-busy': null });
  }
}
