import { chosenNumber, roundText } from './moment-words.js';

const at = 1_767_268_800_000;

it.each([
  ['live', 167_000, 'round 37, live, 02:47 left'],
  ['live', 166_400, 'round 37, live, 02:47 left'],
  ['live', -5, 'round 37, live, 00:00 left'],
  ['pregame', 60_000, 'round 37, pregame, 01:00 left'],
  ['downtime', 14_400_000, 'round 37 over, 04:00:00 to the next'],
] as const)('says how a round stood: %s, %d ms before its end', (phase, leftMs, text) => {
  expect(roundText({ roundId: 37, phase, endsAtEpochMs: at + leftMs }, at)).toBe(text);
});

it('says that there was no round', () => {
  expect(roundText(null, at)).toBe('no round');
});

it.each([
  [undefined, null],
  ['', null],
  ['0', null],
  ['-3', null],
  ['1.5', null],
  ['soon', null],
  ['9'.repeat(16), null],
  ['184219', 184_219],
])('reads the moment %j of an address as %j', (text, number) => {
  expect(chosenNumber(text)).toBe(number);
});
