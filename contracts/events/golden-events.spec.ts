/* The golden files are stored events of each type and version. They never change: a new shape is a new version with its own file. */

import { evolve } from '../../domain/ledger/evolve.js';
import { emptyLedger } from '../../domain/ledger/ledger-state.js';
import { postings } from '../../domain/ledger/postings.js';
import { directChanges } from '../../domain/ledger/undo-log.js';
import { evolvePayment, initialPayment, type PaymentState, unsettled } from '../../domain/payments.js';
import { gamerStream, lateStream, paymentStream, postStream, ticketStream } from '../streams.js';
import type { CommunityEvent, GamerEvent, TicketEvent } from './gamer-events.js';
import type { LateEvent } from './late-events.js';
import type { LedgerEvent } from './ledger-events.js';
import type { PaymentEvent } from './payment-events.js';
import { assertReadable, currentVersionOf, EVENT_FIELDS, UnreadableEvent } from './schemas.js';
import { eventsOf, goldenFiles } from './testing/golden.js';

type StreamEvent = GamerEvent | PaymentEvent | TicketEvent | CommunityEvent | LateEvent;

const types = Object.keys(EVENT_FIELDS) as (keyof typeof EVENT_FIELDS)[];
const files = goldenFiles();
const all = eventsOf<LedgerEvent | StreamEvent>(types);

const inLedger = all
  .filter(({ stream }) => stream === undefined)
  .sort((one, other) => one.revision - other.revision) as ReturnType<typeof eventsOf<LedgerEvent>>;

/** Events in log order: the ids are numbered. */
const inStreams = all
  .filter(({ stream }) => stream !== undefined)
  .sort((one, other) => (one.id < other.id ? -1 : 1)) as ReturnType<typeof eventsOf<StreamEvent>>;

function streamsOf<E extends StreamEvent>(prefix: string): E[][] {
  const streams = new Map<string, E[]>();
  for (const { stream = '', event } of inStreams)
    if (stream.startsWith(prefix)) streams.set(stream, [...(streams.get(stream) ?? []), event as E]);
  return [...streams.values()];
}

it('has a file for each type of event in each version, and no others', () => {
  const expected = types.flatMap((type) =>
    Array.from({ length: currentVersionOf(type) }, (_, index) => `${type}.v${index + 1}.golden.json`),
  );
  expect([...files.keys()].sort()).toEqual(expected.sort());
});

Error.stackTraceLimit = 0; // jest would map the stacks of thousands of expected errors to the source

/** The data with each of its fields, also inner ones, missing, empty, of another type and beyond what Postgres holds. */
function* brokenData(data: object): Generator<object> {
  for (const [field, value] of Object.entries(data)) {
    for (const wrong of [undefined, {}, [[]], 0.5, '\0']) yield { ...data, [field]: wrong };
    const [first, ...others] = Array.isArray(value) ? value : [value];
    if (typeof first !== 'object' || first === null) continue;
    for (const inner of brokenData(first))
      yield { ...data, [field]: Array.isArray(value) ? [inner, ...others] : inner };
  }
}

it.each([...files])(
  '%s holds events of the contract’s fields, and is unreadable with any that no node writes',
  (file, { type, schema, events }) => {
    expect(file).toBe(`${type}.v${schema}.golden.json`);
    expect(events.length).toBeGreaterThan(0);
    for (const { data, metadata } of events) {
      expect(metadata.schema).toBe(schema);
      assertReadable(type, data, metadata);
      for (const broken of brokenData(data))
        expect(() => assertReadable(type, broken, metadata)).toThrow(UnreadableEvent);
    }
  },
);

