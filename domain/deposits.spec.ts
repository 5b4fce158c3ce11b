import type { LedgerEvent } from '../contracts/events/ledger-events.js';
import type { GamerId } from '../contracts/ids.js';
import type { DepositMoney } from './ledger-commands.js';
import {
  ALICE,
  BOB,
  bought,
  DAY,
  depositorUntil,
  funded,
  gameStarted,
  HOUSE,
  liveStarted,
  people,
  roundLive,
  SECOND,
  T0,
  timeExtended,
  tokenPurchased,
} from './testing/events.js';
import { given, type Past, type Story } from './testing/story.js';

/** A deposit of $7, and its 5 %. */
const SEVEN: DepositMoney = { amountCents: 700, feeCents: 35, cryptoType: 'LTC' };
const ENDS = T0 + 120 * SECOND;
const fresh = { freshId: 'd1' };

const credit = (paymentId: string, gamerId: GamerId, money = SEVEN) =>
  ({ type: 'CreditDeposit', paymentId, gamerId, money }) as const;
const record = (paymentId: string, gamerId: GamerId | null, money = SEVEN) =>
  ({ type: 'RecordDeposit', paymentId, purpose: 'deposit', gamerId, money, reason: 'underpaid' }) as const;
const approve = (depositId: string, gamerId: GamerId | null = null) =>
  ({ type: 'ApproveDeposit', depositId, gamerId }) as const;
const reject = (depositId: string, adminNotes: string | null = null) =>
  ({ type: 'RejectDeposit', depositId, adminNotes }) as const;
const settle = (paymentId: string, gamerId: GamerId, roundId: number | null, quantity = 2) =>
  ({ type: 'SettleInvoice', paymentId, gamerId, quantity, roundId, cryptoType: 'DOGE' }) as const;

const recorded = (paymentId: string, gamerId: GamerId | null, more: { purpose?: 'deposit' | 'tokens' } = {}) =>
  ({
    type: 'DepositRecorded',
    data: { depositId: 'd1', paymentId, purpose: 'deposit', gamerId, ...SEVEN, reason: 'underpaid', ...more },
  }) satisfies LedgerEvent;
const approved = (paymentId: string, gamerId: GamerId, after: { until: number | null; balanceCents: number }) =>
  ({
    type: 'DepositApproved',
    data: {
      depositId: 'd1',
      paymentId,
      purpose: after.until === null ? 'tokens' : 'deposit',
      gamerId,
      ...SEVEN,
      depositorUntilEpochMs: after.until,
      purchaseBalanceCents: after.balanceCents,
    },
  }) satisfies LedgerEvent;
const rejected = (paymentId: string, adminNotes: string | null = null) =>
  ({ type: 'DepositRejected', data: { depositId: 'd1', paymentId, adminNotes } }) satisfies LedgerEvent;

describe('a deposit paid in full and in time', () => {
  it('goes to the purchase balance, its fee to the house, and makes a depositor for 30 days', () => {
    const { state } = given(people(), funded(BOB, 50))
      .when(credit('5001', BOB), fresh)
      .thenHappens(approved('5001', BOB, { until: T0 + 30 * DAY, balanceCents: 750 }));
    expect(Object.fromEntries(state.balances)).toEqual({
      'gamer:bob:purchase': 750,
      'house:adjustments': -50,
      'house:deposit-fees': 35,
      'world:crypto': -735,
    });
    expect(state.gamers.get(BOB)?.depositorUntilEpochMs).toBe(T0 + 30 * DAY);
    expect(state.payments.has('5001')).toBe(true);
    expect(state.deposits.size).toBe(0);
  });

  it('starts the 30 days anew though there was time left, more or less', () => {
    for (const days of [1, 300]) {
      const { state } = given(people(), depositorUntil(BOB, T0 + days * DAY))
        .when(credit('5001', BOB))
        .andThen();
      expect(state.gamers.get(BOB)?.depositorUntilEpochMs).toBe(T0 + 30 * DAY);
    }
  });

  it('may bear no fee', () => {
    const { state } = given(people())
      .when(credit('5001', BOB, { ...SEVEN, feeCents: 0 }))
      .andThen();
    expect(state.balances.get('house:deposit-fees')).toBeUndefined();
    expect(state.balances.get('world:crypto')).toBe(-700);
  });

  it('lets its gamer earn from then on, to the last millisecond of the 30 days', () => {
    const until = T0 + 30 * DAY;
    const earning = (at: number): number => {
      const { state } = given(people(), funded(BOB, 30))
        .when(credit('5001', ALICE))
        .andThen()
        .and(roundLive(until + SECOND))
        .when({ type: 'BuyTokens', buyerId: BOB, quantity: 1 }, { at })
        .andThen();
      return state.balances.get('gamer:alice:winnings') ?? 0;
    };
    expect([earning(T0), earning(until), earning(until + 1)]).toEqual([3, 3, 0]);
  });

  it('is refused to the house, and to somebody who is not enrolled', () => {
    given(people()).when(credit('5001', HOUSE)).thenRefused('Gamer not found');
    given(people()).when(credit('5001', 'nobody')).thenRefused('Gamer not found');
  });
});

