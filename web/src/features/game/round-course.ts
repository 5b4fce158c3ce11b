import type { GamePurchase, GameState } from '../../../../contracts/http/game.js';

interface CoursePoint extends Pick<GamePurchase, 'purchaseId' | 'buyerId' | 'buyerGamerTag' | 'quantity'> {
  atMs: number;
  /** Seconds on the clock just before and just after it. */
  secondsBefore: number;
  secondsAfter: number;
}

export interface RoundCourse {
  /** Oldest first; at least one. */
  points: CoursePoint[];
  endMs: number;
  secondsAtEnd: number;
  highestSeconds: number;
}

type Board = Pick<GameState, 'gameState' | 'endsAtEpochMs' | 'purchases' | 'lastResult' | 'resumed' | 'roundId'>;

/** Null before the first purchase. Leaves out purchases before an outage, because the clock stood still during it. */
export function courseOf(board: Board, nowMs: number): RoundCourse | null {
  const endsAtMs = roundEndMs(board);
  const resumedAtMs = board.resumed?.atEpochMs ?? 0;
  const known = board.purchases.filter(({ ts }) => ts >= resumedAtMs);
  if (endsAtMs === null || known.length === 0) return null;
  let endMs = endsAtMs;
  const points = known
    .map((purchase): CoursePoint => {
      const afterMs = endMs;
      endMs -= purchase.addedSeconds * 1000;
      return {
        ...purchase,
        atMs: purchase.ts,
        secondsBefore: secondsUntil(endMs, purchase.ts),
        secondsAfter: secondsUntil(afterMs, purchase.ts),
      };
    })
    .reverse();
  const lastMs = points.at(-1)?.atMs ?? nowMs;
  const untilMs = Math.max(Math.min(nowMs, endsAtMs), lastMs);
  return {
    points,
    endMs: untilMs,
    secondsAtEnd: secondsUntil(endsAtMs, untilMs),
    highestSeconds: Math.max(...points.map(({ secondsAfter }) => secondsAfter)),
  };
}

function roundEndMs({ gameState, endsAtEpochMs, lastResult, roundId }: Board): number | null {
  if (gameState === 'live') return endsAtEpochMs;
  if (gameState === 'downtime' && lastResult?.roundId === roundId) return lastResult.endedAtEpochMs;
  return null;
}

const secondsUntil = (endMs: number, atMs: number): number => Math.max(0, (endMs - atMs) / 1000);
