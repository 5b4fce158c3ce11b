/*
 * The golden files: one story in ledger events, each as the log of its day holds it, by type and version. Code may change;
 * these do not. A new shape of an event is a new version with a file of its own, and this spec reads them all.
 */
import { CHAIN_START, chainAfter } from '../../domain/chain.js';
import { evolve } from '../../domain/evolve.js';
import { emptyLedger } from '../../domain/ledger-state.js';
import { postings } from '../../domain/postings.js';
import { directly } from '../../domain/undo-journal.js';
import type { LedgerEvent, LedgerEventType } from './ledger-events.js';
import type { LedgerMetadata } from './metadata.js';
import { describeShapes, eventsOf, typesInFiles } from './testing/golden.js';
import {
  coin,
  flag,
  listOf,
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

const shapes: { [T in LedgerEventType]: Shape<DataOf<T>> } = {
  GamerEnrolled: { gamerId: text, sponsorId: orNull(text), parentId: orNull(text), slot: orNull(slot) },
  GameStarted: { roundId: whole, pregameEndsAtEpochMs: whole, timers: shaped(timers), carriedCents: whole },
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
        level: orNull(oneOf(1, 2, 3, 4, 5, 6, 7)),
        direct: flag,
        cents: whole,
      }),
    ),
    unclaimedCents: whole,
    jackpotCents: whole,
    purchaseBalanceCents: whole,
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
  LiveResumed: { roundId: whole, outageSeconds: whole, endsAtEpochMs: whole },
  GameReset: { roundId: orNull(whole), carriedCents: whole, reason: text },
  TimersChanged: timers,
  DepositorStatusSet: { gamerId: text, untilEpochMs: orNull(whole) },
  WinningsTransferred: { gamerId: text, amountCents: whole, purchaseBalanceCents: whole },
  BalanceAdjusted: {
    gamerId: text,
    purchaseCents: whole,
    winningsCents: whole,
    reason: text,
    purchaseBalanceCents: whole,
    winningsBalanceCents: whole,
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
  WithdrawalCompleted: { ...settled, gamerId: text },
  WithdrawalReturned: { ...settled, gamerId: text },
  ProfitWithdrawalRequested: payout,
  ProfitWithdrawalCompleted: settled,
  ProfitWithdrawalReturned: settled,
  GamerRemoved: {
    gamerId: text,
    moved: listOf(shaped<DataOf<'GamerRemoved'>['moved'][number]>({ gamerId: text, parentId: text, slot })),
    forfeitedPurchaseCents: whole,
    forfeitedWinningsCents: whole,
  },
};

const story = eventsOf<LedgerEvent, LedgerMetadata>(Object.keys(shapes)).sort(
  (one, other) => one.revision - other.revision,
);

const { winningsBalanceCents: _, ...adjustedOfVersion1 } = shapes.BalanceAdjusted;

describeShapes(shapes, { 'BalanceAdjusted.v1': adjustedOfVersion1 });

it('has no golden file of an event that does not exist', () => {
  for (const type of typesInFiles('ledger')) expect(Object.keys(shapes)).toContain(type);
});

it('still chains: what was written then is proved by the code of now', () => {
  let chain = CHAIN_START;
  for (const { revision, id, event, metadata } of story) {
    chain = chainAfter(chain, id, event, metadata);
    expect({ revision, chain }).toEqual({ revision, chain: metadata.chain });
  }
  expect(story.map(({ revision }) => revision)).toEqual(story.map((_, index) => index));
});

it('still folds, to what it came to then', () => {
  const state = emptyLedger();
  for (const { revision, event, metadata } of story) {
    evolve(state, { revision, event, metadata }, directly);
    expect(postings(event).reduce((sum, { cents }) => sum + cents, 0)).toBe(0);
  }
  expect(Object.fromEntries(state.balances)).toEqual(BALANCES);
  expect(state.game).toMatchObject({ phase: 'idle', lastRoundId: 2, jackpotCents: 13, version: 18 });
  expect(state.game.lastResult).toMatchObject({
    roundId: 1,
    winnerId: 'carol00000aa',
    jackpotCents: 9_178,
    tokenCount: 706,
  });
  expect([...state.gamers.keys()]).toEqual(['house00000aa', 'alice00000aa', 'carol00000aa', 'dan0000000aa']);
  expect([state.deposits.size, state.withdrawals.size]).toEqual([0, 0]);
  const settled = (of: string) =>
    [...state.settled.values()].filter((one) => one.of === of).map(({ status }) => status);
  expect(settled('deposit')).toEqual(['approved', 'rejected']);
  expect(settled('winnings')).toEqual(['completed', 'returned']);
  expect(settled('profit')).toEqual(['returned', 'completed']);
});

/** Where the story left every account, in cents. */
const BALANCES = {
  'gamer:alice00000aa:purchase': 38_000,
  'gamer:alice00000aa:winnings': 20,
  'gamer:bob0000000aa:purchase': 0,
  'gamer:bob0000000aa:winnings': 0,
  'gamer:carol00000aa:purchase': 30_910,
  'gamer:carol00000aa:winnings': 5_678,
  'gamer:dan0000000aa:purchase': 770,
  'gamer:dan0000000aa:winnings': 25,
  jackpot: 13,
  'house:profit': 414,
  'house:unclaimed': 10_578,
  'house:deposit-fees': 4_548,
  'house:adjustments': 473,
  'house:forfeited': 961,
  'payouts:pending': 0,
  'world:crypto': -92_390,
};
