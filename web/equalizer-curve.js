/** The drawing of an equalizer's response, with a handle for each band. */
import { h, set, setText } from './dom.js';
import { decibels, number, t } from './strings.js';

/** Limits of the numbers of a band. */
export const limits = { frequency: [10, 40_000], gain: [-24, 24], q: [0.1, 100], preamp: [-60, 24] };
export const hasGain = ({ kind }) => ['peak', 'low_shelf', 'high_shelf'].includes(kind);

const height = 240;
const [first, last] = [20, 20_000];
const lines = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000];

const draw = (tag, properties, ...children) => {
  const element = set(document.createElementNS('http://www.w3.org/2000/svg', tag), properties);
  element.append(...children);
  return element;
};
const within = (value, [low, high]) => Math.min(Math.max(value, low), high);
const hertz = (frequency) => (frequency < 1000 ? `${number(frequency)} Hz` : `${number(frequency / 1000, frequency % 1000 ? 2 : 0)} kHz`);

export class Curve {
  #width = 600;
  /** The level at the upper edge, in dB. */
  #top = 12;
  #isAllowed = false;
  #dragged = null;

  /** `change(index, values)` is called for each step of a handle. */
  constructor(change) {
    this.change = change;
    this.grid = draw('g', { class: 'grid', 'aria-hidden': 'true' });
    this.left = draw('path', { class: 'response' });
    this.right = draw('path', { class: 'response is-right' });
    this.handles = draw('g', {});
    this.svg = draw('svg', { class: 'curve', height }, this.grid, this.right, this.left, this.handles);
    this.element = h('div', { class: 'curve-frame', role: 'group', 'aria-label': t('eqCurve') }, this.svg);
  }

  /** Adapts the drawing to the width of the page. Returns a function that ends it. */
  follow() {
    const observer = new ResizeObserver(() => {
      this.#width = Math.max(this.element.clientWidth, 200);
      if (this.data) this.show(this.data);
    });
    observer.observe(this.element);
    return () => observer.disconnect();
  }

  allow(isAllowed) {
    this.#isAllowed = isAllowed;
    for (const handle of this.handles.children) set(handle, { 'aria-disabled': isAllowed ? null : 'true' });
  }

  #x = (frequency) => Math.log(within(frequency, [first, last]) / first) / Math.log(last / first) * this.#width;
  #y = (level) => (1 - within(level, [-this.#top, this.#top]) / this.#top) * height / 2;

