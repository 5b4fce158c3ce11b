import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { GamerId } from '../contracts/ids.js';
import { NO_LIMITS } from '../contracts/protection.js';
import { type Refusal, type RefusalCode, refusalText } from '../contracts/refusals.js';
import { invoiceRefusal } from './deposits.js';
import type { DepositMoney, LedgerCommand } from './ledger/ledger-commands.js';
import { ADMIN, ALICE, BOB, DAY, SECOND, T0, TERMS } from './testing/constants.js';
import { depositorUntil, enrolledGamers, funded, staffStatus } from './testing/gamers.js';
import { invoiceCredited } from './testing/money.js';
import {
  gameReset,
  gameStarted,
  liveStarted,
  roundEnded,
  roundLive,
  timeExtended,
  tokenPurchased,
} from './testing/rounds.js';
import { given, itHappens, itRefuses, type Past, type Scenario } from './testing/scenario.js';

/** A deposit of $7 and its fee of 5 %. */
const SEVEN: DepositMoney = { amountCents: 700, feeCents: 35, cryptoType: 'LTC' };
const ENDS = T0 + 120 * SECOND;
const fresh = { freshId: 'd1' };

const credit = (paymentId: string, gamerId: GamerId, money = SEVEN) =>
  ({ type: 'CreditDeposit', paymentId, gamerId, money }) as const;
const record = (paymentId: string, gamerId: GamerId | null, money = SEVEN) =>
  ({ type: 'RecordDeposit', paymentId, purpose: 'deposit', gamerId, money, reason: 'underpaid' }) as const;
const approve = (depositId: string, gamerId: GamerId | null = null, reason?: string) =>
  ({
    type: 'ApproveDeposit',
    depositId,
    gamerId,
    ...(reason !== undefined && { reassignmentReason: reason }),
  }) as const;
const reject = (depositId: string, adminNotes: string | null = null) =>
  ({ type: 'RejectDeposit', depositId, adminNotes }) as const;
const settle = (paymentId: string, gamerId: GamerId, roundId: number | null, quantity = 2) => {
  const invoice = { paymentId, gamerId, quantity, amountCents: 30 * quantity, roundId, cryptoType: 'DOGE' } as const;
  return { type: 'SettleInvoice', ...invoice } as const;
};

const recorded = (paymentId: string, gamerId: GamerId | null, more: { purpose?: 'deposit' | 'tokens' } = {}) =>
  ({
    type: 'DepositRecorded',
    data: { depositId: 'd1', paymentId, purpose: 'deposit', gamerId, ...SEVEN, reason: 'underpaid', ...more },
  }) satisfies LedgerEvent;
const approved = (
  paymentId: string,
  gamerId: GamerId,
  after: { until: number | null; balanceCents: number; reassignmentReason?: string },
) =>
  ({
    type: 'DepositApproved',
    data: {
      depositId: 'd1',
      paymentId,
      purpose: after.until === null ? 'tokens' : 'deposit',
      gamerId,
      ...SEVEN,
      depositorUntilMs: after.until,
      purchaseBalanceCents: after.balanceCents,
      reassignmentReason: after.reassignmentReason ?? null,
    },
  }) satisfies LedgerEvent;
const rejected = (paymentId: string, adminNotes: string | null = null) =>
  ({ type: 'DepositRejected', data: { depositId: 'd1', paymentId, adminNotes } }) satisfies LedgerEvent;

it('a deposit paid in full and in time goes to the purchase balance, its fee to house:deposit-fees, and gives depositor status for 30 days', () => {
  const { state } = given(enrolledGamers(), funded(BOB, 50))
    .when(credit('5001', BOB), fresh)
    .thenHappens(approved('5001', BOB, { until: T0 + 30 * DAY, balanceCents: 750 }));
  expect(Object.fromEntries(state.balances)).toEqual({
    'gamer:bob:purchase': 750,
    'house:adjustments': -50,
    'house:deposit-fees': 35,
    'world:crypto': -735,
  });
  expect(state.gamers.get(BOB)?.depositorUntilMs).toBe(T0 + 30 * DAY);
  expect(state.deposits.size).toBe(0);
});

