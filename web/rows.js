/** Which rows of a list are in view, and where they are. */

/** Lines beyond the view that exist, so that scrolling shows no gap. */
const overscan = 6;

/** The first and the last index in view. `above` is the hidden part of the list in pixels, `space` the height of the view. */
export function rowsInView(above, space, rowHeight, columns) {
  const firstLine = Math.max(0, Math.floor(above / rowHeight) - overscan);
  const lastLine = Math.ceil((above + space) / rowHeight) + overscan;
  return [firstLine * columns, (lastLine + 1) * columns - 1];
}

/** The place of a row while another one is dragged from `from` to `to`. Null for a row that follows the pointer. */
export function placeOf(index, drag) {
  if (!drag) return index;
  const { from, to, isPointer } = drag;
  if (index === from) return isPointer ? null : to;
  if (index > from && index <= to) return index - 1;
  if (index < from && index >= to) return index + 1;
  return index;
}

/** Whether titles differ only at their end, so that one line would show all of them alike. */
export function differAtEnd(all, length = 28) {
  const starts = all.filter((title) => title?.length > length).map((title) => title.slice(0, length));
  return new Set(starts).size < starts.length;
}
