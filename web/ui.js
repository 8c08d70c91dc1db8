/** Messages, menus and dialogs. */
import { button, clip, h, icon, iconButton, set, setText } from './dom.js';
import { hasToken, post, Problem, setToken } from './api.js';
import { store } from './store.js';
import { trail } from './trail.js';
import { t } from './strings.js';

let region;
let politeRegion;

/** Makes the elements for messages. Call it once. */
export function messagePlaces() {
  region = h('div', { class: 'toasts', role: 'status', 'aria-live': 'polite' });
  politeRegion = h('div', { class: 'hidden-text', role: 'status', 'aria-live': 'polite' });
  return [region, politeRegion];
}

/** Announces a text to screen readers only. */
export function announce(text) { setText(politeRegion, text); }

/** Shows a short message, perhaps with a button such as Undo. Of the kind `working`, it stays. Returns a function that removes it. */
export function toast(text, { kind = '', label, action } = {}) {
  const message = h('div', { class: `toast ${kind}` }, h('span', { dir: 'auto' }, text));
  let timer = 0;
  const remove = () => {
    clearTimeout(timer);
    message.remove();
  };
  const wait = () => {
    clearTimeout(timer);
    if (kind !== 'working') timer = setTimeout(remove, action ? 12_000 : 5_000);
  };
  if (action) {
    message.append(button(label, () => {
      remove();
      action();
    }, { kind: 'quiet' }));
  }
  for (const event of ['pointerenter', 'focusin']) message.addEventListener(event, () => clearTimeout(timer));
  for (const event of ['pointerleave', 'focusout']) message.addEventListener(event, wait);
  // Show at most three messages, and the same one only once.
  for (const old of [...region.children]) if (old.textContent === message.textContent) old.remove();
  while (region.children.length > 2) region.firstElementChild.remove();
  region.append(message);
  wait();
  return remove;
}

/** The button of a message that undoes a change of the queue; undefined without its token. */
export const undoOf = (undo) => (undo ? { label: t('undo'), action: () => command('/api/queue/undo', { undo }) } : undefined);

/** Shows why something failed. */
export function report(error) {
  if (!(error instanceof Problem)) {
    reportError(error);
    return;
  }
  if (error.isLocked) {
    unlockDialog();
    return;
  }
  const texts = { 0: t('noAnswer'), 429: t('tooMany', { seconds: error.retryAfter ?? 60 }) };
  toast(texts[error.status] ?? (error.isReadOnly ? t('readOnly') : error.message || t('failed')), { kind: 'error', ...undoOf(error.undo) });
}

/** Performs a command and shows its error. Returns null if it failed. */
export async function command(path, body = {}) {
  try {
    return await post(path, body);
  } catch (error) {
    report(error);
    return null;
  }
}

/**
 * Opens a dialog. `fill(close)` returns its content. Resolves with the value given to `close`, null if it was dismissed.
 */
export function dialog(title, fill, { className = '' } = {}) {
  return new Promise((resolve) => {
    let result = null;
    const heading = h('h2', { id: `dialog-${Math.random().toString(36).slice(2)}` }, title);
    const element = h('dialog', { class: className, 'aria-labelledby': heading.id });
    const close = (value = null) => {
      result = value;
      element.close();
    };
    element.append(
      h('header', {}, heading, iconButton('close', t('close'), () => close())),
      ...[fill(close)].flat(),
    );
    const uncover = trail.cover(() => close());
    element.addEventListener('close', () => {
      uncover();
      element.remove();
      resolve(result);
    });
    // A press beside the dialog closes it, unless something has been typed.
    let isBeside = false;
    element.addEventListener('pointerdown', (event) => { isBeside = event.target === element && !isInside(element, event); });
    element.addEventListener('click', () => {
      const isTyped = [...element.querySelectorAll('input, textarea')].some((input) => input.value !== input.defaultValue);
      if (isBeside && !isTyped) close();
    });
    document.body.append(element);
    element.showModal();
    element.querySelector('[autofocus]')?.focus();
  });
}

