import { describeRound, markPositions, positionOf } from './as-of-panel.js';

const atMs = 1_767_268_800_000;

it.each([
  ['live', 166_400, 'round 37, live, 02:47 left'],
  ['live', -5, 'round 37, live, 00:00 left'],
  ['pregame', 60_000, 'round 37, pregame, 01:00 left'],
  ['downtime', 14_400_000, 'round 37 over, 04:00:00 to the next'],
] as const)('describes a round in phase %s, %d ms before the phase’s end', (phase, leftMs, text) => {
  expect(describeRound({ roundId: 37, phase, endsAtEpochMs: atMs + leftMs }, atMs)).toBe(text);
});

it('describes the time before the first round', () => {
  expect(describeRound(null, atMs)).toBe('no round');
});

describe('on the slider', () => {
  const roundsAt = (numbers: number[]) => numbers.map((endedNumber) => ({ endedNumber }));

  it('marks are at the ends of the rounds, and the only event of a ledger is at its end', () => {
    expect(markPositions(roundsAt([1, 51, 101]), 101, 400)).toEqual([0, 0.5, 1]);
    expect(markPositions([], 101, 400)).toEqual([]);
    expect(positionOf(1, 1)).toBe(1);
  });

  it('marks stay apart when many rounds ended within few events', () => {
    const crowded = [...Array.from({ length: 1_000 }, (_, i) => i + 1), 100_000];
    expect(markPositions(roundsAt(crowded), 100_000, 400)).toEqual([0, 0.0025, 0.005, 0.0075, 0.01, 1]);
  });
});
