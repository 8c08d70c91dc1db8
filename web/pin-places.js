/** Chooses a place for a pin, and its content. */
import { post } from './api.js';
import { clip } from './dom.js';
import { store } from './store.js';
import { command, formDialog, menu, toast } from './ui.js';
import { t } from './strings.js';

/** Number of pins of an OpenHome device. Empty places are not in the state. */
export const places = 6;

export const isUrl = (text) => (/^https?:\/\/[^\s/]/i.test(text) ? null : t('invalidUrl'));

/** The entry of a menu that offers to pin something. `pin` is a body of /api/pins/set without its place. */
export function pinEntry(anchor, pin) {
  return store.state?.pins && { label: t('pinThis'), symbol: 'pin', action: () => choosePlace(anchor, pin) };
}

function choosePlace(anchor, pin) {
  const known = new Map((store.state?.pins?.items ?? []).map((one) => [one.index, clip(one.title, 60) || t('untitled')]));
  menu(anchor, t('pinWhere'), Array.from({ length: places }, (_, index) => ({
    label: `${index + 1} · ${known.get(index) ?? t('empty')}`, symbol: known.has(index) ? 'edit' : 'add',
    action: async () => { if (await command('/api/pins/set', { index, ...pin })) toast(t('pinned', { number: index + 1 })); },
  })));
}

/** Asks for an address. `what` is `station` or `playlist`. */
export function addressForm(index, what) {
  return formDialog(t(what === 'station' ? 'pinStation' : 'pinPlaylist'), [
    { name: 'title', label: t('stationTitle'), required: true, maxlength: 200 },
    { name: 'uri', label: t(what === 'station' ? 'stationUri' : 'playlistUri'), required: true, type: 'url', check: isUrl },
    { name: 'art', label: t('stationArt'), type: 'url', check: isUrl },
  ], t('save'), (values) => post('/api/pins/set', { index, what, ...values }));
}
