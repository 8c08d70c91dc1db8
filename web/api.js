/** Requests to the speaker, as docs/api.md describes them. */

import { said } from './strings.js';

/** An answer that is an error: application/problem+json, or no answer at all (status 0). */
export class Problem extends Error {
  constructor(status, { type = '', title = '', detail = '', arguments: values = {}, undo } = {}, retryAfter = null) {
    super(said('problems', type.split('/').pop(), detail || title, values));
    this.status = status;
    this.type = type;
    this.retryAfter = retryAfter;
    this.undo = undo;
  }

  get isLocked() { return this.status === 403 && this.type.endsWith('/locked'); }
  get isReadOnly() { return this.status === 403 && this.type.endsWith('/read-only'); }
}

/** The token that unlocks the party lock for this browser. Null while it is a guest. */
const stored = 'swiftlet.token';
let token = readToken();
export const hasToken = () => token !== null;
export const setToken = (value) => {
  token = value;
  // Without storage, as in some private windows, the token lasts as long as the page.
  try {
    if (value) localStorage.setItem(stored, value); else localStorage.removeItem(stored);
  } catch { /* see above */ }
  document.dispatchEvent(new Event('lockchange'));
};

addEventListener('storage', ({ key, newValue }) => {
  if (key !== stored) return;
  token = newValue;
  document.dispatchEvent(new Event('lockchange'));
});

function readToken() {
  try { return localStorage.getItem(stored); } catch { return null; }
}

/** The headers of a browser that is no guest. */
export const authorization = () => (token ? { Authorization: `Bearer ${token}` } : {});

/** Forgets a token that the speaker no longer knows, for example after a restart. */
export async function checkToken() {
  const checked = token;
  if (checked && !(await get('/api/lock')).owner && token === checked) setToken(null);
}

/** Ends the requests that wait; null while the speaker is silent. */
let waiting = new AbortController();

/** While the speaker is silent, commands fail at once, so that none of them is performed when nobody expects it any more. */
export function setSilent(isSilent) {
  if (isSilent === !waiting) return;
  waiting?.abort();
  waiting = isSilent ? null : new AbortController();
}

async function request(path, options, seconds) {
  const headers = { Accept: 'application/json', ...authorization(), ...options.headers };
  let response;
  let body;
  if (options.method === 'POST' && !waiting) throw new Problem(0);
  const ends = [options.signal, waiting?.signal, AbortSignal.timeout(seconds * 1000)].filter(Boolean);
  try {
    response = await fetch(path, { ...options, headers, signal: AbortSignal.any(ends) });
    body = await response.json().catch(() => ({}));
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Problem(0);
  }
  if (response.ok) return body;
  const problem = new Problem(response.status, body, Number(response.headers.get('Retry-After')) || null);
  // The speaker has forgotten the token.
  if (problem.isLocked && token) setToken(null);
  throw problem;
}

/** Reads a resource. Throws `Problem`. */
export function get(path, { signal } = {}) {
  return request(path, { signal }, 30);
}

/** Performs a command. Throws `Problem`. */
export function post(path, body = {}, seconds = 60) {
  return request(path, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  }, seconds);
}

/** The path with a query; absent values are left out. */
export function query(path, values) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value != null) parameters.set(name, value);
  return `${path}?${parameters}`;
}

/**
 * Sends values that change many times a second, such as a dragged volume: one request at a time, then the latest value.
 */
export class Latest {
  constructor(send) {
    this.send = send;
    this.waiting = null;
    this.isSending = false;
  }

  async set(value) {
    this.waiting = { value };
    if (this.isSending) return;
    this.isSending = true;
    try {
      while (this.waiting) {
        const next = this.waiting.value;
        this.waiting = null;
        await this.send(next);
      }
    } finally {
      this.isSending = false;
    }
  }
}
