/** Other speakers in the house, and who plays with whom. */
import { art, button, clip, drawIcon, h, icon, iconButton, set, setArt, setText, setTexts } from './dom.js';
import { store, View } from './store.js';
import { command, menu, noneFound, toast, viewHead } from './ui.js';
import { said, t } from './strings.js';
import { permit } from './controls.js';
import { canSpread, choices, groupText, members, Sum } from './groups.js';
import { showWork, work } from './work.js';
import { showQueue } from './elsewhere.js';
import './view-announcement.js';

/** Decibels of one press on the group's volume. */
const step = 2;

/** Performs a command about the group. Speakers may take a while to answer. */
const group = (what, body = {}) => work('group', what, t('asksSpeakers'), () => command(`/api/speakers/${what}`, body));

/** Moves playback, and says so, and what could not move. */
export const move = (from, to, name) => work('group', 'move', t('asksSpeakers'), async () => {
  const answer = await command('/api/speakers/move', { from, to });
  if (answer) {
    toast([t('moved', { name: clip(name, 60) }), ...answer.losses.map(({ code, text }) => said('losses', code, text)),
      answer.failed?.length && t('notJoined', { names: clip(answer.failed.join(', '), 200) })].filter(Boolean).join(' '));
  }
});

/** Plays in all rooms, and says which could not join. */
const everywhere = () => work('group', 'everywhere', t('asksSpeakers'), async () => {
  const answer = await command('/api/speakers/everywhere');
  if (answer?.failed.length) toast(t('notJoined', { names: clip(answer.failed.join(', '), 200) }), { kind: 'error' });
});

/** What each of `choices` is called, and does. */
const actions = {
  join: { symbol: 'add', run: ({ id }) => group('join', { id }) },
  leave: { symbol: 'close', run: ({ id }) => group('leave', { id }) },
  follow: { symbol: 'input', run: ({ id }) => group('join', { to: id }) },
  give: { symbol: 'forward', run: ({ id, name }) => move(undefined, id, name) },
  theQueue: { symbol: 'queue', run: showQueue },
  take: { symbol: 'back', run: ({ id }) => move(id, undefined, store.state?.speaker?.name) },
};

class Speakers extends View {
  build() {
    this.className = 'view';
    this.cards = new Map();
    this.list = h('ul', { class: 'speakers' });
    this.note = h('div');
    this.group = h('sw-group');
    this.append(viewHead(t('speakers')), this.group, this.note, this.list, h('sw-announcement'));
  }

