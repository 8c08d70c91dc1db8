import assert from 'node:assert/strict';
import test from 'node:test';

import { differAtEnd, placeOf, rowsInView } from '../../web/rows.js';

test('rows in view, with some beyond it', () => {
  for (const [above, space, height, columns, range] of [
    [0, 640, 64, 1, [0, 16]],
    [-200, 640, 64, 1, [0, 13]],
    [6400, 640, 64, 1, [94, 116]],
    [6401, 640, 64, 1, [94, 117]],
    [0, 400, 200, 3, [0, 26]],
    [2000, 400, 200, 3, [12, 56]],
  ]) assert.deepEqual(rowsInView(above, space, height, columns), range, JSON.stringify([above, space, height, columns]));
});

test('rows make room for the dragged one', () => {
  const places = (drag) => [0, 1, 2, 3, 4].map((index) => placeOf(index, drag));
  assert.deepEqual(places(null), [0, 1, 2, 3, 4]);
  assert.deepEqual(places({ from: 1, to: 3 }), [0, 3, 1, 2, 4]);
  assert.deepEqual(places({ from: 3, to: 1 }), [0, 2, 3, 1, 4]);
  assert.deepEqual(places({ from: 2, to: 2 }), [0, 1, 2, 3, 4]);
  assert.deepEqual(places({ from: 3, to: 0, isPointer: true }), [1, 2, 3, null, 4]);
});

test('titles that differ only at their end have two lines', () => {
  assert.ok(differAtEnd(['Symphony No. 9 in D minor, Op. 125: I. Allegro', 'Symphony No. 9 in D minor, Op. 125: II. Molto vivace']));
  assert.ok(!differAtEnd(['A long title that is different from others', 'Another long title with quite some words', 'Short']));
});
