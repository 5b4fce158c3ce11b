import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import { evolveGame, type Game, initialGame } from './game.js';
import {
  ADMIN,
  ALICE,
  BOB,
  bought,
  depositorUntil,
  enrolled,
  funded,
  gameStarted,
  liveStarted,
  roundLive,
  SECOND,
  T0,
  TIMERS,
  timeExtended,
  timersChanged,
} from './testing/events.js';

const ENDS = T0 + 120 * SECOND;
const after = (events: LedgerEvent[], at = T0, from: Game = initialGame): Game =>
  events.reduce((game, event) => evolveGame(game, event, at), from);

it('starts idle, without purchases', () => {
  expect(initialGame).toMatchObject({
    phase: 'idle',
    roundId: null,
    lastRoundId: 0,
    endsAtEpochMs: null,
    jackpotCents: 0,
    version: 0,
  });
  expect(initialGame.timers).toEqual(TIMERS);
});

it('shows a purchase with the end of the countdown after it', () => {
  const game = after(
    bought('p1', BOB, { jackpotCents: 13, balanceCents: 0, endsAtEpochMs: ENDS + 30 * SECOND }),
    T0 + 5,
    after(roundLive(ENDS)),
  );
  expect(game.purchases).toEqual([
    {
      purchaseId: 'p1',
      buyerId: BOB,
      atEpochMs: T0 + 5,
      quantity: 1,
      addedSeconds: 30,
      jackpotCents: 13,
      endsAtEpochMs: ENDS + 30 * SECOND,
    },
  ]);
  expect(game).toMatchObject({ endsAtEpochMs: ENDS + 30 * SECOND, jackpotCents: 13, purchaseCount: 1, tokenCount: 1 });
});

it('keeps the newest 24 purchases and counts all', () => {
  const purchases = Array.from({ length: 30 }, (_, index) =>
    bought(`p${index}`, BOB, { jackpotCents: 13 * (index + 1), balanceCents: 0, endsAtEpochMs: ENDS + index }),
  );
  const game = after([...roundLive(ENDS), ...purchases.flat()]);
  expect(game.purchases.map(({ purchaseId }) => purchaseId)).toEqual(
    Array.from({ length: 24 }, (_, index) => `p${29 - index}`),
  );
  expect(game).toMatchObject({ purchaseCount: 30, tokenCount: 30, jackpotCents: 390 });
});

it('raises its version only with events that change the board', () => {
  const board = [
    gameStarted(1, T0),
    liveStarted(1, ENDS),
    ...bought('p1', BOB, { jackpotCents: 13, balanceCents: 0, endsAtEpochMs: ENDS }),
    timersChanged({}),
  ];
  const game = after(board);
  expect(game.version).toBe(board.length);
  const others = [enrolled(ALICE, null, ADMIN), depositorUntil(BOB, null), funded(BOB, 1)];
  for (const event of others) expect(evolveGame(game, event, T0)).toBe(game);
});

it('does not change the given game', () => {
  const game = Object.freeze({ ...after(roundLive(ENDS)), purchases: Object.freeze([]) });
  const next = after(bought('p1', BOB, { jackpotCents: 13, balanceCents: 0, endsAtEpochMs: ENDS }), T0, game);
  expect(next.purchases).toHaveLength(1);
  expect(game.purchases).toHaveLength(0);
});

it('keeps the last buyer in downtime, and clears the purchases with the next round', () => {
  const ended: LedgerEvent = {
    type: 'RoundEnded',
    data: {
      roundId: 1,
      winner: { gamerId: BOB, purchaseId: 'p1' },
      jackpotCents: 13,
      endedAtEpochMs: ENDS,
      nextRoundAtEpochMs: ENDS + 1,
      purchaseCount: 1,
    },
  };
  const downtime = after([
    ...roundLive(ENDS),
    ...bought('p1', BOB, { jackpotCents: 13, balanceCents: 0, endsAtEpochMs: ENDS }),
    ended,
  ]);
  expect(downtime).toMatchObject({ phase: 'downtime', roundId: 1, jackpotCents: 0, endsAtEpochMs: ENDS + 1 });
  expect(downtime.purchases[0]?.buyerId).toBe(BOB);
  const next = after([gameStarted(2, ENDS + 9)], ENDS + 1, downtime);
  expect(next).toMatchObject({ phase: 'pregame', roundId: 2, purchases: [], purchaseCount: 0, tokenCount: 0 });
  expect(next.lastResult).toEqual(downtime.lastResult);
});

it('throws for an extension of another purchase than the last', () => {
  const game = after([
    ...roundLive(ENDS),
    ...bought('p1', BOB, { jackpotCents: 13, balanceCents: 0, endsAtEpochMs: ENDS }),
  ]);
  expect(() => evolveGame(game, timeExtended('p2', BOB, 30, ENDS), T0)).toThrow(
    'TimeExtended names purchase p2, the last one is p1',
  );
});
