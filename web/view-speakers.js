/** Other speakers in the house. */
import { art, clip, drawIcon, h, icon, iconButton, set, setArt, setText } from './dom.js';
import { store, View } from './store.js';
import { command, noneFound, viewHead } from './ui.js';
import { t } from './strings.js';
import { permit } from './controls.js';

class Speakers extends View {
  build() {
    this.className = 'view';
    this.cards = new Map();
    this.list = h('ul', { class: 'speakers' });
    this.note = h('div');
    this.append(viewHead(t('speakers')), this.note, this.list);
  }

  attach() {
    this.until(store.show('speakers'));
    this.watch(['speakers', 'access', 'connection'], ({ speakers = [] }) => {
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
    const card = h('li', { class: 'speaker' }, picture, h('div', { class: 'speaker-text' }, name, model, playing), link, volume);
    card.update = (speaker) => {
      card.muted = Boolean(speaker.muted);
      const text = clip(speaker.name, 120) || t('unknown');
      setText(name, text);
      setText(model, clip(speaker.model, 120));
      const isActive = ['playing', 'paused', 'buffering'].includes(speaker.state);
      setText(playing, isActive
        ? [clip(speaker.title, 120) || t(speaker.state), clip(speaker.artist, 120)].filter(Boolean).join(' · ') : t(speaker.state ?? 'stopped'));
      card.classList.toggle('is-playing', speaker.state === 'playing');
      setArt(picture, isActive ? speaker.art : null, 'speakers');
      // Only addresses that a browser opens as a page.
      const isPage = /^https?:\/\//i.test(speaker.url ?? '');
      link.hidden = !isPage;
      if (isPage) set(link, { href: speaker.url, 'aria-label': t('openSpeaker', { name: text }), title: t('openSpeaker', { name: text }) });
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
