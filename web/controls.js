/** Transport, progress and volume: the controls that several views share. */
import { hasToken, Latest } from './api.js';
import { drawIcon, h, iconButton, set, setText } from './dom.js';
import { store, View } from './store.js';
import { command } from './ui.js';
import { decibels, number, t, time } from './strings.js';

/** Whether the page is read-only. */
export const isReadOnly = () => Boolean(store.state?.access?.read_only);

/** Whether only the commands of guests are possible: the party lock is on, and this page has not been unlocked. */
export const isGuest = () => Boolean(store.state?.access?.lock) && !hasToken() && !isReadOnly();

/** Whether all commands are possible. */
export const mayControl = () => !isReadOnly() && !isGuest();

/** Enables a control if it is possible and allowed now. Otherwise, the tooltip and the description give the reason, if there is one. */
export function permit(control, isPossible = true, isAllowed = mayControl()) {
  const isOpen = store.connection === 'open';
  control.disabled = !isPossible || !isAllowed || !isOpen;
  const why = !isAllowed && isGuest() ? t('guestMayNot') : isOpen ? null : t('noAnswer');
  const name = control.classList.contains('icon-button') && control.getAttribute('aria-label');
  set(control, { 'aria-description': why, title: [name, why].filter(Boolean).join(' – ') || null });
}

/** Plays or pauses, depending on the state. */
export function toggle() {
  return command('/api/toggle');
}

/** The requested position, until the speaker confirms it. */
let asked = null;
let askedTimer = 0;
const seeking = new Latest((seconds) => command('/api/seek', { seconds }));

async function seek(seconds) {
  clearTimeout(askedTimer);
  asked = seconds;
  await seeking.set(seconds);
  // The event of the new position may come after the answer.
  if (!seeking.isSending) askedTimer = setTimeout(() => { asked = null; }, 400);
}

/** Skips by some seconds within the track. */
export function seekBy(seconds) {
  const { playing, position } = store.state ?? {};
  if (!playing?.can?.seek || !position?.duration) return null;
  return seek(Math.max(0, Math.min((asked ?? store.position) + seconds, position.duration)));
}

export async function toggleMute() {
  const { volume } = store.state ?? {};
  if (!volume) return null;
  // Change the state at once, so that a second press does the opposite. The event confirms it; a refusal has no event.
  const muted = !volume.muted;
  volume.muted = muted;
  const answer = await command('/api/mute', { muted });
  if (answer === null && volume.muted === muted) volume.muted = !muted;
  return answer;
}

/** Previous, play or pause, next; in full size with shuffle and repeat. */
class Transport extends View {
  build() {
    const isFull = this.hasAttribute('full');
    this.setAttribute('role', 'group');
    this.setAttribute('aria-label', t('player'));
    const mode = (name) => iconButton(name, t(name), () => {
      command('/api/modes', { [name]: !store.state?.modes?.[name] });
    }, { class: 'icon-button mode', 'aria-pressed': 'false' });
    this.shuffle = isFull && mode('shuffle');
    this.repeat = isFull && mode('repeat');
    this.previous = iconButton('previous', t('previous'), () => command('/api/previous'));
    this.next = iconButton('next', t('next'), () => command('/api/next'));
    this.play = iconButton('play', t('play'), () => toggle(), { class: 'icon-button play' });
    this.append(...[this.shuffle, this.previous, this.play, this.next, this.repeat].filter(Boolean));
  }

  attach() {
    this.watch(['playing', 'modes', 'source', 'access', 'connection'], ({ playing = {}, modes, source }) => {
      const isPlaying = playing.state === 'playing' || playing.state === 'buffering';
      const canPause = playing.can?.pause !== false;
      const symbol = isPlaying ? (canPause ? 'pause' : 'stop') : 'play';
      drawIcon(this.play.firstElementChild, symbol);
      set(this.play, { 'aria-label': t(symbol), 'aria-busy': playing.state === 'buffering' ? 'true' : null });
      permit(this.play, isPlaying || playing.can?.play !== false);
      permit(this.previous, playing.can?.previous !== false);
      permit(this.next, playing.can?.next !== false);
      for (const name of ['shuffle', 'repeat']) {
        if (!this[name]) continue;
        // A station or a sender has no list to repeat or to shuffle.
        this[name].hidden = !modes || ['radio', 'receiver'].includes(source?.current);
        permit(this[name]);
        this[name].setAttribute('aria-pressed', String(Boolean(modes?.[name])));
      }
    });
  }
}
customElements.define('sw-transport', Transport);

