import type { AuditRoundState } from '../../../../contracts/http/audit.js';
import { secondsLeft } from '../../shared/clock.js';
import { clockText } from '../../shared/format.js';

/** The round as of an event, with the time left then: "round 37, live, 02:47 left" */
export function describeRound(round: AuditRoundState | null, atEpochMs: number): string {
  if (round === null) return 'no round';
  const left = clockText(secondsLeft(round.endsAtEpochMs - atEpochMs));
  return round.phase === 'downtime'
    ? `round ${round.roundId} over, ${left} to the next`
    : `round ${round.roundId}, ${round.phase}, ${left} left`;
}

/** The event number in the address. Null is now, and so is a text that cannot be an event number. */
export const requestedNumber = (text: string | undefined): number | null =>
  text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;

export const positionOf = (number: number, lastNumber: number): number =>
  lastNumber <= 1 ? 1 : (number - 1) / (lastNumber - 1);

/** The slider positions of events, thinned to at most `max`: the last one in each of `max` equal intervals. */
export function markPositions(numbers: readonly number[], lastNumber: number, max: number): number[] {
  const positions = numbers.map((number) => positionOf(number, lastNumber));
  if (positions.length <= max) return positions;
  const kept = new Map<number, number>();
  for (const position of positions) kept.set(Math.min(max - 1, Math.floor(position * max)), position);
  return [...kept.values()];
}
