/** Radio stations: play, add, edit, sort, listen before saving, remove. */
import { post } from './api.js';
import { art, button, clip, h, icon, iconButton, set, setArt, setText } from './dom.js';
import { handle } from './list.js';
import { Pages } from './pages.js';
import { store, View } from './store.js';
import { command, emptyNote, formDialog, menu, toast, viewHead } from './ui.js';
import { t } from './strings.js';
import { isUrl, pinEntry } from './pin-places.js';
import { mayControl, permit } from './controls.js';

class Radio extends View {
  build() {
    this.className = 'view';
    this.add = button(t('addStation'), () => this.#edit(), { symbol: 'add', kind: 'primary' });
    this.note = emptyNote('radio', t('noStations'), t('noStationsHint'));
    this.pages = new Pages(async (offset, count) => {
      const { revision, items = [] } = store.state?.presets ?? {};
      return { revision, items: items.slice(offset, offset + count), total: items.length };
    }, 200);
    this.list = h('virtual-list', { 'aria-label': t('stations') }).configure({
      pages: this.pages, rowHeight: 72, makeRow: () => this.#makeRow(), onmove: (item, after) => this.#move(item, after),
    });
    this.append(viewHead(t('radio'), this.add), this.note, this.list);
  }

  attach() {
    this.watch(['presets', 'playing', 'source', 'access', 'connection'], ({ presets }) => {
      const key = JSON.stringify(presets?.items ?? []);
      if (this.key !== key) {
        this.key = key;
        this.pages.refresh();
      }
      this.add.hidden = !mayControl();
      permit(this.add);
      this.note.hidden = Boolean(presets?.items?.length);
      this.list.hidden = !this.note.hidden;
      this.list.refresh?.();
    });
  }

  #makeRow() {
    const row = h('div', { class: 'list-row station' });
    const picture = art(null, 'radio');
    const title = h('span', { class: 'row-title', dir: 'auto' });
    const more = h('span', { class: 'row-more', dir: 'auto' });
    const play = h('button', { type: 'button', class: 'row', onclick: () => command('/api/presets/play', { id: row.item.id }) },
      picture, h('span', { class: 'row-text' }, title, more));
    const grip = handle(icon('handle'));
    const mark = h('span', { class: 'mark', role: 'img', 'aria-label': t('fromFile'), title: t('fromFile') }, icon('lock'));
    const options = iconButton('more', '', () => this.#options(options, row.item), { 'aria-haspopup': 'menu' });
    row.append(grip, play, mark, options);
    row.update = (item) => {
      row.item = item;
      row.title_ = clip(item.title) || clip(item.uri) || t('untitled');
      const isCurrent = store.state?.source?.current === 'radio' && item.id != null && item.id === store.state?.presets?.preset_id;
      row.classList.toggle('is-current', isCurrent);
      setText(title, row.title_);
      setText(more, isCurrent ? clip(store.state?.playing?.title, 120) || t(store.state?.playing?.state ?? 'stopped') : host(item.uri));
      setArt(picture, item.art, 'radio');
      set(play, { 'aria-label': t('playItem', { title: row.title_ }), 'aria-current': isCurrent ? 'true' : null });
      set(options, { 'aria-label': t('options', { title: row.title_ }), title: t('more') });
      set(grip, { 'aria-label': t('move', { title: row.title_ }) });
      permit(play);
      const isFixed = Boolean(item.read_only) || !mayControl();
      options.hidden = isFixed;
      permit(options);
      permit(grip, !isFixed);
      grip.classList.toggle('is-fixed', isFixed);
      if (!grip.disabled) set(grip, { title: t('moveHint') });
      // Leave no space for handles if no station can be moved.
      grip.hidden = isFixed && (!mayControl() || !store.state?.presets?.items?.some((other) => !other.read_only));
      mark.hidden = !item.read_only;
    };
    return row;
  }

  #options(anchor, item) {
    menu(anchor, clip(item.title, 80) || t('untitled'), [
      { label: t('edit'), symbol: 'edit', action: () => this.#edit(item) },
      pinEntry(anchor, { what: 'station', title: clip(item.title, 200) || host(item.uri), uri: item.uri, art: item.art_uri }),
      { label: t('removeShort'), symbol: 'trash', kind: 'danger', action: () => this.#remove(item) },
    ]);
  }

  async #move(item, after) {
    if (!await command('/api/presets/move', { id: item.id, after: after?.id ?? 0 })) this.pages.refresh();
  }

  async #remove(item) {
    const items = store.state?.presets?.items ?? [];
    const before = items.slice(0, items.findIndex(({ id }) => id === item.id)).map(({ id }) => id);
    if (!await command('/api/presets/remove', { id: item.id })) return;
    const { title, uri, art_uri: picture } = item;
    toast(t('removed_station'), { label: t('undo'), action: () => {
      // Insert it after the nearest earlier station that still exists.
      const known = new Set(store.state?.presets?.items?.map(({ id }) => id));
      const after = before.findLast((id) => known.has(id)) ?? 0;
      return command('/api/presets/add', { title, uri, after, ...(picture && { art: picture }) });
    } });
  }

  #edit(item = {}) {
    return formDialog(t(item.id ? 'editStation' : 'addStation'), [
      { name: 'title', label: t('stationTitle'), value: item.title, required: true, maxlength: 200 },
      { name: 'uri', label: t('stationUri'), value: item.uri, required: true, type: 'url', check: isUrl },
      { name: 'art', label: t('stationArt'), value: item.art_uri ?? '', type: 'url', check: isUrl },
    ], t('save'), ({ title, uri, art: picture }) => {
      const values = { title, uri, ...((picture || item.art_uri) && { art: picture }) };
      return item.id ? post('/api/presets/change', { id: item.id, ...values }) : post('/api/presets/add', values);
    }, {
      extra: (values) => button(t('tryStation'), () => {
        const given = values();
        if (given) command('/api/presets/try', { uri: given.uri, title: given.title });
      }, { symbol: 'play', kind: 'quiet' }),
    });
  }
}
customElements.define('sw-radio', Radio);

/** The host of an address, which is easier to read than the whole address. */
function host(uri) {
  try { return new URL(uri).host; } catch { return clip(uri, 80); }
}
