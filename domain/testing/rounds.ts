import type { Allocation, LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { GamerId } from '../../contracts/ids.js';
import type { TimerSettings } from '../../contracts/limits.js';
import { BOB, SECOND, T0, TERMS, TIMERS } from './constants.js';
import { funded } from './gamers.js';

/** Advances the clock without an outage. */
export const tick = { type: 'AdvanceClock', lastAliveAtMs: Number.MAX_SAFE_INTEGER } as const;

export const timersChanged = (timers: Partial<TimerSettings>) =>
  ({ type: 'TimersChanged', data: { ...TIMERS, ...timers } }) satisfies LedgerEvent;

export const gameStarted = (
  roundId: number,
  pregameEndsAtMs: number,
  { carriedCents = 0, timers = TIMERS, terms = TERMS, decidingMs = 300 } = {},
) =>
  ({
    type: 'GameStarted',
    data: { roundId, pregameEndsAtMs, timers, carriedCents, terms, decidingMs, plannedAtMs: null },
  }) satisfies LedgerEvent;

export const liveStarted = (roundId: number, endsAtEpochMs: number, forced = false) =>
  ({ type: 'LiveStarted', data: { roundId, endsAtEpochMs, forced } }) satisfies LedgerEvent;

/** Round 1, live, to end at `endsAtEpochMs`. */
export const roundLive = (endsAtEpochMs: number): LedgerEvent[] => [gameStarted(1, T0), liveStarted(1, endsAtEpochMs)];

/** The end of round 1, which nobody bought in unless `more` says so; with a downtime of four hours. */
export const roundEnded = (endedAtMs: number, more: Partial<LedgerEvents['RoundEnded']> = {}) => ({
  type: 'RoundEnded' as const,
  data: {
    roundId: 1,
    winner: null,
    jackpotCents: 0,
    endedAtMs,
    nextRoundAtMs: endedAtMs + 14_400 * SECOND,
    purchaseCount: 0,
    ...more,
  },
});

interface Purchase {
  purchaseId: string;
  buyerId: GamerId;
  quantity: number;
  roundId?: number;
  allocations?: Allocation[];
  /** The jackpot after the purchase. */
  jackpotCents: number;
  /** The balance after the purchase. */
  purchaseBalanceCents: number;
  receivedAtEpochMs?: number;
}

export function tokenPurchased({ quantity, allocations = [], roundId = 1, receivedAtEpochMs = T0, ...rest }: Purchase) {
  const paidCents = allocations.reduce((sum, { cents }) => sum + cents, 0);
  return {
    type: 'TokenPurchased',
    data: {
      ...rest,
      roundId,
      quantity,
      allocations,
      costCents: 30 * quantity,
      source: 'balance',
      paymentId: null,
      jackpotShareCents: 13 * quantity,
      houseShareCents: 2 * quantity,
      unclaimedCents: 15 * quantity - paidCents,
      receivedAtEpochMs,
    },
  } satisfies LedgerEvent;
}

/** Bob buys 1,000 tokens in round 1: the profit is $20.00, and $150.00 are unclaimed. */
export const profitMade = (): LedgerEvent[] => [
  funded(BOB, 30_000),
  ...roundLive(T0 + 1),
  tokenPurchased({ purchaseId: 'p1', buyerId: BOB, quantity: 1_000, jackpotCents: 13_000, purchaseBalanceCents: 0 }),
];

export const timeExtended = (
  purchaseId: string,
  buyerId: GamerId,
  addedSeconds: number,
  endsAtEpochMs: number,
  roundId = 1,
) =>
  ({ type: 'TimeExtended', data: { roundId, purchaseId, buyerId, addedSeconds, endsAtEpochMs } }) satisfies LedgerEvent;

/** A purchase, of one token unless more are given, and its extension of 30 seconds for each. */
export const bought = (
  purchaseId: string,
  buyerId: GamerId,
  { balanceCents, endsAtEpochMs, quantity = 1, ...after }: PurchaseFields,
) => [
  tokenPurchased({ ...after, purchaseId, buyerId, quantity, purchaseBalanceCents: balanceCents }),
  timeExtended(purchaseId, buyerId, 30 * quantity, endsAtEpochMs, after.roundId),
];

interface PurchaseFields extends Pick<Purchase, 'roundId' | 'allocations' | 'jackpotCents'> {
  quantity?: number;
  balanceCents: number;
  endsAtEpochMs: number;
}

export const gameReset = (roundId: number | null, carriedCents: number, purchaseCount = 0, reason = 'a test') =>
  ({ type: 'GameReset', data: { roundId, carriedCents, reason, purchaseCount } }) satisfies LedgerEvent;