describe('a payment that waits for the admin', () => {
  it.each(['underpaid', 'overpaid', 'wrong-coin', 'repeated', 'late', 'failed', 'unknown-order', 'no-gamer'] as const)(
    'because it is %s is recorded, and moves nothing',
    (reason) => {
      const { state } = given(people())
        .when({ ...record('5001', BOB), reason }, fresh)
        .thenHappens({
          type: 'DepositRecorded',
          data: { depositId: 'd1', paymentId: '5001', purpose: 'deposit', gamerId: BOB, ...SEVEN, reason },
        });
      expect([...state.balances]).toEqual([]);
      expect(state.payments.has('5001')).toBe(true);
      expect(state.gamers.get(BOB)?.depositorUntilEpochMs).toBeNull();
    },
  );

  it('may be nobody’s yet, or of somebody who is gone', () => {
    given(people()).when(record('5001', null), fresh).thenHappens(recorded('5001', null));
    given(people()).when(record('5001', 'gone'), fresh).thenHappens(recorded('5001', 'gone'));
  });

  it('is credited on approval, as a deposit of that moment', () => {
    const { state } = given(people(), recorded('5001', BOB), T0 + DAY)
      .when(approve('d1'))
      .thenHappens(approved('5001', BOB, { until: T0 + 31 * DAY, balanceCents: 700 }));
    expect(state.balances.get('gamer:bob:purchase')).toBe(700);
    expect(state.balances.get('house:deposit-fees')).toBe(35);
    expect(state.payments.has('5001')).toBe(true);
    expect(state.deposits.has('d1')).toBe(false);
    expect(state.settled.get('d1')).toEqual({ of: 'deposit', status: 'approved' });
  });

  it('is credited to whom the admin assigns it, though it was recorded for another', () => {
    given(people(), recorded('5001', null))
      .when(approve('d1', ALICE))
      .thenHappens(approved('5001', ALICE, { until: T0 + 30 * DAY, balanceCents: 700 }));
    const { state } = given(people(), recorded('5001', BOB))
      .when(approve('d1', ALICE))
      .thenHappens(approved('5001', ALICE, { until: T0 + 30 * DAY, balanceCents: 700 }));
    expect(state.balances.has('gamer:bob:purchase')).toBe(false);
  });

  it('makes nobody a depositor when it was meant for tokens', () => {
    const { state } = given(people(), recorded('5001', BOB, { purpose: 'tokens' }), depositorUntil(BOB, T0 + DAY))
      .when(approve('d1'))
      .thenHappens(approved('5001', BOB, { until: null, balanceCents: 700 }));
    expect(state.gamers.get(BOB)?.depositorUntilEpochMs).toBe(T0 + DAY);
  });

  it('is rejected with or without notes, and moves nothing', () => {
    const { state } = given(people(), recorded('5001', BOB))
      .when(reject('d1', 'sent back'))
      .thenHappens(rejected('5001', 'sent back'));
    given(people(), recorded('5001', BOB)).when(reject('d1')).thenHappens(rejected('5001'));
    expect([...state.balances]).toEqual([]);
    expect(state.payments.has('5001')).toBe(true);
    expect(state.deposits.has('d1')).toBe(false);
    expect(state.settled.get('d1')).toEqual({ of: 'deposit', status: 'rejected' });
  });

  it('is not approved for nobody, the house, somebody who is not enrolled or who has gone since', () => {
    const waiting = () => given(people(), recorded('5001', null));
    waiting().when(approve('d1')).thenRefused('This deposit has no gamer yet: look its payment up and assign one');
    waiting().when(approve('d1', HOUSE)).thenRefused('Gamer not found');
    waiting().when(approve('d1', 'nobody')).thenRefused('Gamer not found');
    given(people(), recorded('5001', BOB))
      .when({ type: 'RemoveGamer', gamerId: BOB })
      .andThen()
      .when(approve('d1'))
      .thenRefused('Gamer not found')
      .when(approve('d1', ALICE))
      .andThen();
  });

  it('is settled once', () => {
    const done: [LedgerEvent, string][] = [
      [approved('5001', BOB, { until: T0 + 30 * DAY, balanceCents: 700 }), 'This deposit is already approved'],
      [rejected('5001'), 'This deposit is already rejected'],
    ];
    for (const [event, text] of done) {
      given(people(), recorded('5001', BOB), event).when(approve('d1', ALICE)).thenRefused(text);
      given(people(), recorded('5001', BOB), event).when(reject('d1', 'again')).thenRefused(text);
    }
  });

  it('cannot be settled when there is none', () => {
    given(people()).when(approve('d1')).thenRefused('Deposit not found');
    given(people()).when(reject('d1')).thenRefused('Deposit not found');
    // What credited itself never waited.
    const credited = () => given(people()).when(credit('5001', BOB), fresh).andThen();
    credited().when(approve('d1')).thenRefused('Deposit not found');
    credited().when(reject('d1')).thenRefused('Deposit not found');
  });
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
  given(people())
    .when(credit('5001', BOB, money))
    .thenRefused(refusal);
  given(people())
    .when(record('5001', BOB, money))
    .thenRefused(refusal);
});

