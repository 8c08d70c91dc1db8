/** A browser's history with a location. Steps happen later, as in a browser. */
import { settle, window } from './browser.js';

export class History {
  #entries;
  #at = 0;
  /** Whether the page has been left. */
  isLeft = false;

  constructor(hash) {
    this.#entries = [{ hash, state: null }];
    const history = this;
    const location = {
      get hash() { return history.hash; },
      set hash(hash) { history.visit(hash); },
    };
    Object.defineProperty(globalThis, 'history', { value: this, configurable: true });
    Object.defineProperty(globalThis, 'location', { value: location, configurable: true });
  }

  get state() { return this.#entries[this.#at].state; }
  get hash() { return this.#entries[this.#at].hash; }
  get index() { return this.#at; }

  pushState(state) {
    this.#entries.splice(this.#at + 1, Infinity, { hash: this.hash, state });
    this.#at += 1;
  }

  replaceState(state) { this.#entries[this.#at].state = state; }

  back() { this.go(-1); }

  go(by) {
    setImmediate(() => {
      const to = this.#at + by;
      if (to < 0) this.isLeft = true;
      if (to < 0 || to >= this.#entries.length) return;
      const before = this.hash;
      this.#at = to;
      window.dispatch('popstate', { state: this.state });
      if (this.hash !== before) setImmediate(() => window.dispatch('hashchange'));
    });
  }

  /** Follows a link. */
  visit(hash) {
    this.#entries.splice(this.#at + 1, Infinity, { hash, state: null });
    this.#at += 1;
    window.dispatch('popstate', { state: null });
    setImmediate(() => window.dispatch('hashchange'));
  }

  /** What a person does. */
  async press(by) {
    this.go(by);
    await settle();
  }
}
