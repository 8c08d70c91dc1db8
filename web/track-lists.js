/** Lists on the speaker: favourites, the tracks that played last, and saved queues. */
import { get, post, query } from './api.js';
import { art, button, clip, h, icon, iconButton, set, setArt, setText, setTexts } from './dom.js';
import { Pages } from './pages.js';
import { View } from './store.js';
import { command, emptyNote, formDialog, loadingRows, menu, replace, report, toast, undoOf, viewHead } from './ui.js';
import { counted, t, time } from './strings.js';
import { isGuest, isReadOnly, mayControl, permit } from './controls.js';
import { links, path } from './library-rows.js';
import { everywhere } from './library-lists.js';
import { showWork, work } from './work.js';

/** The lists that the speaker keeps by itself have names that are translated. */
const symbols = { favorites: 'heart', recent: 'clock' };
const titleOf = (name) => (Object.hasOwn(symbols, name) ? t(`list_${name}`) : clip(name, 100));
const addressOf = (name) => path(everywhere, ':list', name);

/** Plays or adds a list, or one of its tracks. */
const play = (name, where, more) => work(`list ${name} ${more?.start ?? ''}`, where, t('readingTracks'), async () => {
  try {
    const { added, undo } = await post('/api/lists/play', { name, where, ...more });
    toast(counted(undo ? 'replaced' : 'added', added), undoOf(undo));
  } catch (error) {
    report(error);
  }
});

/** A form that asks for the name of a list. */
const askName = (title, value, submit) => formDialog(title, [{ name: 'name', label: t('stationTitle'), value, required: true, maxlength: 100 }], t('save'), submit);

/** Asks for a name, and saves the queue. */
export const saveQueue = () => askName(t('saveQueue'), '', async ({ name }) => {
  const save = (isReplacing) => post('/api/lists/save', { name, replace: isReplacing });
  try {
    await save(false);
  } catch (error) {
    if (!error.type?.endsWith('/list-exists')) throw error;
    if (!await replace(name, () => save(true))) return false;
  }
  toast(t('queueSaved', { title: clip(name, 60) }));
  return {};
});

/** Links to the lists that are not empty. */
class TrackLists extends View {
  build() { this.className = 'shelf'; }

  async attach() {
    this.hidden = !this.childElementCount;
    try {
      const { favorites, recent, saved } = await get('/api/lists');
      const all = [{ name: 'favorites', count: favorites }, { name: 'recent', count: recent }, ...saved].filter(({ count }) => count);
      this.replaceChildren(h('h2', {}, t('onSpeaker')), h('nav', { class: 'buttons lists', 'aria-label': t('onSpeaker') }, all.map(({ name }) => h('a', {
        class: 'button', href: addressOf(name) }, icon(symbols[name] ?? 'queue'), h('span', { dir: 'auto' }, titleOf(name))))));
      this.hidden = !all.length;
    } catch { /* The rest of the library is shown without them. */ }
  }
}
customElements.define('sw-track-lists', TrackLists);

