/** The items of a list of any length, loaded in pages when they come into view. */

/** Milliseconds until a page that could not be loaded is requested again. */
const retryTime = 5000;

/** Items by index, loaded in pages. `load(offset, count)` resolves with `{items, total, revision}`. */
export class Pages extends EventTarget {
  items = [];
  total = 0;
  revision = null;
  error = null;
  /** Whether the speaker has answered, or could not. */
  isLoaded = false;
  /** Whether the items must be read, again or for the first time. */
  isStale = true;
  #load;
  #size;
  #loading = new Set();
  #failed = new Set();
  #generation = 0;

  constructor(load, size = 100) {
    super();
    this.#load = load;
    this.#size = size;
  }

  /** Gives a list its length before its first items, so that it can be scrolled. */
  expect(total) { if (!this.isLoaded) this.total = total; }

  /** Reads the items in view again. The old items stay until then. */
  refresh() {
    this.#generation += 1;
    this.#loading.clear();
    this.#failed.clear();
    this.isStale = true;
    this.dispatchEvent(new Event('change'));
  }

  /** Loads the pages of these indices that are absent. */
  want(first, last) {
    const end = this.isLoaded ? Math.min(last, this.total - 1) : last;
    for (let page = Math.floor(first / this.#size); page <= Math.floor(Math.max(first, end) / this.#size); page += 1) {
      const offset = page * this.#size;
      const isAbsent = this.isStale ||
        (offset < this.total && this.#lacks(Math.max(offset, first), Math.min(offset + this.#size - 1, end)));
      if (isAbsent && !this.#loading.has(page) && !this.#failed.has(page)) this.#fetch(page);
    }
  }

  #lacks(first, last) {
    for (let index = first; index <= last; index += 1) if (this.items[index] === undefined) return true;
    return false;
  }

  async #fetch(page) {
    const generation = this.#generation;
    this.#loading.add(page);
    try {
      const offset = page * this.#size;
      const answer = await this.#load(offset, this.#size);
      if (generation !== this.#generation) return;
      // Drop items of another revision, because they may have moved.
      if (this.isStale || answer.revision !== this.revision) this.items = [];
      this.isStale = false;
      this.revision = answer.revision;
      answer.items.forEach((item, index) => { this.items[offset + index] = item; });
      const known = offset + answer.items.length;
      // A server that does not know its total is asked until a page is short.
      this.total = answer.total ?? Math.max(this.total, known + (answer.items.length === this.#size ? 1 : 0));
      if (answer.items.length < this.#size) this.total = Math.min(this.total, Math.max(known, answer.items.length ? known : offset));
      this.error = null;
    } catch (error) {
      if (generation !== this.#generation) return;
      this.error = error;
      this.#failed.add(page);
      setTimeout(() => {
        if (generation === this.#generation && this.#failed.delete(page)) this.dispatchEvent(new Event('change'));
      }, retryTime);
    } finally {
      if (generation === this.#generation) this.#loading.delete(page);
    }
    this.isLoaded = true;
    this.dispatchEvent(new Event('change'));
  }

  /** Moves an item at once, before the speaker confirms it. */
  move(from, to) {
    const [item] = this.items.splice(from, 1);
    this.items.splice(to, 0, item);
    this.dispatchEvent(new Event('change'));
  }

  removeAt(index) {
    this.items.splice(index, 1);
    this.total -= 1;
    this.dispatchEvent(new Event('change'));
  }
}
