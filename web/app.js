/** The frame: navigation, routing, connection, keyboard. */
import { setSilent } from './api.js';
import { button, clip, h, icon, iconButton, set, setText } from './dom.js';
import { store, View } from './store.js';
import { trail } from './trail.js';
import { announce, command, dialog, menu, messagePlaces, toast, unlockDialog } from './ui.js';
import { failureText, language, playingTitle, t } from './strings.js';
import { changeVolume, isGuest, seekBy, toggle, toggleMute } from './controls.js';
import { checkToken, hasToken } from './api.js';
import { wayBack } from './companion-launch.js';
import './view-now.js';
import './list.js';
import './view-queue.js';
import './view-library.js';
import './view-radio.js';
import './view-pins.js';
import './view-speakers.js';
import './view-settings.js';
import './view-health.js';
import './view-equalizer.js';
import './view-alarms.js';

/** The views in their order. Every speaker has all of them. */
const views = [
  { name: 'now', symbol: 'now', tag: 'sw-now' },
  { name: 'queue', symbol: 'queue', tag: 'sw-queue' },
  { name: 'library', symbol: 'library', tag: 'sw-library' },
  { name: 'radio', symbol: 'radio', tag: 'sw-radio' },
  { name: 'pins', symbol: 'pin', tag: 'sw-pins' },
  { name: 'speakers', symbol: 'speakers', tag: 'sw-speakers' },
  { name: 'settings', symbol: 'settings', tag: 'sw-settings' },
  { name: 'health', symbol: 'health', tag: 'sw-health' },
  { name: 'equalizer', symbol: 'sliders', tag: 'sw-equalizer' },
  { name: 'alarms', symbol: 'alarm', tag: 'sw-alarms' },
];
/** Number of tabs that fit at the bottom of a phone. The others are in the menu More. */
const primary = 4;

class App extends View {
  #lastTrack = null;

