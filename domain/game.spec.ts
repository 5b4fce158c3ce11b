import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import { endOf, evolveGame, type Game, initialGame, openRound, roundTerms } from './game.js';
import { ADMIN, ALICE, BOB, SECOND, T0 } from './testing/constants.js';
import { depositorUntil, enrolled, funded } from './testing/gamers.js';
import { bought, gameStarted, liveStarted, roundLive, timeExtended, timersChanged } from './testing/rounds.js';

const ENDS = T0 + 120 * SECOND;
const after = (events: LedgerEvent[], atMs = T0, from: Game = initialGame): Game =>
  events.reduce((game, event) => evolveGame(game, event, atMs), from);

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

it('throws for an extension of another purchase than the last', () => {
  const game = after([
    ...roundLive(ENDS),
    ...bought('p1', BOB, { jackpotCents: 13, balanceCents: 0, endsAtEpochMs: ENDS }),
  ]);
  expect(() => evolveGame(game, timeExtended('p2', BOB, 30, ENDS), T0)).toThrow(
    'TimeExtended names purchase p2, the last one is p1',
  );
  const unbought = after(roundLive(ENDS));
  expect(() => evolveGame(unbought, timeExtended('p2', BOB, 30, ENDS), T0)).toThrow('the last one is undefined');
});

it('shows the newest 24 purchases', () => {
  const purchases = Array.from({ length: 30 }, (_, index) =>
    bought(`p${index}`, BOB, { jackpotCents: 13, balanceCents: 0, endsAtEpochMs: ENDS }),
  );
  const game = after([...roundLive(ENDS), ...purchases.flat()]);
  expect([game.purchases.length, game.purchases.at(-1)?.purchaseId, game.purchaseCount]).toEqual([24, 'p6', 30]);
});

it('throws for a round, an end or terms that an idle game does not have', () => {
  expect(() => openRound(initialGame)).toThrow('no round is open in phase idle');
  expect(() => endOf(initialGame)).toThrow('phase idle has no end');
  expect(() => roundTerms(initialGame)).toThrow('no round was ever opened');
});