/** The position in the track, and a slider to change it. */
class Progress extends View {
  #isDragging = false;

  build() {
    this.slider = h('input', { type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': t('position') });
    this.at = h('span', { class: 'time' });
    this.left = h('span', { class: 'time' });
    this.live = h('span', { class: 'live', hidden: true }, t('live'));
    this.append(this.slider, h('div', { class: 'times' }, this.at, this.live, this.left));
    this.slider.addEventListener('input', () => {
      this.#isDragging = true;
      this.#show(Number(this.slider.value));
    });
    this.slider.addEventListener('change', () => {
      this.#isDragging = false;
      seek(Number(this.slider.value));
    });
    this.slider.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -10, ArrowDown: -10, ArrowRight: 10, ArrowUp: 10, PageUp: 60, PageDown: -60 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      seekBy(by);
    });
  }

  attach() {
    this.watch(['position', 'playing', 'access', 'connection'], ({ position = {}, playing = {} }) => {
      permit(this.slider, Boolean(position.duration) && playing.can?.seek !== false);
      this.slider.max = position.duration || 1;
      this.live.hidden = !(playing.live || (!position.duration && position.advancing));
      this.left.hidden = !position.duration;
      this.slider.hidden = !position.duration && !this.live.hidden;
      this.hidden = playing.state === 'empty';
      this.#tick();
    });
    this.timer = setInterval(() => { if (store.state?.position?.advancing && !document.hidden) this.#tick(); }, 250);
  }

  detach() { clearInterval(this.timer); }

  #tick() {
    if (this.#isDragging) return;
    const seconds = asked ?? store.position;
    this.slider.value = seconds;
    this.#show(seconds);
  }

  #show(seconds) {
    const duration = store.state?.position?.duration;
    setText(this.at, time(seconds));
    setText(this.left, duration ? `−${time(Math.max(0, Math.ceil(duration - seconds)))}` : '');
    const part = duration ? Math.min(100, (seconds / duration) * 100) : 0;
    this.slider.style.setProperty('--part', `${part}%`);
    // For a screen reader, one update per second is enough.
    const text = duration ? t('positionText', { at: time(seconds), duration: time(duration) }) : time(seconds);
    if (this.slider.getAttribute('aria-valuetext') !== text) this.slider.setAttribute('aria-valuetext', text);
  }
}
customElements.define('sw-progress', Progress);

/**
 * A slider of 0 to 100 that follows the finger at once and the speaker otherwise. `send(level)` is called with the latest level
 * only, one request at a time.
 */
export class LevelSlider extends HTMLElement {
  #holdUntil = 0;
  #value = 0;

  constructor() {
    super();
    this.latest = new Latest((level) => this.send?.(level));
  }

