/** Settings that can change while the speaker runs, and the party lock. */
import { get, hasToken, post, setToken } from './api.js';
import { button, clip, h, iconButton, set, setText } from './dom.js';
import { store, View } from './store.js';
import { command, emptyNote, formDialog, pinField, problemText, toast, unlockDialog, viewHead } from './ui.js';
import { has, number, outputName, said, t } from './strings.js';
import { isReadOnly, mayControl, permit } from './controls.js';

const units = { decibels: ' dB', seconds: ' s' };

/** The groups of settings. Those in none are advanced, and folded. */
const groups = {
  settingsSpeaker: ['name', 'room', 'output'],
  settingsSound: ['startup_volume', 'max_volume', 'replay_gain.mode'],
};

/** English names of settings whose keys say little. */
const names = {
  openhome_suffix: 'Suffix of the name in OpenHome apps', 'replay_gain.mode': 'Even loudness', 'replay_gain.preamp': 'Even loudness: gain',
  'replay_gain.fallback': 'Even loudness: gain of other tracks', live_buffer: 'Delay of live sound', buffer: 'Buffer for network gaps',
  device_release: 'Keep the audio device', log_level: 'Messages in the log',
};

class Settings extends View {
  build() {
    this.className = 'view';
    this.lock = h('section', { class: 'group lock', hidden: true });
    this.form = h('div');
    this.append(viewHead(t('settings')), this.lock, h('p', { class: 'hint' }, t('settingsHint')), this.form);
  }

  attach() {
    this.#load();
    this.watch(['access', 'connection'], () => {
      this.#showLock();
      for (const row of this.form.querySelectorAll('.setting')) row.allow();
      if (!this.isLoaded && store.connection === 'open') this.#load();
    });
  }

