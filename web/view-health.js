/** The health of the speaker: networks, buffer, underruns, errors and the log. */
import { get, post } from './api.js';
import { button, clip, h, iconButton, setText } from './dom.js';
import { store, View } from './store.js';
import { emptyNote, problemText, report, viewHead } from './ui.js';
import { isReadOnly, permit } from './controls.js';
import { pair } from './pairing.js';
import { duration, format, number, outputName, t } from './strings.js';

const levels = ['all', 'notice', 'warning', 'error'];
const ranks = { trace: 0, debug: 0, info: 0, notice: 1, warning: 2, error: 3, critical: 3 };

class Health extends View {
  #shown = {};

  build() {
    this.className = 'view';
    this.facts = h('dl', { class: 'facts' });
    this.networks = h('ul', { class: 'plain' });
    this.library = h('dl', { class: 'facts' });
    this.rescan = button(t('rescan'), () => post('/api/library/rescan').then(() => this.#load(), report), { symbol: 'refresh' });
    this.libraryPart = h('section', { class: 'group', hidden: true }, h('h2', {}, t('library')), this.library, h('p', {}, this.rescan));
    this.errors = h('ul', { class: 'plain log-lines' });
    this.log = h('ul', { class: 'plain log-lines', tabindex: '0', 'aria-label': t('log') });
    this.filter = h('select', { id: 'log-level', onchange: () => this.#showLog() },
      levels.map((level) => h('option', { value: level }, t(`level_${level}`))));
    this.companions = h('dl', { class: 'facts' });
    this.pair = button(t('pair'), () => pair(), { symbol: 'link' });
    this.companionPart = h('section', { class: 'group', hidden: true }, h('h2', {}, t('companions')), this.companions,
      h('p', { class: 'companion-link' }, h('a', { href: '/companion' }, t('openCompanion'))), h('p', {}, this.pair));
    this.problem = h('div');
    this.append(viewHead(t('health'), iconButton('refresh', t('refresh'), () => this.#load())), this.problem,
      h('section', { class: 'group' }, h('h2', {}, t('playback')), this.facts),
      h('section', { class: 'group' }, h('h2', {}, t('networks')), this.networks), this.libraryPart, this.companionPart,
      h('section', { class: 'group' }, h('h2', {}, t('errors')), this.errors),
      h('section', { class: 'group' }, h('header', {}, h('h2', {}, t('log')), h('span', { class: 'space' }),
        h('label', { for: 'log-level', class: 'hint' }, t('logLevel')), this.filter), this.log));
  }

  attach() {
    this.#load();
    this.timer = setInterval(() => { if (!document.hidden && store.connection === 'open') this.#load(); }, 5000);
    this.watch(['networks', 'health', 'output'], () => this.#show());
    this.watch(['companion', 'connection'], ({ companion }) => this.#showCompanions(companion));
  }

  detach() { clearInterval(this.timer); }

  async #load() {
    try {
      this.health = await get('/api/health');
      this.problem.replaceChildren();
      this.#show();
      this.#showLog();
    } catch (error) {
      if (!this.health) this.problem.replaceChildren(emptyNote('health', problemText(error), null, button(t('retry'), () => this.#load())));
    }
  }

  #show() {
    const health = { ...store.state?.health, ...this.health };
    const output = store.state?.output ?? {};
    const fact = (label, value, kind = '') => value != null && value !== '' && value !== false &&
      h('div', { class: kind }, h('dt', {}, label), h('dd', { dir: 'auto' }, value));
    this.facts.replaceChildren(...[
      fact(t('version'), store.state?.speaker?.version ?? health.version),
      fact(t('uptime'), health.uptime != null && duration(health.uptime)),
      fact(t('output'), [clip(outputName(output.name), 120), format({ ...output, codec: null })].filter(Boolean).join(' · ')),
      fact(t('buffer'), health.buffer != null && t('seconds', { value: number(health.buffer, 1) })),
      fact(t('delay'), health.delay != null && t('seconds', { value: number(health.delay, 2) })),
      fact(t('underruns'), health.xruns != null && number(health.xruns), health.xruns ? 'is-bad' : 'is-good'),
      ...(health.sources ?? []).map(({ name, state, lines }) =>
        fact(clip(name, 60), [t(`program_${state}`), ...lines.slice(-3).map((text) => clip(text, 200))].join(' · '), state === 'failed' && 'is-bad')),
    ].filter(Boolean));
    this.#showLibrary(health.library, fact);
    const networks = store.state?.networks ?? health.networks ?? [];
    if (this.#isNew('networks', networks)) this.networks.replaceChildren(...(networks.length
      ? networks.map(({ name, address, url }) => h('li', {}, h('strong', {}, clip(name, 60)), ` ${clip(address, 60)} `,
        /^https?:/.test(url ?? '') && h('a', { href: url }, clip(url, 80))))
      : [h('li', { class: 'hint' }, t('noNetworks'))]));
    const errors = (health.errors ?? health.troubles ?? []).map((error) => (typeof error === 'string' ? { text: error } : error));
    if (this.#isNew('errors', errors)) this.errors.replaceChildren(...(errors.length ? errors.map(line) : [h('li', { class: 'hint' }, t('noErrors'))]));
  }

  #showLibrary(library, fact) {
    this.libraryPart.hidden = !library;
    if (!library) return;
    permit(this.rescan);
    const { folders, tracks, albums, scanning, scanned, last_scan: last, problem_count: count, problems, error } = library;
    const problem = [clip(error), count && number(count), ...problems.slice(0, 5).map((text) => clip(text, 200))];
    this.library.replaceChildren(...[
      fact(t('folders'), clip(folders.join(', '))), fact(t('tracksTitle'), number(tracks)), fact(t('albums'), number(albums)),
      fact(t('lastScan'), scanning ? t('scanning', { count: number(scanned) }) : last && new Date(last).toLocaleString()),
      fact(t('errors'), problem.filter(Boolean).join(' · '), 'is-bad'),
    ].filter(Boolean));
  }

  #showCompanions(companion) {
    const { bluetooth, beacon, phones, presence, buttons, mqtt, mpris, sleep, pairing } = companion ?? {};
    this.companionPart.hidden = !companion;
    this.companionPart.querySelector('.companion-link').hidden = !phones;
    // It asks a guest for the PIN.
    permit(this.pair, true, true);
    this.pair.hidden = !(bluetooth || buttons) || isReadOnly();
    const list = (items) => items.map(([name, word]) => `${clip(name, 60)}: ${word}`).join(', ');
    const parts = [
      bluetooth && [t('bluetooth'), bluetooth.ready ? t('ready') : clip(bluetooth.problem) || t('notReady'), bluetooth.ready],
      beacon && [t('beacon'), beacon.advertised ? t('advertised') : clip(beacon.problem) || t('notAdvertised'), beacon.advertised],
      phones && [t('phones'), t('phonesHere', { here: phones.in_reach, count: phones.registered })],
      presence && [t('presence'), [list(presence.people.map(({ name, state }) => [name, t(`presence_${state}`)])), clip(presence.problem)].filter(Boolean).join('. '),
        presence.problem ? false : undefined],
      buttons && [t('buttons'), list(buttons.devices.map((device) => [device.name, clip(device.problem, 100) || t(device.connected ? 'connected' : 'notConnected')])),
        !buttons.devices.some(({ problem }) => problem)],
      mqtt && ['MQTT', `${clip(mqtt.broker, 80)}: ${clip(mqtt.problem) || t(mqtt.connected ? 'connected' : 'notConnected')}`, mqtt.connected],
      mpris && [t('mediaKeys'), clip(mpris.problem) || t(mpris.name ? 'connected' : 'connecting'), mpris.problem ? false : undefined],
      sleep && [t('sleep'), clip(sleep.problem) || t(sleep.ready ? 'ready' : 'connecting'), sleep.problem ? false : undefined],
      pairing && pairing.state !== 'closed' && [t('pairing'), t(`pair_${pairing.state}`, { name: '' })],
    ].filter(Boolean);
    this.companions.replaceChildren(...parts.map(([label, value, isGood]) => h('div', { class: isGood === false ? 'is-bad' : '' },
      h('dt', {}, label), h('dd', { dir: 'auto' }, value))));
  }

  /** Whether a part differs from what is shown. The same content is left alone, because it may be selected or have the focus. */
  #isNew(part, content) {
    const text = JSON.stringify(content);
    if (this.#shown[part] === text) return false;
    this.#shown[part] = text;
    return true;
  }

  #showLog() {
    const least = levels.indexOf(this.filter.value);
    const lines = (this.health?.log ?? []).filter(({ level }) => (ranks[level] ?? 0) >= least);
    if (!this.#isNew('log', lines)) return;
    const isAtEnd = this.log.scrollTop + this.log.clientHeight >= this.log.scrollHeight - 8;
    this.log.replaceChildren(...(lines.length ? lines.map(line) : [h('li', { class: 'hint' }, t('logEmpty'))]));
    if (isAtEnd) this.log.scrollTop = this.log.scrollHeight;
  }
}
customElements.define('sw-health', Health);

function line({ time, level = '', text }) {
  const at = h('time', {});
  const date = new Date(time);
  setText(at, Number.isNaN(date.getTime()) ? clip(time, 40) : date.toLocaleTimeString());
  return h('li', { class: `is-${level.replace(/\W/g, '')}` }, at, h('span', { class: 'level' }, level), h('span', { dir: 'auto' }, clip(text, 600)));
}
