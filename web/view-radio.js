/** Radio stations: play, add, edit, sort, listen before saving, remove; and find others in the directory. */
import { get, post, query } from './api.js';
import { art, button, clip, h, icon, iconButton, set, setArt, setText } from './dom.js';
import { handle } from './list.js';
import { Pages } from './pages.js';
import { store, View } from './store.js';
import { announce, command, emptyNote, formDialog, menu, problemText, searchField, toast, viewHead } from './ui.js';
import { counted, t } from './strings.js';
import { isUrl, pinEntry } from './pin-places.js';
import { mayControl, permit } from './controls.js';

class Radio extends View {
  build() {
    this.className = 'view';
    this.add = button(t('addStation'), () => this.#edit(), { symbol: 'add', kind: 'primary' });
    this.find = h('div', {}, searchField(t('findStations'), '', (text) => find(text)), this.link = h('a', { class: 'quiet-link' }));
    this.note = h('div');
    this.pages = new Pages((offset, count) => (this.words == null ? presets(offset, count) : this.#search(offset, count)), 200);
    this.pages.addEventListener('change', () => this.#explain());
    this.list = h('virtual-list', { 'aria-label': t('stations') }).configure({
      pages: this.pages, rowHeight: 72, makeRow: () => this.#makeRow(), onmove: (item, after) => this.#move(item, after),
    });
    this.append(viewHead(t('radio'), this.add), this.find, this.note, this.list);
  }

  /** Called with the parts of the address: none for the presets, `find` and words for the directory. */
  route([find, words = '']) {
    this.words = find && words;
    if (this.isConnected) this.#open();
  }

  #open() {
    const isSearch = this.words != null;
    this.querySelector('input').value = this.words ?? '';
    setText(this.link, t(isSearch ? 'stations' : 'popularStations'));
    this.link.href = isSearch ? '#/radio' : find();
    Object.assign(this.pages, { items: [], total: 0, isLoaded: false });
    this.problem = null;
    this.pages.refresh();
  }

  async #search(offset, count) {
    // Without an attempt after each failure, which would be a burden for the directory.
    try { return await get(query('/api/stations/search', { q: this.words, offset, count })); } catch (error) {
      this.problem = problemText(error);
      return { items: [], total: 0 };
    }
  }

  /** Says why the list is empty. */
  #explain() {
    const { pages, problem, words } = this;
    this.list.hidden = !pages.total;
    if (words != null && pages.isLoaded) announce(problem ?? counted('found', pages.total));
    this.note.hidden = Boolean(pages.total);
    this.note.replaceChildren(words == null ? emptyNote('radio', t('noStations'), t('noStationsHint'))
      : pages.isLoaded ? emptyNote('search', problem ?? t('noResults'), problem ? '' : t('noResultsHint')) : emptyNote('search', t('searching')));
  }

  attach() {
    this.watch(['presets', 'playing', 'source', 'access', 'connection'], ({ presets }) => {
      const key = JSON.stringify(presets?.items ?? []);
      if (this.key !== key) {
        this.key = key;
        if (this.words == null) this.pages.refresh();
      }
      this.add.hidden = !mayControl();
      permit(this.add);
      this.find.hidden = !presets?.searchable;
      this.list.refresh?.();
    });
    this.#open();
  }

  #makeRow() {
    const row = h('div', { class: 'list-row station' });
    const picture = art(null, 'radio');
    const title = h('span', { class: 'row-title', dir: 'auto' });
    const more = h('span', { class: 'row-more', dir: 'auto' });
    const play = h('button', { type: 'button', class: 'row', onclick: () => command(isPreset(row.item) ? '/api/presets/play' : '/api/stations/play', { id: row.item.id }) },
      picture, h('span', { class: 'row-text' }, title, more));
    const grip = handle(icon('handle'));
    const mark = h('span', { class: 'mark', role: 'img', 'aria-label': t('fromFile'), title: t('fromFile') }, icon('lock'));
    const options = iconButton('more', '', () => this.#options(options, row.item), { 'aria-haspopup': 'menu' });
    row.append(grip, play, mark, options);
    row.update = (item) => {
      row.item = item;
      row.title_ = clip(item.title) || clip(item.uri) || t('untitled');
      const { playing, presets: saved, source } = store.state ?? {};
      const isCurrent = source?.current === 'radio' && item.id != null && (item.id === saved?.preset_id || item.summary != null && item.uri === playing?.uri);
      row.classList.toggle('is-current', isCurrent);
      setText(title, row.title_);
      setText(more, isCurrent ? clip(playing?.title, 120) || t(playing?.state ?? 'stopped') : item.summary ?? host(item.uri));
      setArt(picture, item.art, 'radio');
      set(play, { 'aria-label': t('playItem', { title: row.title_ }), 'aria-current': isCurrent ? 'true' : null });
      set(options, { 'aria-label': t('options', { title: row.title_ }), title: t('more') });
      set(grip, { 'aria-label': t('move', { title: row.title_ }) });
      permit(play);
      const isFixed = Boolean(item.read_only) || !mayControl();
      options.hidden = isFixed;
      permit(options);
      permit(grip, !isFixed && isPreset(item));
      grip.classList.toggle('is-fixed', isFixed);
      if (!grip.disabled) set(grip, { title: t('moveHint') });
      // Leave no space for handles if no station can be moved.
      grip.hidden = !isPreset(item) || isFixed && (!mayControl() || !saved?.items?.some((other) => !other.read_only));
      mark.hidden = !item.read_only;
    };
    return row;
  }

  #options(anchor, item) {
    const isSaved = isPreset(item);
    menu(anchor, clip(item.title, 80) || t('untitled'), [
      isSaved ? { label: t('edit'), symbol: 'edit', action: () => this.#edit(item) }
        : !store.state.presets.items.some(({ uri }) => uri === item.uri) && { label: t('addStation'), symbol: 'add', action: () => save(item) },
      pinEntry(anchor, { what: 'station', title: clip(item.title, 200) || host(item.uri), uri: item.uri, art: item.art_uri }),
      isSaved && { label: t('removeShort'), symbol: 'trash', kind: 'danger', action: () => this.#remove(item) },
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

/** The address of a search in the directory; without words, of the popular stations nearby. */
const find = (words = '') => `#/radio/find/${encodeURIComponent(words)}`;

/** Stations of the directory have a summary. */
const isPreset = (item) => item.summary == null;

async function presets(offset, count) {
  const { revision, items = [] } = store.state?.presets ?? {};
  return { revision, items: items.slice(offset, offset + count), total: items.length };
}

async function save({ title, uri, art_uri: picture }) {
  if (await command('/api/presets/add', { title, uri, ...(picture && { art: picture }) })) toast(t('stationAdded'));
}
