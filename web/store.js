/** The speaker's state, kept up to date by one event stream. */
import { authorization } from './api.js';
import { EventReader } from './events.js';

/** Milliseconds without a byte after which the connection is dead. The speaker sends at least a comment every 2 s. */
const silence = 5000;
/** Milliseconds to wait for the first byte: `silence`, then twice as long with each attempt, up to this. */
const longestWait = 30_000;
/** Milliseconds in which a search of the network may find nothing yet. */
const searchTime = 5000;
const delays = [300, 700, 1500, 3000, 5000];

class Store {
  /** Null until the first event. */
  state = null;
  /** `connecting`, `open` or `lost`. */
  connection = 'connecting';
  /** Time of the last position, in the clock of performance.now(). */
  positionTime = 0;
  /** The event stream, and the headers that it needs. */
  path = '/api/events';
  headers = {};
  /** Called with the name and the value of other events. */
  onEvent = null;
  /** Called with the status of a refused stream. */
  onRefused = null;
  #watchers = new Set();
  #shown = new Map();
  /** When this connection first sent each list. */
  #listedSince = new Map();
  #stream = null;
  #attempt = 0;
  #timer = 0;

  start() {
    document.addEventListener('visibilitychange', () => this.#restart());
    document.addEventListener('lockchange', () => { if (this.state) this.#notify(new Set(['access'])); });
    window.addEventListener('online', () => this.#restart());
    window.addEventListener('pagehide', () => this.#close());
    window.addEventListener('pageshow', (event) => { if (event.persisted) this.#restart(); });
    this.#restart();
  }

  /**
   * Calls back now and at every change of one of these sections (`servers`, `speakers` and `connection` count as such).
   * Returns a function that ends it.
   */
  watch(sections, callback) {
    const watcher = { sections, callback };
    this.#watchers.add(watcher);
    if (this.state) callback(this.state);
    return () => this.#watchers.delete(watcher);
  }

  /** Requests the events `servers` or `speakers`, too. Returns a function that ends it. */
  show(name) {
    this.#shown.set(name, (this.#shown.get(name) ?? 0) + 1);
    // Restart later, because the next view may show the same list.
    queueMicrotask(() => this.#restart());
    return () => {
      const count = this.#shown.get(name) - 1;
      if (count) this.#shown.set(name, count);
      else this.#shown.delete(name);
      queueMicrotask(() => this.#restart());
    };
  }

  /** Reopens the stream after a change of `path` or `headers`. */
  reconnect() {
    this.#close();
    this.#restart();
  }

  /** The position now, in seconds. */
  get position() {
    const { seconds = 0, advancing = false } = this.state?.position ?? {};
    const moved = advancing && this.connection === 'open' ? (performance.now() - this.positionTime) / 1000 : 0;
    return Math.max(0, (seconds ?? 0) + moved);
  }

  /**
   * The list `servers` or `speakers`; null while nobody knows it: without a connection, and while the search that the page has
   * started may still find something.
   */
  listed(name) {
    const items = this.state?.[name];
    if (items?.length) return items;
    const since = this.connection === 'open' && this.#listedSince.get(name);
    return since && performance.now() - since >= searchTime ? [] : null;
  }

  #notify(sections) {
    for (const watcher of [...this.#watchers]) {
      if (!this.#watchers.has(watcher) || !watcher.sections.some((section) => sections.has(section))) continue;
      // An error in one view must not stop the others.
      try { watcher.callback(this.state); } catch (error) { reportError(error); }
    }
  }

  #become(connection) {
    if (this.connection === connection) return;
    // The position stays where it was noticed, because nobody knows whether the speaker still plays.
    if (connection === 'lost' && this.state?.position) {
      this.state = { ...this.state, position: { ...this.state.position, seconds: this.position } };
    }
    this.connection = connection;
    this.#notify(new Set(['connection']));
  }

  #close() {
    clearTimeout(this.#timer);
    this.#stream?.controller.abort();
    this.#stream = null;
  }

  #restart() {
    const wanted = document.hidden ? null : [...this.#shown.keys()].sort().join();
    if (this.#stream && this.#stream.shown === wanted) return;
    this.#close();
    // Hidden pages close their connection, because browsers allow only six per host.
    if (wanted !== null) this.#open(wanted);
  }

  async #open(shown) {
    this.#listedSince.clear();
    const controller = new AbortController();
    const stream = { controller, shown };
    this.#stream = stream;
    const isCurrent = () => this.#stream === stream;
    let watchdog = 0;
    const wait = (time) => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => controller.abort(), time);
    };
    try {
      wait(Math.min(silence * 2 ** this.#attempt, longestWait));
      const headers = { Accept: 'text/event-stream', ...authorization(), ...this.headers };
      const response = await fetch(`${this.path}${shown ? `?show=${shown}` : ''}`, {
        headers, signal: controller.signal, cache: 'no-store',
      });
      if (!response.ok && isCurrent()) this.onRefused?.(response.status);
      if (!response.ok || !response.body) throw new Error(`events: ${response.status}`);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      const events = new EventReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done || !isCurrent()) break;
        wait(silence);
        for (const { name, data } of events.read(value)) {
          // An event that cannot be read must not end the stream.
          try { this.#receive(name, JSON.parse(data)); } catch (error) { reportError(error); }
        }
      }
    } catch {
      // Every end of a connection leads to the next attempt below.
    }
    clearTimeout(watchdog);
    if (!isCurrent()) return;
    this.#stream = null;
    this.#become('lost');
    this.#timer = setTimeout(() => this.#restart(), delays[Math.min(this.#attempt++, delays.length - 1)]);
  }

  #receive(name, value) {
    if (name === 'state' || name === 'change') {
      this.#attempt = 0;
      this.state = name === 'state' ? value : { ...this.state, ...value };
      if ('position' in value) this.positionTime = performance.now();
      this.#become('open');
      this.#notify(new Set([...Object.keys(value), ...(name === 'state' ? ['connection'] : [])]));
    } else if (name === 'servers' || name === 'speakers') {
      this.state = { ...this.state, ...value };
      if (!this.#listedSince.has(name)) {
        this.#listedSince.set(name, performance.now());
        setTimeout(() => this.#notify(new Set([name])), searchTime + 50);
      }
      this.#notify(new Set([name]));
    } else {
      this.onEvent?.(name, value);
    }
  }
}

export const store = new Store();

/** The base class of elements that show state. Its watches end when the element is removed. */
export class View extends HTMLElement {
  #ends = [];
  #isBuilt = false;

  connectedCallback() {
    if (!this.#isBuilt) {
      this.#isBuilt = true;
      this.build();
    }
    this.attach?.();
  }

  disconnectedCallback() {
    for (const end of this.#ends.splice(0)) end();
    this.detach?.();
  }

  /** Watches sections while the element is in the page. */
  watch(sections, callback) { this.until(store.watch(sections, callback)); }

  /** Calls a function when the element is removed. */
  until(end) { this.#ends.push(end); }

  /** Focuses the search field, for the shortcut. Returns false if there is none. */
  focusSearch() {
    const field = this.querySelector('input[type=search]');
    field?.focus();
    field?.select();
    return Boolean(field);
  }
}
