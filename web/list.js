/** A list of any length: only rows in view exist. */
import { h } from './dom.js';
import { differAtEnd, placeOf, rowsInView } from './rows.js';
import { announce } from './ui.js';
import { t } from './strings.js';

/**
 * Shows pages of items. Options: `pages`; `makeRow()`, which returns an element with `update(item, index)`; `rowHeight` in pixels, or
 * a function of the column's width; for a grid, the minimum `columnWidth` in pixels. With `onmove(item, after, index)`, rows with
 * a `.handle` can be dragged.
 */
export class VirtualList extends HTMLElement {
  #options;
  #rows = new Map();
  #free = [];
  #frame = 0;
  #drag = null;
  #columns = 1;
  #height = 0;

  configure(options) {
    this.#options = options;
    this.setAttribute('role', 'list');
    this.classList.toggle('grid', Boolean(options.columnWidth));
    return this;
  }

  connectedCallback() {
    this.scroller = this.closest('[data-scroller]');
    this.schedule = () => { this.#frame ||= requestAnimationFrame(() => this.#render()); };
    this.refresh = () => {
      for (const row of this.#rows.values()) row.isOld = true;
      this.schedule();
    };
    this.scroller.addEventListener('scroll', this.schedule, { passive: true });
    this.observer = new ResizeObserver(this.schedule);
    this.observer.observe(this);
    this.observer.observe(this.scroller);
    this.#options.pages.addEventListener('change', this.refresh);
    if (this.#options.onmove) this.#watchDrags();
    this.addEventListener('keydown', (event) => this.#step(event));
    this.schedule();
  }

  disconnectedCallback() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.observer.disconnect();
    this.scroller.removeEventListener('scroll', this.schedule);
    this.#options.pages.removeEventListener('change', this.refresh);
  }

  /** Brings an index into view. */
  reveal(index, block = 'center') {
    this.#measure();
    const top = this.#top() + Math.floor(index / this.#columns) * this.#height;
    const space = block === 'center' ? (this.scroller.clientHeight - this.#height) / 2 : 0;
    this.scroller.scrollTo({ top: Math.max(0, top - space) });
    this.schedule();
  }

  /** The distance from the start of the scrolled content. */
  #top() {
    return this.getBoundingClientRect().top - this.scroller.getBoundingClientRect().top + this.scroller.scrollTop;
  }

  #measure() {
    const { columnWidth, rowHeight } = this.#options;
    const width = this.clientWidth;
    this.#columns = columnWidth ? Math.max(2, Math.floor(width / columnWidth)) : 1;
    this.#height = typeof rowHeight === 'function' ? rowHeight(width / this.#columns) : rowHeight;
    this.style.height = `${Math.ceil(this.#options.pages.total / this.#columns) * this.#height}px`;
  }

  #render() {
    this.#frame = 0;
    if (!this.isConnected) return;
    this.#measure();
    const { pages } = this.#options;
    const { scroller } = this;
    const [first, last] = rowsInView(scroller.scrollTop - this.#top(), scroller.clientHeight, this.#height, this.#columns);
    pages.want(first, last);
    this.#measure();
    const end = Math.min(last, pages.total - 1);
    for (const [index, row] of this.#rows) {
      const isInView = index >= first && index <= end;
      // A row with the focus stays, so that the focus is not lost by scrolling.
      if (isInView || (index < pages.total && row.contains(document.activeElement))) continue;
      this.#rows.delete(index);
      row.remove();
      if (this.#free.length < 40) this.#free.push(row);
    }
    for (let index = first; index <= end; index += 1) this.#show(index);
    this.dispatchEvent(new Event('rendered'));
  }

  #show(index) {
    const { pages, makeRow } = this.#options;
    let row = this.#rows.get(index);
    if (!row) {
      row = this.#free.pop() ?? makeRow();
      row.setAttribute('role', 'listitem');
      row.isOld = true;
      this.#rows.set(index, row);
      this.#insert(row, index);
    }
    if (row.isOld) {
      row.isOld = false;
      row.index = index;
      row.setAttribute('aria-posinset', index + 1);
      row.setAttribute('aria-setsize', pages.total);
      row.classList.toggle('absent', pages.items[index] === undefined);
      const item = pages.items[index] ?? {};
      row.classList.toggle('in-two-lines', this.#columns === 1 && [index - 1, index + 1].some((other) => differAtEnd([item.title, pages.items[other]?.title])));
      row.update(item, index);
    }
    this.#position(row, index);
  }

  /** Keeps the rows in the order of the list, for the Tab key and screen readers. */
  #insert(row, index) {
    let before = null;
    let nearest = Infinity;
    for (const [other, element] of this.#rows) {
      if (other > index && other < nearest && element.parentNode === this) [nearest, before] = [other, element];
    }
    this.insertBefore(row, before);
  }

  #position(row, index) {
    const drag = this.#drag;
    const place = placeOf(index, drag);
    const y = place === null ? drag.y : Math.floor(place / this.#columns) * this.#height;
    const width = 100 / this.#columns;
    row.style.transform = `translate(${((place ?? index) % this.#columns) * 100}%, ${y}px)`;
    row.style.width = `${width}%`;
    row.style.height = `${this.#height}px`;
    row.classList.toggle('dragged', Boolean(drag && index === drag.from));
  }

  /** Up and down move the focus to the same control of the next row. */
  #step(event) {
    const by = { ArrowDown: this.#columns, ArrowUp: -this.#columns }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey || this.#drag) return;
    const row = event.target.closest('[role=listitem]');
    if (!row || event.target.matches('input, select')) return;
    event.preventDefault();
    event.stopPropagation();
    const control = [...row.querySelectorAll('button, a')].indexOf(event.target);
    const index = row.index + by;
    if (index < 0 || index >= this.#options.pages.total) return;
    const next = this.#rows.get(index);
    const focus = () => this.#rows.get(index)?.querySelectorAll('button, a')[Math.max(0, control)]?.focus({ preventScroll: true });
    if (next) {
      focus();
      next.scrollIntoView({ block: 'nearest' });
    } else {
      this.reveal(index);
      this.addEventListener('rendered', focus, { once: true });
    }
  }

  #watchDrags() {
    if (this.isWatchingDrags) return;
    this.isWatchingDrags = true;
    this.addEventListener('pointerdown', (event) => this.#grabByPointer(event));
    this.addEventListener('click', (event) => {
      // A click without a pointer: the keyboard or a screen reader.
      if (event.detail === 0 && event.target.closest('.handle')) this.#grabByKey(event.target.closest('[role=listitem]'));
    });
    this.addEventListener('keydown', (event) => this.#moveByKey(event), true);
    this.addEventListener('focusout', () => {
      if (this.#drag && !this.#drag.isPointer) this.#finish(false);
    });
  }

  #grabByPointer(event) {
    const handle = event.target.closest('.handle');
    if (!handle || event.button !== 0 || this.#drag) return;
    event.preventDefault();
    const row = handle.closest('[role=listitem]');
    const offset = event.clientY - row.getBoundingClientRect().top;
    const drag = { from: row.index, to: row.index, isPointer: true, y: row.index * this.#height, clientY: event.clientY };
    this.#drag = drag;
    handle.setPointerCapture(event.pointerId);
    this.classList.add('dragging');
    const end = new AbortController();
    const follow = () => {
      const y = drag.clientY - this.getBoundingClientRect().top - offset;
      drag.y = Math.max(0, Math.min(y, (this.#options.pages.total - 1) * this.#height));
      drag.to = Math.round(drag.y / this.#height);
      this.#positionAll();
    };
    let scrolling = 0;
    const scroll = () => {
      const box = this.scroller.getBoundingClientRect();
      const by = drag.clientY < box.top + 56 ? -9 : drag.clientY > box.bottom - 56 ? 9 : 0;
      if (by) {
        this.scroller.scrollTop += by;
        follow();
      }
      scrolling = requestAnimationFrame(scroll);
    };
    scrolling = requestAnimationFrame(scroll);
    const { signal } = end;
    handle.addEventListener('pointermove', (move) => {
      drag.clientY = move.clientY;
      follow();
    }, { signal });
    const stop = (isDropped) => () => {
      cancelAnimationFrame(scrolling);
      end.abort();
      this.#finish(isDropped);
    };
    handle.addEventListener('pointerup', stop(true), { signal });
    handle.addEventListener('pointercancel', stop(false), { signal });
    document.addEventListener('keydown', (key) => {
      if (key.key === 'Escape') stop(false)();
    }, { signal });
    this.#positionAll();
  }

  #grabByKey(row) {
    if (this.#drag) {
      this.#finish(true);
      return;
    }
    this.#drag = { from: row.index, to: row.index, isPointer: false };
    this.classList.add('dragging');
    announce(t('grabbed', { title: row.title_, position: row.index + 1, count: this.#options.pages.total }));
    this.#positionAll();
  }

  #moveByKey(event) {
    const row = event.target.closest?.('[role=listitem]');
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const { pages } = this.#options;
    if (!row || (!this.#drag && !(event.altKey && by && event.target.closest('.handle')))) return;
    if (by) {
      this.#drag ??= { from: row.index, to: row.index, isPointer: false };
      this.#drag.to = Math.max(0, Math.min(pages.total - 1, this.#drag.to + by));
      announce(t('atPosition', { position: this.#drag.to + 1, count: pages.total }));
      if (event.altKey) this.#finish(true);
      else this.#positionAll();
      this.#rows.get(this.#drag?.to)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Escape') {
      announce(t('moveCancelled'));
      this.#finish(false);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #positionAll() {
    for (const [index, row] of this.#rows) this.#position(row, index);
  }

  #finish(isDropped) {
    const drag = this.#drag;
    this.#drag = null;
    this.classList.remove('dragging');
    if (!drag) return;
    if (isDropped && drag.to !== drag.from) {
      const { pages, onmove } = this.#options;
      const hadFocus = this.#rows.get(drag.from)?.contains(document.activeElement);
      const item = pages.items[drag.from];
      const after = drag.to > drag.from ? pages.items[drag.to] : pages.items[drag.to - 1];
      if (drag.to > 0 && !after) {
        // The new neighbour is not loaded yet.
        announce(t('moveCancelled'));
        this.#positionAll();
        return;
      }
      pages.move(drag.from, drag.to);
      announce(t('dropped', { title: item?.title ?? '', position: drag.to + 1 }));
      if (hadFocus) {
        this.addEventListener('rendered', () => this.#rows.get(drag.to)?.querySelector('.handle')?.focus(), { once: true });
      }
      onmove(item, after ?? null, drag.to);
    }
    this.#positionAll();
  }
}

customElements.define('virtual-list', VirtualList);

/** The handle of a row that can be dragged. */
export function handle(icon) {
  return h('button', { type: 'button', class: 'icon-button handle', title: t('moveHint') }, icon);
}