  attach() {
    this.until(store.show('speakers'));
    this.watch(['speakers', 'access', 'connection', 'playing', 'source'], ({ speakers = [] }) => {
      this.note.hidden = speakers.length > 0;
      const known = JSON.stringify([store.listed('speakers'), store.connection]);
      if (!this.note.hidden && this.known !== known) {
        this.known = known;
        this.note.replaceChildren(noneFound('speakers', store.listed('speakers'), t('noSpeakers'), t('noSpeakersHint')));
      }
      for (const [id, card] of this.cards) {
        if (speakers.some((speaker) => speaker.id === id)) continue;
        card.remove();
        this.cards.delete(id);
      }
      for (const speaker of speakers) {
        if (!this.cards.has(speaker.id)) {
          this.cards.set(speaker.id, this.#makeCard(speaker));
          this.list.append(this.cards.get(speaker.id));
        }
        this.cards.get(speaker.id).update(speaker);
      }
    });
  }

  /** Makes a card. It stays as long as its speaker, so that a slider is not replaced under a finger. */
  #makeCard({ id }) {
    const picture = art(null, 'speakers');
    const name = h('h2', { dir: 'auto' });
    const model = h('p', { class: 'row-more', dir: 'auto' });
    const playing = h('p', { class: 'speaker-playing', dir: 'auto' });
    const link = h('a', { class: 'icon-button', rel: 'noreferrer' }, icon('link'));
    const mute = iconButton('volume', t('mute'), () => command('/api/speakers/mute', { id, muted: !card.muted }), { 'aria-pressed': 'false' });
    const level = h('sw-level', { label: t('volume') });
    const percent = h('span', { class: 'percent', 'aria-hidden': 'true' });
    level.send = (value) => command('/api/speakers/volume', { id, level: value });
    level.onshow = (value) => setText(percent, String(value));
    const volume = h('div', { class: 'speaker-volume' }, mute, level, percent);
    const main = button('', () => actions[card.choices[0]].run(card.speaker), { symbol: 'add' });
    const more = iconButton('more', '', () => menu(more, clip(card.speaker.name, 120), card.choices.slice(1).map((choice) => ({
      label: t(choice), symbol: actions[choice].symbol, action: () => actions[choice].run(card.speaker),
    }))), { 'aria-haspopup': 'menu' });
    const buttons = h('div', { class: 'speaker-group' }, main, more);
    showWork(main, 'group');
    const card = h('li', { class: 'speaker' }, picture, h('div', { class: 'speaker-text' }, name, model, playing), link, volume, buttons);
    card.update = (speaker) => {
      card.speaker = speaker;
      card.muted = Boolean(speaker.muted);
      const text = clip(speaker.name, 120) || t('unknown');
      setText(name, text);
      setText(model, clip(speaker.model, 120));
      const isActive = ['playing', 'paused', 'buffering'].includes(speaker.state);
      setTexts(playing, isActive ? [speaker.title || t(speaker.state), speaker.artist] : [t(speaker.state ?? 'stopped')]);
      card.classList.toggle('is-playing', speaker.state === 'playing');
      setArt(picture, isActive ? speaker.art : null, 'speakers');
      // Only addresses that a browser opens as a page.
      const isPage = /^https?:\/\//i.test(speaker.url ?? '');
      link.hidden = !isPage;
      if (isPage) set(link, { href: speaker.url, 'aria-label': t('openSpeaker', { name: text }), title: t('openSpeaker', { name: text }) });
      card.choices = [...choices(store.state, speaker), 'theQueue'];
      const [first] = card.choices;
      card.classList.toggle('is-member', members(store.state).includes(speaker));
      more.hidden = card.choices.length < 2;
      setText(main.lastElementChild, t(first));
      drawIcon(main.firstElementChild, actions[first].symbol);
      set(main, { 'aria-label': `${t(first)}: ${text}` });
      set(more, { 'aria-label': t('options', { title: text }) });
      permit(main);
      permit(more);
      volume.hidden = speaker.volume == null;
      if (speaker.volume == null) return;
      if (level.slider) set(level.slider, { 'aria-label': t('volumeOf', { name: text }) });
      set(level, { label: t('volumeOf', { name: text }) });
      set(mute, { 'aria-label': t('muteOf', { name: text }), 'aria-pressed': String(card.muted) });
      drawIcon(mute.firstElementChild, card.muted ? 'muted' : 'volume');
      permit(mute);
      // The slider exists once the card is in the page.
      queueMicrotask(() => {
        if (!level.slider) return;
        permit(level.slider);
        level.follow(speaker.volume);
      });
    };
    return card;
  }
}
customElements.define('sw-speakers', Speakers);

/** This speaker's group: who is in it, the volume of all, and one button for everywhere. */
class Group extends View {
  build() {
    this.className = 'speaker own';
    this.name = h('h2', { dir: 'auto' });
    this.text = h('p', { class: 'row-more', dir: 'auto', role: 'status' });
    const change = new Sum((decibels) => command('/api/speakers/group-volume', { decibels }));
    this.volume = h('div', { class: 'group-volume', role: 'group', 'aria-label': t('groupVolume') },
      iconButton('minus', t('groupQuieter'), () => change.add(-step)), h('span', { 'aria-hidden': 'true' }, t('groupVolume')),
      iconButton('add', t('groupLouder'), () => change.add(step)));
    this.everywhere = button(t('everywhere'), everywhere, { symbol: 'speakers' });
    this.leave = button(t('leaveGroup'), () => group('leave'), { symbol: 'close' });
    for (const control of [this.everywhere, this.leave]) showWork(control, 'group');
    this.append(h('div', { class: 'speaker-text' }, this.name, this.text),
      h('div', { class: 'speaker-group' }, this.volume, this.everywhere, this.leave));
  }

  attach() {
    this.watch(['speakers', 'source', 'speaker', 'access', 'connection'], (state) => {
      const isGrouped = members(state).length > 0 || state.source?.sender != null;
      this.everywhere.hidden = !canSpread(state);
      this.leave.hidden = !isGrouped;
      this.volume.hidden = !members(state).length;
      this.hidden = this.everywhere.hidden && !isGrouped;
      setText(this.name, clip(state.speaker?.name, 120));
      setText(this.text, groupText(state));
      setText(this.leave.lastElementChild, t(state.source?.sender != null ? 'leaveGroup' : 'ungroup'));
      for (const control of this.querySelectorAll('button')) permit(control);
    });
  }
}
customElements.define('sw-group', Group);
