/** The browser's history: the place of each entry and of each view, and Back as the way out of menus and dialogs. */

/** Milliseconds in which a view may load what is needed to scroll to its old place. */
const patience = 15_000;
const kept = 'places';
const most = 60;

/** What is open above the view: functions that close it, the topmost last. */
const layers = [];

class Trail {
  /** Number of this entry in the history of the page. It is in the entry's state, too. */
  #index = 0;
  #hash = '';
  #isReturning = false;
  #scroller = null;
  /** Scroll positions of entries, and the last entry of each view: `{hash, top, key}`. They survive a reload. */
  #entries = {};
  #views = {};
  #view = null;
  #wanted = null;
  #stop = null;

  /** `show()` shows the address. It returns the view, an element. `scroller` is what scrolls. */
  start(scroller, show) {
    this.#scroller = scroller;
    this.show = show;
    try { [this.#entries, this.#views] = JSON.parse(sessionStorage.getItem(kept)) ?? [{}, {}]; } catch { /* Nothing is kept. */ }
    if (history.state?.index === undefined) {
      [this.#entries, this.#views] = [{}, {}];
      history.replaceState({ index: 0 }, '');
    }
    scroller.addEventListener('scroll', () => this.#remember(), { passive: true });
    for (const name of ['popstate', 'hashchange']) window.addEventListener(name, () => this.#arrive());
    // A link to where the page is leads to its top.
    document.addEventListener('click', (event) => {
      const link = event.target.closest?.('a[href^="#/"]');
      if (link?.hash !== location.hash || event.defaultPrevented) return;
      event.preventDefault();
      scroller.scrollTo({ top: 0 });
    });
    window.addEventListener('pagehide', () => this.#save());
    document.addEventListener('visibilitychange', () => this.#save());
    this.#index = history.state.index;
    this.#enter(this.#entries[this.#index]);
  }

  /** The address of a view as it was left, or its first one if it is shown already. */
  address(name) {
    const first = `#/${name}`;
    return this.#view === name ? first : this.#views[name]?.hash ?? first;
  }

  /** Something opens above the view. Returns a function to call when it is closed. */
  cover(close) {
    layers.push(close);
    // Without an entry behind this one, Back would leave the page.
    if (this.#index === 0 && this.#scroller) {
      this.#index = 1;
      history.pushState({ index: 1, isSpare: true }, '');
      this.#remember();
    }
    return () => { if (layers.includes(close)) layers.splice(layers.indexOf(close), 1); };
  }

  #arrive() {
    const { index } = history.state ?? {};
    const isNew = index === undefined;
    if (isNew && location.hash === this.#hash) {
      // A link to the same address has replaced the entry.
      history.replaceState({ index: this.#index }, '');
      return;
    }
    if (!isNew && index === this.#index && location.hash === this.#hash) this.#isReturning = false;
    if (this.#isReturning || (index === this.#index && location.hash === this.#hash)) return;
    if (!isNew && layers.length) {
      // Back closes the topmost layer, so stay here.
      layers.pop()();
      this.#isReturning = true;
      setTimeout(() => { this.#isReturning = false; }, 1000);
      history.go(this.#index - index);
      return;
    }
    for (const close of layers.splice(0)) close();
    this.#remember();
    const isSame = location.hash === this.#hash;
    const hasLeft = this.#index === 1 && index === 0 && isSame;
    this.#index = isNew ? this.#index + 1 : index;
    if (isNew) {
      history.replaceState({ index: this.#index }, '');
      for (const other of Object.keys(this.#entries)) if (Number(other) >= this.#index) delete this.#entries[other];
    }
    // The entry behind the spare one shows the same.
    if (hasLeft) history.back();
    else this.#enter(isNew ? null : this.#entries[this.#index]);
  }

  /** Shows the address, at the place of this entry if it has one, otherwise where its view was left. */
  #enter(place) {
    this.#stop?.abort();
    this.#wanted = null;
    const before = this.#view;
    this.#hash = location.hash;
    const { name, view } = this.show();
    this.#view = name;
    const left = this.#views[name];
    const isReturn = before !== name && left?.hash === this.#hash && left.key === (view.placeKey?.() ?? null);
    const top = place?.top ?? (isReturn ? left.top : null);
    this.#scroller.scrollTop = 0;
    if (top) this.#scrollTo(top, view);
    else if (top === null) view.openAtStart?.();
    this.#remember();
  }

  /** Scrolls as soon as the content is high enough, unless the user scrolls first. */
  #scrollTo(top, view) {
    this.#wanted = top;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const end = () => {
      this.#stop.abort();
      this.#wanted = null;
    };
    const attempt = () => {
      if (signal.aborted) return;
      this.#scroller.scrollTop = top;
      if (Math.abs(this.#scroller.scrollTop - top) > 1) return;
      end();
      this.#remember();
    };
    const observer = new ResizeObserver(attempt);
    observer.observe(view);
    signal.addEventListener('abort', () => observer.disconnect());
    for (const name of ['wheel', 'touchmove', 'pointerdown', 'keydown']) document.addEventListener(name, end, { signal, passive: true });
    setTimeout(() => { if (!signal.aborted) end(); }, patience);
    attempt();
  }

  #remember() {
    const top = this.#wanted ?? Math.round(this.#scroller.scrollTop);
    this.#entries[this.#index] = { top };
    const key = this.#scroller.firstElementChild?.placeKey?.() ?? null;
    if (this.#view) this.#views[this.#view] = { hash: this.#hash, top, key };
  }

  #save() {
    const last = Object.entries(this.#entries).slice(-most);
    try { sessionStorage.setItem(kept, JSON.stringify([Object.fromEntries(last), this.#views])); } catch { /* It is forgotten. */ }
  }
}

export const trail = new Trail();
