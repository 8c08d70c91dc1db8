/** Who plays with whom: reads the event `speakers`, which has the other speakers and, as `own`, this one. */
import { clip } from './dom.js';
import { counted, language, t } from './strings.js';

/** The other speakers in this one's group, by name. */
export const members = ({ speakers = [], own }) => (own?.leader ? speakers.filter(({ leader }) => leader === own.leader) : []);

/** Whether another speaker can join this one's group: this one leads it, or receives from its leader. */
const canAdd = ({ own }, speaker) => Boolean(speaker.can_join && (own?.can_lead || (own?.leader && own.leader !== own.id)))
  && !(own.leader && speaker.leader === own.leader);

/** Whether "everywhere" would change anything. */
export const canSpread = (state) => (state.speakers ?? []).some((speaker) => canAdd(state, speaker));

const isActive = (state) => ['playing', 'paused', 'buffering'].includes(state);

/**
 * What can be done with another speaker now: `join` lets it join this one's group, `leave` lets it leave, `follow` lets this one
 * join it, `give` and `take` move playback there and here.
 */
export function choices(state, speaker) {
  const { own, playing, source } = state;
  const isTogether = Boolean(own?.leader) && own.leader === speaker.leader;
  return [
    canAdd(state, speaker) && 'join', isTogether && own.leader !== speaker.id && 'leave',
    Boolean(own?.can_join && speaker.can_lead) && !isTogether && 'follow',
    // Who receives has no queue to give.
    isActive(playing?.state) && source?.current !== 'receiver' && 'give',
    isActive(speaker.state) && !(speaker.leader && speaker.leader !== speaker.id) && 'take',
  ].filter(Boolean);
}

const senderName = ({ sender }) => clip(sender, 60) || t('anotherRoom');

/** A sentence about this speaker's group. */
export function groupText(state) {
  const names = members(state).map(({ name }) => clip(name, 60) || t('unknown'));
  if (state.source?.sender != null) return t('follows', { name: senderName(state.source) });
  if (!names.length) return t(state.source?.sending ? 'othersListen' : 'playsAlone');
  return t('playsWith', { names: new Intl.ListFormat(language).format(names) });
}

/** Who plays along, such as "Kitchen + 2"; empty if this speaker plays alone. */
export function groupLine(state) {
  const { source, speaker } = state;
  const count = members(state).length;
  if (source?.sender != null) {
    const line = t('fromRoom', { name: senderName(source) });
    return count > 1 ? `${line} · ${counted('rooms', count + 1)}` : line;
  }
  if (!source?.sending) return '';
  return count ? `${clip(speaker?.name, 60)} + ${count}` : t('othersListen');
}

/** Adds up changes while a request is under way, and sends their sum after it. */
export class Sum {
  #waiting = 0;
  #isSending = false;

  /** @param send sends a change; returns a promise. */
  constructor(send) { this.send = send; }

  async add(change) {
    this.#waiting += change;
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#waiting) {
        const sum = this.#waiting;
        this.#waiting = 0;
        await this.send(sum);
      }
    } finally {
      this.#isSending = false;
    }
  }
}