describe('each payment of the gateway is taken once', () => {
  const live: Past[] = [people(), roundLive(ENDS)];
  const ways: [string, (story: Story) => Story][] = [
    ['credited itself', (story) => story.when(credit('5001', BOB), fresh).andThen()],
    ['waits', (story) => story.when(record('5001', null), fresh).andThen()],
    ['was approved', (story) => story.and(recorded('5001', BOB)).when(approve('d1')).andThen()],
    ['was rejected', (story) => story.and(recorded('5001', BOB)).when(reject('d1')).andThen()],
    ['bought tokens', (story) => story.when(settle('5001', BOB, 1)).andThen()],
    ['was credited for tokens', (story) => story.when(settle('5001', BOB, null)).andThen()],
  ];

  it.each(ways)('when it %s', (_, take) => {
    const taken = take(given(...live));
    const refusal = 'This payment is already recorded';
    taken.when(credit('5001', BOB)).thenRefused(refusal);
    taken.when(credit('5001', ALICE)).thenRefused(refusal);
    taken.when(record('5001', BOB)).thenRefused(refusal);
    taken.when(settle('5001', BOB, 1)).thenRefused(refusal);
    taken.when(settle('5001', ALICE, null)).thenRefused(refusal);
    taken.when(credit('5002', BOB), { freshId: 'd2' }).andThen();
  });
});

