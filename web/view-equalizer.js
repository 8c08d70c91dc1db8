/** The equalizer: its curve with bands that can be dragged, a table of the bands, and its presets. */
import { get, Latest, post } from './api.js';
import { button, clip, h, iconButton, set, setText } from './dom.js';
import { store, View } from './store.js';
import { command, dialog, emptyNote, formDialog, menu, problemText, replace, report, submission, toast, viewHead } from './ui.js';
import { decibels, number, t } from './strings.js';
import { mayControl, permit } from './controls.js';
import { Curve, hasGain, limits } from './equalizer-curve.js';
import './balance.js';

const kinds = ['peak', 'low_shelf', 'high_shelf', 'low_pass', 'high_pass', 'notch'];
const channels = ['both', 'left', 'right'];
const mostBands = 20;
const mostBytes = 65_536;

const option = (name) => (value) => h('option', { value }, t(`${name}_${value}`));
const nameField = (value) => ({ name: 'name', label: t('eqName'), value, required: true, maxlength: 100 });

class Equalizer extends View {
  /** The answer of the speaker, with the changes of this page. */
  data = null;
  #sending = new Latest(async (change) => {
    try {
      const answer = await post('/api/equalizer', change);
      if (!this.#sending.waiting) this.#show(answer);
    } catch (error) {
      report(error);
      this.#load();
    }
  });

  build() {
    this.className = 'view equalizer';
    this.power = h('input', { type: 'checkbox', role: 'switch', class: 'switch', 'aria-label': t('equalizer'),
      onchange: () => this.#send({ on: this.power.checked }) });
    this.presets = h('div', { class: 'buttons presets', role: 'group', 'aria-label': t('eqPresets') });
    this.curve = new Curve((index, values) => this.#edit(index, values));
    this.boost = h('p', { class: 'hint boost', role: 'status' });
    this.preamp = this.#number('preamp', t('eqPreamp'), (preamp) => this.#send({ preamp, automatic_preamp: false }));
    this.automatic = h('input', { type: 'checkbox', role: 'switch', class: 'switch', onchange: () => this.#send({ automatic_preamp: this.automatic.checked }) });
    this.add = button(t('eqAdd'), () => this.#add(), { symbol: 'add' });
    this.rows = h('ol', { class: 'bands' });
    this.content = h('div', {}, this.presets, h('section', { class: 'group' }, this.curve.element, this.boost),
      h('section', { class: 'group' }, h('div', { class: 'preamp' }, h('label', {}, h('span', {}, t('eqPreamp')), this.preamp),
        h('label', { class: 'check' }, this.automatic, h('span', {}, t('eqAutomatic')))), this.rows, this.add));
    this.content.hidden = true;
    this.fault = h('div');
    this.append(viewHead(t('equalizer'), this.power), this.fault, this.content, h('sw-balance'));
  }

  attach() {
    this.watch(['equalizer', 'access', 'connection'], ({ equalizer }) => {
      // Somebody else has changed it, or the track has another sample rate.
      const { curve, ...known } = this.data ?? {};
      if (!this.#sending.isSending && !same(known, equalizer)) this.#load();
      this.#allow();
    });
    this.until(this.curve.follow());
  }

  async #load() {
    try {
      const data = await get('/api/equalizer');
      // A change that was sent meanwhile has a newer answer.
      if (!this.#sending.isSending) this.#show(data);
      this.fault.replaceChildren();
    } catch (error) {
      if (!this.data) this.fault.replaceChildren(emptyNote('sliders', problemText(error), null, button(t('retry'), () => this.#load())));
    }
  }

  #show(data) {
    const isSame = this.data?.bands.length === data.bands.length;
    this.data = data;
    this.content.hidden = false;
    this.power.checked = data.on;
    this.#showPresets();
    this.curve.show(data);
    setText(this.boost, t('eqBoost', { boost: decibels(data.boost), preamp: decibels(data.preamp_in_force) }));
    fill(this.preamp, data.automatic_preamp ? data.preamp_in_force : data.preamp);
    this.automatic.checked = data.automatic_preamp;
    if (!isSame) this.rows.replaceChildren(...data.bands.map((_, index) => this.#row(index)));
    data.bands.forEach((band, index) => this.rows.children[index].fill(band));
    this.#allow();
  }

  #showPresets() {
    const { presets, preset, changed, on } = this.data;
    const key = JSON.stringify([presets, preset, changed, on]);
    if (this.presetsKey === key) return;
    this.presetsKey = key;
    const openMenu = ({ currentTarget }) => this.#openMenu(currentTarget);
    const focused = [...this.presets.children].indexOf(document.activeElement);
    this.presets.replaceChildren(...presets.map((name) => {
      const isChosen = on && name === preset;
      return button(clip(name, 60) + (isChosen && changed ? ` (${t('eqChanged')})` : ''), () => this.#select(name),
        { kind: isChosen ? 'primary' : '', 'aria-pressed': String(isChosen) });
    }), ...changed ? [button(t('save'), () => this.#command('save', { name: preset }), { symbol: 'check' })] : [],
    presets.length ? iconButton('more', t('eqPresets'), openMenu) : button(t('eqPresets'), openMenu, { symbol: 'more' }));
    this.presets.children[focused]?.focus();
  }

  #openMenu(anchor) {
    const { preset } = this.data;
    menu(anchor, t('eqPresets'), [
      mayControl() && { label: t('eqSave'), symbol: 'add', action: () => this.#ask('eqSave', '', ({ name }) => this.#keep('save', name)) },
      mayControl() && preset && { label: t('eqRename', { name: preset }), symbol: 'edit',
        action: () => this.#ask('eqName', preset, ({ name }) => post('/api/equalizer/rename', { name: preset, to: name })) },
      mayControl() && preset && { label: t('remove', { title: preset }), symbol: 'trash', kind: 'danger', action: () => this.#command('remove', { name: preset }) },
      mayControl() && { label: t('eqImport'), symbol: 'folder', action: () => this.#import() },
      { label: t('eqExport'), symbol: 'link', action: () => h('a', { href: '/api/equalizer/export', download: 'equalizer.txt' }).click() },
    ]);
  }

  async #ask(title, value, submit) {
    const data = await formDialog(t(title), [nameField(value)], t('save'), submit);
    if (data) this.#show(data);
  }

  /** Saves a preset. */
  async #keep(path, name, more) {
    let answer = false;
    const save = async () => { answer = await post(`/api/equalizer/${path}`, { ...more, name: name || undefined }); };
    if (this.data.presets.includes(name)) await replace(name, save);
    else await save();
    return answer;
  }

  async #command(name, body) {
    const data = await command(`/api/equalizer/${name}`, body);
    if (data) this.#show(data);
  }

  /** Selects a preset. Changes that were not saved can be taken back. */
  async #select(name) {
    const { bands, preamp, automatic_preamp, changed } = this.data;
    await this.#command('select', { name });
    if (changed) toast(t('eqReplaced'), { label: t('undo'), action: () => this.#send({ bands, preamp, automatic_preamp }) });
  }

  async #import() {
    const data = await dialog(t('eqImport'), (close) => {
      const text = h('textarea', { rows: 8, spellcheck: 'false', dir: 'ltr', 'aria-label': t('eqText'), autofocus: true,
        placeholder: 'Preamp: -6.1 dB\nFilter 1: ON PK Fc 105 Hz Gain -3.2 dB Q 0.70' });
      const name = h('input', { type: 'text', maxlength: 100, autocomplete: 'off', dir: 'auto' });
      const problem = h('p', { class: 'problem', role: 'alert' });
      const file = h('input', { type: 'file', accept: '.txt,text/plain', async onchange() {
        const [chosen] = file.files;
        if (!chosen) return;
        setText(problem, chosen.size > mostBytes ? t('eqTooLong') : '');
        if (chosen.size > mostBytes) return;
        text.value = await chosen.text();
        if (!name.value) name.value = chosen.name.replace(/\.txt$/i, '').slice(0, 60);
      } });
      const submit = () => this.#keep('import', name.value.trim(), { text: text.value });
      return h('form', { class: 'form', onsubmit: submission(close, problem, () => true, submit) },
      h('p', { class: 'hint' }, t('eqImportHint')), h('label', {}, h('span', {}, t('file')), file), text,
      h('label', {}, h('span', {}, t('eqNameOptional')), name), problem,
      h('footer', {}, h('span', { class: 'space' }), button(t('cancel'), () => close(), { kind: 'quiet' }),
        h('button', { type: 'submit', class: 'button primary' }, t('eqImport'))));
    });
    if (data) this.#show(data);
  }

  #add() {
    // In the widest gap between the bands.
    const places = [20, ...this.data.bands.map(({ frequency }) => frequency), 20_000].sort((a, b) => a - b);
    const gaps = places.slice(1).map((place, index) => ({ width: place / places[index], at: Math.sqrt(place * places[index]) }));
    const { at } = gaps.reduce((best, gap) => (gap.width > best.width ? gap : best));
    this.#change([...this.data.bands, { kind: 'peak', channel: 'both', on: true, frequency: Math.round(at), gain: 0, q: 1 }]);
    this.rows.lastElementChild?.querySelector('select')?.focus();
  }

  #edit(index, values) {
    this.#change(this.data.bands.map((band, place) => (place === index ? { ...band, ...values } : band)));
  }

  /** Shows new bands at once; the curve follows with the answer. */
  #change(bands) {
    this.#show({ ...this.data, bands });
    this.#send({ bands });
  }

  #send(change) { this.#sending.set(this.#sending.waiting ? { ...this.#sending.waiting.value, ...change } : change); }

  #row(index) {
    const band = () => this.data.bands[index];
    const select = (name, values) => h('select', { class: name, 'aria-label': t(`eq_${name}`),
      onchange: ({ target }) => this.#edit(index, { [name]: target.value }) }, values.map(option(`eq_${name}`)));
    const isOn = h('input', { type: 'checkbox', role: 'switch', class: 'switch', 'aria-label': t('on'), onchange: () => this.#edit(index, { on: isOn.checked }) });
    const kind = select('kind', kinds);
    const channel = select('channel', channels);
    const numbers = ['frequency', 'gain', 'q'].map((name) => [name,
      this.#number(name, t(`eq_${name}`), (value) => this.#edit(index, { [name]: value }))]);
    const remove = iconButton('trash', t('eqRemove', { number: index + 1 }), () => {
      this.#change(this.data.bands.filter((_, place) => place !== index));
      (this.rows.children[Math.min(index, this.rows.children.length - 1)]?.querySelector('select') ?? this.add).focus();
    });
    const row = h('li', { role: 'group', 'aria-label': t('eqBand', { number: index + 1 }) },
      h('label', { class: 'check' }, isOn, h('span', { class: 'number' }, number(index + 1))), kind, channel,
      numbers.map(([name, input]) => h('label', { class: name }, h('span', {}, t(`eq_${name}`)), input)), remove);
    row.fill = ({ on, ...values }) => {
      isOn.checked = on;
      [kind.value, channel.value] = [values.kind, values.channel];
      for (const [name, input] of numbers) fill(input, values[name]);
    };
    row.allow = () => {
      for (const control of [isOn, kind, channel, remove, ...numbers.map(([, input]) => input)]) permit(control);
      permit(numbers[1][1], hasGain(band()));
    };
    return row;
  }

  /** A field for a number, which is sent when the field is left or Enter is pressed. */
  #number(name, label, change) {
    const [min, max] = limits[name];
    const input = h('input', { type: 'number', 'aria-label': label, min, max, step: 'any', inputmode: 'decimal', onchange() {
      const isRight = input.value !== '' && input.validity.valid;
      set(input, { 'aria-invalid': isRight ? null : 'true' });
      if (isRight) change(Number(input.value));
      else toast(t('numberBetween', { minimum: number(min, min % 1 ? 1 : 0), maximum: number(max) }), { kind: 'error' });
    } });
    return input;
  }

  #allow() {
    if (!this.data) return;
    for (const control of [this.power, this.automatic, ...this.presets.querySelectorAll('.button')]) permit(control);
    permit(this.preamp, !this.data.automatic_preamp);
    permit(this.add, this.data.bands.length < mostBands);
    for (const row of this.rows.children) row.allow();
    this.curve.allow(mayControl() && store.connection === 'open');
  }
}
customElements.define('sw-equalizer', Equalizer);

/** Shows a number, unless somebody types in its field. */
function fill(input, value) {
  const text = String(Math.round(value * 1000) / 1000);
  if (input.value !== text && input !== document.activeElement) {
    input.value = text;
    set(input, { 'aria-invalid': null });
  }
}

/** Whether two values have the same members, in any order. */
function same(a, b) {
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return a === b;
  return Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => same(a[key], b[key]));
}
