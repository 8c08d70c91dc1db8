/** The balance: a slider from left to right. */
import { Latest } from './api.js';
import { h, set, setText } from './dom.js';
import { View } from './store.js';
import { command } from './ui.js';
import { number, t } from './strings.js';
import { permit } from './controls.js';

/** The speaker's scale on each side. */
const most = 15;

class Balance extends View {
  #latest = new Latest((balance) => command('/api/balance', { balance }));

  build() {
    this.className = 'group balance';
    this.slider = h('input', { type: 'range', min: -most, max: most, step: 1, value: 0, 'aria-label': t('balance'), oninput: () => {
      this.#show(Number(this.slider.value));
      this.#latest.set(Number(this.slider.value));
    }, ondblclick: () => {
      this.#show(0);
      this.#latest.set(0);
    } });
    this.text = h('span', { class: 'percent' });
    this.append(h('h2', {}, t('balance')), this.slider, this.text);
  }

  attach() {
    this.watch(['volume', 'access', 'connection'], ({ volume }) => {
      this.hidden = volume?.balance == null;
      permit(this.slider);
      if (volume && document.activeElement !== this.slider) this.#show(volume.balance);
    });
  }

  #show(value) {
    this.slider.value = value;
    this.slider.style.setProperty('--part', `${((value + most) / (2 * most)) * 100}%`);
    const side = value < 0 ? 'left' : 'right';
    const text = value ? t('balanceText', { side: t(side), value: number(Math.abs(value)) }) : t('centre');
    setText(this.text, text);
    set(this.slider, { 'aria-valuetext': text });
  }
}
customElements.define('sw-balance', Balance);
