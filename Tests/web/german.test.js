import assert from 'node:assert/strict';
import test from 'node:test';

process.env.PAGE_LANGUAGE = 'de-AT';
await import('./support/browser.js');
const { counted, decibels, failureReason, failureText, language, number, said } = await import('../../web/strings.js');
const { words } = await import('../../web/speaker-de.js');

test('numbers and counts are German', () => {
  assert.equal(language, 'de');
  assert.deepEqual([number(1234.5, 1), decibels(-12.5), counted('tracks', 1)], ['1.234,5', '−12,5 dB', '1 Titel']);
});

test('errors with a code are translated, others stay English', () => {
  const [code, text] = Object.entries(words.failures).find(([name, value]) => !name.startsWith('device_') && !value.includes('{'));
  const failure = { code, title: 'Eins', host: 'nas', text: 'English' };
  assert.deepEqual([failureText(failure), failureReason(failure)], [`„Eins“ von nas: ${text}`, text]);
  assert.equal(failureText({ code: 'no-such-code', text: 'English' }), 'English');
  assert.equal(said('problems', 'no-such-code', 'English'), 'English');
});
