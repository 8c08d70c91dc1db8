/** The companion page: shows what is playing, and registers the phone. */
import { get, post } from './api.js';
import { cameBack, memory, openLaunch } from './companion-launch.js';
import { art, button, clip, h, icon, iconButton, setArt, setText, span } from './dom.js';
import { store, View } from './store.js';
import { command, messagePlaces, problemText, toast } from './ui.js';
import { language, playingTitle, t, time } from './strings.js';
import { tint } from './view-now.js';

/** Seconds for which a closed or hidden page counts as in the room. */
const reach = 900;

/** A number of the beacon in the address; null without one. */
function beaconNumber(name) {
  const text = new URLSearchParams(location.search).get(name);
  return /^\d{1,5}$/.test(text ?? '') && Number(text) < 65536 ? Number(text) : null;
}

class Companion extends View {
  #own = null;
  #phones = [];
  #isTold = false;
  /** What the list of phones depends on, as text; null after a failure. */
  #listed = null;

  build() {
    document.documentElement.lang = language;
    this.major = beaconNumber('major');
    this.minor = beaconNumber('minor');
    this.openedAt = performance.now();
    this.name = h('h1', { class: 'speaker-name', dir: 'auto' });
    this.connection = h('p', { class: 'connection', role: 'status', hidden: true });
    this.art = art(null, 'note', 'cover');
    this.art.addEventListener('art', tint);
    this.state = h('p', { class: 'hint' });
    this.heading = h('h2', { dir: 'auto' });
    this.artist = h('p', { dir: 'auto' });
    this.album = h('p', { class: 'hint', dir: 'auto' });
    this.time = h('p', { class: 'time' });
    this.bar = h('div', { class: 'bar-of-time', 'aria-hidden': 'true' });
    this.step = h('p', { class: 'hint', role: 'status' });
    this.phone = h('section', { class: 'group', 'aria-labelledby': 'this-phone' });
    this.list = h('ul', { class: 'plain' });
    this.launch = button(t('openOnPhones'), () => this.#launch(), { symbol: 'speakers' });
    this.code = h('img', { class: 'code', alt: t('codeAlt'), width: 240, height: 240 });
    this.address = h('p', { class: 'hint address' });
    this.uuid = h('dd', { class: 'address' });
    this.append(
      h('header', { class: 'bar' }, h('div', { class: 'brand' }, this.name),
        h('a', { href: '/', class: 'icon-button', 'aria-label': t('openSpeakerPage'), title: t('openSpeakerPage') }, icon('now'))),
      this.connection,
      h('main', { id: 'content' },
        h('section', { class: 'group follow', 'aria-label': t('now') }, this.art,
          h('div', {}, this.state, this.heading, this.artist, this.album, this.bar, this.time, this.step)),
        this.phone,
        h('section', { class: 'group' }, h('h2', {}, t('phonesInRoom')), this.list, h('p', {}, this.launch)),
        h('section', { class: 'group' }, h('h2', {}, t('otherPhone')), h('p', { class: 'hint' }, t('codeHint')), this.code, this.address,
          h('dl', { class: 'facts' }, h('div', {}, h('dt', {}, t('beaconUUID')), this.uuid))),
        h('details', { class: 'group' }, h('summary', {}, t('whatWorks')),
          ['worksAll', 'worksHidden', 'worksBeacon', 'worksPlain'].map((key) => h('p', { class: 'hint' }, t(key))))),
      ...messagePlaces(),
    );
  }

  attach() {
    this.watch(['speaker'], ({ speaker }) => {
      setText(this.name, clip(speaker?.name, 80));
      document.title = [t('companionTitle'), clip(speaker?.name, 80)].filter(Boolean).join(' – ');
    });
    this.watch(['connection'], () => this.#showConnection());
    this.watch(['playing', 'source'], (state) => this.#showTrack(state));
    this.watch(['playing', 'position', 'connection', 'companion'], () => this.#showTime());
    this.watch(['companion', 'access', 'connection'], () => this.#refresh());
    this.timer = setInterval(() => { if (!document.hidden) this.#showTime(); }, 500);
    store.onEvent = (name, value) => this.#receive(name, value);
    store.onRefused = (status) => { if (status === 403 && memory.value) this.#forgotten(); };
    cameBack();
    this.#follow(memory.read());
    this.#showTime();
    store.start();
  }

  detach() { clearInterval(this.timer); }

  /** Chooses the event stream: the phone's own one, or everybody's. */
  #follow(registration) {
    this.#own = null;
    this.#isTold = false;
    store.path = registration ? '/api/companion/events' : '/api/events';
    store.headers = registration ? { Authorization: `Bearer ${registration.token}` } : {};
    this.#showPhone();
  }

  #showConnection() {
    this.connection.hidden = store.connection !== 'lost';
    setText(this.connection, store.connection === 'lost' ? t('reconnecting') : '');
  }

  #showTrack(state) {
    const { playing = {}, source } = state;
    const isEmpty = playing.state === 'empty' || !playing.state;
    setText(this.heading, isEmpty ? t(source?.standby ? 'standbyTitle' : 'nothing') : clip(playingTitle(state)));
    setText(this.artist, clip(isEmpty ? '' : playing.artist));
    setText(this.album, clip(isEmpty ? '' : playing.album));
    setText(this.state, isEmpty ? '' : t(playing.state));
    setArt(this.art, isEmpty ? null : playing.art, playing.live ? 'radio' : 'note');
  }

  /** Shows the position from the events or, without a connection, from the beacon's numbers in the address. */
  #showTime() {
    const { playing, position, companion } = store.state ?? {};
    const isOpen = store.connection === 'open' && playing;
    const guess = this.minor === null ? null : this.minor + (this.minor && (performance.now() - this.openedAt) / 1000);
    const seconds = isOpen ? (playing.state === 'empty' ? null : store.position) : guess;
    const duration = isOpen ? position?.duration : null;
    setText(this.time, seconds === null ? '' : duration ? t('positionText', { at: time(seconds), duration: time(duration) }) : time(seconds));
    this.bar.hidden = !duration;
    this.bar.style.setProperty('--part', `${duration ? Math.min(100, (seconds / duration) * 100) : 0}%`);
    const major = companion?.beacon?.major;
    setText(this.step, this.major === null ? '' : !isOpen ? t('byBeacon') : t(major === this.major ? 'inStep' : 'otherSession'));
  }

  // This phone

  #showPhone() {
    const hadFocus = this.phone.contains(document.activeElement);
    const head = h('h2', { id: 'this-phone', tabindex: '-1' }, t('thisPhone'));
    if (memory.value && !this.#own) this.phone.replaceChildren(head, h('p', { class: 'hint' }, t('connecting')));
    else if (this.#own) this.phone.replaceChildren(head, ...this.#registered(this.#own));
    else this.phone.replaceChildren(head, this.#form());
    if (hadFocus) (this.phone.querySelector('button, input') ?? head).focus();
  }

  #registered({ name, in_reach: isHere }) {
    return [
      h('p', { role: 'status' }, span(name, 'phone-name'), ' – ', t(isHere ? 'isHere' : 'isAway')),
      h('p', { class: 'hint' }, t(isHere ? 'hereHint' : 'awayHint')),
      h('div', { class: 'buttons' },
        isHere ? button(t('leaveRoom'), () => this.#leave(), { kind: 'primary' })
          : button(t('enterRoom'), () => this.#enter(), { kind: 'primary' }),
        button(t('forgetPhone'), () => this.#forget())),
    ];
  }

  #form() {
    const problem = h('p', { class: 'problem', role: 'alert' });
    const input = h('input', { name: 'name', type: 'text', required: true, maxlength: 100, autocomplete: 'nickname', dir: 'auto' });
    return h('form', { class: 'form', novalidate: true, onsubmit: async (event) => {
      event.preventDefault();
      const name = input.value.trim();
      if (!name) {
        setText(problem, t('required'));
        input.focus();
        return;
      }
      try {
        const { token } = await post('/api/companion/register', { name });
        memory.write({ token });
        this.#follow(memory.value);
        store.reconnect();
      } catch (error) {
        setText(problem, problemText(error));
      }
    } },
    h('p', { class: 'hint' }, t('registerHint')),
    h('label', {}, h('span', {}, t('phoneName')), input), problem,
    h('footer', {}, h('button', { type: 'submit', class: 'button primary' }, t('registerPhone'))));
  }

  #enter() {
    memory.write({ token: memory.value.token });
    return command('/api/companion/enter', { token: memory.value.token, seconds: reach });
  }

  #leave() {
    memory.write({ token: memory.value.token, hasLeft: true });
    return command('/api/companion/leave', { token: memory.value.token });
  }

  async #forget() {
    if (await command('/api/companion/forget', { token: memory.value.token })) this.#forgotten();
  }

  /** Removes the registration, because the speaker does not know the token any more. */
  #forgotten() {
    memory.write(null);
    this.#follow(null);
    store.reconnect();
  }

  // Events

  #receive(name, value) {
    if (name === 'companion') {
      this.#own = value;
      // A person who opens the page is here, unless they said that they left. The beacon's numbers in the address prove
      // it.
      const isHere = !memory.value?.hasLeft || this.major !== null;
      if (!this.#isTold && !value.in_reach && isHere && !store.state?.access?.read_only) this.#enter();
      this.#isTold = true;
      this.#showPhone();
      this.#refresh();
    } else if (name === 'launch') {
      openLaunch(value);
    }
  }

  // All phones

  /** Loads the list only if it can differ: every press of a button changes the section `companion`, too. */
  #refresh() {
    const { access, companion } = store.state ?? {};
    if (store.connection !== 'open') {
      this.#listed = null;
      return;
    }
    const listed = JSON.stringify([
      companion?.phones, companion?.beacon?.uuid, access?.read_only, access?.lock, this.#own?.id,
    ]);
    if (listed === this.#listed) return;
    this.#listed = listed;
    this.#load();
  }

  async #load() {
    const { access, companion } = store.state ?? {};
    this.launch.hidden = Boolean(access?.read_only || access?.lock);
    try {
      const { beacon, address, phones } = await get('/api/companion');
      this.#phones = phones;
      setText(this.address, address);
      setText(this.uuid, beacon?.uuid ?? companion?.beacon?.uuid ?? '');
      if (this.code.dataset.address !== address) {
        this.code.dataset.address = address;
        this.code.src = `/companion/qr.svg?${encodeURIComponent(beacon?.uuid ?? '')}`;
      }
    } catch {
      // The next event loads again.
      this.#listed = null;
    }
    const here = this.#phones.filter((phone) => phone.in_reach);
    const away = this.#phones.length - here.length;
    const mayForget = !this.launch.hidden;
    const focused = this.list.contains(document.activeElement) ? document.activeElement.closest('li').dataset.phone : null;
    this.list.replaceChildren(...here.map((phone) => h('li', { class: 'phone', 'data-phone': phone.id }, span(phone.name),
      phone.id === this.#own?.id && h('span', { class: 'hint' }, t('thisOne')),
      mayForget && phone.id !== this.#own?.id && iconButton('trash', t('remove', { title: phone.name }), () => command('/api/companion/forget', { id: phone.id })))),
    ...(here.length ? [] : [h('li', { class: 'hint' }, t('nobodyHere'))]),
    ...(away ? [h('li', { class: 'hint' }, t('phonesAway', { count: away }))] : []));
    if (focused) this.list.querySelector(`[data-phone="${focused}"] button`)?.focus();
    this.launch.disabled = here.length === 0;
  }

  async #launch() {
    const answer = await command('/api/companion/launch', { url: '/companion' });
    if (answer) toast(t('launchedTo', { count: answer.delivered.length, waiting: answer.waiting.length }));
  }
}
customElements.define('sw-companion', Companion);
