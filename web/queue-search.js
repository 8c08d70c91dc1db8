/** Searches the queue: the tracks whose title, artist or album have all words. */
import { get, query } from './api.js';

const step = 500;
const folded = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The items that have all words. Pure. */
export function matching(items, words) {
  const wanted = folded(words).split(/\s+/).filter(Boolean);
  return items.filter(({ title, artist, album }) => {
    const text = folded([title, artist, album].filter(Boolean).join(' '));
    return wanted.every((word) => text.includes(word));
  });
}

/** Reads the whole queue, once for each revision. */
export class QueueItems {
  #revision = null;
  #items = null;

  read(revision) {
    if (this.#revision !== revision) {
      this.#revision = revision;
      this.#items = this.#all();
      this.#items.catch(() => { this.#revision = null; });
    }
    return this.#items;
  }

  async #all() {
    const items = [];
    for (;;) {
      const { items: more, count } = await get(query('/api/queue', { offset: items.length, count: step }));
      items.push(...more);
      if (!more.length || items.length >= count) return items;
    }
  }
}
