/** Pairs a Bluetooth device: a remote control, a keyboard, a phone. */
import { get, hasToken, post } from './api.js';
import { button, clip, h, setText } from './dom.js';
import { store } from './store.js';
import { command, dialog, problemText, toast, unlockDialog } from './ui.js';
import { t } from './strings.js';

/** Opens a pairing window of 30 s, which needs the PIN. */
export async function pair() {
  if (!store.state?.access?.lock) {
    toast(t('pairNeedsPIN'), { label: t('settings'), action: () => { location.hash = '#/settings'; } });
    return;
  }
  if (!hasToken() && !await unlockDialog()) return;
  if (!await command('/api/pairing/open')) return;
  let timer = 0;
  await dialog(t('pair'), (close) => {
    const status = h('p', { role: 'status' });
    const question = h('div', { role: 'alert' });
    const devices = h('ul', { class: 'plain' });
    let shown = '';
    const send = (path, body) => async () => { if (await command(path, body)) load(); };
    async function load() {
      clearTimeout(timer);
      try {
        const report = await get('/api/pairing');
        // Redraw only after a change, so that the focus stays where it is.
        if (JSON.stringify(report) !== shown) show(report);
        shown = JSON.stringify(report);
        if (!['opening', 'open', 'pairing'].includes(report.state)) return;
      } catch (error) {
        setText(status, problemText(error));
      }
      timer = setTimeout(load, 1000);
    }
    function show({ state, devices: found = [], question: asked, paired, problem }) {
      setText(status, clip(problem) || t(`pair_${state}`, { name: clip(paired, 100) }));
      question.replaceChildren(...(asked ? [
        h('p', { dir: 'auto' }, t(`ask_${asked.kind}`, { name: clip(asked.device, 100), number: asked.number ?? '' })),
        asked.kind !== 'type' && h('div', { class: 'buttons' },
          button(t('yes'), send('/api/pairing/answer', { accept: true }), { kind: 'primary' }),
          button(t('no'), send('/api/pairing/answer', { accept: false }))),
      ].filter(Boolean) : []));
      devices.replaceChildren(...(state === 'open' ? found.map(({ number, name, kind }) => h('li', {},
        button(`${clip(name, 80)} – ${clip(kind, 40)}`, send('/api/pairing/choose', { number })))) : []));
    }
    load();
    return [h('p', { class: 'hint' }, t('pairHint')), status, question, devices,
      h('div', { class: 'buttons' }, button(t('close'), () => close(), { kind: 'quiet' }))];
  });
  clearTimeout(timer);
  // Has no effect if the window is closed already.
  post('/api/pairing/close').catch(() => {});
}
