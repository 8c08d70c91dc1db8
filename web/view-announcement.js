/** A form for an announcement: something that is heard over the music. */
import { button, h } from './dom.js';
import { View } from './store.js';
import { command, toast } from './ui.js';
import { t } from './strings.js';
import { isUrl } from './pin-places.js';
import { mayControl, permit } from './controls.js';
import { showWork, work } from './work.js';

/** Steps above the music. */
const louder = [5, 10, 20];

class Announcement extends View {
  build() {
    this.uri = h('input', { type: 'url', name: 'uri', dir: 'ltr', maxlength: 2000, autocomplete: 'off', spellcheck: 'false' });
    this.volume = h('select', { name: 'volume' }, h('option', { value: 0 }, t('announcementSame')),
      louder.map((steps) => h('option', { value: steps }, t('announcementLouder', { steps }))));
    this.mode = h('select', { name: 'mode' },
      h('option', { value: 'duck' }, t('announcementDuck')), h('option', { value: 'pause' }, t('announcementPause')));
    this.chime = h('input', { type: 'checkbox', class: 'switch', name: 'chime' });
    this.group = h('input', { type: 'checkbox', class: 'switch', name: 'group' });
    this.seconds = h('input', { type: 'number', name: 'seconds', min: 1, max: 300, value: 60, required: true });
    this.send = h('button', { type: 'submit', class: 'button' }, h('span', {}, t('announceNow')));
    showWork(this.send, 'announcement');
    const field = (label, input) => h('label', {}, h('span', {}, t(label)), input);
    this.form = h('form', { class: 'form', novalidate: true, onsubmit: (event) => {
      event.preventDefault();
      this.#announce();
    } }, field('announcementUri', this.uri), field('volume', this.volume), field('announcementMode', this.mode),
    field('announcementSeconds', this.seconds), field('announcementChime', this.chime), field('announcementGroup', this.group), h('footer', {}, this.send));
    this.append(h('section', { class: 'group announcement', 'aria-label': t('announcement') },
      h('h2', {}, t('announcement')), h('p', { class: 'hint' }, t('announcementHint')), this.form));
  }

  attach() {
    this.watch(['access', 'connection'], () => {
      this.hidden = !mayControl();
      permit(this.send);
    });
  }

  #announce() {
    const uri = this.uri.value.trim();
    const problem = uri && isUrl(uri);
    if (problem) {
      toast(problem, { kind: 'error' });
      this.uri.focus();
      return;
    }
    if (!this.seconds.reportValidity()) return;
    const body = { seconds: Number(this.seconds.value), group: this.group.checked, change: Number(this.volume.value), mode: this.mode.value, chime: this.chime.checked || !uri, ...(uri && { uri }) };
    work('announcement', 'send', t('announcementLoads'), async () => {
      if (await command('/api/announce', body)) toast(t('announced'));
    });
  }
}
customElements.define('sw-announcement', Announcement);
