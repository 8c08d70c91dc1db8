/** The queue of the playlist source. */
import { get, query } from './api.js';
import { art, button, clip, h, icon, iconButton, set, setArt, setText, setTexts } from './dom.js';
import { handle } from './list.js';
import { Pages } from './pages.js';
import { store, View } from './store.js';
import { command, emptyNote, toast, undoOf, viewHead } from './ui.js';
import { counted, duration, failureReason, failureText, t, time } from './strings.js';
import { mayControl, permit } from './controls.js';
import { saveQueue } from './track-lists.js';
import { chooseSpeaker } from './elsewhere.js';
import { choices } from './groups.js';
import { move } from './view-speakers.js';
import { matching, QueueItems } from './queue-search.js';

const titleOf = (item) => clip(item.title) || t('untitled');

class Queue extends View {
  build() {
    this.className = 'view';
    this.count = h('span', { class: 'count' });
    this.search = iconButton('search', t('searchQueue'), () => this.focusSearch());
    this.save = iconButton('save', t('saveQueue'), () => saveQueue());
    this.elsewhere = iconButton('speakers', t('playOn'), () => chooseSpeaker(this.elsewhere, (id, name) => move(undefined, id, name)), { 'aria-haspopup': 'menu' });
    this.jump = iconButton('current', t('goToCurrent'), () => {
      const index = store.state?.queue?.current_index;
      if (index != null) this.list.reveal(index);
    });
    this.clear = button(t('clear'), () => this.#clear(), { symbol: 'trash', kind: 'quiet' });
    this.head = viewHead(t('queue'), this.search, this.jump, this.elsewhere, this.save, this.clear);
    this.head.firstChild.after(this.count);
    this.field = h('input', { type: 'search', placeholder: t('searchQueue'), 'aria-label': t('searchQueue'), autocomplete: 'off', dir: 'auto', maxlength: 200, oninput: () => this.#find() });
    this.form = h('form', { role: 'search', class: 'search', hidden: true, onsubmit: (event) => event.preventDefault() }, icon('search'), this.field);
    this.all = new QueueItems();
    this.foundItems = [];
    this.found = new Pages((offset, count) => Promise.resolve({ items: this.foundItems.slice(offset, offset + count), total: this.foundItems.length, revision: '' }), 200);
    this.results = h('virtual-list', { 'aria-label': t('results'), hidden: true }).configure({ pages: this.found, rowHeight: 64, makeRow: () => this.#makeRow(true) });
    this.none = h('div', { hidden: true }, emptyNote('search', t('noResults')));
    this.pages = new Pages(async (offset, count) => {
      const answer = await get(query('/api/queue', { offset, count }));
      return { ...answer, total: answer.count };
    }, 200);
    this.list = h('virtual-list', { 'aria-label': t('queue') }).configure({
      pages: this.pages, rowHeight: 64, makeRow: () => this.#makeRow(),
      onmove: (item, after) => this.#move(item, after),
    });
    this.note = emptyNote('queue', t('queueEmpty'), t('queueEmptyHint'),
      h('a', { class: 'button primary', href: '#/library' }, icon('library'), h('span', {}, t('browseLibrary'))));
    this.append(this.head, this.form, this.note, this.none, this.results, this.list);
    this.pages.addEventListener('change', () => this.#count());
  }

  /** The place is kept while the same track is current. */
  placeKey() { return store.state?.queue?.current_id ?? null; }

  /** Shows the current track. */
  openAtStart() {
    this.isAtStart = true;
    this.#reveal();
  }

  #reveal() {
    const { queue } = store.state ?? {};
    if (!this.isAtStart || !queue) return;
    this.isAtStart = false;
    this.pages.expect(queue.count);
    if (queue.current_index != null) this.list.reveal(queue.current_index);
  }

  attach() {
    let revision = this.pages.revision;
    this.watch(['queue', 'access', 'connection', 'source', 'playing'], ({ queue }) => {
      if (!queue) return;
      if (queue.revision !== revision) {
        revision = queue.revision;
        this.pages.refresh();
        this.#find();
      }
      this.#count();
      this.note.hidden = queue.count > 0;
      this.list.hidden = queue.count === 0 || this.isFinding;
      this.search.hidden = queue.count < 8;
      if (!queue.count && !this.form.hidden) this.focusSearch();
      this.save.hidden = queue.count === 0 || !mayControl();
      permit(this.save);
      this.elsewhere.hidden = this.save.hidden || !choices(store.state, {}).includes('give');
      permit(this.elsewhere);
      this.jump.hidden = queue.current_index == null || queue.count < 8;
      this.clear.hidden = queue.count === 0 || !mayControl();
      permit(this.clear);
      this.list.refresh?.();
      this.results.refresh?.();
      this.#reveal();
    });
  }

  /** Shows the number of tracks, and the time that is left if all are known. */
  #count() {
    const { queue } = store.state ?? {};
    if (!queue) return;
    const { items, total } = this.pages;
    const rest = items.slice(queue.current_index ?? 0).reduce((sum, item) => sum + (item?.duration ?? NaN), -(store.position || 0));
    const isKnown = items.length === total && queue.count === total && rest > 0;
    setText(this.count, queue.count ? [counted('tracks', queue.count), isKnown && t('timeLeft', { time: duration(rest) })].filter(Boolean).join(' · ') : '');
  }

  /** Opens the search; again, closes it. */
  focusSearch() {
    this.form.hidden = !this.form.hidden;
    this.field.value = '';
    this.#find();
    if (!this.form.hidden) this.field.focus();
    return true;
  }

  async #find() {
    const words = this.field.value.trim();
    const { queue } = store.state ?? {};
    this.isFinding = Boolean(words) && !this.form.hidden;
    this.list.hidden = this.isFinding || !queue?.count;
    this.results.hidden = !this.isFinding;
    this.none.hidden = true;
    if (!this.isFinding) return;
    const items = await this.all.read(queue?.revision).catch(() => []);
    if (words !== this.field.value.trim()) return;
    this.foundItems = matching(items, words);
    this.none.hidden = this.foundItems.length > 0;
    this.found.refresh();
    this.found.want(0, 0);
  }

  #makeRow(isResult = false) {
    const row = h('div', { class: 'list-row' });
    const picture = art(null);
    const title = h('span', { class: 'row-title', dir: 'auto' });
    const more = h('span', { class: 'row-more', dir: 'auto' });
    const end = h('span', { class: 'row-end' });
    const broken = h('span', { class: 'broken', role: 'img', 'aria-label': t('broken'), title: t('broken'), hidden: true }, icon('warning'));
    const play = h('button', { type: 'button', class: 'row', onclick: () => {
      if (row.item?.id != null) command('/api/queue/play', { id: row.item.id });
    } }, picture, h('span', { class: 'row-text' }, title, more), broken, end);
    const remove = iconButton('close', '', () => this.#remove(row));
    const grip = handle(icon('handle'));
    row.append(grip, play, remove);
    row.update = (item) => {
      row.item = item;
      row.title_ = titleOf(item);
      const isCurrent = item.id != null && item.id === store.state?.queue?.current_id;
      row.classList.toggle('is-current', isCurrent);
      setText(title, item.id == null ? '…' : row.title_);
      const failure = item.failure && failureReason(item.failure);
      row.classList.toggle('is-broken', Boolean(failure));
      if (failure) setText(more, clip(failure)); else setTexts(more, [item.artist, item.album]);
      set(more, { title: item.failure && failureText(item.failure) });
      broken.hidden = !failure;
      setText(end, item.duration ? time(item.duration) : '');
      setArt(picture, item.art);
      set(play, {
        'aria-label': t('playItem', { title: row.title_ }), 'aria-current': isCurrent ? 'true' : null,
      });
      set(remove, { 'aria-label': t('remove', { title: row.title_ }), title: t('removeShort') });
      set(grip, { 'aria-label': t('move', { title: row.title_ }) });
      permit(play);
      if (failure && !play.disabled) set(play, { 'aria-description': failure });
      for (const control of [remove, grip]) {
        control.hidden = !mayControl() || (isResult && control === grip);
        permit(control);
      }
      if (!grip.disabled) set(grip, { title: t('moveHint') });
    };
    return row;
  }

  async #move(item, after) {
    if (item?.id == null || !await command('/api/queue/move', { ids: [item.id], after: after?.id ?? 0 })) this.pages.refresh();
  }

  async #remove(row) {
    const { item, index } = row;
    if (item?.id == null) return;
    const answer = await command('/api/queue/remove', { ids: [item.id] });
    if (!answer) return;
    // The next row takes the place and the focus.
    const at = this.pages.items[index]?.id === item.id ? index : this.pages.items.findIndex((other) => other?.id === item.id);
    if (at >= 0) this.pages.removeAt(at);
    toast(t('removed', { title: clip(titleOf(item), 60) }), undoOf(answer.undo));
  }

  async #clear() {
    const answer = await command('/api/queue/clear');
    if (answer) toast(t('cleared'), undoOf(answer.undo));
  }
}
customElements.define('sw-queue', Queue);
