import type { Allocation, LedgerEvent, LedgerEvents } from '../../contracts/events/ledger-events.js';
import type { PaymentEvents } from '../../contracts/events/payment-events.js';
import type { GamerId, Power } from '../../contracts/ids.js';
import type { TimerSettings, TokenTerms } from '../../contracts/limits.js';
import type { WithdrawalUpdate } from '../ledger/ledger-commands.js';

/* Alice refers Bob; Carol has no sponsor. Amounts are literals: a wrong limit of the product must fail a test. */

export const ADMIN = 'admin';
export const ALICE = 'alice';
export const BOB = 'bob';
export const CAROL = 'carol';

/** Time of the first event of a scenario, epoch ms. */
export const T0 = Date.UTC(2026, 0, 1, 12, 0, 0);
export const SECOND = 1_000;
export const DAY = 86_400_000;

/** Advances the clock without an outage. */
export const tick = { type: 'AdvanceClock', lastAliveAtMs: Number.MAX_SAFE_INTEGER } as const;

export const TIMERS: TimerSettings = {
  pregameDurationSeconds: 180,
  liveDurationSeconds: 120,
  downtimeDurationSeconds: 14_400,
  tokenExtensionSeconds: 30,
};

export const TERMS: TokenTerms = {
  tokenPriceCents: 30,
  jackpotShareCents: 13,
  houseShareCents: 2,
  levelShareCents: [2, 2, 2, 2, 2, 2, 2],
  directBonusCents: 1,
  matrixWidth: 3,
};

export const adminEnrolled = (): LedgerEvent => ({
  type: 'GamerEnrolled',
  data: { gamerId: ADMIN, sponsorId: null, parentId: null, slot: null },
});

export const enrolled = (gamerId: GamerId, sponsorId: GamerId | null, parentId: GamerId, slot: number = 0) =>
  ({ type: 'GamerEnrolled', data: { gamerId, sponsorId, parentId, slot } }) satisfies LedgerEvent;

/** The admin; Alice and Carol under the admin, without a sponsor; Bob under Alice, who referred him. */
export const enrolledGamers = (): LedgerEvent[] => [
  adminEnrolled(),
  enrolled(ALICE, null, ADMIN, 0),
  enrolled(CAROL, null, ADMIN, 1),
  enrolled(BOB, ALICE, ALICE, 0),
];

export const depositorUntil = (gamerId: GamerId, untilMs: number | null) =>
  ({ type: 'DepositorStatusSet', data: { gamerId, untilMs } }) satisfies LedgerEvent;

export const staffStatus = (gamerId: GamerId, isStaff: boolean) =>
  ({ type: 'StaffStatusSet', data: { gamerId, isStaff } }) satisfies LedgerEvent;

export const powersSet = (gamerId: GamerId, powers: readonly Power[]) =>
  ({ type: 'PowersSet', data: { gamerId, powers } }) satisfies LedgerEvent;

export const funded = (gamerId: GamerId, purchaseCents: number, winningsCents = 0) =>
  ({
    type: 'BalanceAdjusted',
    data: {
      gamerId,
      purchaseCents,
      winningsCents,
      reason: 'opening',
      purchaseBalanceCents: purchaseCents,
      winningsBalanceCents: winningsCents,
    },
  }) satisfies LedgerEvent;

export const timersChanged = (timers: Partial<TimerSettings>) =>
  ({ type: 'TimersChanged', data: { ...TIMERS, ...timers } }) satisfies LedgerEvent;

