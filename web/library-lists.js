/** The albums, artists and other lists of media servers: of one, or of all as one. */
import { get, query } from './api.js';
import { store } from './store.js';
import { t } from './strings.js';
import { albumsOf, merged, named, once, plan } from './library-plan.js';

/** Stands for all servers in an address. */
export const everywhere = '*';

/** The most objects in one request, and of one server in a list of several. */
const step = 200;
const most = 1000;

/** Where the lists of servers are: promises by id. */
const plans = new Map();

export const serverName = ({ own, name } = {}) => (own ? t('thisSpeaker') : name);

/** The servers of a selection, one or all, that are known. */
export const serversOf = (selection) => (store.listed('servers') ?? []).filter(({ id }) => selection === everywhere || selection === id);

/** Where the lists of a server are, by their names. */
export function listsOf({ id, searchable }) {
  const key = `${id} ${searchable}`;
  if (!plans.has(key)) {
    const reading = read(id, searchable);
    plans.set(key, reading);
    reading.catch(() => plans.delete(key));
  }
  return plans.get(key);
}

async function read(server, isSearchable) {
  const children = async (container) => (await get(query('/api/library', { server, container, offset: 0, count: step }))).items;
  const root = await children('0');
  const { found, ask } = plan(root, null, isSearchable);
  return ask ? plan(root, await children(ask), isSearchable).found : found;
}

/** A part of a list of one server, or nothing if it has no such list. */
async function part(server, list, offset, count) {
  const place = (await listsOf(server))[list];
  if (!place) return { items: [], total: 0, revision: '' };
  const answer = await get(place.container
    ? query('/api/library', { server: server.id, container: place.container, offset, count })
    : query('/api/library/search', { server: server.id, kind: place.kind, offset, count }));
  for (const item of answer.items) {
    item.server = server.id;
    // Gerbera calls artists containers.
    if (list === 'artists' && !item.class.includes('person')) item.class = 'object.container.person';
  }
  return answer;
}

async function whole(server, list) {
  const items = [];
  for (let end = step; items.length < Math.min(end, most);) {
    const answer = await part(server, list, items.length, step);
    items.push(...answer.items);
    end = answer.items.length ? answer.total ?? items.length : 0;
  }
  return items;
}

/**
 * A function that loads parts of a list, for `Pages`. A list of one server is read as it is scrolled. The lists of several servers
 * are sorted into one; a server that fails is left out, unless all do.
 */
export function loader(selection, list) {
  let all = null;
  const sort = list === 'recent' ? (parts) => once(albumsOf(parts.flat())) : merged;
  return async (offset, count) => {
    const servers = serversOf(selection);
    const isOne = servers.length === 1;
    if (isOne && list !== 'recent') return part(servers[0], list, offset, count);
    all ??= Promise.allSettled(servers.map((server) => (list === 'recent'
      ? part(server, list, 0, step).then(({ items }) => items) : whole(server, list)))).then((results) => {
      const parts = results.filter(({ status }) => status === 'fulfilled').map(({ value }) => value);
      if (results.length && !parts.length) throw results[0].reason;
      return sort(parts);
    });
    const reading = all;
    // A failure is not kept.
    const items = await reading.catch((error) => {
      all = null;
      throw error;
    });
    return { items: items.slice(offset, offset + count), total: items.length, revision: '' };
  };
}

/** The album or artist with a name, on the server `first` or another one: `{server, item}`; null if none has it. */
export async function find(list, title, artist, first) {
  const servers = [...serversOf(everywhere)].sort((a, b) => (b.id === first) - (a.id === first));
  for (const server of servers) {
    try {
      const items = server.searchable
        ? (await get(query('/api/library/search', { server: server.id, kind: list.slice(0, -1), q: title, offset: 0, count: step }))).items
        : [];
      const item = named(items, title, artist) ?? named(await whole(server, list), title, artist);
      if (item) return { server: server.id, item };
    } catch { /* Another server may have it. */ }
  }
  return null;
}