function isInside(element, { clientX: x, clientY: y }) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return x >= left && x <= right && y >= top && y <= bottom;
}

/** Handles `submit` of a form, one at a time. The dialog stays if it throws, and `problem` says why, or if it returns false. */
export function submission(close, problem, check, submit) {
  let isSending = false;
  return async (event) => {
    event.preventDefault();
    if (isSending || !check()) return;
    isSending = true;
    set(event.submitter ?? event.target, { 'aria-busy': 'true' });
    try {
      const result = await submit();
      if (result !== false) close(result ?? {});
    } catch (error) {
      setText(problem, problemText(error));
    }
    isSending = false;
    set(event.submitter ?? event.target, { 'aria-busy': null });
  };
}

/** Asks before something with this name is replaced. Resolves with null if it is kept. */
export const replace = (name, submit) => formDialog(t('replace', { title: clip(name, 60) }), [], t('save'), submit);

/**
 * A form in a dialog. Fields: `{name, label, value, type, required, pattern, check(text) -> problem or null}`.
 * Resolves with the result of `submit(values)`; see `submission`.
 */
export function formDialog(title, fields, label, submit, { hint, extra } = {}) {
  return dialog(title, (close) => {
    const problem = h('p', { class: 'problem', role: 'alert' });
    const inputs = fields.map((field, index) => h('input', {
      name: field.name, type: field.type ?? 'text', value: field.value ?? '', autocomplete: 'off', maxlength: field.maxlength ?? 2000,
      inputmode: field.inputmode, required: field.required, autofocus: index === 0, spellcheck: 'false', dir: 'auto',
    }));
    const values = () => Object.fromEntries(inputs.map((input) => [input.name, input.value.trim()]));
    const check = () => {
      for (const [index, field] of fields.entries()) {
        const text = inputs[index].value.trim();
        const fault = field.required && !text ? t('required') : text && field.check?.(text);
        inputs[index].setAttribute('aria-invalid', String(Boolean(fault)));
        if (!fault) continue;
        setText(problem, fault);
        inputs[index].focus();
        return false;
      }
      setText(problem, '');
      return true;
    };
    const form = h('form', { class: 'form', novalidate: true, onsubmit: submission(close, problem, check, () => submit(values())) },
    hint && h('p', { class: 'hint' }, hint),
    fields.map((field, index) => h('label', {}, h('span', {}, field.label), inputs[index])),
    problem,
    h('footer', {}, extra?.(() => check() && values()), h('span', { class: 'space' }),
      button(t('cancel'), () => close(), { kind: 'quiet' }),
      h('button', { type: 'submit', class: 'button primary' }, label)));
    return form;
  });
}

/** A sentence about an error, for the user. */
export function problemText(error) {
  if (!(error instanceof Problem)) {
    reportError(error);
    return t('failed');
  }
  if (error.status === 0) return t('noAnswer');
  if (error.status === 429) return t('tooMany', { seconds: error.retryAfter ?? 60 });
  return error.message || t('failed');
}

let isUnlocking = false;
/** Asks for the PIN. Resolves with whether this page is unlocked now. */
export async function unlockDialog() {
  if (isUnlocking) return false;
  isUnlocking = true;
  const done = await formDialog(t('locked'), [pinField()], t('unlock'), async ({ pin }) => {
    try {
      setToken((await post('/api/unlock', { pin })).token);
    } catch (error) {
      if (error instanceof Problem && error.status === 403) error.message = error.message || t('wrongPin');
      throw error;
    }
  }, { hint: t('unlockHint') });
  isUnlocking = false;
  return Boolean(done) && hasToken();
}

/** The field for a PIN. A new one is visible, because nobody could correct a mistake in it later. */
export const pinField = (isNew = false) => ({
  name: 'pin', label: t('lockPin'), type: isNew ? 'text' : 'password', inputmode: 'numeric', required: true, maxlength: 12,
  check: (text) => (/^\d{4,12}$/.test(text) ? null : t('pinDigits')),
});

