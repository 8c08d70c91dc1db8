/** Work that takes a while, such as reading an album of a slow server: shown where it was started, and done only once. */
import { set } from './dom.js';
import { toast } from './ui.js';

/** Milliseconds until a message says what is being done. Controls show it at once. */
const patience = 500;

/** The kinds of work by their object. */
const running = new Map();

function mark(control) {
  const { work, workKind } = control.dataset;
  const kinds = running.get(work);
  set(control, { 'aria-busy': kinds && (!workKind || kinds.has(workKind)) ? 'true' : null });
}

/** Lets a control show the work on an object: that of a kind, or any. Rows are reused for other objects. */
export function showWork(control, object, kind) {
  control.dataset.work = object;
  if (kind) control.dataset.workKind = kind;
  mark(control);
}

/** Does the work, unless work of this kind on the same object goes on. `text` says what is being done. */
export async function work(object, kind, text, body) {
  const kinds = running.get(object) ?? new Set();
  if (kinds.has(kind)) return;
  const markAll = () => { for (const control of document.querySelectorAll(`[data-work="${CSS.escape(object)}"]`)) mark(control); };
  running.set(object, kinds.add(kind));
  markAll();
  let remove = () => {};
  const timer = setTimeout(() => { remove = toast(text, { kind: 'working' }); }, patience);
  try {
    await body();
  } finally {
    clearTimeout(timer);
    remove();
    kinds.delete(kind);
    if (!kinds.size) running.delete(object);
    markAll();
  }
}
