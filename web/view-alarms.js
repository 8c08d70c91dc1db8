/** The sleep timer and the alarms, and the bar that shows both on every view. */
import { post } from './api.js';
import { button, clip, h, iconButton, set, setText } from './dom.js';
import { store, View } from './store.js';
import { command, dialog, emptyNote, menu, submission, viewHead } from './ui.js';
import { language, t, time } from './strings.js';
import { mayControl, permit } from './controls.js';
import { isUrl } from './pin-places.js';

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** The short name of a day: 2024-01-01 was a Monday. */
const dayName = (day) => new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
  .format(Date.UTC(2024, 0, 1 + days.indexOf(day)));

/** A moment in the time zone of the speaker, such as "Mon 07:00". */
function moment(text) {
  if (!text) return '';
  const day = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(Date.parse(`${text.slice(0, 10)}T00:00Z`));
  return `${day} ${text.slice(11, 16)}`;
}

function daysText(alarm) {
  if (!alarm.days.length) return t('once');
  if (alarm.days.length === 7) return t('daily');
  const first = days.indexOf(alarm.days[0]);
  const isRange = alarm.days.length > 2 && alarm.days.every((day, index) => day === days[first + index]);
  return isRange ? `${dayName(alarm.days[0])}–${dayName(alarm.days.at(-1))}` : alarm.days.map(dayName).join(', ');
}

function soundText(alarm) {
  if (alarm.what === 'preset') return clip(alarm.title, 80) || t('radio');
  if (alarm.what === 'pin') {
    const pin = store.state?.pins?.items?.find((one) => one.index === alarm.pin);
    return clip(pin?.title, 80) || t('pinNumber', { number: alarm.pin + 1 });
  }
  return t({ queue: 'queue', tone: 'tone', playlist: 'playlist' }[alarm.what]);
}

/** When the sleep timer ends, by performance.now(); null without a known end. Read once per event. */
let sleepEnd = null;
let sleepSeen;
function sleepRest() {
  const { sleep } = store.state ?? {};
  if (sleep !== sleepSeen) {
    sleepSeen = sleep;
    sleepEnd = sleep?.seconds == null ? null : performance.now() + sleep.seconds * 1000;
  }
  return sleepEnd === null ? null : Math.max(0, (sleepEnd - performance.now()) / 1000);
}

function sleepText() {
  const { sleep } = store.state ?? {};
  if (!sleep) return '';
  const rest = sleep.end === 'minutes' ? sleepRest() : null;
  return rest === null ? t(`sleep_${sleep.end}`) : t('sleepIn', { time: time(rest) });
}

/** Calls back every second while the sleep timer counts. */
function ticking(view, update) {
  let timer = 0;
  view.watch(['sleep', 'connection'], () => {
    clearInterval(timer);
    update();
    if (store.state?.sleep) timer = setInterval(update, 1000);
  });
  view.until(() => clearInterval(timer));
}

/** The bar on every view: the alarm that rings, and the rest of the sleep timer. */
class AlarmBar extends View {
  build() {
    this.className = 'banner alarm-bar';
    this.text = h('span', { role: 'status', dir: 'auto' });
    this.snooze = button(t('snooze'), () => command('/api/alarms/snooze'), { kind: 'primary' });
    this.dismiss = button(t('stop'), () => command('/api/alarms/dismiss'), { kind: 'quiet' });
    this.off = button(t('off'), () => command('/api/sleep'), { kind: 'quiet', 'aria-label': t('sleepOff') });
    this.rest = h('span', { dir: 'auto' });
    this.append(this.text, this.snooze, this.dismiss, this.rest, this.off);
  }

  attach() {
    const update = () => {
      setText(this.rest, sleepText());
      this.off.hidden = this.rest.hidden = !store.state?.sleep;
    };
    this.watch(['alarms', 'sleep', 'access', 'connection'], ({ alarms, sleep }) => {
      const { ringing, snoozed, missed = [] } = alarms ?? {};
      const name = clip((ringing ?? snoozed ?? missed[0])?.name, 60);
      const key = ringing ? (ringing.waiting ? 'alarmWaits' : ringing.tone ? 'alarmTone' : 'alarmRings') : snoozed ? 'alarmSnoozed' : missed.length ? 'alarmMissed' : null;
      setText(this.text, key ? t(key, { name: name || t('alarm'), time: moment((snoozed ?? missed[0])?.time) }) : '');
      this.text.hidden = !key;
      this.snooze.hidden = !ringing;
      this.dismiss.hidden = !key;
      this.classList.toggle('is-ringing', Boolean(ringing));
      setText(this.dismiss.lastElementChild, t(ringing || snoozed ? 'stop' : 'ok'));
      for (const control of [this.snooze, this.dismiss, this.off]) permit(control);
      this.hidden = !key && !sleep;
    });
    ticking(this, update);
  }
}
customElements.define('sw-alarm-bar', AlarmBar);