  show(data) {
    this.data = data;
    const { bands, curve } = data;
    // The scale stays while a handle is dragged.
    if (this.#dragged === null) {
      const highest = Math.max(...bands.filter(hasGain).map(({ gain }) => Math.abs(gain)), data.boost, 0);
      this.#top = highest > 17 ? 27 : highest > 11 ? 18 : 12;
    }
    set(this.svg, { viewBox: `0 0 ${this.#width} ${height}` });
    this.element.classList.toggle('is-off', !data.on);
    this.#showGrid();
    if (curve) {
      const path = (levels) => curve.frequencies.map((frequency, index) => `${index ? 'L' : 'M'}${this.#x(frequency).toFixed(1)} ${this.#y(levels[index]).toFixed(1)}`).join('');
      set(this.left, { d: path(curve.left) });
      set(this.right, { d: path(curve.right) });
      set(this.right, { hidden: curve.left.every((level, index) => level === curve.right[index]) });
    }
    while (this.handles.children.length > bands.length) this.handles.lastElementChild.remove();
    while (this.handles.children.length < bands.length) this.handles.append(this.#handle(this.handles.children.length));
    bands.forEach((band, index) => this.#place(this.handles.children[index], band, index));
  }

  #showGrid() {
    const key = `${this.#width} ${this.#top}`;
    if (this.key === key) return;
    this.key = key;
    const step = this.#top / 3;
    const levels = [-2, -1, 0, 1, 2].map((part) => part * step);
    const isNarrow = this.#width < 480;
    this.grid.replaceChildren(
      ...lines.map((frequency) => draw('path', { d: `M${this.#x(frequency)} 0V${height}` })),
      ...levels.map((level) => draw('path', { d: `M0 ${this.#y(level)}H${this.#width}`, class: level ? '' : 'zero' })),
      ...lines.slice(1, -1).filter((frequency) => !isNarrow || /^1/.test(frequency)).map((frequency) => draw('text', {
        // The last one would be cut off on the right.
        ...frequency < 10_000 ? { x: this.#x(frequency) + 4 } : { x: this.#x(frequency) - 4, 'text-anchor': 'end' }, y: height - 6,
      }, hertz(frequency))),
      ...levels.filter(Boolean).map((level) => draw('text', { x: 4, y: this.#y(level) - 4 }, number(level))),
    );
  }

  #handle(index) {
    const handle = draw('g', { role: 'slider', tabindex: 0, class: 'handle', 'aria-valuemin': first, 'aria-valuemax': last },
      draw('circle', { r: 22, class: 'reach' }), draw('circle', { r: 11 }), draw('text', { 'text-anchor': 'middle', y: 4 }));
    handle.addEventListener('pointerdown', (event) => {
      if (!this.#isAllowed || event.button) return;
      handle.setPointerCapture(event.pointerId);
      handle.focus({ focusVisible: false });
      this.#dragged = index;
    });
    // Chromium ignores touch-action on parts of a drawing, and would scroll.
    handle.addEventListener('touchstart', (event) => { if (this.#isAllowed) event.preventDefault(); }, { passive: false });
    handle.addEventListener('pointermove', (event) => {
      if (this.#dragged !== index) return;
      const { left, top, width } = this.svg.getBoundingClientRect();
      const part = within((event.clientX - left) / width, [0, 1]);
      const gain = (1 - (event.clientY - top) / height * 2) * this.#top;
      this.#move(index, first * (last / first) ** part, Math.round(gain * 10) / 10);
    });
    for (const end of ['pointerup', 'pointercancel']) {
      handle.addEventListener(end, () => {
        if (this.#dragged !== index) return;
        this.#dragged = null;
        this.show(this.data);
      });
    }
    handle.addEventListener('keydown', (event) => {
      const band = this.data.bands[index];
      const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [];
      const narrower = { PageUp: 1.1, PageDown: 1 / 1.1 }[event.key];
      if (x === undefined && !narrower) return;
      event.preventDefault();
      if (!this.#isAllowed) return;
      if (narrower) this.change(index, { q: within(Math.round(band.q * narrower * 1000) / 1000, limits.q) });
      else this.#move(index, band.frequency * 2 ** (x / (event.shiftKey ? 3 : 24)), Math.round((band.gain + y * (event.shiftKey ? 3 : 0.5)) * 10) / 10, x !== 0);
    });
    return handle;
  }

  #move(index, frequency, gain, isSideways) {
    const band = this.data.bands[index];
    const rounded = frequency < 100 ? Math.round(frequency * 10) / 10 : Math.round(frequency);
    const values = { frequency: within(rounded, limits.frequency) };
    if (hasGain(band) && !isSideways) values.gain = within(gain, limits.gain);
    if (values.frequency !== band.frequency || (values.gain ?? band.gain) !== band.gain) this.change(index, values);
  }

  #place(handle, band, index) {
    const level = hasGain(band) ? band.gain : 0;
    set(handle, {
      transform: `translate(${this.#x(band.frequency).toFixed(1)} ${this.#y(level).toFixed(1)})`,
      class: `handle ${band.on ? '' : 'is-off'}`, 'aria-disabled': this.#isAllowed ? null : 'true',
      'aria-label': `${t('eqBand', { number: index + 1 })}: ${t(`eq_kind_${band.kind}`)}`, 'aria-valuenow': Math.round(band.frequency),
      'aria-valuetext': [hertz(band.frequency), hasGain(band) && decibels(band.gain), `Q ${number(band.q, 2)}`].filter(Boolean).join(', '),
    });
    setText(handle.lastElementChild, String(index + 1));
  }
}