  connectedCallback() {
    if (this.slider) return;
    this.slider = h('input', { type: 'range', min: 0, max: 100, step: 1, value: 0, 'aria-label': this.getAttribute('label') });
    this.append(this.slider);
    this.slider.addEventListener('input', () => this.choose(Number(this.slider.value)));
    this.slider.addEventListener('keydown', (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 5, PageDown: -5 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      this.choose(this.#value + by);
    });
    // The wheel changes the level, as on a desktop mixer.
    this.addEventListener('wheel', (event) => {
      // With Ctrl, the browser zooms.
      if (this.slider.disabled || event.ctrlKey || !event.deltaY) return;
      event.preventDefault();
      this.choose(this.#value - Math.sign(event.deltaY));
    }, { passive: false });
  }

  get value() { return this.#value; }

  /** Shows a level that was chosen here, then sends it. */
  choose(level) {
    if (this.slider.disabled) return;
    const limited = Math.max(0, Math.min(Math.round(level), this.limit ?? 100));
    // A guest can only lower the level further.
    if (this.goesOnlyDown) this.limit = limited;
    this.#show(limited);
    this.#hold(700);
    // The event of the new level may come after the answer.
    this.latest.set(limited).then(() => this.#hold(400));
  }

  /** Shows no event for a while. */
  #hold(time) {
    const now = performance.now();
    this.#holdUntil = Math.max(this.#holdUntil, now + time);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.follow(this.known ?? this.#value), this.#holdUntil - now + 20);
  }

  /** Shows the level of the speaker. During a drag, events that lag behind are shown later. */
  follow(level) {
    this.known = level;
    if (performance.now() >= this.#holdUntil && !this.latest.isSending) this.#show(level);
    else this.onshow?.(this.#value);
  }

  #show(level) {
    this.#value = level;
    this.slider.value = level;
    this.slider.style.setProperty('--part', `${level}%`);
    this.onshow?.(level);
  }
}
customElements.define('sw-level', LevelSlider);

/** Volume: mute, slider with the limit, percent and decibels. */
class Volume extends View {
  build() {
    this.setAttribute('role', 'group');
    this.setAttribute('aria-label', t('volume'));
    this.mute = iconButton('volume', t('mute'), () => toggleMute(), { class: 'icon-button', 'aria-pressed': 'false' });
    this.level = h('sw-level', { label: t('volume') });
    this.level.send = (level) => command('/api/volume', { level });
    this.level.onshow = (level) => this.#write(level);
    this.percent = h('span', { class: 'percent' });
    this.decibels = h('span', { class: 'decibels' });
    this.fixed = h('span', { class: 'fixed', hidden: true }, t('volumeFixed'));
    this.reading = h('span', { class: 'reading', 'aria-hidden': 'true' }, this.percent, this.decibels);
    this.mark = h('span', { class: 'limit', hidden: true });
    this.append(this.mute, this.level, this.reading, this.fixed);
    this.level.append(this.mark);
  }

  attach() {
    this.watch(['volume', 'access', 'connection'], ({ volume }) => {
      this.hidden = !volume;
      if (!volume) return;
      const { level, limit = 100, muted, fixed } = volume;
      permit(this.level.slider, !fixed, !isReadOnly());
      this.level.goesOnlyDown = isGuest();
      this.level.limit = isGuest() ? level : limit ?? 100;
      if (isGuest() && !this.level.slider.disabled) set(this.level.slider, { title: t('guestQuieter'), 'aria-description': t('guestQuieter') });
      this.level.hidden = this.reading.hidden = fixed;
      this.fixed.hidden = !fixed;
      this.mute.setAttribute('aria-pressed', String(muted));
      // A guest may switch the sound off, but not on.
      permit(this.mute, true, mayControl() || (isGuest() && !muted));
      if (!this.mute.disabled) set(this.mute, { title: t(muted ? 'unmute' : 'mute') });
      drawIcon(this.mute.firstElementChild, muted || level === 0 ? 'muted' : 'volume');
      this.classList.toggle('is-muted', muted);
      this.level.follow(level);
      const hasLimit = limit != null && limit < 100;
      this.mark.hidden = !hasLimit;
      if (hasLimit) {
        this.mark.style.setProperty('--at', `${limit}%`);
        this.mark.title = t('volumeLimit', { limit });
      }
    });
  }

  #write(level) {
    const { volume } = store.state ?? {};
    setText(this.percent, number(level));
    // Only the speaker knows its scale, so the decibels of a dragged slider follow with the event.
    if (level === volume?.level) setText(this.decibels, decibels(volume.decibels));
    this.level.slider.setAttribute('aria-valuetext', t('volumeText', { percent: level, decibels: this.decibels.textContent }));
  }
}
customElements.define('sw-volume', Volume);

/** Changes the volume by steps, from the keyboard. */
export function changeVolume(by) {
  const level = [...document.querySelectorAll('sw-volume sw-level')].find((element) => element.offsetParent !== null);
  if (level) level.choose(level.value + by);
  else command('/api/volume', { change: by });
}
