/** The view of the current track. */
import { art, button, clip, h, icon, iconButton, set, setArt, setText, setTexts } from './dom.js';
import { store, View } from './store.js';
import { command, dialog, menu } from './ui.js';
import { failureText, format, has, outputName, playingState, playingTitle, said, t, time } from './strings.js';
import { pictureHue } from './hue.js';
import { permit } from './controls.js';
import { groupLine } from './groups.js';
import { links } from './library-rows.js';
import './track-lists.js';

/** Gives the whole page the hue of the picture. */
export function tint({ detail: picture }) {
  const hue = pictureHue(picture);
  const { style } = document.documentElement;
  if (hue === null) style.removeProperty('--hue');
  else style.setProperty('--hue', hue);
}

const sourceName = ({ id, name }) => clip(said('sources', id, name), 40);

class Now extends View {
  build() {
    this.className = 'view now';
    this.art = art(null, 'note', 'cover');
    this.art.addEventListener('art', tint);
    this.heading = h('h1', { tabindex: '-1', dir: 'auto' });
    this.artist = h('span', { class: 'artist', dir: 'auto' });
    this.album = h('span', { class: 'album', dir: 'auto' });
    this.about = h('button', { type: 'button', class: 'about', 'aria-haspopup': 'menu', onclick: () => {
      const { playing = {} } = store.state ?? {};
      menu(this.about, clip(playing.title, 80) || t('untitled'), links(playing));
    } }, this.artist, this.album);
    this.format = h('span', { class: 'format' });
    this.path = h('button', { type: 'button', class: 'chip', hidden: true, onclick: () => signalPath() },
      h('span', { class: 'lamp' }), h('span', {}));
    this.state = h('p', { class: 'playing-state' });
    this.rooms = h('a', { class: 'chip', href: '#/speakers' }, icon('speakers'), h('span', { dir: 'auto' }));
    this.leave = iconButton('close', t('leaveGroup'), () => command('/api/speakers/leave'));
    this.together = h('div', { class: 'together', hidden: true }, this.rooms, this.leave);
    this.source = h('button', { type: 'button', class: 'chip source', 'aria-haspopup': 'menu', onclick: () => this.#chooseSource() },
      icon('input'), h('span', { dir: 'auto' }));
    this.standby = iconButton('power', t('standby'), () => {
      command('/api/standby', { standby: !store.state?.source?.standby });
    }, { class: 'icon-button power', 'aria-pressed': 'false' });
    this.problem = h('p', { class: 'problem', role: 'alert' });
    this.wake = button(t('wake'), () => command('/api/standby', { standby: false }), { symbol: 'power', kind: 'primary' });
    this.asleep = h('div', { class: 'idle', hidden: true }, h('p', {}, t('standbyHint')), h('div', { class: 'buttons' }, this.wake));
    this.hint = h('div', { class: 'idle', hidden: true }, h('p', {}, t('nothingHint')), h('div', { class: 'buttons' },
      h('a', { class: 'button primary', href: '#/library' }, icon('library'), h('span', {}, t('browseLibrary'))),
      h('a', { class: 'button', href: '#/radio' }, icon('radio'), h('span', {}, t('openRadio')))));
    this.upNext = h('ol', { class: 'rows' });
    this.upNextPart = h('section', { class: 'up-next', hidden: true, 'aria-labelledby': 'up-next' },
      h('header', {}, h('h2', { id: 'up-next' }, t('upNext')), h('a', { href: '#/queue', class: 'quiet-link' }, t('openQueue'))),
      this.upNext);
    this.append(
      h('div', { class: 'top' }, this.source, this.standby),
      h('div', { class: 'stage' }, this.art,
        h('div', { class: 'panel' },
          h('div', { class: 'titles' }, this.state, this.heading, h('div', { class: 'who' }, this.about, h('sw-heart')), this.problem),
          h('div', { class: 'signal' }, this.format, this.path, this.together),
          this.asleep, this.hint,
          h('div', { class: 'deck' }, h('sw-progress'), h('sw-transport', { full: true }), h('sw-volume')),
          this.upNextPart)),
    );
  }

  attach() {
    this.watch(['playing', 'source', 'queue'], (state) => this.#show(state));
    this.watch(['format', 'output', 'playing', 'access'], (state) => this.#showFormat(state));
    this.watch(['source', 'access', 'connection'], (state) => this.#showSource(state));
    this.watch(['queue', 'source', 'modes', 'access', 'connection'], (state) => this.#showNext(state));
    this.watch(['source', 'speakers', 'speaker', 'access', 'connection'], (state) => this.#showGroup(state));
  }

  detach() { this.#listen(false); }

  /** Looks for the other speakers only while this one is in a group. */
  #listen(isGrouped) {
    if (isGrouped) this.endListening ??= store.show('speakers');
    else this.endListening = this.endListening?.();
  }

  #showGroup(state) {
    const line = groupLine(state);
    this.#listen(Boolean(line));
    this.together.hidden = !line;
    setText(this.rooms.lastElementChild, line);
    this.leave.hidden = state.source?.sender == null;
    permit(this.leave);
  }

  #show(state) {
    const { playing = {}, source } = state;
    const isEmpty = playing.state === 'empty' || !playing.state;
    const isStandby = Boolean(source?.standby);
    this.classList.toggle('is-empty', isEmpty);
    this.classList.toggle('is-standby', isStandby);
    this.classList.toggle('is-playing', playing.state === 'playing');
    const isShown = !isEmpty && !isStandby;
    setText(this.heading, isStandby ? t('standbyTitle') : isEmpty ? t('nothing') : clip(playingTitle(state)));
    this.heading.classList.toggle('is-long', this.heading.textContent.length > 45);
    setText(this.artist, clip(isShown ? playing.artist : ''));
    setTexts(this.album, isShown ? [playing.album, playing.station] : []);
    this.about.hidden = !this.artist.textContent && !this.album.textContent;
    // Stations and line inputs are in no library.
    this.about.disabled = !(playing.artist || playing.album) || playing.live;
    const number = playing.count > 1 && playing.number ? t('track', playing) : '';
    setText(this.state, isShown ? [playingState(playing), number].filter(Boolean).join(' · ') : '');
    setText(this.problem, clip(isShown && playing.failure ? failureText(playing.failure) : isShown ? playing.error : ''));
    setArt(this.art, isShown ? playing.art : null, isStandby ? 'power' : playing.live ? 'radio' : 'note');
    this.hint.hidden = !isEmpty || isStandby;
    this.asleep.hidden = !isStandby;
  }

  #showFormat({ format: stream, output, playing }) {
    setText(this.format, playing?.state === 'empty' ? '' : format(stream));
    const known = output?.bit_perfect;
    this.path.hidden = known == null;
    if (known == null) return;
    this.path.classList.toggle('is-perfect', known);
    setText(this.path.lastElementChild, t(known ? 'bitPerfect' : 'notBitPerfect'));
  }

  #showSource({ source }) {
    const current = source?.sources?.find(({ id }) => id === source.current);
    this.source.hidden = !current;
    permit(this.source);
    this.standby.hidden = !source;
    permit(this.standby);
    permit(this.wake);
    this.standby.setAttribute('aria-pressed', String(Boolean(source?.standby)));
    if (!current) return;
    const name = sourceName(current);
    setText(this.source.lastElementChild, name);
    set(this.source, { 'aria-label': `${t('source')}: ${name}` });
  }

  #chooseSource() {
    const { sources = [], current } = store.state?.source ?? {};
    menu(this.source, t('source'), sources.map((source) => ({
      label: sourceName(source), symbol: source.id === current ? 'check' : 'input',
      action: () => command('/api/source', { source: source.id }),
    })));
  }

  #showNext({ queue, source, modes }) {
    const items = queue?.window?.items ?? [];
    const at = (queue?.current_index ?? -1) - (queue?.window?.offset ?? 0);
    const next = source?.current === 'playlist' && queue?.current_index != null ? items.slice(at + 1, at + 4) : [];
    this.upNextPart.hidden = next.length === 0 || Boolean(modes?.shuffle) || Boolean(source?.standby);
    const allow = () => { for (const row of this.upNext.querySelectorAll('button')) permit(row); };
    const key = JSON.stringify(next);
    if (this.nextKey === key) {
      allow();
      return;
    }
    this.nextKey = key;
    this.upNext.replaceChildren(...next.map((item) => h('li', {}, h('button', {
      type: 'button', class: 'row', 'aria-label': t('playItem', { title: clip(item.title) || t('untitled') }),
      onclick: () => command('/api/queue/play', { id: item.id }),
    }, art(item.art), h('span', { class: 'row-text' },
      h('span', { class: 'row-title', dir: 'auto' }, clip(item.title) || t('untitled')),
      h('span', { class: 'row-more', dir: 'auto' }, clip(item.artist))),
    h('span', { class: 'row-end' }, item.duration ? time(item.duration) : '')))));
    allow();
  }
}
customElements.define('sw-now', Now);