/** One list, with its tracks. */
class TrackList extends View {
  build() {
    this.name = this.getAttribute('name');
    const { name } = this;
    this.pages = new Pages((offset, count) => get(query('/api/lists/tracks', { name, offset, count })), 200);
    this.count = h('span', { class: 'count' });
    this.buttons = [
      button(t('playAll'), () => play(name, 'replace', { shuffle: false }), { symbol: 'play', kind: 'primary' }),
      button(t('shuffle'), () => play(name, 'replace', { shuffle: true }), { symbol: 'shuffle' }),
      button(t('playEnd'), () => play(name, 'end'), { symbol: 'add' }),
    ];
    for (const control of this.buttons) showWork(control, `list ${name} `);
    this.remove = iconButton('trash', t('remove', { title: titleOf(name) }), async () => {
      // Nothing brings it back.
      const isRemoved = await formDialog(t('remove', { title: clip(titleOf(name), 60) }), [], t('removeShort'), () => post('/api/lists/remove', { name }));
      if (isRemoved) location.hash = '#/library';
    });
    const rename = iconButton('edit', t('eqRename', { name: titleOf(name) }), async () => {
      const done = await askName(t('eqRename', { name: clip(titleOf(name), 60) }), name, async ({ name: to }) => {
        await post('/api/lists/rename', { name, to });
        return { to };
      });
      if (done && done.to !== name) location.hash = addressOf(done.to);
    });
    this.changes = Object.hasOwn(symbols, name) ? [this.remove] : [rename, this.remove];
    const file = h('a', { class: 'icon-button', href: query('/api/lists/m3u', { name }), download: `${titleOf(name)}.m3u8`, 'aria-label': t('exportList'), title: t('exportList') }, icon('save'));
    this.list = h('virtual-list', { 'aria-label': titleOf(name) }).configure({ pages: this.pages, rowHeight: 64, makeRow: () => this.#makeRow() });
    this.note = h('div', {}, loadingRows());
    this.append(viewHead(titleOf(name), this.count, file, ...this.changes), h('div', { class: 'buttons' }, this.buttons), this.note, this.list);
    this.pages.addEventListener('change', () => {
      const { total, error, isLoaded } = this.pages;
      if (!isLoaded) return;
      setText(this.count, counted('tracks', total));
      this.note.hidden = total > 0;
      if (!total) this.note.replaceChildren(emptyNote('queue', error ? t('failed') : t('emptyFolder'), error?.message));
    });
  }

  attach() {
    this.pages.want(0, 0);
    this.watch(['access', 'connection'], () => {
      const [all, shuffle, add] = this.buttons;
      for (const control of [all, shuffle, ...this.changes]) {
        control.hidden = !mayControl();
        permit(control);
      }
      add.hidden = isReadOnly();
      permit(add, true, !isReadOnly());
      this.list.refresh?.();
    });
  }

  async #remove({ index, title_, item: { uri } }) {
    if (await command('/api/lists/remove', { name: this.name, start: index, uri })) toast(t('removed', { title: clip(title_, 60) }));
    this.pages.refresh();
  }

  #makeRow() {
    const { name } = this;
    const row = h('div', { class: 'list-row' });
    const picture = art(null);
    const title = h('span', { class: 'row-title', dir: 'auto' });
    const more = h('span', { class: 'row-more', dir: 'auto' });
    const end = h('span', { class: 'row-end' });
    const one = () => ({ start: row.index, count: 1 });
    const open = h('button', { type: 'button', class: 'row', onclick: () => (isGuest() ? play(name, 'end', one()) : play(name, 'replace', { start: row.index })) },
      picture, h('span', { class: 'row-text' }, title, more), end);
    const options = iconButton('more', '', () => menu(options, row.title_, [
      mayControl() && { label: t('playNext'), symbol: 'playNext', action: () => play(name, 'next', one()) },
      { label: t('playEnd'), symbol: 'add', action: () => play(name, 'end', one()) },
      mayControl() && { label: t('removeShort'), symbol: 'trash', action: () => this.#remove(row) }, ...links(row.item),
    ]), { 'aria-haspopup': 'menu' });
    row.append(open, options);
    row.update = (item) => {
      row.item = item;
      row.title_ = clip(item.title) || t('untitled');
      setText(title, item.uri == null ? '…' : row.title_);
      setTexts(more, [item.artist, item.album]);
      setText(end, item.duration ? time(item.duration) : '');
      setArt(picture, item.art);
      set(open, { 'aria-label': t(isGuest() ? 'addItem' : 'playItem', { title: row.title_ }) });
      permit(open, item.uri != null, !isReadOnly());
      set(options, { 'aria-label': t('options', { title: row.title_ }), title: t('more') });
      permit(options, true, !isReadOnly());
    };
    return row;
  }
}
customElements.define('sw-track-list', TrackList);

/** A heart: whether the track of the queue that plays is a favourite. */
export class Heart extends View {
  build() {
    this.toggle = iconButton('heart', t('favorite'), () => this.#change(), { 'aria-pressed': 'false' });
    this.append(this.toggle);
  }

  attach() {
    this.watch(['playing', 'access', 'connection'], ({ playing }) => {
      const id = playing?.queue_id || null;
      this.hidden = !id || playing.state === 'empty' || isReadOnly();
      permit(this.toggle);
      if (id === this.id_) return;
      this.id_ = id;
      this.#show(false);
      if (id) this.#read(id);
    });
  }

  async #read(id) {
    try {
      const { favorite } = await get(query('/api/lists/favorite', { id }));
      if (this.id_ === id) this.#show(favorite);
    } catch { /* It is asked again for the next track. */ }
  }

  #show(isFavorite) {
    this.isFavorite = isFavorite;
    set(this.toggle, { 'aria-pressed': String(isFavorite) });
  }

  async #change() {
    const { id_: id, isFavorite } = this;
    this.#show(!isFavorite);
    if (!await command('/api/lists/favorite', { id, favorite: !isFavorite }) && this.id_ === id) this.#show(isFavorite);
  }
}
customElements.define('sw-heart', Heart);
