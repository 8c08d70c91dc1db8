/**
 * What the page's modules need of a browser to be loaded: globals, but no document. Import it before them.
 *
 * Time is simulated: it passes only with `pass`.
 */

class Target extends EventTarget {
  dispatch(type, properties = {}) { this.dispatchEvent(Object.assign(new Event(type), properties)); }
}

class Storage {
  #values = new Map();
  getItem(key) { return this.#values.get(key) ?? null; }
  setItem(key, value) { this.#values.set(key, String(value)); }
  removeItem(key) { this.#values.delete(key); }
}

export let page;
export let window;
/** Errors that the page has reported. */
export const errors = [];

const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
/** Opens another page: nothing that an earlier test has started goes on. */
export function openPage() {
  page = Object.assign(new Target(), { hidden: false });
  window = new Target();
  errors.length = 0;
  timers = [];
  define('document', page);
  define('window', window);
  define('addEventListener', window.addEventListener.bind(window));
}
define('localStorage', new Storage());
define('sessionStorage', new Storage());
define('navigator', { languages: [process.env.PAGE_LANGUAGE ?? 'en'] });
define('location', new URL('http://192.0.2.1:49494/'));
define('HTMLElement', class extends EventTarget {});
define('customElements', { define() {} });
define('reportError', (error) => errors.push(error));
// Node 18 has none.
AbortSignal.any ??= (signals) => {
  const any = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) any.abort(signal.reason);
    else signal.addEventListener('abort', () => any.abort(signal.reason), { once: true });
  }
  return any.signal;
};

let now = 0;
let timers = [];
define('performance', { now: () => now });
define('setTimeout', (callback, delay = 0) => {
  const timer = { callback, at: now + delay };
  timers.push(timer);
  return timer;
});
define('clearTimeout', (timer) => { timers = timers.filter((one) => one !== timer); });

const immediate = setImmediate;
/** Lets everything run that waits for no timer. */
export async function settle() { for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => { immediate(resolve); }); }

/** Lets this many milliseconds pass. */
export async function pass(milliseconds) {
  const end = now + milliseconds;
  await settle();
  for (;;) {
    const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
    if (!next) break;
    clearTimeout(next);
    now = next.at;
    next.callback();
    await settle();
  }
  now = end;
}

/** A speaker behind `fetch`. `answer(request)` returns a Response, a promise of one, or throws. */
export class Speaker {
  requests = [];

  constructor(answer) {
    this.answer = answer;
    define('fetch', (path, { signal, method = 'GET', headers, body }) => new Promise((resolve, reject) => {
      const request = { path, method, headers, body: body && JSON.parse(body), signal };
      this.requests.push(request);
      const abort = () => reject(new DOMException('aborted', 'AbortError'));
      if (signal?.aborted) { abort(); return; }
      signal?.addEventListener('abort', abort);
      new Promise((answered) => { answered(this.answer(request)); }).then(resolve, reject);
    }));
  }

  get paths() { return this.requests.map(({ path }) => path); }
}

/** An answer of the API. */
export const json = (value, status = 200, headers = {}) => new Response(JSON.stringify(value), { status, headers });

/** An event stream: a Response that ends when its request does, and what sends events with it. */
export class EventStream {
  #encoder = new TextEncoder();
  #controller;

  constructor({ signal }) {
    this.response = new Response(new ReadableStream({ start: (controller) => { this.#controller = controller; } }));
    signal.addEventListener('abort', () => {
      this.isAborted = true;
      try { this.#controller.error(new DOMException('aborted', 'AbortError')); } catch { /* It has ended. */ }
    });
  }

  write(text) { this.#controller.enqueue(this.#encoder.encode(text)); }
  send(name, value) { this.write(`event: ${name}\ndata: ${JSON.stringify(value)}\n\n`); }
  end() { this.#controller.close(); }
}

openPage();
