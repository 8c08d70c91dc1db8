import assert from 'node:assert/strict';
import test from 'node:test';

import { hueOf } from '../../web/hue.js';

/** Pixels of these colours. */
const pixels = (...colours) => Uint8ClampedArray.from(colours.flatMap((colour) => [...colour, 255]));

test('the hue of primary colours', () => {
  assert.deepEqual([[255, 0, 0], [0, 255, 0], [0, 0, 255]].map((colour) => hueOf(pixels(colour))), [29, 142, 264]);
});

test('a grey picture has none', () => {
  assert.equal(hueOf(pixels([0, 0, 0], [128, 128, 128], [255, 255, 255])), null);
});

test('a strong colour counts more than a large pale area', () => {
  assert.equal(hueOf(pixels([255, 0, 0], ...Array(5).fill([220, 225, 228]))), 29);
});
