/*
 * The golden files of the ledger: one history of events, by type and version, each as a log of its version holds it. These
 * files never change. A new shape of an event is a new version with its own file, and this spec reads all of them.
 */
import { CHAIN_START, chainAfter } from '../../domain/chain.js';
import { evolve } from '../../domain/evolve.js';
import { emptyLedger } from '../../domain/ledger-state.js';
import { postings } from '../../domain/postings.js';
import { directly } from '../../domain/undo-journal.js';
import { POWERS } from '../ids.js';
import { MATRIX_LEVELS, type PlayLimits, type TokenTerms, type WantedLimits } from '../limits.js';
import type { LedgerEvent, LedgerEventType, PlayedCents } from './ledger-events.js';
import type { LedgerMetadata } from './metadata.js';
import { describeShapes, eventsOf, typesInFiles } from './testing/golden.js';
import {
  type Check,
  coin,
  flag,
  oneOf,
  orAbsent,
  orNull,
  purpose,
  reviewReason,
  type Shape,
  shaped,
  text,
  whole,
} from './testing/shapes.js';

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

type DataOf<T extends LedgerEventType> = Extract<LedgerEvent, { type: T }>['data'];

const slot = oneOf(0, 1, 2);
const timers: Shape<DataOf<'TimersChanged'>> = {
  pregameDurationSeconds: whole,
  liveDurationSeconds: whole,
  downtimeDurationSeconds: whole,
  tokenExtensionSeconds: whole,
};
const settled = { withdrawalId: text, amountCents: whole, adminNotes: orNull(text), txid: orNull(text) };
const payout = { withdrawalId: text, amountCents: whole, cryptoType: coin, walletAddress: text };

const ofPeriods = shaped<PlayLimits['loss']>({ day: orNull(whole), week: orNull(whole), month: orNull(whole) });
const played = shaped<PlayedCents['won']>({ day: whole, week: whole, month: whole });
const limits = shaped<PlayLimits>({ spending: ofPeriods, deposits: ofPeriods, loss: ofPeriods });