  async #load() {
    this.isLoaded = true;
    try {
      const { settings } = await get('/api/settings');
      const taken = Object.values(groups).flat();
      const rows = (wanted) => settings.filter(wanted).map((setting) => this.#row(setting));
      const advanced = rows(({ key }) => !taken.includes(key));
      this.form.replaceChildren(...Object.entries(groups).map(([title, keys]) => h('section', { class: 'group' }, h('h2', {}, t(title)),
        rows(({ key }) => keys.includes(key)))),
      h('details', { class: 'group', hidden: !advanced.length }, h('summary', {}, t('settingsAdvanced')), advanced));
    } catch (error) {
      this.isLoaded = false;
      this.form.replaceChildren(emptyNote('settings', problemText(error), null, button(t('retry'), () => this.#load())));
    }
  }

  #row(setting) {
    const id = `setting-${setting.key}`;
    const result = h('span', { class: 'result', role: 'status' });
    const tell = (text) => {
      setText(result, text);
      result.classList.toggle('problem', Boolean(text));
    };
    const save = async (value) => {
      try {
        const entry = await post('/api/settings', { key: setting.key, value });
        const fresh = this.#row(entry.setting ?? entry);
        const hadFocus = row.contains(document.activeElement);
        row.replaceWith(fresh);
        fresh.allow();
        if (hadFocus) fresh.querySelector('input, select')?.focus();
        setText(fresh.querySelector('.result'), t('saved'));
      } catch (error) {
        tell(problemText(error));
        // A text stays, so that it can be corrected.
        for (const input of row.querySelectorAll('select, [type=checkbox]')) {
          input.value = setting.value ?? '';
          input.checked = setting.value;
        }
      }
    };
    const origin = `origin_${setting.origin}`;
    const reset = setting.origin === 'page' &&
      iconButton('undo', t('forgetOf', { title: name(setting.key) }), () => save(null));
    const row = h('div', { class: 'setting' },
      h('div', { class: 'setting-text' },
        h('label', { for: id }, name(setting.key)),
        h('p', { id: `${id}-help`, class: 'hint' }, clip(said('help', setting.key, setting.label)),
          !setting.editable && h('span', { class: 'why-not' }, whyNot(setting)))),
      h('div', { class: 'setting-value' }, control(setting, id, save, tell),
        h('div', { class: 'setting-facts' }, result,
          h('span', { class: `origin ${setting.origin === 'page' ? 'is-own' : ''}`, title: t('defaultIs', { value: shown(setting, setting.default) }) },
            has(origin) ? t(origin) : clip(setting.origin, 40)), reset)));
    row.allow = () => {
      for (const input of row.querySelectorAll('input, select, button')) {
        // Leave a field in which somebody types: its error says what is wrong.
        if (input !== document.activeElement || !input.matches('input:not([type=checkbox])')) permit(input, setting.editable);
      }
      if (reset) reset.hidden = !setting.editable || !mayControl();
    };
    row.allow();
    return row;
  }

  #showLock() {
    this.lock.hidden = isReadOnly();
    const isLocked = Boolean(store.state?.access?.lock);
    const ask = (title, path, label) => formDialog(title, [pinField(true)], label, async ({ pin }) => {
      const answer = await post(path, { pin });
      if (answer.token) setToken(answer.token);
    }, { hint: t('lockHint') });
    const actions = isLocked
      ? [
        !hasToken() && button(t('unlock'), () => unlockDialog(), { symbol: 'lock', kind: 'primary' }),
        hasToken() && button(t('lockAgain'), async () => {
          if (!await command('/api/lock')) return;
          setToken(null);
        }, { symbol: 'lock' }),
        hasToken() && button(t('removeLock'), async () => {
          if (!await command('/api/lock/remove')) return;
          setToken(null);
          toast(t('lockRemoved'));
        }, { kind: 'primary' }),
      ]
      : [button(t('lockNow'), async () => {
        setToken(null);
        if (await ask(t('lock'), '/api/lock', t('lockNow'))) toast(t('lockSet'));
      }, { symbol: 'lock' })];
    // Keep the focus on the buttons when they are replaced.
    const hadFocus = this.lock.contains(document.activeElement);
    this.lock.replaceChildren(h('div', { class: 'setting' },
      h('div', { class: 'setting-text' }, h('h2', {}, t('lock')),
        h('p', { class: 'hint' }, isLocked ? t(hasToken() ? 'unlockedHere' : 'unlockHint') : t('lockHint'))),
      h('div', { class: 'setting-value buttons' }, actions)));
    for (const action of actions) if (action) permit(action, true, true);
    if (hadFocus) this.lock.querySelector('button')?.focus();
  }
}
customElements.define('sw-settings', Settings);

/** The name of a key for people, such as "Startup volume" for startup_volume. */
function name(key) {
  const words = key.replaceAll('_', ' ').replaceAll('.', ': ');
  return said('settings', key, names[key] ?? words.charAt(0).toUpperCase() + words.slice(1));
}

/** Why a setting is fixed. */
function whyNot({ origin, origin_name: by, why_not: text }) {
  if (isReadOnly()) return t('readOnly');
  return has(`why_${origin}`) ? t(`why_${origin}`, { name: by }) : clip(text);
}

/** The name of a choice. */
function choiceName({ key, kind }, value, label) {
  return kind === 'output' ? outputName(value, label) : said('choices', `${key} ${value}`, label);
}

/** What is wrong with the number in a field; null if it is right or empty. */
function wrongNumber({ value, validity }, { kind, minimum, maximum }) {
  if (validity.valid && !(kind === 'integer' && !Number.isInteger(Number(value)))) return null;
  if (minimum == null || maximum == null) return t('numberOnly');
  return t(kind === 'integer' ? 'wholeBetween' : 'numberBetween', { minimum: number(minimum), maximum: number(maximum) });
}

function shown(setting, value) {
  if (value === null || value === undefined) return said('defaults', setting.key, setting.default_text ?? t('noDefault'));
  if (value === '') return t('noDefault');
  if (setting.kind === 'bool') return t(value ? 'on' : 'off');
  if (setting.kind === 'choice' || setting.kind === 'output') return choiceName(setting, value, String(value));
  return `${value}${units[setting.kind] ?? ''}`;
}

/** The control for a kind of setting. Numbers and texts are saved when the field is left or Enter is pressed. */
function control(setting, id, save, tell) {
  const { kind, value, minimum, maximum, choices = [] } = setting;
  const common = { id, 'aria-describedby': `${id}-help` };
  if (kind === 'bool') {
    const input = h('input', { type: 'checkbox', role: 'switch', class: 'switch', checked: Boolean(value), ...common,
      onchange: () => save(input.checked) });
    return input;
  }
  if (kind === 'choice' || kind === 'output') {
    const options = (choices ?? []).map((choice) => (typeof choice === 'object'
      ? [choice.value ?? choice.id ?? choice.name, choice.label ?? choice.name ?? choice.value] : [choice, choice]));
    if (value != null && !options.some(([known]) => known === value)) options.unshift([value, value]);
    if (value == null) options.unshift(['', shown(setting, setting.default)]);
    return h('select', { ...common, onchange: (event) => save(event.target.value === '' ? null : event.target.value) },
      options.map(([known, label]) => h('option', { value: known, selected: known === value }, clip(choiceName(setting, known, String(label)), 120))));
  }
  const isNumber = ['integer', 'decibels', 'seconds'].includes(kind);
  const input = h('input', {
    type: isNumber ? 'number' : 'text', value: value ?? '', min: minimum, max: maximum, step: kind === 'integer' ? 1 : 'any',
    placeholder: shown(setting, setting.default), autocomplete: 'off', spellcheck: 'false', maxlength: 100, dir: 'auto', ...common,
    onchange() {
      const text = input.value.trim();
      const fault = isNumber ? wrongNumber(input, setting) : null;
      tell(fault ?? '');
      set(input, { 'aria-invalid': fault ? 'true' : null });
      if (fault) return;
      if (text === '') save(isNumber ? null : '');
      else save(isNumber ? Number(text) : text);
    },
    onkeydown(event) { if (event.key === 'Enter') input.blur(); },
  });
  return units[kind] ? h('span', { class: 'with-unit' }, input, h('span', { class: 'unit' }, units[kind].trim())) : input;
}
