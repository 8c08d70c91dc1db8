/** Launch requests: pages that the speaker asks a registered phone to open. */
import { button, clip, h, icon } from './dom.js';
import { store } from './store.js';
import { dialog, toast } from './ui.js';
import { t } from './strings.js';

const page = '/companion';
/** In the storage of a tab that a launch has led away from the companion page. */
const mark = 'swiftlet-launched';

/** The data stored on the phone: the token, and whether its owner said that they left. */
export const memory = {
  key: 'swiftlet-companion',
  value: null,
  read() {
    try { this.value = JSON.parse(localStorage.getItem(this.key)); } catch { /* Private windows may have no storage. */ }
    if (typeof this.value?.token !== 'string') this.value = null;
    return this.value;
  },
  write(value) {
    this.value = value;
    try {
      if (value) localStorage.setItem(this.key, JSON.stringify(value));
      else localStorage.removeItem(this.key);
    } catch { /* The page works until it is closed. */ }
  },
};

/** Opens the page of a launch request. Another site is opened only when the person confirms it, in a tab of its own. */
export function openLaunch({ url, session }) {
  let target;
  try { target = new URL(url, location.href); } catch { return; }
  if (!/^https?:$/.test(target.protocol)) return;
  if (!target.searchParams.has('session')) target.searchParams.set('session', session);
  if (target.origin !== location.origin) {
    dialog(t('launchTitle'), (close) => [
      h('p', {}, t('launchHint', { name: clip(store.state?.speaker?.name, 80) })),
      h('p', { class: 'launch-host' }, clip(target.host, 200)), h('p', { class: 'hint address' }, clip(target.href, 400)),
      h('div', { class: 'buttons' },
        h('a', { class: 'button primary', href: target.href, target: '_blank', rel: 'noopener noreferrer', onclick: () => close() }, t('launchOpen')),
        button(t('cancel'), () => close(), { kind: 'quiet' })),
    ]);
  } else if (target.pathname === page && location.pathname === page) {
    history.replaceState(null, '', target);
    toast(t('launched'));
  } else {
    try { sessionStorage.setItem(mark, '1'); } catch { /* Then the browser's own button leads back. */ }
    location.assign(target);
  }
}

/**
 * In a page that a launch has opened: lets the next launches reach it, and returns a link to the companion page. Null in
 * other pages. Call it before the store starts.
 */
export function wayBack() {
  let isLaunched = false;
  try { isLaunched = sessionStorage.getItem(mark) !== null; } catch { /* Private windows may have no storage. */ }
  const registration = isLaunched ? memory.read() : null;
  if (!registration) return null;
  const label = `${t('back')}: ${t('companionTitle')}`;
  const link = h('a', { href: page, class: 'icon-button', 'aria-label': label, title: label }, icon('back'));
  store.path = '/api/companion/events';
  store.headers = { Authorization: `Bearer ${registration.token}` };
  store.onEvent = (name, value) => { if (name === 'launch') openLaunch(value); };
  store.onRefused = (status) => {
    if (status !== 403) return;
    // The speaker has forgotten this phone.
    link.remove();
    [store.path, store.headers, store.onEvent, store.onRefused] = ['/api/events', {}, null, null];
    store.reconnect();
  };
  return link;
}

/** Called by the companion page: the tab has come back. */
export function cameBack() {
  try { sessionStorage.removeItem(mark); } catch { /* There is no mark either. */ }
}
