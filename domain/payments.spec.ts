import type { PaymentEvent, PaymentOpened, PaymentSeen } from '../contracts/events/payment-events.js';
import {
  canBeJudged,
  changeSince,
  commandFor,
  commandWithoutGamer,
  evolvePayment,
  lacksValue,
  moneyOf,
  type PaymentState,
  paymentOfUnknownOrder,
  seePayment,
  unknownOrderOf,
  unknownPayment,
  unsettled,
} from './payments.js';

const ORDER = 'order000000000000000';

const opened = (over: Partial<PaymentOpened['data']> = {}): PaymentEvent => ({
  type: 'PaymentOpened',
  data: {
    orderId: ORDER,
    purpose: 'deposit',
    gamerId: 'alice',
    amountCents: 2_000,
    feeCents: 100,
    cryptoType: 'LTC',
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

const tokens = opened({ purpose: 'tokens', amountCents: 2_100, feeCents: 0, quantity: 70, roundId: 3 });

const seen = (over: Partial<PaymentSeen['data']> = {}): PaymentSeen['data'] => ({
  orderId: ORDER,
  paymentId: '10',
  parentPaymentId: null,
  status: 'finished',
  payCurrency: 'ltc',
  payAmount: '0.25',
  actuallyPaid: '0.25',
  valueCents: 2_100,
  seenBy: 'poller',
  ...over,
});

const waiting = seen({ status: 'waiting', actuallyPaid: '0', valueCents: null });
const expired = { ...waiting, status: 'expired' };

/** The stream after the gateway said these things. */
function heard(first: PaymentEvent | null, ...said: PaymentSeen['data'][]): PaymentState {
  const start = first === null ? unknownPayment : evolvePayment(unknownPayment, first);
  return said.reduce((state, one) => seePayment(state, one).reduce(evolvePayment, state), start);
}

const verdictOf = (state: PaymentState, paymentId = '10') => state.payments.get(paymentId)?.verdict;

const settledAs = (paymentId: string): PaymentEvent => ({
  type: 'PaymentSettled',
  data: { orderId: ORDER, paymentId, outcome: 'deposit', depositId: 'd', purchaseId: null },
});

describe('a payment that finished in time, in the right coin, in full', () => {
  it('is credited as a deposit', () => {
    const state = heard(opened(), waiting, seen({ status: 'confirming', valueCents: null }), seen());
    const [payment] = unsettled(state);
    expect(commandFor(state, payment!)).toEqual({
      type: 'CreditDeposit',
      paymentId: '10',
      gamerId: 'alice',
      money: { amountCents: 2_000, feeCents: 100, cryptoType: 'LTC' },
    });
  });

  it('settles a token invoice', () => {
    const state = heard(tokens, seen());
    expect(commandFor(state, unsettled(state)[0]!)).toEqual({
      type: 'SettleInvoice',
      paymentId: '10',
      gamerId: 'alice',
      quantity: 70,
      roundId: 3,
      cryptoType: 'LTC',
    });
  });

  it('is asked for no more once its stream knows it settled', () => {
    expect(unsettled(evolvePayment(heard(opened(), seen()), settledAs('10')))).toEqual([]);
  });

  it('waits for the admin when its gamer is gone', () => {
    const state = heard(opened(), seen());
    expect(commandWithoutGamer(state, unsettled(state)[0]!)).toMatchObject({
      type: 'RecordDeposit',
      gamerId: null,
      reason: 'no-gamer',
      money: { amountCents: 2_000, feeCents: 100 },
    });
  });
});

describe('other money waits for the admin', () => {
  it.each<[string, Partial<PaymentSeen['data']>, string]>([
    ['too little', { status: 'partially_paid', actuallyPaid: '0.1', valueCents: 840 }, 'underpaid'],
    ['too little, taken for enough by the gateway', { actuallyPaid: '0.2499', valueCents: 2_099 }, 'underpaid'],
    ['in full, over another price', { payAmount: '0.1', actuallyPaid: '0.1', valueCents: 840 }, 'underpaid'],
    ['too little, written off', { status: 'cancelled', actuallyPaid: '0.1', valueCents: 840 }, 'underpaid'],
    ['too much', { actuallyPaid: '0.3', valueCents: 2_520 }, 'overpaid'],
    ['another coin', { payCurrency: 'btc' }, 'wrong-coin'],
    ['a coin that is none of ours', { payCurrency: 'usdttrc20', parentPaymentId: '9' }, 'wrong-coin'],
    ['a used address', { paymentId: '11', parentPaymentId: '10' }, 'repeated'],
    ['an expired address', { status: 'expired' }, 'late'],
    ['what the gateway could not pass on', { status: 'failed' }, 'failed'],
  ])('%s', (_, over, reason) => {
    const state = heard(opened(), waiting, seen(over));
    expect(verdictOf(state, over.paymentId)).toMatchObject({ kind: 'review', reason });
  });

  it('what came after the expiry is late, also when the gateway finished it by hand', () => {
    expect(verdictOf(heard(opened(), expired, seen()))).toMatchObject({ reason: 'late' });
  });

  it('of two full payments of one invoice the first in the stream is credited', () => {
    const state = heard(opened(), seen({ paymentId: '12' }), seen());
    expect([verdictOf(state, '12'), verdictOf(state)]).toEqual([
      { kind: 'credit' },
      expect.objectContaining({ reason: 'repeated' }),
    ]);
  });

  it('a full payment after one that came short is credited', () => {
    const short = seen({ status: 'partially_paid', actuallyPaid: '0.1', valueCents: 840 });
    expect(verdictOf(heard(opened(), short, seen({ paymentId: '12' })), '12')).toEqual({ kind: 'credit' });
  });

  it('money for an order that nobody opened has no gamer', () => {
    const state = heard(null, seen({ payCurrency: 'doge' }));
    expect(commandFor(state, unsettled(state)[0]!)).toMatchObject({
      purpose: 'deposit',
      gamerId: null,
      reason: 'unknown-order',
      money: { amountCents: 2_000, feeCents: 100, cryptoType: 'DOGE' },
    });
  });

  it('of a token invoice it is worth its full value, and of a deposit that without the fee', () => {
    const short = seen({ status: 'partially_paid', actuallyPaid: '0.1', valueCents: 840 });
    const state = heard(tokens, short);
    expect(commandFor(state, unsettled(state)[0]!)).toMatchObject({
      purpose: 'tokens',
      money: { amountCents: 840, feeCents: 0 },
    });
    expect(moneyOf(840, 'deposit')).toEqual({ amountCents: 800, feeCents: 40 });
  });
});

describe('a verdict stays', () => {
  it.each<[string, Partial<PaymentSeen['data']>]>([
    ['finished by hand', {}],
    ['with more money', { status: 'partially_paid', actuallyPaid: '0.2', valueCents: 1_680 }],
    ['refunded', { status: 'refunded' }],
  ])('when the payment is later seen %s', (_, later) => {
    const short = seen({ status: 'partially_paid', actuallyPaid: '0.1', valueCents: 840 });
    const before = heard(opened(), short);
    const state = seePayment(before, seen(later)).reduce(evolvePayment, before);
    expect(commandFor(state, unsettled(state)[0]!)).toEqual(commandFor(before, unsettled(before)[0]!));
  });
});

describe('nothing follows', () => {
  it.each(['waiting', 'confirming', 'confirmed', 'sending', 'pending', 'refunded'])('while it is %s', (status) => {
    expect(unsettled(heard(opened(), seen({ status, valueCents: null })))).toEqual([]);
  });

  it('from money that is worth no cent', () => {
    const dust = seen({ status: 'partially_paid', actuallyPaid: '0.00000001', valueCents: 1 });
    expect(unsettled(heard(opened(), dust))).toEqual([]);
  });

  it('from what was said before', () => {
    const state = heard(opened(), waiting);
    expect(seePayment(state, { ...waiting, seenBy: 'callback' })).toEqual([]);
  });
});

describe('money that could not be valued', () => {
  const unvalued = seen({ payCurrency: 'btc', valueCents: null });

  it('has no verdict, and is no news as long as it stays so', () => {
    const state = heard(opened(), unvalued);
    expect(unsettled(state)).toEqual([]);
    expect(lacksValue(state.payments.get('10')!)).toBe(true);
    expect(seePayment(state, unvalued)).toEqual([]);
  });

  it('is judged once it can be, and once only', () => {
    const valued = { ...unvalued, valueCents: 2_100 };
    const state = heard(opened(), unvalued, valued);
    const money = { amountCents: 2_000, feeCents: 100, cryptoType: 'BTC' };
    expect(unsettled(state).map(({ verdict }) => verdict)).toEqual([{ kind: 'review', reason: 'wrong-coin', money }]);
    expect(seePayment(state, { ...valued, valueCents: 2_200 })).toEqual([]);
  });
});

describe('an invoice expires', () => {
  it('once, when its payment was given up with nothing in it', () => {
    const state = heard(opened(), waiting);
    const events = seePayment(state, expired);
    expect(events.map(({ type }) => type)).toEqual(['PaymentSeen', 'PaymentExpired']);
    const given = events.reduce(evolvePayment, state);
    expect(given.isExpired).toBe(true);
    expect(seePayment(given, expired)).toEqual([]);
  });

  it('not while another payment of it is under way', () => {
    const other = seen({ paymentId: '12', status: 'confirming', valueCents: null });
    expect(heard(opened(), other, expired).isExpired).toBe(false);
  });
});

it('the stream of a payment without an order is found again by its name', () => {
  expect(paymentOfUnknownOrder(unknownOrderOf('123'))).toBe('123');
  expect(paymentOfUnknownOrder(ORDER)).toBeNull();
});

it('a settlement of what was never seen is a broken log', () => {
  expect(() => evolvePayment(heard(opened()), settledAs('10'))).toThrow('never seen');
});

describe('what the gateway says after the verdict', () => {
  const told = (...said: Partial<PaymentSeen['data']>[]) => {
    const events = said.map((over): PaymentEvent => ({ type: 'PaymentSeen', data: seen(over) }));
    const payment = [opened(), ...events].reduce<PaymentState>(evolvePayment, unknownPayment).payments.get('10');
    if (payment === undefined) throw new Error('it was never seen');
    return payment;
  };

  it('changes no verdict, and is told against what the verdict was made on', () => {
    const refunded = told({ status: 'confirming', valueCents: null }, {}, { status: 'refunded' });
    expect(refunded.verdict).toEqual({ kind: 'credit' });
    const before = { status: 'finished', actuallyPaid: '0.25' };
    expect(changeSince(refunded)).toEqual({ status: 'refunded', actuallyPaid: '0.25', payCurrency: 'ltc', before });
    const more = told({ status: 'partially_paid', actuallyPaid: '0.1', valueCents: 840 }, { actuallyPaid: '0.25' });
    expect(more.verdict).toMatchObject({ kind: 'review', reason: 'underpaid', money: { amountCents: 800 } });
    expect(changeSince(more)).toMatchObject({
      status: 'finished',
      actuallyPaid: '0.25',
      before: { status: 'partially_paid', actuallyPaid: '0.1' },
    });
  });

  it('is nothing while it is what it was, or there is no verdict yet', () => {
    expect(changeSince(told({}))).toBeNull();
    expect(changeSince(told({}, { status: 'refunded' }, {}))).toBeNull();
    expect(
      changeSince(told({ status: 'waiting', valueCents: null }, { status: 'confirming', valueCents: null })),
    ).toBeNull();
  });

  it('needs a verdict before it, which dust is not enough for', () => {
    expect(canBeJudged({ status: 'finished', valueCents: 1 }, 'deposit')).toBe(false);
    expect(canBeJudged({ status: 'finished', valueCents: 1 }, 'tokens')).toBe(true);
    expect(canBeJudged({ status: 'sending', valueCents: 2_100 }, 'deposit')).toBe(false);
    expect(canBeJudged({ status: 'finished', valueCents: null }, 'deposit')).toBe(false);
  });
});
