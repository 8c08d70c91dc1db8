/** Pins: places for music that is played often. */
import { art, clip, h, icon, iconButton } from './dom.js';
import { View } from './store.js';
import { command, menu, toast, undoOf, viewHead } from './ui.js';
import { t } from './strings.js';
import { mayControl, permit } from './controls.js';
import { addressForm, places } from './pin-places.js';
import { showWork, work } from './work.js';

const symbols = { transport: 'input', radio: 'radio', url: 'radio', playlist: 'queue', 'upnp.cd': 'folder' };

/** The menu entries that fill a place. A folder is pinned from the library. */
function setters(index, isIdle) {
  return [
    !isIdle && { label: t('pinCurrent'), symbol: 'pin', action: () => command('/api/pins/set', { index, what: 'current' }) },
    { label: t('pinStation'), symbol: 'radio', action: () => addressForm(index, 'station') },
    { label: t('pinPlaylist'), symbol: 'queue', action: () => addressForm(index, 'playlist') },
    { label: t('pinFolder'), symbol: 'library', action: () => { location.hash = '#/library'; } },
  ];
}

class Pins extends View {
  build() {
    this.className = 'view';
    this.grid = h('ul', { class: 'tiles pin-tiles' });
    this.append(viewHead(t('pins')), h('p', { class: 'hint' }, t('pinHint')), this.grid);
  }

  attach() {
    this.watch(['pins', 'playing', 'source', 'access', 'connection'], ({ pins, playing, source }) => {
      // Only a radio station has one address that plays all of it.
      const isIdle = !playing?.uri || playing.state === 'empty' || source?.current !== 'radio';
      const key = JSON.stringify([pins?.items, isIdle, mayControl()]);
      const allow = () => { for (const control of this.grid.querySelectorAll('button')) permit(control); };
      if (this.key === key) {
        allow();
        return;
      }
      this.key = key;
      const at = [...this.grid.querySelectorAll('button')].indexOf(document.activeElement);
      const known = new Map((pins?.items ?? []).map((pin) => [pin.index, pin]));
      const count = Math.max(places, ...[...known.keys()].map((index) => index + 1));
      this.grid.replaceChildren(...Array.from({ length: count }, (_, index) => this.#tile(known.get(index) ?? { index }, count, isIdle)));
      allow();
      if (at >= 0) this.grid.querySelectorAll('button')[at]?.focus();
    });
  }

  #tile(pin, count, isIdle) {
    const place = pin.index + 1;
    const isEmpty = !pin.id;
    if (isEmpty) {
      const tile = h('button', {
        type: 'button', class: 'tile', 'aria-label': `${t('pinNumber', { number: place })}: ${t('empty')}`, 'aria-haspopup': 'menu',
        onclick: () => menu(tile, t('pinNumber', { number: place }), setters(pin.index, isIdle)),
      }, h('span', { class: 'art' }, icon('add')), h('span', { class: 'row-title' }, t('empty')),
      h('span', { class: 'row-more' }, t('pinNumber', { number: place })));
      return h('li', { class: 'cell is-empty' }, tile);
    }
    const title = clip(pin.title, 120) || t('untitled');
    const options = iconButton('more', t('options', { title }), () => menu(options, title, [
      ...setters(pin.index, isIdle),
      pin.index > 0 && { label: t('pinLeft'), symbol: 'back', action: () => command('/api/pins/swap', { a: pin.index, b: pin.index - 1 }) },
      pin.index < count - 1 && { label: t('pinRight'), symbol: 'forward', action: () => command('/api/pins/swap', { a: pin.index, b: pin.index + 1 }) },
      { label: t('pinClear'), symbol: 'trash', kind: 'danger', action: () => command('/api/pins/clear', { index: pin.index }) },
    ]), { 'aria-haspopup': 'menu' });
    options.hidden = !mayControl();
    const tile = h('button', {
      type: 'button', class: 'tile', 'aria-label': t('pinPlay', { number: place, title }),
      onclick: () => work(`pin ${pin.index}`, 'play', t('readingTracks'), async () => {
        const answer = await command('/api/pins/play', { index: pin.index });
        if (answer?.undo) toast(t('queueReplaced'), undoOf(answer.undo));
      }),
    }, art(pin.art, symbols[pin.mode] ?? 'pin'),
    h('span', { class: 'row-title', dir: 'auto' }, title),
    h('span', { class: 'row-more', dir: 'auto' }, clip(pin.description, 120) || t('pinNumber', { number: place })));
    showWork(tile, `pin ${pin.index}`);
    return h('li', { class: 'cell' }, tile, options);
  }
}
customElements.define('sw-pins', Pins);