describe('an invoice for tokens that settles', () => {
  const invoiceBought = (purchaseId: string, jackpotCents: number, balanceCents = 0) => {
    const { type, data } = tokenPurchased({
      purchaseId,
      buyerId: BOB,
      quantity: 2,
      jackpotCents,
      purchaseBalanceCents: balanceCents,
    });
    return { type, data: { ...data, source: 'invoice', paymentId: '5001' } } satisfies LedgerEvent;
  };
  const invoiceCredited = (balanceCents = 60) =>
    ({
      type: 'InvoiceCredited',
      data: {
        paymentId: '5001',
        gamerId: BOB,
        quantity: 2,
        amountCents: 60,
        cryptoType: 'DOGE',
        purchaseBalanceCents: balanceCents,
      },
    }) satisfies LedgerEvent;
  const p1 = { freshId: 'p1' };

  it('in its own live round buys, paid from outside and not from the balance', () => {
    const { state } = given(people(), funded(BOB, 10), roundLive(ENDS))
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
    expect(state.payments.has('5001')).toBe(true);
  });

  it('pays the uplines who are depositors at settlement time', () => {
    const { state } = given(people(), depositorUntil(ALICE, T0 + DAY), roundLive(ENDS))
      .when(settle('5001', BOB, 1), p1)
      .andThen();
    expect(state.balances.get('gamer:alice:winnings')).toBe(6);
    expect(state.balances.get('house:unclaimed')).toBe(24);
  });

  it('buys up to the last millisecond; at the end its value goes to the balance', () => {
    const live = () => given(people(), roundLive(ENDS));
    live()
      .when(settle('5001', BOB, 1), { at: ENDS - 1, ...p1 })
      .thenHappens(invoiceBought('p1', 26), timeExtended('p1', BOB, 60, ENDS + 60 * SECOND));
    for (const at of [ENDS, ENDS + 1]) {
      const { state } = live()
        .when(settle('5001', BOB, 1), { at })
        .thenHappens(invoiceCredited());
      expect(state.game.endsAtEpochMs).toBe(ENDS);
      expect(state.game.purchaseCount).toBe(0);
    }
  });

  it('buys while its round is live still, because others extended it', () => {
    given(people(), funded(ALICE, 30), roundLive(ENDS))
      .and(bought('p0', ALICE, { jackpotCents: 13, balanceCents: 0, endsAtEpochMs: ENDS + 30 * SECOND }))
      .when(settle('5001', BOB, 1), { at: ENDS + 30 * SECOND - 1, ...p1 })
      .thenHappens(invoiceBought('p1', 39), timeExtended('p1', BOB, 60, ENDS + 90 * SECOND));
  });

  const over: LedgerEvent = {
    type: 'RoundEnded',
    data: {
      roundId: 1,
      winner: null,
      jackpotCents: 0,
      endedAtEpochMs: ENDS,
      nextRoundAtEpochMs: ENDS + 1,
      purchaseCount: 0,
      merkleRoot: '',
    },
  };
  const reset: LedgerEvent = { type: 'GameReset', data: { roundId: 1, carriedCents: 0, reason: 'broken' } };
  const elsewhere: [string, number | null, Past[]][] = [
    ['before any round', null, []],
    ['in the pregame of its round', 1, [gameStarted(1, ENDS)]],
    ['after the end of its round', 1, [roundLive(ENDS), over]],
    ['after its round was void', 1, [roundLive(ENDS), reset]],
    ['in the next live round', 1, [roundLive(ENDS), over, gameStarted(2, T0), liveStarted(2, ENDS)]],
    ['in a live round, made while there was none', null, [roundLive(ENDS)]],
  ];

  it.each(elsewhere)('%s is worth its price on the balance, and no fee', (_, roundId, past) => {
    const { state } = given(people(), funded(BOB, 10), ...past)
      .when(settle('5001', BOB, roundId), { at: T0 })
      .thenHappens(invoiceCredited(70));
    expect(Object.fromEntries(state.balances)).toEqual({
      'gamer:bob:purchase': 70,
      'house:adjustments': -10,
      'world:crypto': -60,
    });
    expect(state.gamers.get(BOB)?.depositorUntilEpochMs).toBeNull();
    expect(state.payments.has('5001')).toBe(true);
  });

  it('makes nobody a depositor, nor takes that from anybody', () => {
    const live = (...past: Past[]) =>
      given(people(), ...past, roundLive(ENDS))
        .when(settle('5001', BOB, 1))
        .andThen();
    expect(live().state.gamers.get(BOB)?.depositorUntilEpochMs).toBeNull();
    expect(live(depositorUntil(BOB, T0 + DAY)).state.gamers.get(BOB)?.depositorUntilEpochMs).toBe(T0 + DAY);
  });

  it('is for 1 to 10,000 tokens', () => {
    for (const roundId of [1, null]) {
      const settling = (quantity: number) =>
        given(people(), roundLive(ENDS)).when(settle('5001', BOB, roundId, quantity));
      for (const quantity of [0, -1, 1.5, Number.NaN]) {
        settling(quantity).thenRefused('Please enter a valid quantity (minimum 1)');
      }
      settling(10_001).thenRefused('A purchase has at most 10,000 tokens');
      settling(10_000).andThen();
      settling(1).andThen();
    }
  });

  it('is refused to the house, and to somebody who is not enrolled', () => {
    for (const roundId of [1, null]) {
      const live = () => given(people(), roundLive(ENDS));
      live()
        .when(settle('5001', HOUSE, roundId))
        .thenRefused('Gamer not found');
      live()
        .when(settle('5001', 'nobody', roundId))
        .thenRefused('Gamer not found');
    }
  });
});