describe('a payment for the admin’s review', () => {
  it('is recorded without postings', () => {
    const { state } = given(enrolledGamers()).when(record('5001', BOB), fresh).thenHappens(recorded('5001', BOB));
    expect([...state.balances]).toEqual([]);
    expect(state.gamers.get(BOB)?.depositorUntilMs).toBeNull();
  });

  itHappens([
    ['may have no gamer', enrolledGamers(), record('5001', null), [recorded('5001', null)], fresh],
    ['may have a removed one', enrolledGamers(), record('5001', 'gone'), [recorded('5001', 'gone')], fresh],
  ]);

  it('is credited on approval, with depositor status from then on', () => {
    const { state } = given(enrolledGamers(), recorded('5001', BOB), T0 + DAY)
      .when(approve('d1'))
      .thenHappens(approved('5001', BOB, { until: T0 + 31 * DAY, balanceCents: 700 }));
    expect(state.balances.get('gamer:bob:purchase')).toBe(700);
    expect(state.balances.get('house:deposit-fees')).toBe(35);
    expect(state.deposits.has('d1')).toBe(false);
    expect(state.settlements.get('d1')).toEqual({ source: 'deposit', status: 'approved' });
  });

  const unassigned: Past[] = [enrolledGamers(), recorded('5001', null)];
  const parked: Past[] = [enrolledGamers(), recorded('5001', BOB)];
  const after = { until: T0 + 30 * DAY, balanceCents: 700 };
  const why = 'bob paid for alice';
  const reassigned = approved('5001', ALICE, { ...after, reassignmentReason: why });
  itHappens([
    [
      'is credited to the assigned gamer',
      unassigned,
      approve('d1', ALICE, 'no need'),
      [approved('5001', ALICE, after)],
    ],
    ['needs no reason for its own gamer', parked, approve('d1', BOB, 'no need'), [approved('5001', BOB, after)]],
    ['is taken from its own gamer with a reason', parked, approve('d1', ALICE, why), [reassigned]],
  ]);

  it('gives no depositor status when it was meant for tokens', () => {
    const { state } = given(
      enrolledGamers(),
      recorded('5001', BOB, { purpose: 'tokens' }),
      depositorUntil(BOB, T0 + DAY),
    )
      .when(approve('d1'))
      .thenHappens(approved('5001', BOB, { until: null, balanceCents: 700 }));
    expect(state.gamers.get(BOB)?.depositorUntilMs).toBe(T0 + DAY);
  });

  it('is rejected with or without notes, without postings', () => {
    const { state } = given(enrolledGamers(), recorded('5001', BOB))
      .when(reject('d1', 'sent back'))
      .thenHappens(rejected('5001', 'sent back'));
    given(enrolledGamers(), recorded('5001', BOB)).when(reject('d1')).thenHappens(rejected('5001'));
    expect([...state.balances]).toEqual([]);
    expect(state.deposits.has('d1')).toBe(false);
    expect(state.settlements.get('d1')).toEqual({ source: 'deposit', status: 'rejected' });
  });

  it('is approved for another gamer once its own was removed', () => {
    given(parked)
      .when({ type: 'RemoveGamer', gamerId: BOB })
      .andThen()
      .when(approve('d1'))
      .thenRefused('Gamer not found')
      .when(approve('d1', ALICE, 'bob is gone'))
      .andThen();
  });

  const wasApproved: Past[] = [parked, approved('5001', BOB, after)];
  const wasRejected: Past[] = [parked, rejected('5001')];
  const OF_ANOTHER =
    'This payment is recorded for another gamer. To take it from them, look it up again with a reason.';
  const OF_NOBODY = 'This deposit has no gamer yet: look its payment up and assign one';
  itRefuses([
    ['is not taken from its gamer without a reason', parked, approve('d1', ALICE), OF_ANOTHER],
    ['is not taken from its gamer with an empty reason', parked, approve('d1', ALICE, ''), OF_ANOTHER],
    ['is not approved for nobody', unassigned, approve('d1'), OF_NOBODY],
    ['is not approved for the admin', unassigned, approve('d1', ADMIN), 'Gamer not found'],
    ['is not approved for an unknown gamer', unassigned, approve('d1', 'nobody'), 'Gamer not found'],
    ['is approved once', wasApproved, approve('d1', ALICE), 'This deposit is already approved'],
    ['is not rejected after that', wasApproved, reject('d1', 'again'), 'This deposit is already approved'],
    ['is not approved once it was rejected', wasRejected, approve('d1', ALICE), 'This deposit is already rejected'],
    ['is rejected once', wasRejected, reject('d1', 'again'), 'This deposit is already rejected'],
    ['is not approved if it is unknown', enrolledGamers(), approve('d1'), 'Deposit not found'],
    ['is not rejected if it is unknown', enrolledGamers(), reject('d1'), 'Deposit not found'],
  ]);
});

