/*
 * The golden files: one story in ledger events, each as the log of its day holds it, by type and version. Code may change;
 * these do not. A new shape of an event is a new version with a file of its own, and this spec reads them all.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CHAIN_START, chainAfter } from '../../domain/chain.js';
import { evolve } from '../../domain/evolve.js';
import { emptyLedger } from '../../domain/ledger-state.js';
import { postings } from '../../domain/postings.js';
import { directly } from '../../domain/undo-journal.js';
import type { LedgerEvent, LedgerEventType } from './ledger-events.js';
import type { LedgerMetadata } from './metadata.js';

const FOLDER = path.join(__dirname, 'golden');

interface Golden {
  type: LedgerEventType;
  schema: number;
  events: { revision: number; id: string; data: LedgerEvent['data']; metadata: LedgerMetadata }[];
}

type Check = (value: unknown) => boolean;
type DataOf<T extends LedgerEventType> = Extract<LedgerEvent, { type: T }>['data'];
/** A check of every field there is: a field that is added to an event must be added here, and so be thought of. */
type Shape<D> = { [F in keyof Required<D>]: Check };

const text: Check = (value) => typeof value === 'string';
const whole: Check = Number.isSafeInteger;
const flag: Check = (value) => typeof value === 'boolean';
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const oneOf =
  (...values: unknown[]): Check =>
  (value) =>
    values.includes(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const shaped =
  <D>(shape: Shape<D>): Check =>
  (value) => {
    if (typeof value !== 'object' || value === null) return false;
    const fields = value as Record<string, unknown>;
    const known = Object.entries<Check>(shape).every(([name, check]) => check(fields[name]));
    return known && Object.keys(fields).every((name) => name in shape);
  };

const coin = oneOf('BTC', 'LTC', 'TRX', 'DOGE');
const purpose = oneOf('deposit', 'tokens');
const slot = oneOf(0, 1, 2);
const timers: Shape<DataOf<'TimersChanged'>> = {
  pregameDurationSeconds: whole,
  liveDurationSeconds: whole,
  downtimeDurationSeconds: whole,
  tokenExtensionSeconds: whole,
};
const settled = { withdrawalId: text, amountCents: whole, adminNotes: orNull(text), txid: orNull(text) };
const payout = { withdrawalId: text, amountCents: whole, cryptoType: coin, walletAddress: text };
const reason = oneOf('underpaid', 'overpaid', 'wrong-coin', 'repeated', 'late', 'unknown-order', 'no-gamer');

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
  },
  DepositRecorded: {
    depositId: text,
    paymentId: text,
    purpose,
    gamerId: orNull(text),
    amountCents: whole,
    feeCents: whole,
    cryptoType: coin,
    reason,
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

const read = (file: string): Golden => JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Golden;
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.golden.json'));
const story = files
  .map(read)
  .flatMap(({ type, events }) => events.map(({ data, ...rest }) => ({ ...rest, event: { type, data } as LedgerEvent })))
  .sort((one, other) => one.revision - other.revision);

describe.each(Object.keys(shapes) as LedgerEventType[])('%s', (type) => {
  it('has a golden file whose events have the shape that the contract promises', () => {
    const golden = read(`${type}.v1.golden.json`);
    expect(golden).toMatchObject({ type, schema: 1 });
    expect(golden.events.length).toBeGreaterThan(0);
    for (const { data, metadata } of golden.events) {
      expect(metadata.schema).toBe(1);
      expect({ data, isOfShape: shaped(shapes[type] as Shape<object>)(data) }).toEqual({ data, isOfShape: true });
    }
  });
});

it('has no golden file of an event that does not exist', () => {
  for (const file of files) expect(Object.keys(shapes)).toContain(file.replace(/\.v\d+\.golden\.json$/, ''));
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
  expect([...state.deposits.values()].map(({ status }) => status)).toEqual(['approved', 'rejected']);
  const withdrawals = [...state.withdrawals.values()].map(({ status }) => status);
  expect(withdrawals).toEqual(['completed', 'returned', 'returned', 'completed']);
});

/** Where the story left every account, in cents. */
const BALANCES = {
  'gamer:alice00000aa:purchase': 39_000,
  'gamer:alice00000aa:winnings': 18,
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
  'house:adjustments': -525,
  'house:forfeited': 961,
  'payouts:pending': 0,
  'world:crypto': -92_390,
};
