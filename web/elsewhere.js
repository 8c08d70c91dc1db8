/** The other speakers of the house: plays something there, and shows their queue. */
import { get, query } from './api.js';
import { art, clip, h, setText } from './dom.js';
import { command, dialog, menu, problemText, report, toast } from './ui.js';
import { isGuest, isReadOnly } from './controls.js';
import { t, time } from './strings.js';

/** Asks for another speaker, in a menu, and calls `run(id, name)`. */
export async function chooseSpeaker(anchor, run) {
  try {
    const { speakers } = await get('/api/speakers');
    if (!speakers.length) toast(t('noSpeakers'));
    else menu(anchor, t('playOn'), speakers.map(({ id, name }) => ({ label: clip(name, 60) || t('unknown'), symbol: 'speakers', action: () => run(id, name) })));
  } catch (error) {
    report(error);
  }
}

/** Shows the queue of another speaker. A tap on a track plays it there. */
export function showQueue({ id, name }) {
  return dialog(t('queueOf', { name: clip(name, 60) }), () => {
    const note = h('p', { class: 'hint', role: 'status' }, t('loading'));
    const list = h('ol', { class: 'plain elsewhere' });
    const load = async () => {
      try {
        const { items, offset, count, current } = await get(query('/api/speakers/queue', { id }));
        setText(note, items.length < count ? t('partOf', { count }) : items.length ? '' : t('queueEmpty'));
        const rows = items.map((item, index) => h('li', { class: offset + index === current ? 'list-row is-current' : 'list-row' },
          h('button', { type: 'button', class: 'row', disabled: item.id == null || isGuest() || isReadOnly(), 'aria-current': offset + index === current && 'true', async onclick() {
            if (await command('/api/speakers/play', { id, entry: item.id })) load();
          } }, art(item.art), h('span', { class: 'row-text' }, h('span', { class: 'row-title', dir: 'auto' }, clip(item.title)),
            h('span', { class: 'row-more', dir: 'auto' }, clip(item.artist))), h('span', { class: 'row-end' }, item.duration ? time(item.duration) : ''))));
        list.replaceChildren(...rows);
      } catch (error) {
        setText(note, problemText(error));
      }
    };
    load();
    return [note, list];
  });
}