/**
 * Opens a menu at a button. Items: `{label, symbol, action, kind}`. Arrow keys move, Escape closes and returns the focus.
 */
export function menu(anchor, title, items) {
  const list = h('div', { class: 'menu', role: 'menu', popover: 'auto', 'aria-label': title },
    h('p', { class: 'menu-title', 'aria-hidden': 'true', dir: 'auto' }, title),
    items.filter(Boolean).map((item) => h('button', {
      type: 'button', role: 'menuitem', tabindex: '-1', class: item.kind, onclick() {
        list.hidePopover();
        item.action();
      },
    }, icon(item.symbol), h('span', {}, item.label))));
  const buttons = [...list.querySelectorAll('button')];
  list.addEventListener('keydown', (event) => {
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (event.key === 'Tab') list.hidePopover();
    if (to === undefined) return;
    event.preventDefault();
    buttons.at(to % buttons.length).focus();
  });
  const uncover = trail.cover(() => list.hidePopover());
  list.addEventListener('toggle', (event) => {
    if (event.newState !== 'closed') return;
    uncover();
    anchor.removeAttribute('aria-expanded');
    if (list.contains(document.activeElement) || document.activeElement === document.body) anchor.focus({ preventScroll: true });
    list.remove();
  });
  anchor.setAttribute('aria-expanded', 'true');
  document.body.append(list);
  list.showPopover();
  place(list, anchor);
  buttons[0]?.focus();
}

/** Puts a menu below or above its button; on narrow screens the stylesheet puts it at the bottom. */
function place(list, anchor) {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = list;
  const left = Math.max(8, Math.min(at.right - width, innerWidth - width - 8));
  const below = at.bottom + 4;
  list.style.setProperty('--left', `${left}px`);
  list.style.setProperty('--top', `${below + height < innerHeight ? below : Math.max(8, at.top - height - 4)}px`);
}

/** The content of an empty view: a drawing, a sentence, a hint and perhaps buttons. */
export function emptyNote(symbol, title, hint, ...buttons) {
  return h('div', { class: 'empty' }, icon(symbol), h('h2', {}, title), hint && h('p', {}, hint),
    buttons.length > 0 && h('div', { class: 'buttons' }, buttons));
}

/** The note in place of a list of devices: `items` is the list, or null while nobody knows it, as in `store.listed`. */
export function noneFound(symbol, items, title, hint) {
  if (store.connection !== 'open') return emptyNote(symbol, t('noAnswer'));
  return emptyNote(symbol, items ? title : t('searching'), hint);
}

/** Rows in place of a list that is being read. */
export const loadingRows = (text = t('loading')) => h('div', {}, h('p', { class: 'hidden-text' }, text),
  h('div', { class: 'skeleton', 'aria-hidden': 'true' }, Array.from({ length: 7 }, () => h('div', { class: 'row' },
    h('span', { class: 'art' }), h('span', { class: 'row-text' }, h('span', { class: 'row-title' }))))));

/** The head of a view. The heading receives the focus when the view opens. */
export function viewHead(title, ...actions) {
  return h('header', { class: 'view-head' }, h('h1', { tabindex: '-1', dir: 'auto' }, title), h('div', { class: 'actions' }, actions));
}

/** A field for words. `target(words)` is the address of their results. */
export function searchField(label, words, target) {
  const field = h('input', {
    type: 'search', name: 'q', value: words, placeholder: label, 'aria-label': label, autocomplete: 'off', dir: 'auto',
    enterkeyhint: 'search', maxlength: 200,
  });
  return h('form', { role: 'search', class: 'search', onsubmit(event) {
    event.preventDefault();
    location.hash = target(field.value.trim());
    field.blur();
  } }, icon('search'), field);
}
