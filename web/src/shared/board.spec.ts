import type { GameState } from '../../../contracts/http/game.js';
import { DEFAULT_TIMERS, TERMS_OF_NEW_ROUNDS } from '../../../contracts/limits.js';
import { type BoardMessage, boardUpdate } from './board.js';

const live: GameState = {
  gameState: 'live',
  isActive: true,
  countdownSecondsRemaining: 120,
  roundId: 7,
  endsAtEpochMs: 120_000,
  jackpotCents: 26,
  lastBuyerId: 'a',
  lastBuyerGamerTag: 'ada',
  purchases: [
    { purchaseId: 'p1', buyerId: 'a', buyerGamerTag: 'ada', ts: 1, quantity: 2, addedSeconds: 60, newJackpot: 26 },
  ],
  serverTimeEpochMs: 0,
  version: 10,
  timers: DEFAULT_TIMERS,
  terms: { ...TERMS_OF_NEW_ROUNDS, tokenExtensionSeconds: 30 },
  resumed: null,
  plan: null,
  lateSeconds: 0,
  resetRoundId: null,
  lastResult: null,
};

const bought = (over: object = {}): BoardMessage => ({
  name: 'purchase:added',
  message: {
    position: '50',
    version: 11,
    previousVersion: 10,
    purchaseId: 'p2',
    roundId: 7,
    buyerId: 'b',
    buyerGamerTag: 'bob',
    timestamp: 5,
    quantity: 4,
    addedSeconds: 120,
    newJackpot: 78,
    newCountdown: 240,
    ...over,
  },
});

function applied(message: BoardMessage, board: GameState | undefined = live): GameState {
  const receipt = boardUpdate(board, message);
  if (receipt.kind !== 'apply') throw new Error(`expected a board, got ${receipt.kind}`);
  return receipt.board;
}

describe('messages that change the board', () => {
  it('puts a new purchase first, once, and takes its jackpot', () => {
    const board = applied(bought());
    const buyer = { lastBuyerId: 'b', lastBuyerGamerTag: 'bob' };
    expect(board).toMatchObject({ ...buyer, version: 11, jackpotCents: 78, endsAtEpochMs: 120_000 });
    expect(board.purchases.map((p) => p.purchaseId)).toEqual(['p2', 'p1']);
    expect(board.purchases[0]).toMatchObject({ quantity: 4, addedSeconds: 120 });
    expect(applied(bought({ purchaseId: 'p1' })).purchases).toHaveLength(1);
  });

  it('takes the end and the jackpot of a time extension from the message', () => {
    const message = {
      position: '51',
      version: 11,
      previousVersion: 10,
      newCountdown: 240,
      newEndTime: 240_000,
      buyerGamerTag: 'bob',
      timeAddedSeconds: 120,
      message: '+2:00 from bob',
      timestamp: 5,
      jackpotCents: 78,
    };
    expect(applied({ name: 'game:time-extended', message })).toMatchObject({
      isActive: true,
      endsAtEpochMs: 240_000,
      jackpotCents: 78,
      // The board was fetched before its newest purchase had its seconds.
      purchases: [{ purchaseId: 'p1', addedSeconds: message.timeAddedSeconds }],
    });
  });

  it('ignores old messages, and resyncs after a gap or without a board', () => {
    expect(boardUpdate(live, bought({ version: 10, previousVersion: 9 }))).toEqual({ kind: 'ignore' });
    expect(boardUpdate(live, bought({ version: 12, previousVersion: 11 }))).toEqual({ kind: 'resync' });
    expect(boardUpdate(undefined, bought())).toEqual({ kind: 'resync' });
  });

  it('replaces the board by a whole one unless that is older', () => {
    const whole = { ...live, position: '60', version: 14, jackpotCents: 500 };
    expect(applied({ name: 'state:update', message: whole })).toEqual({ ...live, version: 14, jackpotCents: 500 });
    expect(applied({ name: 'state:update', message: whole }, undefined).version).toBe(14);
    expect(boardUpdate(live, { name: 'state:update', message: { ...whole, version: 9 } })).toEqual({ kind: 'ignore' });
  });
});
