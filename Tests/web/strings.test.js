import assert from 'node:assert/strict';
import test from 'node:test';

import './support/browser.js';

const strings = await import('../../web/strings.js');
const { counted, decibels, duration, failureReason, failureText, format, number, playingState, playingTitle, said, t, time } = strings;

/** Checks a function with a table of its arguments and results. */
const table = (function_, rows) => { for (const [argument, result] of rows) assert.equal(function_(argument), result, JSON.stringify(argument)); };

test('times in a track', () => {
  table(time, [[0, '0:00'], [59.9, '0:59'], [185, '3:05'], [3599, '59:59'], [3723, '1:02:03'], [-1, '0:00'], [null, '0:00']]);
});

test('levels', () => {
  table(decibels, [[0, '0.0 dB'], [-12.5, '−12.5 dB'], [3, '3.0 dB'], [null, 'silent']]);
});

test('numbers and counts', () => {
  assert.deepEqual([number(1234567), number(2.25, 1), number(3, 2)], ['1,234,567', '2.3', '3.00']);
  assert.deepEqual([counted('tracks', 0), counted('tracks', 1), counted('tracks', 12_000)], ['0 tracks', '1 track', '12,000 tracks']);
});

test('formats', () => {
  table(format, [
    [null, ''], [{}, ''], [{ codec: 'FLAC', sample_rate: 44_100, bit_depth: 24, channels: 2 }, 'FLAC · 44.1 kHz · 24 bit'],
    [{ codec: 'WAV', sample_rate: 96_000, bit_depth: 16, channels: 1 }, 'WAV · 96 kHz · 16 bit · mono'],
    [{ sample_rate: 48_000, channels: 6 }, '48 kHz · 6 channels'],
  ]);
});

test('durations name the two largest units', () => {
  table(duration, [[0, '0 s'], [59, '59 s'], [60, '1 min'], [3600, '1 h 0 min'], [3725, '1 h 2 min'], [90_061, '1 d 1 h']]);
});

test('a station without a title shows its address', () => {
  table((playing) => playingTitle({ playing }), [
    [undefined, ''], [{ state: 'empty', title: 'Old' }, ''], [{ state: 'playing', title: 'One' }, 'One'],
    [{ state: 'playing', uri: 'http://192.0.2.1/live%20jazz.mp3?x=1#y' }, 'live jazz.mp3'],
    [{ state: 'playing', uri: 'http://192.0.2.1/100%.mp3' }, '100%.mp3'],
    [{ state: 'playing', uri: 'http://192.0.2.1/' }, 'Untitled'], [{ state: 'playing' }, 'Untitled'],
  ]);
});

test('a speaker that waits for a sender says so', () => {
  table(playingState, [
    [{ state: 'buffering', waiting: true }, 'Waiting for the sender'], [{ state: 'buffering', waiting: false }, 'Buffering…'],
    [{ state: 'playing' }, 'Playing'],
  ]);
});

test('texts have their values, and unknown ones stay visible', () => {
  assert.equal(t('track', { number: 2, count: 9 }), 'Track 2 of 9');
  assert.equal(t('track', { number: 2 }), 'Track 2 of {count}');
  assert.equal(t('no such text'), 'no such text');
  assert.equal(said('problems', 'busy', 'The speaker is busy.'), 'The speaker is busy.');
});

test('a failed track is named, and beside its title it is not', () => {
  const failure = { code: 'http', title: 'One', host: 'nas', text: '“One” from nas: status 404' };
  assert.deepEqual([failureText(failure), failureReason(failure)], ['“One” from nas: status 404', 'status 404']);
  assert.equal(failureReason({ ...failure, text: 'Something else.' }), 'Something else.');
});
