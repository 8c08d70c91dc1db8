/** Pins: places for what one plays often. */
import { art, clip, h, icon, iconButton } from './dom.js';
import { View } from './store.js';
import { command, menu, viewHead } from './ui.js';
import { t } from './strings.js';
import { isReadOnly } from './controls.js';

/** OpenHome's pins of a device. Empty places are not in the state. */
const places = 6;

class Pins extends View {
  build() {
    this.className = 'view';
    this.grid = h('ul', { class: 'tiles' });
    this.append(viewHead(t('pins')), h('p', { class: 'hint' }, t('pinHint')), this.grid);
  }

  attach() {
    this.watch(['pins', 'playing', 'source', 'access'], ({ pins, playing, source }) => {
      // Only a station has an address that plays the whole of it.
      const isIdle = !playing?.uri || playing.state === 'empty' || source?.current !== 'radio';
      const key = JSON.stringify([pins?.items, isIdle, isReadOnly()]);
      if (this.key === key) return;
      this.key = key;
      const at = [...this.grid.querySelectorAll('button')].indexOf(document.activeElement);
      const known = new Map((pins?.items ?? []).map((pin) => [pin.index, pin]));
      const count = Math.max(places, ...[...known.keys()].map((index) => index + 1));
      this.grid.replaceChildren(...Array.from({ length: count }, (_, index) => this.#tile(known.get(index) ?? { index }, count, isIdle)));
      if (at >= 0) this.grid.querySelectorAll('button')[at]?.focus();
    });
  }

  #tile(pin, count, isIdle) {
    const place = pin.index + 1;
    const isEmpty = !pin.id;
    if (isEmpty) {
      return h('li', { class: 'cell is-empty' }, h('button', {
        type: 'button', class: 'tile', disabled: isIdle || isReadOnly(), 'aria-label': `${t('pinNumber', { number: place })}: ${t('pinCurrent')}`,
        onclick: () => command('/api/pins/set', { index: pin.index, what: 'current' }),
      }, h('span', { class: 'art' }, icon('add')), h('span', { class: 'row-title' }, t(isIdle ? 'pinEmpty' : 'pinCurrent')),
      h('span', { class: 'row-more' }, t('pinNumber', { number: place }))));
    }
    const title = clip(pin.title, 120) || t('untitled');
    const options = iconButton('more', t('options', { title }), () => menu(options, title, [
      !isIdle && { label: t('pinCurrent'), symbol: 'pin', action: () => command('/api/pins/set', { index: pin.index, what: 'current' }) },
      pin.index > 0 && { label: t('pinLeft'), symbol: 'back', action: () => command('/api/pins/swap', { a: pin.index, b: pin.index - 1 }) },
      pin.index < count - 1 && { label: t('pinRight'), symbol: 'forward', action: () => command('/api/pins/swap', { a: pin.index, b: pin.index + 1 }) },
      { label: t('pinClear'), symbol: 'trash', kind: 'danger', action: () => command('/api/pins/clear', { index: pin.index }) },
    ]), { 'aria-haspopup': 'menu' });
    options.hidden = isReadOnly();
    return h('li', { class: 'cell' }, h('button', {
      type: 'button', class: 'tile', 'aria-label': t('pinPlay', { number: place, title }), disabled: isReadOnly(),
      onclick: () => command('/api/pins/play', { index: pin.index }),
    }, art(pin.art, pin.mode === 'transport' || pin.type === 'radio' ? 'radio' : 'pin'),
    h('span', { class: 'row-title', dir: 'auto' }, title),
    h('span', { class: 'row-more', dir: 'auto' }, clip(pin.description, 120) || t('pinNumber', { number: place }))), options);
  }
}
customElements.define('sw-pins', Pins);
