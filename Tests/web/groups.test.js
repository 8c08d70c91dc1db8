import assert from 'node:assert/strict';
import test from 'node:test';

import './support/browser.js';

const { canSpread, choices, groupLine, groupText, members, Sum } = await import('../../web/groups.js');

const room = (id, more = {}) => ({ id, name: id.toUpperCase(), state: 'stopped', can_join: true, can_lead: true, ...more });
const alone = { id: 'own', can_join: true, can_lead: true };
const source = { current: 'playlist', sending: false };
const playing = { state: 'playing' };

test('what can be done with another speaker', () => {
  for (const [name, own, speaker, state, expected] of [
    ['both silent', alone, room('a'), {}, ['join', 'follow']],
    ['this one plays', alone, room('a'), { playing, source }, ['join', 'follow', 'give']],
    ['the other one plays', alone, room('a', { state: 'playing' }), {}, ['join', 'follow', 'take']],
    ['a UPnP AV speaker', alone, room('a', { can_join: false, can_lead: false, state: 'paused' }), { playing, source }, ['give', 'take']],
    ['it plays along', { ...alone, leader: 'own' }, room('a', { leader: 'own', state: 'playing' }), { playing, source }, ['leave', 'give']],
    ['it leads', { ...alone, leader: 'a' }, room('a', { leader: 'a', state: 'playing' }), { playing, source: { current: 'receiver' } }, ['take']],
    ['both play along', { ...alone, leader: 'b' }, room('a', { leader: 'b', state: 'playing' }), { playing, source: { current: 'receiver' } }, ['leave']],
    ['it is in another group', alone, room('a', { leader: 'b', state: 'playing' }), {}, ['join', 'follow']],
    ['this one plays along with another', { ...alone, leader: 'b' }, room('a'), {}, ['join', 'follow']],
    ['this one does not send', { ...alone, can_lead: false }, room('a'), {}, ['follow']],
    ['it does not send', alone, room('a', { can_lead: false }), {}, ['join']],
    ['this one is not found yet', undefined, room('a'), {}, []],
  ]) assert.deepEqual(choices({ own, ...state }, speaker), expected, name);
});

test('everywhere is offered while somebody could still join', () => {
  const own = { ...alone, leader: 'own' };
  for (const [speakers, expected] of [
    [[], false], [[room('a', { leader: 'own' })], false], [[room('a', { leader: 'own' }), room('b')], true],
    [[room('a', { can_join: false })], false], [[room('a', { leader: 'b' })], true],
  ]) assert.equal(canSpread({ own, speakers }), expected, JSON.stringify(speakers));
  assert.equal(canSpread({}), false);
});

test('who plays along', () => {
  const speaker = { name: 'Kitchen' };
  const leading = { ...alone, leader: 'own' };
  const following = { ...alone, leader: 'a' };
  const [sending, receiving] = [{ ...source, sending: true }, { current: 'receiver', sending: false, sender: 'A' }];
  const [a, b] = [room('a', { leader: 'a' }), room('b', { leader: 'a' })];
  for (const [name, state, line, text] of [
    ['alone', { speaker, source, own: alone, speakers: [room('a')] }, '', 'Plays alone'],
    ['not known yet', { speaker, source: sending }, 'Other rooms play along', 'Other rooms play along'],
    ['one', { speaker, source: sending, own: leading, speakers: [room('a', { leader: 'own' })] }, 'Kitchen + 1', 'Plays with A'],
    ['two', { speaker, source: sending, own: leading, speakers: [room('a', { leader: 'own' }), room('b', { leader: 'own' }), room('c')] },
      'Kitchen + 2', 'Plays with A and B'],
    ['receives', { speaker, source: receiving }, 'From A', 'Plays along with A'],
    ['receives with the leader', { speaker, source: receiving, own: following, speakers: [a] }, 'From A', 'Plays along with A'],
    ['receives with others', { speaker, source: receiving, own: following, speakers: [a, b] }, 'From A · 3 rooms', 'Plays along with A'],
    ['no name', { speaker, source: { ...receiving, sender: '' } }, 'From another room', 'Plays along with another room'],
  ]) assert.deepEqual([groupLine(state), groupText(state)], [line, text], name);
  assert.deepEqual(members({ own: following, speakers: [a, b, room('c')] }).map(({ id }) => id), ['a', 'b']);
});

test('presses during a request are sent as one change', async () => {
  const sent = [];
  const answers = [];
  const sum = new Sum((change) => {
    sent.push(change);
    return new Promise((resolve) => { answers.push(resolve); });
  });
  const done = sum.add(2);
  sum.add(2);
  sum.add(2);
  sum.add(-2);
  answers.shift()();
  await new Promise(setImmediate);
  answers.shift()();
  await done;
  assert.deepEqual(sent, [2, 2]);
  sum.add(-2);
  assert.deepEqual(sent, [2, 2, -2]);
});
