import { assertReadable, schemaOf, UnreadableEvent } from './schemas.js';

const reset = { roundId: 1, carriedCents: 0, reason: 'broken' };

it('reads every version of an event that was ever written', () => {
  assertReadable('GameReset', reset, { schema: 1 });
  assertReadable('GameStarted', { roundId: 1 }, { schema: 1 });
  assertReadable('GameStarted', { roundId: 1, terms: {} }, { schema: 2 });
});

it.each([
  ['an unknown type', 'GamePaused', {}, 1, 'unknown event type GamePaused'],
  ['a newer version', 'GameReset', reset, 3, 'GameReset of version 3, and this program knows versions 1 to 2'],
  ['no version', 'GameReset', reset, Number.NaN, 'GameReset of version NaN'],
  ['an unknown field', 'GameReset', { ...reset, by: 'x' }, 1, 'GameReset of version 1 with the unknown field by'],
  ['a later field', 'GameStarted', { terms: {} }, 1, 'GameStarted of version 1 with the unknown field terms'],
])('refuses %s by name and says what to do', (_, type, data, schema, text) => {
  const read = () => assertReadable(type, data, { schema });
  expect(read).toThrow(UnreadableEvent);
  expect(read).toThrow(text);
  expect(read).toThrow('upgrade this node');
});

it('writes each event in its newest version', () => {
  expect([schemaOf('GameStarted'), schemaOf('TimersChanged')]).toEqual([3, 1]);
});