it.each([
  [0, 0],
  [-1, 0],
  [0.5, 0],
  [Number.NaN, 0],
  [2 ** 53, 0],
  [700, -1],
  [700, 0.5],
  [700, Number.POSITIVE_INFINITY],
])('a payment of %p cents with a fee of %p is neither credited nor recorded', (amountCents, feeCents) => {
  const money = { ...SEVEN, amountCents, feeCents };
  const refusal = 'Deposits are whole dollars, at most $100,000';
  for (const command of [credit('5001', BOB, money), record('5001', BOB, money)])
    given(enrolledGamers()).when(command).thenRefused(refusal);
});

it.each<[string, (gamerId: GamerId) => LedgerCommand]>([
  ['credited', (gamerId) => credit('5001', gamerId)],
  ['settled in its round', (gamerId) => settle('5001', gamerId, 1)],
  ['settled without a round', (gamerId) => settle('5001', gamerId, null)],
])('a payment of the admin or of an unknown gamer is not %s', (_, commandOf) => {
  const live = () => given(enrolledGamers(), roundLive(ENDS));
  for (const gamerId of [ADMIN, 'nobody']) live().when(commandOf(gamerId)).thenRefused('Gamer not found');
});

describe('each gateway payment is recorded once', () => {
  const live: Past[] = [enrolledGamers(), roundLive(ENDS)];
  it.each<[string, (scenario: Scenario) => Scenario]>([
    ['was credited automatically', (scenario) => scenario.when(credit('5001', BOB), fresh).andThen()],
    ['is pending', (scenario) => scenario.when(record('5001', null), fresh).andThen()],
    ['was approved', (scenario) => scenario.and(recorded('5001', BOB)).when(approve('d1')).andThen()],
    ['was rejected', (scenario) => scenario.and(recorded('5001', BOB)).when(reject('d1')).andThen()],
    ['bought tokens', (scenario) => scenario.when(settle('5001', BOB, 1)).andThen()],
    ['was credited for tokens', (scenario) => scenario.when(settle('5001', BOB, null)).andThen()],
  ])('when it %s', (_, take) => {
    const taken = take(given(live));
    const again = [credit('5001', ALICE), record('5001', BOB), settle('5001', BOB, 1), settle('5001', ALICE, null)];
    for (const command of again) taken.when(command).thenRefused('This payment is already recorded');
    taken.when(credit('5002', BOB), { freshId: 'd2' }).andThen();
  });
});

const timeOut = { gamerId: BOB, kind: 'time-out', untilMs: T0 + DAY } as const;
const excluded: LedgerEvent = { type: 'GamerExcluded', data: timeOut };
const limits = { ...NO_LIMITS, spending: { ...NO_LIMITS.spending, day: 50 } };
const profile = (mustChooseLimits: boolean): LedgerEvent => ({
  type: 'ProtectionProfileSet',
  data: { profile: 'strict', limits, mustChooseLimits },
});

it.each<[RefusalCode, GamerId, Past[]]>([
  ['admin-cannot-buy', ADMIN, [enrolledGamers(), profile(true)]],
  ['staff-cannot-play', BOB, [enrolledGamers(), profile(true), excluded, staffStatus(BOB, true)]],
  ['gamer-not-found', 'dan', [profile(true)]],
  ['gamer-excluded', BOB, [enrolledGamers(), profile(true), excluded]],
  ['limits-required', BOB, [enrolledGamers(), profile(true)]],
  ['game-idle', BOB, [enrolledGamers(), profile(false)]],
  ['limit-reached', BOB, [enrolledGamers(), profile(false), roundLive(ENDS)]],
])('an invoice for tokens is refused as the purchase is: %s', (code, gamerId, past) => {
  const { state } = given(past);
  const refusal = invoiceRefusal(state, state.game, gamerId, { purpose: 'tokens', quantity: 2 }, T0) as Refusal;
  expect(refusal).toHaveProperty('code', code);
  given(past).when({ type: 'BuyTokens', buyerId: gamerId, quantity: 2 }).thenRefused(refusalText(refusal));
});

it('an invoice for a deposit needs no round, and the admin is not a depositor', () => {
  const { state } = given(enrolledGamers(), profile(false));
  const of = (gamerId: GamerId) => invoiceRefusal(state, state.game, gamerId, { purpose: 'deposit', dollars: 7 }, T0);
  expect([of(BOB), of(ADMIN)]).toEqual([null, { code: 'admin-is-no-depositor' }]);
});