  build() {
    document.documentElement.lang = language;
    this.name = h('span', { class: 'speaker-name', dir: 'auto' });
    this.lockBadge = iconButton('lock', t('locked'), () => { if (!hasToken()) unlockDialog(); else location.hash = '#/settings'; }, { hidden: true });
    this.readOnly = h('p', { class: 'banner', hidden: true }, t('readOnly'));
    this.guest = h('p', { class: 'banner guest', hidden: true }, h('span', {}, t('guestHint')),
      button(t('unlock'), () => unlockDialog(), { kind: 'quiet' }));
    this.connection = h('p', { class: 'connection', role: 'status', hidden: true });
    this.links = new Map(views.map(({ name, symbol }, index) => [name, h('a', {
      href: `#/${name}`, class: index < primary ? 'tab' : 'tab secondary', onclick: (event) => { event.currentTarget.href = trail.address(name); },
    },
      icon(symbol), h('span', {}, t(name === 'now' ? 'nowShort' : name)))]));
    this.more = h('button', { type: 'button', class: 'tab more', 'aria-haspopup': 'menu', onclick: () => this.#openMore() },
      icon('more'), h('span', {}, t('more')));
    this.main = h('main', { id: 'content', 'data-scroller': true, tabindex: '-1' });
    this.mini = h('sw-mini', { role: 'region', 'aria-label': t('player') });
    const help = iconButton('keyboard', t('keyboard'), () => keyboardHelp(), { class: 'icon-button help' });
    this.append(
      h('a', { class: 'skip', href: '#content', onclick: (event) => {
        event.preventDefault();
        this.main.focus();
      } }, t('skip')),
      h('header', { class: 'bar' }, wayBack(), h('span', { class: 'brand' }, this.name), this.lockBadge, help),
      h('nav', { class: 'tabs', 'aria-label': t('views') }, [...this.links.values()], this.more),
      this.connection, h('div', { class: 'banners' }, this.readOnly, this.guest, h('sw-alarm-bar', { hidden: true })), this.main, this.mini, ...messagePlaces(),
    );
  }

  attach() {
    document.addEventListener('keydown', (event) => this.#key(event));
    this.watch(['speaker'], ({ speaker }) => {
      setText(this.name, clip(speaker?.name, 80));
      document.title = clip(speaker?.name, 80) || 'Swiftlet';
    });
    this.watch(['connection'], () => this.#showConnection());
    this.watch(['access'], () => this.#showAccess());
    this.watch(['connection'], () => { if (store.connection === 'open') checkToken().catch(() => {}); });
    this.watch(['playing', 'speaker'], (state) => this.#announce(state));
    this.watch(['playing'], ({ playing }) => this.#tellSkipped(playing?.skipped));
    this.#showConnection();
    trail.start(this.main, () => this.#route());
    store.start();
  }

  #openMore() {
    menu(this.more, t('more'), views.slice(primary).map(({ name, symbol }) => ({
      label: t(name), symbol, action: () => { location.hash = trail.address(name); },
    })));
  }

  /** Shows the view of the address. */
  #route() {
    const [, name, ...rest] = location.hash.split('/');
    const view = views.find((one) => one.name === name) ?? views[0];
    const parts = rest.map((part) => { try { return decodeURIComponent(part); } catch { return part; } });
    const isSame = this.view?.localName === view.tag;
    if (!isSame) {
      this.view = document.createElement(view.tag);
      this.view.route?.(parts);
      this.main.replaceChildren(this.view);
    } else {
      this.view.route?.(parts);
    }
    this.classList.toggle('shows-now', view.name === 'now');
    for (const [key, link] of this.links) {
      if (key === view.name) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    this.more.classList.toggle('is-current', this.links.get(view.name).classList.contains('secondary'));
    // Focus the new view, so that a screen reader continues there. At the start, it begins with the page.
    if (this.hasRouted) this.view.querySelector('h1')?.focus({ preventScroll: true });
    this.hasRouted = true;
    return { name: view.name, view: this.view };
  }

  #showConnection() {
    const texts = { connecting: t('connecting'), lost: t('reconnecting') };
    setSilent(store.connection === 'lost');
    clearTimeout(this.connectionTimer);
    const show = () => {
      const { connection } = store;
      this.connection.hidden = connection === 'open';
      setText(this.connection, texts[connection] ?? '');
      this.classList.toggle('is-lost', connection === 'lost');
    };
    // Do not show the first connection at once: it usually takes only a moment.
    if (store.connection === 'connecting') this.connectionTimer = setTimeout(show, 600);
    else show();
  }

  #showAccess() {
    const { access } = store.state ?? {};
    this.readOnly.hidden = !access?.read_only;
    this.lockBadge.hidden = !access?.lock;
    const label = t(hasToken() ? 'unlockedHere' : 'locked');
    set(this.lockBadge, { 'aria-label': label, title: label });
    this.guest.hidden = !isGuest();
    this.classList.toggle('is-guest', isGuest());
  }

  #announce({ playing, speaker }) {
    const title = playing?.state === 'playing' ? clip(playingTitle({ playing }), 120) : '';
    document.title = [title, clip(speaker?.name, 80) || 'Swiftlet'].filter(Boolean).join(' – ');
    const track = title && [playing.track_id, playing.uri, title].join();
    if (!track || track === this.#lastTrack) return;
    if (this.#lastTrack !== null) announce(playing.artist ? t('announce', { title, artist: clip(playing.artist, 120) }) : title);
    this.#lastTrack = track;
  }

  /** Names a track that was skipped because it is broken. Tracks skipped before the page opened are only marked in the queue. */
  #tellSkipped(skipped) {
    const key = JSON.stringify(skipped ?? null);
    if (this.skipped !== undefined && this.skipped !== key && skipped) {
      toast(t('skipped', { text: failureText(skipped) }), { kind: 'error' });
    }
    this.skipped = key;
  }

  #key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector('dialog[open], [popover]:popover-open')) return;
    const { target } = event;
    const isTyping = target.closest?.('input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]');
    if (isTyping) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    // Controls keep their own keys.
    const isControl = target.closest?.('button, a, input, summary');
    if (event.key === ' ' && isControl) return;
    const actions = {
      ' ': () => toggle(), ArrowLeft: () => seekBy(-10), ArrowRight: () => seekBy(10),
      ArrowUp: () => changeVolume(2), ArrowDown: () => changeVolume(-2), m: () => toggleMute(),
      n: () => command('/api/next'), p: () => command('/api/previous'),
      '/': () => this.#search(), '?': () => keyboardHelp(),
    };
    const digit = Number(event.key);
    if (digit >= 1 && digit <= views.length) actions[event.key] = () => { location.hash = trail.address(views[digit - 1].name); };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    // A key that is held repeats only steps of the position and the volume.
    if (event.repeat && !event.key.startsWith('Arrow')) return;
    if (store.state && store.connection === 'open') action();
  }

  #search() {
    if (this.view.focusSearch?.()) return;
    location.hash = '#/library';
    setTimeout(() => this.view.focusSearch?.(), 60);
  }
}

function keyboardHelp() {
  const keys = [
    [t('key_space'), 'space'], [t('key_arrowsX'), 'arrowsX'], [t('key_arrowsY'), 'arrowsY'], ['M', 'm'], ['/', 'slash'],
    ['N P', 'n'], [`1 … ${Math.min(views.length, 9)}`, 'digits'], ['?', 'help'],
  ];
  dialog(t('keyboard'), () => h('dl', { class: 'keys' }, keys.map(([key, name]) => h('div', {},
    h('dt', {}, key.split(' ').map((part) => h('kbd', {}, part))), h('dd', {}, t(`keys_${name}`))))));
}

customElements.define('sw-app', App);
