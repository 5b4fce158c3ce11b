import type { GamePurchase } from '../../../../contracts/http/game.js';
import { courseOf } from './round-course.js';

const T = 1_700_000_000_000;
const bought = (id: string, secondsIn: number, quantity: number, newJackpot: number): GamePurchase => ({
  purchaseId: id,
  buyerId: `gamer-${id}`,
  buyerGamerTag: id,
  ts: T + secondsIn * 1000,
  quantity,
  addedSeconds: quantity * 30,
  newJackpot,
});

/** Live for 120 s from T; a buys 1 after 20 s, b buys 2 after 100 s: it ends 210 s after T. */
const board = {
  gameState: 'live' as const,
  roundId: 7,
  endsAtEpochMs: T + 210_000,
  purchases: [bought('b', 100, 2, 539), bought('a', 20, 1, 513)],
  lastResult: null,
  resumed: null,
};

describe('the course of a round', () => {
  it('is computed backwards from its end', () => {
    const course = courseOf(board, T + 130_000);
    expect(course?.points).toMatchObject([
      { buyerGamerTag: 'a', secondsBefore: 100, secondsAfter: 130 },
      { buyerGamerTag: 'b', secondsBefore: 50, secondsAfter: 110 },
    ]);
    expect(course).toMatchObject({
      endMs: T + 130_000,
      secondsAtEnd: 80,
      highestSeconds: 130,
    });
  });

  it('ends at zero once the round is over', () => {
    const lastResult = { roundId: 7, winner: null, jackpotCents: 539, endedAtEpochMs: T + 210_000, tokenCount: 3 };
    const over = { ...board, gameState: 'downtime' as const, endsAtEpochMs: T + 9_000_000, lastResult };
    expect(courseOf(over, T + 5_000_000)).toMatchObject({ endMs: T + 210_000, secondsAtEnd: 0 });
  });

  it('is null before the first purchase and in other phases', () => {
    expect(courseOf({ ...board, purchases: [] }, T)).toBeNull();
    expect(courseOf({ ...board, gameState: 'pregame' }, T)).toBeNull();
  });

  it('leaves out purchases before an outage', () => {
    const resumed = { outageSeconds: 60, atEpochMs: T + 50_000 };
    expect(courseOf({ ...board, resumed }, T + 130_000)?.points).toHaveLength(1);
  });

  it('never ends before its last purchase, also when the browser’s clock is behind', () => {
    expect(courseOf(board, T + 90_000)).toMatchObject({ endMs: T + 100_000, secondsAtEnd: 110 });
  });
});