const shapes: { [T in LedgerEventType]: Shape<DataOf<T>> } = {
  GamerEnrolled: { gamerId: text, sponsorId: orNull(text), parentId: orNull(text), slot: orNull(slot) },
  GameStarted: {
    roundId: whole,
    pregameEndsAtEpochMs: whole,
    timers: shaped(timers),
    carriedCents: whole,
    terms: shaped<TokenTerms>({
      tokenPriceCents: whole,
      jackpotShareCents: whole,
      houseShareCents: whole,
      levelShareCents: listOf(whole),
      directBonusCents: whole,
      matrixWidth: whole,
    }),
    decidingMs: whole,
  },
  LiveStarted: { roundId: whole, endsAtEpochMs: whole, forced: flag },
  TokenPurchased: {
    purchaseId: text,
    roundId: whole,
    buyerId: text,
    quantity: whole,
    costCents: whole,
    source: oneOf('balance', 'invoice'),
    paymentId: orAbsent(text),
    jackpotShareCents: whole,
    houseShareCents: whole,
    allocations: listOf(
      shaped<DataOf<'TokenPurchased'>['allocations'][number]>({
        gamerId: text,
        level: orNull(oneOf(...MATRIX_LEVELS)),
        direct: flag,
        cents: whole,
      }),
    ),
    unclaimedCents: whole,
    jackpotCents: whole,
    purchaseBalanceCents: whole,
    receivedAtEpochMs: whole,
  },
  TimeExtended: { roundId: whole, purchaseId: text, buyerId: text, addedSeconds: whole, endsAtEpochMs: whole },
  RoundEnded: {
    roundId: whole,
    winner: orNull(shaped<NonNullable<DataOf<'RoundEnded'>['winner']>>({ gamerId: text, purchaseId: text })),
    jackpotCents: whole,
    endedAtEpochMs: whole,
    nextRoundAtEpochMs: whole,
    purchaseCount: whole,
    merkleRoot: text,
  },
  LiveResumed: { roundId: whole, outageSeconds: whole, endsAtEpochMs: whole, lastAliveAtEpochMs: whole },
  GameReset: { roundId: orNull(whole), carriedCents: whole, reason: text, purchaseCount: whole },
  TimersChanged: timers,
  DepositorStatusSet: { gamerId: text, untilEpochMs: orNull(whole) },
  StaffStatusSet: { gamerId: text, isStaff: flag },
  PowersSet: { gamerId: text, powers: listOf(oneOf(...POWERS)) },
  SecondPersonLimitSet: { aboveCents: orNull(whole), aboveCentsPerDay: orNull(whole) },
  AdjustmentRequested: { gamerId: text, purchaseCents: whole, winningsCents: whole, reason: text },
  PayoutRequested: { withdrawalId: text, gamerId: text, amountCents: whole },
  WinningsTransferred: { gamerId: text, amountCents: whole, purchaseBalanceCents: whole },
  BalanceAdjusted: {
    gamerId: text,
    purchaseCents: whole,
    winningsCents: whole,
    reason: text,
    purchaseBalanceCents: whole,
    winningsBalanceCents: whole,
    requestedBy: orNull(text),
  },
  DepositRecorded: {
    depositId: text,
    paymentId: text,
    purpose,
    gamerId: orNull(text),
    amountCents: whole,
    feeCents: whole,
    cryptoType: coin,
    reason: reviewReason,
  },
  DepositApproved: {
    depositId: text,
    paymentId: text,
    purpose,
    gamerId: text,
    amountCents: whole,
    feeCents: whole,
    cryptoType: coin,
    depositorUntilEpochMs: orNull(whole),
    purchaseBalanceCents: whole,
    reassignmentReason: orNull(text),
  },
  DepositRejected: { depositId: text, paymentId: text, adminNotes: orNull(text) },
  InvoiceCredited: {
    paymentId: text,
    gamerId: text,
    quantity: whole,
    amountCents: whole,
    cryptoType: coin,
    purchaseBalanceCents: whole,
  },
  WithdrawalRequested: { ...payout, gamerId: text },
  WithdrawalProcessing: { withdrawalId: text, gamerId: text, adminNotes: orNull(text) },
  WithdrawalCompleted: { ...settled, gamerId: text, requestedBy: orNull(text) },
  WithdrawalReturned: { ...settled, gamerId: text },
  ProfitWithdrawalRequested: payout,
  ProfitWithdrawalCompleted: settled,
  ProfitWithdrawalReturned: settled,
  LimitsSet: {
    gamerId: text,
    limits,
    wanted: orNull(shaped<WantedLimits>({ limits, confirmableFromEpochMs: whole })),
    used: shaped<PlayedCents>({ spending: played, deposits: played, won: played }),
  },
  LimitsConfirmed: { gamerId: text, limits },
  ProtectionProfileSet: { profile: oneOf('none', 'standard', 'strict'), limits, mustChooseLimits: flag },
  GamerExcluded: { gamerId: text, kind: oneOf('time-out', 'self-exclusion'), untilEpochMs: whole },
  ExclusionLifted: { gamerId: text, playsFromEpochMs: whole },
  BalanceReleased: { gamerId: text, amountCents: whole, purchaseBalanceCents: whole },
  GamerRemoved: {
    gamerId: text,
    moved: listOf(shaped<DataOf<'GamerRemoved'>['moved'][number]>({ gamerId: text, parentId: text, slot })),
    forfeitedPurchaseCents: whole,
    forfeitedWinningsCents: whole,
  },
};

const history = eventsOf<LedgerEvent, LedgerMetadata>(Object.keys(shapes)).sort(
  (one, other) => one.revision - other.revision,
);

const { requestedBy: _by, ...adjustedOfVersion2 } = shapes.BalanceAdjusted;
const { winningsBalanceCents: _, ...adjustedOfVersion1 } = adjustedOfVersion2;
const { decidingMs: __, ...startedOfVersion2 } = shapes.GameStarted;
const { terms: ___, ...startedOfVersion1 } = startedOfVersion2;
const { receivedAtEpochMs: ____, ...purchasedOfVersion1 } = shapes.TokenPurchased;
const { lastAliveAtEpochMs: _____, ...resumedOfVersion1 } = shapes.LiveResumed;
const { reassignmentReason: ______, ...approvedOfVersion1 } = shapes.DepositApproved;
const { purchaseCount: _______, ...resetOfVersion1 } = shapes.GameReset;
const { requestedBy: _requester, ...completedOfVersion1 } = shapes.WithdrawalCompleted;
const { aboveCentsPerDay: _perDay, ...limitOfVersion1 } = shapes.SecondPersonLimitSet;