class Alarms extends View {
  build() {
    this.className = 'view';
    this.add = button(t('addAlarm'), () => edit(), { symbol: 'add', kind: 'primary' });
    this.sleepNow = h('p', { class: 'hint', role: 'status' });
    const choose = (label, body) => button(label, () => command('/api/sleep', body));
    this.sleep = h('div', { class: 'choices' },
      [15, 30, 45, 60, 90].map((minutes) => choose(t('minutes', { value: minutes }), { minutes })),
      choose(t('sleep_track'), { end: 'track' }), choose(t('sleep_queue'), { end: 'queue' }), choose(t('off'), {}));
    this.off = this.sleep.lastElementChild;
    this.note = emptyNote('alarm', t('noAlarms'), t('noAlarmsHint'));
    this.clock = h('p', { class: 'hint problem', hidden: true }, t('clockNotSet'));
    this.list = h('ul', { class: 'rows alarms' });
    this.zone = h('p', { class: 'hint' });
    this.append(viewHead(t('alarms'), this.add),
      h('section', { class: 'group' }, h('h2', {}, t('sleepTimer')), this.sleepNow, this.sleep),
      this.clock, this.note, this.list, this.zone);
  }

  attach() {
    this.watch(['alarms', 'pins', 'access', 'connection'], ({ alarms }) => {
      const key = JSON.stringify([alarms?.items, store.state?.pins?.items, mayControl(), store.connection]);
      if (this.key !== key) {
        this.key = key;
        const at = [...this.list.querySelectorAll('button, input')].indexOf(document.activeElement);
        this.list.replaceChildren(...(alarms?.items ?? []).map((alarm) => this.#row(alarm)));
        if (at >= 0) this.list.querySelectorAll('button, input')[at]?.focus();
      }
      this.note.hidden = Boolean(alarms?.items?.length);
      this.clock.hidden = alarms?.clock_set !== false || !alarms.items.length;
      setText(this.zone, alarms?.items?.length ? t('timeZone', { zone: alarms.zone }) : '');
      this.add.hidden = !mayControl();
      permit(this.add, (alarms?.items?.length ?? 0) < (alarms?.maximum ?? 32));
      for (const control of this.sleep.children) permit(control);
    });
    ticking(this, () => {
      setText(this.sleepNow, sleepText() || t('sleepHint'));
      const isOff = !store.state?.sleep;
      // Its focus would be lost.
      if (isOff && this.off === document.activeElement) this.off.previousElementSibling.focus();
      this.off.hidden = isOff;
    });
  }

  #row(alarm) {
    const title = `${alarm.time}${alarm.name ? ` ${clip(alarm.name, 60)}` : ''}`;
    const toggle = h('input', {
      type: 'checkbox', class: 'switch', role: 'switch', checked: alarm.enabled, 'aria-label': title,
      async onchange() {
        if (!await command('/api/alarms/enable', { id: alarm.id, enabled: toggle.checked })) toggle.checked = alarm.enabled;
      },
    });
    const more = [daysText(alarm), soundText(alarm), alarm.volume && `${t('volume')} ${alarm.volume}`].filter(Boolean).join(' · ');
    const open = h('button', { type: 'button', class: 'row', 'aria-label': `${t('edit')}: ${title}, ${more}`, onclick: () => edit(alarm) },
      h('span', { class: 'row-text' }, h('span', { class: 'row-title', dir: 'auto' }, title), h('span', { class: 'row-more', dir: 'auto' }, more),
        alarm.next && h('span', { class: 'row-more' }, t('nextAlarm', { time: moment(alarm.next) }))));
    const options = iconButton('more', t('options', { title }), () => menu(options, title, [
      { label: t('edit'), symbol: 'edit', action: () => edit(alarm) },
      { label: t('removeShort'), symbol: 'trash', kind: 'danger', action: () => command('/api/alarms/remove', { id: alarm.id }) },
    ]), { 'aria-haspopup': 'menu' });
    for (const control of [toggle, open, options]) permit(control);
    options.hidden = !mayControl();
    return h('li', { class: `list-row ${alarm.enabled ? '' : 'is-off'}` }, open, toggle, options);
  }
}
customElements.define('sw-alarms', Alarms);

/** Adds or changes an alarm. */
function edit(alarm) {
  return dialog(t(alarm ? 'editAlarm' : 'addAlarm'), (close) => {
    const presets = store.state?.presets?.items ?? [];
    const pins = store.state?.pins?.items ?? [];
    const chosen = { preset: `preset ${alarm?.preset}`, pin: `pin ${alarm?.pin}` }[alarm?.what] ?? alarm?.what ?? (presets.length ? `preset ${presets[0].id}` : 'queue');
    const option = (value, label) => h('option', { value, selected: value === chosen }, clip(label, 80));
    const group = (label, options) => options.length > 0 && h('optgroup', { label }, options);
    const isGone = chosen.startsWith('preset') && !presets.some(({ id }) => `preset ${id}` === chosen);
    const what = h('select', { onchange: () => { address.hidden = what.value !== 'playlist'; } },
      group(t('radio'), [...presets.map(({ id, title, uri }) => option(`preset ${id}`, title || uri)), ...(isGone ? [option(chosen, alarm.title || alarm.uri)] : [])]),
      group(t('pins'), pins.map(({ index, title }) => option(`pin ${index}`, title || t('pinNumber', { number: index + 1 })))),
      option('queue', t('queue')), option('playlist', t('playlist')), option('tone', t('tone')));
    const input = (properties) => h('input', { autocomplete: 'off', ...properties });
    const number = (value, min, max) => input({ type: 'number', inputmode: 'numeric', value, min, max, required: true });
    const at = input({ type: 'time', value: alarm ? alarm.time.padStart(5, '0') : '07:00', required: true, autofocus: true });
    const name = input({ type: 'text', value: alarm?.name ?? '', maxlength: 60, dir: 'auto' });
    const uri = input({ type: 'url', value: alarm?.what === 'playlist' ? alarm.uri : '', maxlength: 4096, dir: 'auto' });
    const volume = number(alarm?.volume ?? 0, 0, 100);
    const [ramp, limit, snooze] = [number(alarm?.ramp ?? 30, 0, 3600), number(alarm?.limit ?? 60, 1, 1440), number(alarm?.snooze ?? 9, 1, 60)];
    const boxes = days.map((day) => input({ type: 'checkbox', value: day, checked: alarm?.days.includes(day) }));
    const label = (text, control) => h('label', {}, h('span', {}, text), control);
    const address = label(t('playlistUri'), uri);
    address.hidden = chosen !== 'playlist';
    const problem = h('p', { class: 'problem', role: 'alert' });
    const values = () => {
      const [kind, place] = what.value.split(' ');
      const sound = { preset: { preset: Number(place) }, pin: { pin: Number(place) }, playlist: { uri: uri.value.trim() } }[kind];
      return {
        time: at.value.slice(0, 5), name: name.value.trim(), days: boxes.filter((box) => box.checked).map((box) => box.value),
        volume: volume.valueAsNumber, ramp: ramp.valueAsNumber, limit: limit.valueAsNumber, snooze: snooze.valueAsNumber,
        // A preset that is gone still plays, but cannot be chosen again.
        ...(what.value !== chosen || !isGone ? { what: kind, ...sound } : {}), ...(alarm && { id: alarm.id }),
      };
    };
    const check = () => {
      for (const control of [volume, ramp, limit, snooze]) {
        const fault = !control.checkValidity();
        set(control, { 'aria-invalid': String(fault) });
        if (fault) return t('wholeBetween', { minimum: control.min, maximum: control.max });
      }
      if (!at.value) return t('required');
      return what.value === 'playlist' ? (uri.value.trim() ? isUrl(uri.value.trim()) : t('required')) : null;
    };
    const isRight = () => {
      const fault = check();
      setText(problem, fault ?? '');
      return !fault;
    };
    const submit = () => post(alarm ? '/api/alarms/change' : '/api/alarms/add', values());
    return h('form', { class: 'form', novalidate: true, onsubmit: submission(close, problem, isRight, submit) },
    label(t('alarmTime'), at),
    h('fieldset', { class: 'days' }, h('legend', {}, t('alarmDays')), boxes.map((box) => h('label', {}, box, h('span', {}, dayName(box.value))))),
    label(t('alarmSound'), what), address,
    h('div', { class: 'pairs' }, label(t('alarmVolume'), volume), label(t('alarmRamp'), ramp), label(t('alarmLimit'), limit), label(t('alarmSnooze'), snooze)),
    label(t('alarmName'), name), problem,
    h('footer', {}, h('span', { class: 'space' }), button(t('cancel'), () => close(), { kind: 'quiet' }),
      h('button', { type: 'submit', class: 'button primary' }, t('save'))));
  });
}