export const gameStarted = (
  roundId: number,
  pregameEndsAtMs: number,
  { carriedCents = 0, timers = TIMERS, terms = TERMS, decidingMs = 300 } = {},
) =>
  ({
    type: 'GameStarted',
    data: { roundId, pregameEndsAtMs, timers, carriedCents, terms, decidingMs },
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

export const profitRequested = (withdrawalId: string, amountCents: number): LedgerEvent => ({
  type: 'ProfitWithdrawalRequested',
  data: { withdrawalId, amountCents, cryptoType: 'DOGE', walletAddress: 'D7xN1' },
});

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
  { balanceCents, endsAtEpochMs, quantity = 1, ...after }: Bought,
) => [
  tokenPurchased({ ...after, purchaseId, buyerId, quantity, purchaseBalanceCents: balanceCents }),
  timeExtended(purchaseId, buyerId, 30 * quantity, endsAtEpochMs, after.roundId),
];

interface Bought extends Pick<Purchase, 'roundId' | 'allocations' | 'jackpotCents'> {
  quantity?: number;
  balanceCents: number;
  endsAtEpochMs: number;
}

/** A withdrawal, of Bob's winnings unless another gamer is named. */
export const withdrawalRequested = (withdrawalId: string, amountCents: number, gamerId = BOB): LedgerEvent => ({
  type: 'WithdrawalRequested',
  data: { withdrawalId, gamerId, amountCents, cryptoType: 'DOGE', walletAddress: 'D7xN1' },
});

export const withdrawalProcessing = (withdrawalId: string, adminNotes: string | null = null): LedgerEvent => ({
  type: 'WithdrawalProcessing',
  data: { withdrawalId, gamerId: BOB, adminNotes },
});

/** The end of Bob's withdrawal w1. */
export const withdrawalSettled = (
  type: 'WithdrawalCompleted' | 'WithdrawalReturned',
  amountCents: number,
  words: { adminNotes?: string; txid?: string } = {},
): LedgerEvent => ({
  type,
  data: { withdrawalId: 'w1', gamerId: BOB, amountCents, adminNotes: null, txid: null, ...words },
});

/** The admin's command that sets a withdrawal, of the winnings unless its type says otherwise. */
export const setWithdrawal = (
  status: WithdrawalUpdate['status'],
  more: Partial<WithdrawalUpdate> = {},
  withdrawalId = 'w1',
) => ({ type: 'UpdateWithdrawal', withdrawalId, update: { status, adminNotes: null, txid: null, ...more } }) as const;

export const gameReset = (roundId: number | null, carriedCents: number, purchaseCount = 0, reason = 'a test') =>
  ({ type: 'GameReset', data: { roundId, carriedCents, reason, purchaseCount } }) satisfies LedgerEvent;

/** The signed head that the log lacks after `historyLost`. */
export const SIGNED = { signedOrigin: 'play.example/ledger', signedSize: 90, signedRoot: 'ab'.repeat(32) };

export const historyLost = (more: Partial<LedgerEvents['HistoryLost']> = {}) =>
  ({
    type: 'HistoryLost',
    data: { ...SIGNED, lastKeptAtMs: T0, acceptedBy: 'Ada', reason: 'a lost disk', ...more },
  }) satisfies LedgerEvent;

/** Bob's paid invoice for tokens, as its command and its events hold it. */
export const paidInvoice = (quantity: number) =>
  ({ paymentId: '5001', gamerId: BOB, quantity, amountCents: 30 * quantity, cryptoType: 'DOGE' }) as const;

export const invoiceCredited = (quantity: number, purchaseBalanceCents: number) =>
  ({ type: 'InvoiceCredited', data: { ...paidInvoice(quantity), purchaseBalanceCents } }) satisfies LedgerEvent;

/** A deposit invoice of $20 in the payment's own stream. */
export const paymentOpened = (over: Partial<PaymentEvents['PaymentOpened']> = {}) => ({
  type: 'PaymentOpened' as const,
  data: {
    orderId: 'order000000000000000',
    purpose: 'deposit' as const,
    gamerId: ALICE,
    amountCents: 2_000,
    feeCents: 100,
    cryptoType: 'LTC' as const,
    quantity: null,
    roundId: null,
    invoiceId: '1',
    paymentId: '10',
    paymentUrl: 'https://pay.example/1',
    payAddress: 'ltc1q',
    payAmount: '0.25',
    ...over,
  },
});