describeShapes(shapes, {
  'BalanceAdjusted.v1': adjustedOfVersion1,
  'BalanceAdjusted.v2': adjustedOfVersion2,
  'DepositApproved.v1': approvedOfVersion1,
  'GameReset.v1': resetOfVersion1,
  'GameStarted.v1': startedOfVersion1,
  'SecondPersonLimitSet.v1': limitOfVersion1,
  'WithdrawalCompleted.v1': completedOfVersion1,
  'GameStarted.v2': startedOfVersion2,
  'TokenPurchased.v1': purchasedOfVersion1,
  'LiveResumed.v1': resumedOfVersion1,
});

it('has golden files of known event types only', () => {
  for (const type of typesInFiles('ledger')) expect(Object.keys(shapes)).toContain(type);
});

it('keeps the chain that was stored with each event', () => {
  let chain = CHAIN_START;
  for (const { revision, id, event, metadata } of history) {
    chain = chainAfter(chain, id, event, metadata);
    expect({ revision, chain }).toEqual({ revision, chain: metadata.chain });
  }
  expect(history.map(({ revision }) => revision)).toEqual(history.map((_, index) => index));
});

it('folds into the same state as before', () => {
  const state = emptyLedger();
  for (const { revision, event, metadata } of history) {
    evolve(state, { revision, event, metadata }, directly);
    expect(postings(event).reduce((sum, { cents }) => sum + cents, 0)).toBe(0);
  }
  expect(Object.fromEntries(state.balances)).toEqual(BALANCES);
  expect(state.game).toMatchObject({ phase: 'idle', lastRoundId: 4, jackpotCents: 26, version: 23 });
  expect(state.game.lastResult).toMatchObject({
    roundId: 1,
    winnerId: 'carol00000aa',
    jackpotCents: 9_178,
    tokenCount: 706,
  });
  expect([...state.gamers.keys()]).toEqual(['house00000aa', 'alice00000aa', 'carol00000aa', 'dan0000000aa']);
  expect([state.deposits.size, state.withdrawals.size]).toEqual([0, 0]);
  expect([state.secondPersonAboveCents, state.secondPersonAboveCentsPerDay]).toEqual([900, 1_800]);
  expect([...state.movedAlone]).toEqual([['house00000aa', { day: '2026-07-05', cents: 1_015 }]]);
  expect(Object.fromEntries(state.exclusions)).toEqual({
    dan0000000aa: { kind: 'time-out', untilEpochMs: 1_767_892_827_003 },
    carol00000aa: { kind: 'time-out', untilEpochMs: 1_783_272_028_003 },
  });
  expect(state.limited.get('dan0000000aa')?.limits.spending).toEqual({ day: 800, week: null, month: null });
  expect(state.profile).toMatchObject({ profile: 'strict', mustChooseLimits: true });
  const settled = (of: string) =>
    [...state.settled.values()].filter((one) => one.of === of).map(({ status }) => status);
  expect(settled('deposit')).toEqual(['approved', 'rejected']);
  expect(settled('winnings')).toEqual(['completed', 'returned', 'completed']);
  expect(settled('profit')).toEqual(['returned', 'completed']);
});

/** Balances after the history, in cents. */
const BALANCES = {
  'gamer:alice00000aa:purchase': 37_960,
  'gamer:alice00000aa:winnings': 25,
  'gamer:bob0000000aa:purchase': 0,
  'gamer:bob0000000aa:winnings': 0,
  'gamer:carol00000aa:purchase': 32_511,
  'gamer:carol00000aa:winnings': 4_678,
  'gamer:dan0000000aa:purchase': 0,
  'gamer:dan0000000aa:winnings': 795,
  jackpot: 26,
  'house:profit': 416,
  'house:unclaimed': 10_593,
  'house:deposit-fees': 4_583,
  'house:adjustments': -423,
  'house:forfeited': 961,
  'payouts:pending': 0,
  'world:crypto': -92_125,
};