describe('an invoice for tokens that settles', () => {
  const invoiceBought = (purchaseId: string, jackpotCents: number, balanceCents = 0) => {
    const bought = { purchaseId, buyerId: BOB, quantity: 2, jackpotCents, purchaseBalanceCents: balanceCents };
    const { type, data } = tokenPurchased(bought);
    return { type, data: { ...data, source: 'invoice', paymentId: '5001' } } satisfies LedgerEvent;
  };
  const p1 = { freshId: 'p1' };

  it('buys in its own live round, paid by world:crypto and not by the balance, and gives no depositor status', () => {
    const { state } = given(enrolledGamers(), funded(BOB, 10), roundLive(ENDS))
      .when(settle('5001', BOB, 1), p1)
      .thenHappens(invoiceBought('p1', 26, 10), timeExtended('p1', BOB, 60, ENDS + 60 * SECOND));
    expect(Object.fromEntries(state.balances)).toEqual({
      'gamer:bob:purchase': 10,
      'house:adjustments': -10,
      'world:crypto': -60,
      jackpot: 26,
      'house:profit': 4,
      'house:unclaimed': 30,
    });
    expect(state.game.purchases[0]?.buyerId).toBe(BOB);
    expect(state.gamers.get(BOB)?.depositorUntilMs).toBeNull();
  });

  it('buys up to the last millisecond; at the end its value goes to the balance', () => {
    const live = () => given(enrolledGamers(), roundLive(ENDS));
    live()
      .when(settle('5001', BOB, 1), { atMs: ENDS - 1, ...p1 })
      .thenHappens(invoiceBought('p1', 26), timeExtended('p1', BOB, 60, ENDS + 60 * SECOND));
    for (const atMs of [ENDS, ENDS + 1]) {
      const { state } = live()
        .when(settle('5001', BOB, 1), { atMs })
        .thenHappens(invoiceCredited(2, 60));
      expect(state.game.endsAtEpochMs).toBe(ENDS);
      expect(state.game.purchaseCount).toBe(0);
    }
  });

  it('is credited in full when its price is not the round’s', () => {
    const dearer = gameStarted(1, T0, { terms: { ...TERMS, tokenPriceCents: 40, jackpotShareCents: 23 } });
    given(enrolledGamers(), dearer, liveStarted(1, ENDS))
      .when(settle('5001', BOB, 1), p1)
      .thenHappens(invoiceCredited(2, 60));
    const { state } = given(enrolledGamers(), dearer, liveStarted(1, ENDS))
      .when({ ...settle('5001', BOB, 1), amountCents: 80 }, p1)
      .andThen();
    expect(state.balances.get('jackpot')).toBe(46);
  });

  const over = roundEnded(ENDS);
  it.each<[string, number | null, Past[]]>([
    ['before any round', null, []],
    ['in the pregame of its round', 1, [gameStarted(1, ENDS)]],
    ['after the end of its round', 1, [roundLive(ENDS), over]],
    ['after its round was void', 1, [roundLive(ENDS), gameReset(1, 0)]],
    ['in the next live round', 1, [roundLive(ENDS), over, gameStarted(2, T0), liveStarted(2, ENDS)]],
    ['in a live round, made while there was none', null, [roundLive(ENDS)]],
  ])('%s credits its price to the purchase balance, without a fee', (_, roundId, past) => {
    const { state } = given(enrolledGamers(), funded(BOB, 10), ...past)
      .when(settle('5001', BOB, roundId), { atMs: T0 })
      .thenHappens(invoiceCredited(2, 70));
    expect(Object.fromEntries(state.balances)).toEqual({
      'gamer:bob:purchase': 70,
      'house:adjustments': -10,
      'world:crypto': -60,
    });
    expect(state.gamers.get(BOB)?.depositorUntilMs).toBeNull();
  });

  it('is for 1 to 10,000 tokens', () => {
    for (const roundId of [1, null]) {
      const settling = (quantity: number) =>
        given(enrolledGamers(), roundLive(ENDS)).when(settle('5001', BOB, roundId, quantity));
      for (const quantity of [0, -1, 1.5, Number.NaN]) {
        settling(quantity).thenRefused('Please enter a valid quantity (minimum 1)');
      }
      settling(10_001).thenRefused('A purchase has at most 10,000 tokens');
      settling(10_000).andThen();
      settling(1).andThen();
    }
  });
});