/** Explains the signal path from the file to the sound card. */
function signalPath() {
  const { format: stream, output, volume } = store.state ?? {};
  const reasons = output?.reasons ?? [];
  dialog(t('signalPath'), (close) => h('div', { class: 'signal-path' },
    h('dl', {},
      h('div', {}, h('dt', {}, t('file')), h('dd', {}, format(stream) || t('unknown'))),
      h('div', {}, h('dt', {}, t('output')), h('dd', { dir: 'auto' },
        clip(outputName(output?.name)), h('small', {}, format({ ...output, codec: null }))))),
    h('p', { class: `verdict ${output?.bit_perfect ? 'is-perfect' : ''}` }, h('span', { class: 'lamp' }),
      t(output?.bit_perfect ? 'perfectHint' : 'changedHint')),
    reasons.length > 0 && h('ul', { class: 'reasons' }, reasons.map((reason) => h('li', {},
      has(`reason_${reason}`) ? t(`reason_${reason}`) : clip(reason, 60)))),
    volume?.limit < 100 && h('p', { class: 'hint' }, t('volumeLimit', volume)),
    h('p', {}, h('a', { class: 'button', href: '#/equalizer', onclick: () => close() }, icon('sliders'), h('span', {}, t('equalizer')))),
  ));
}

/** The player at the bottom of all other views. */
class MiniPlayer extends View {
  build() {
    this.art = art(null, 'note');
    this.art.addEventListener('art', tint);
    this.heading = h('span', { class: 'row-title', dir: 'auto' });
    this.artist = h('span', { class: 'row-more', dir: 'auto' });
    this.link = h('a', { href: '#/now', class: 'row' }, this.art, h('span', { class: 'row-text' }, this.heading, this.artist));
    this.loud = iconButton('volume', t('volume'), () => {
      const isShown = this.classList.toggle('shows-volume');
      set(this.loud, { 'aria-expanded': String(isShown) });
    }, { class: 'icon-button loud', 'aria-expanded': 'false' });
    this.append(h('sw-progress'), this.link, this.loud, h('sw-transport'), h('sw-volume'));
  }

  attach() {
    this.watch(['playing', 'source'], (state) => {
      const { playing, source } = state;
      const isStandby = Boolean(source?.standby);
      this.classList.toggle('is-standby', isStandby);
      const title = isStandby ? t('standbyTitle') : clip(playingTitle(state)) || t('nothing');
      setText(this.heading, title);
      setText(this.artist, clip(isStandby ? '' : playing?.artist || playing?.station || playing?.album || ''));
      set(this.link, { 'aria-label': `${t('openNow')}: ${title}` });
      setArt(this.art, isStandby ? null : playing?.art, isStandby ? 'power' : playing?.live ? 'radio' : 'note');
    });
  }
}
customElements.define('sw-mini', MiniPlayer);