it('folds the ledger into the same state as before', () => {
  const state = emptyLedger();
  for (const { revision, event, metadata } of inLedger) {
    evolve(state, { revision, event, metadata }, directChanges);
    expect(postings(event).reduce((sum, { cents }) => sum + cents, 0)).toBe(0);
  }
  expect(Object.fromEntries(state.balances)).toEqual(BALANCES);
  expect(state.game).toMatchObject({ phase: 'idle', lastRoundId: 4, jackpotCents: 26, version: 25 });
  const lastResult = { roundId: 1, winnerId: 'carol00000aa', jackpotCents: 9_178, tokenCount: 706 };
  expect(state.game.lastResult).toMatchObject(lastResult);
  expect([...state.gamers.keys()]).toEqual(['house00000aa', 'alice00000aa', 'carol00000aa', 'dan0000000aa']);
  expect([state.deposits.size, state.withdrawals.size]).toEqual([0, 1]);
  const [withdrawal] = state.withdrawals.values();
  expect(withdrawal).toMatchObject({ payout: null, failedPayouts: ['rejected', 'uncertain'] });
  expect(Object.fromEntries(state.exclusions)).toEqual({
    dan0000000aa: { kind: 'time-out', untilMs: 1_767_892_827_003 },
    carol00000aa: { kind: 'time-out', untilMs: 1_783_272_028_003 },
  });
  expect(state.playLimits.get('dan0000000aa')?.limits.spending).toEqual({ day: 800, week: null, month: null });
  expect(state.profile).toMatchObject({ profile: 'strict', mustChooseLimits: true });
  const settled = (of: string) =>
    [...state.settlements.values()].filter((one) => one.source === of).map(({ status }) => status);
  expect(settled('deposit')).toEqual(['approved', 'rejected']);
  expect(settled('winnings')).toEqual(['completed', 'returned', 'completed']);
  expect(settled('profit')).toEqual(['returned', 'completed']);
});

it('keeps the other events in the streams that the code writes to', () => {
  const streamOf = ({ data }: StreamEvent): string => {
    if ('orderId' in data) return paymentStream(data.orderId);
    if ('ticketId' in data) return ticketStream(data.ticketId);
    if ('roundId' in data) return lateStream(data.roundId);
    return 'postId' in data ? postStream(data.postId) : gamerStream(data.gamerId);
  };
  for (const { stream, event } of inStreams)
    expect({ type: event.type, stream }).toEqual({ type: event.type, stream: streamOf(event) });
});

it('folds payments into the same verdicts as before, which are those that their outcomes record', () => {
  const verdicts = streamsOf<PaymentEvent>(paymentStream('')).map((events) => {
    const state = events.reduce<PaymentState>(evolvePayment, initialPayment);
    expect(unsettled(state)).toEqual([]);
    for (const { type, data } of events)
      if (type === 'PaymentParked')
        expect(state.payments.get(data.paymentId)?.verdict).toMatchObject({ kind: 'review', reason: data.reason });
    return [...state.payments.values()].map(({ verdict }) => verdict);
  });
  expect(verdicts).toEqual([
    [
      { kind: 'credit' },
      { kind: 'review', reason: 'repeated', money: { amountCents: 952, feeCents: 48, cryptoType: 'LTC' } },
    ],
    [{ kind: 'credit' }],
    [{ kind: 'credit' }],
    [{ kind: 'review', reason: 'late', money: { amountCents: 940, feeCents: 48, cryptoType: 'BTC' } }],
    [{ kind: 'review', reason: 'unknown-order', money: { amountCents: 85, feeCents: 5, cryptoType: 'DOGE' } }],
  ]);
});

/** Balances after the history, in cents. */
const BALANCES = {
  'gamer:alice00000aa:purchase': 37_960,
  'gamer:alice00000aa:winnings': 25,
  'gamer:bob0000000aa:purchase': 0,
  'gamer:bob0000000aa:winnings': 0,
  'gamer:carol00000aa:purchase': 32_511,
  'gamer:carol00000aa:winnings': 3_678,
  'gamer:dan0000000aa:purchase': 0,
  'gamer:dan0000000aa:winnings': 795,
  jackpot: 26,
  'house:profit': 416,
  'house:unclaimed': 10_593,
  'house:deposit-fees': 4_583,
  'house:adjustments': -423,
  'house:forfeited': 961,
  'payouts:pending': 1_000,
  'world:crypto': -92_125,
};
