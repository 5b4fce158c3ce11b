import type { GatewayReport, PaymentEvent } from '../contracts/events/payment-events.js';
import {
  canDecideVerdict,
  changeSince,
  commandFor,
  commandWithoutGamer,
  evolvePayment,
  initialPayment,
  lacksValue,
  moneyOf,
  type PaymentState,
  paymentOfUnknownOrder,
  recordReport,
  unknownOrderOf,
  unsettled,
} from './payments.js';
import { paymentOpened as invoice } from './testing/money.js';

const ORDER = invoice().data.orderId;

const tokens = invoice({ purpose: 'tokens', amountCents: 2_100, feeCents: 0, quantity: 70, roundId: 3 });

const report = (over: Partial<GatewayReport> = {}): GatewayReport => ({
  orderId: ORDER,
  paymentId: '10',
  parentPaymentId: null,
  status: 'paid',
  gatewayStatus: over.status ?? 'paid',
  payCurrency: 'ltc',
  payAmount: '0.25',
  actuallyPaid: '0.25',
  valueCents: 2_100,
  reportedBy: 'poller',
  ...over,
});

const waiting = report({ status: 'waiting', actuallyPaid: '0', valueCents: null });
const expired = report({ ...waiting, status: 'expired', gatewayStatus: 'expired' });
const short = report({ status: 'short', actuallyPaid: '0.1', valueCents: 840 });
/** Worth less than a cent without the fee. */
const dust = report({ status: 'short', actuallyPaid: '0.00000001', valueCents: 1 });

/** The stream's state after these reports. */
function stateAfter(first: PaymentEvent | null, ...reports: GatewayReport[]): PaymentState {
  const start = first === null ? initialPayment : evolvePayment(initialPayment, first);
  return reports.reduce((state, one) => recordReport(state, one).reduce(evolvePayment, state), start);
}

const verdictOf = (state: PaymentState, paymentId = '10') => state.payments.get(paymentId)?.verdict;

const settledAs = (paymentId: string): PaymentEvent => ({
  type: 'PaymentSettled',
  data: { orderId: ORDER, paymentId, outcome: 'approved', depositId: 'd', purchaseId: null },
});

describe('a payment in time, in the right coin and in full', () => {
  it('is credited as a deposit', () => {
    const state = stateAfter(invoice(), waiting, report({ status: 'arriving', valueCents: null }), report());
    const [payment] = unsettled(state);
    expect(commandFor(state, payment!)).toEqual({
      type: 'CreditDeposit',
      paymentId: '10',
      gamerId: 'alice',
      money: { amountCents: 2_000, feeCents: 100, cryptoType: 'LTC' },
    });
  });

  it('settles a token invoice', () => {
    const state = stateAfter(tokens, report());
    expect(commandFor(state, unsettled(state)[0]!)).toEqual({
      type: 'SettleInvoice',
      paymentId: '10',
      gamerId: 'alice',
      quantity: 70,
      amountCents: 2_100,
      roundId: 3,
      cryptoType: 'LTC',
    });
  });

  it('needs no command once its stream holds the outcome', () => {
    const done = evolvePayment(stateAfter(invoice(), report()), settledAs('10'));
    expect(unsettled(done)).toEqual([]);
    expect(unsettled(recordReport(done, report({ status: 'refunded' })).reduce(evolvePayment, done))).toEqual([]);
    const data = { orderId: ORDER, paymentId: '10', depositId: 'd', reason: 'late' } as const;
    expect(unsettled(evolvePayment(stateAfter(invoice(), report()), { type: 'PaymentParked', data }))).toEqual([]);
  });

  it('is parked when its gamer was removed', () => {
    const state = stateAfter(invoice(), report());
    expect(commandWithoutGamer(state, unsettled(state)[0]!)).toMatchObject({
      type: 'RecordDeposit',
      gamerId: null,
      reason: 'no-gamer',
      money: { amountCents: 2_000, feeCents: 100 },
    });
    const underpaid = stateAfter(invoice(), short);
    const parked = { gamerId: null, reason: 'no-gamer', money: { amountCents: 800 } };
    expect(commandWithoutGamer(underpaid, unsettled(underpaid)[0]!)).toMatchObject(parked);
  });
});

describe('other money is parked for review', () => {
  it.each<[string, Partial<GatewayReport>, string]>([
    ['too little', { status: 'short', actuallyPaid: '0.1', valueCents: 840 }, 'underpaid'],
    ['nearly enough', { status: 'short', actuallyPaid: '0.2499', valueCents: 2_099 }, 'underpaid'],
    ['in full, over another price', { payAmount: '0.1', actuallyPaid: '0.1', valueCents: 2_099 }, 'underpaid'],
    ['too few coins, whose value rose', { status: 'short', actuallyPaid: '0.2499', valueCents: 2_100 }, 'underpaid'],
    ['too much', { status: 'over', actuallyPaid: '0.3', valueCents: 2_520 }, 'overpaid'],
    ['another coin', { payCurrency: 'btc' }, 'wrong-coin'],
    ['a coin that the site does not take', { payCurrency: 'usdttrc20', parentPaymentId: '9' }, 'wrong-coin'],
    ['a used address', { paymentId: '11', parentPaymentId: '10' }, 'repeated'],
    ['an expired address', { status: 'expired' }, 'late'],
    ['what the gateway could not pass on', { status: 'failed' }, 'failed'],
  ])('%s', (_, over, reason) => {
    const state = stateAfter(invoice(), waiting, report(over));
    expect(verdictOf(state, over.paymentId)).toMatchObject({ kind: 'review', reason });
  });

  it('is late after the expiry, also when the gateway’s staff finished it by hand', () => {
    expect(verdictOf(stateAfter(invoice(), expired, report()))).toMatchObject({ reason: 'late' });
  });

  it('credits only the first of two full payments of one invoice', () => {
    const state = stateAfter(invoice(), report({ paymentId: '12' }), report());
    expect([verdictOf(state, '12'), verdictOf(state)]).toEqual([
      { kind: 'credit' },
      expect.objectContaining({ reason: 'repeated' }),
    ]);
  });

  it('credits a full payment after a short one, and after one whose few coins let the invoice expire', () => {
    expect(verdictOf(stateAfter(invoice(), short, report({ paymentId: '12' })), '12')).toEqual({ kind: 'credit' });
    expect(verdictOf(stateAfter(invoice(), dust, report()))).toEqual({ kind: 'credit' });
  });

  it('has no gamer for an unknown order', () => {
    const state = stateAfter(null, report({ payCurrency: 'doge' }));
    expect(commandFor(state, unsettled(state)[0]!)).toMatchObject({
      type: 'RecordDeposit',
      purpose: 'deposit',
      gamerId: null,
      reason: 'unknown-order',
      money: { amountCents: 2_000, feeCents: 100, cryptoType: 'DOGE' },
    });
    expect(unsettled(stateAfter(null, report({ payCurrency: 'xmr' })))).toEqual([]);
  });

  it('credits the full value for tokens, and the value without the fee for a deposit', () => {
    const state = stateAfter(tokens, short);
    expect(commandFor(state, unsettled(state)[0]!)).toMatchObject({
      purpose: 'tokens',
      money: { amountCents: 840, feeCents: 0 },
    });
    expect(moneyOf(840, 'deposit')).toEqual({ amountCents: 800, feeCents: 40 });
  });
});

describe('a payment has no command for the ledger', () => {
  it.each<[string, GatewayReport]>([
    ['while it is waiting', report({ status: 'waiting', valueCents: null })],
    ['while it is arriving', report({ status: 'arriving', valueCents: null })],
    ['when it was refunded', report({ status: 'refunded', valueCents: null })],
    ['when its money is worth less than a cent', dust],
  ])('%s', (_, reported) => expect(unsettled(stateAfter(invoice(), reported))).toEqual([]));

  it('after the same report a second time', () => {
    const state = stateAfter(invoice(), waiting);
    expect(recordReport(state, { ...waiting, reportedBy: 'callback' })).toEqual([]);
    for (const change of [{ payCurrency: 'btc' }, { payAmount: '0.3' }, { actuallyPaid: '0.1' }])
      expect(recordReport(state, { ...waiting, ...change })).toHaveLength(1);
  });
});

describe('money that could not be valued', () => {
  const unvalued = report({ payCurrency: 'btc', valueCents: null });

  it('has no verdict, and the same report again adds no event', () => {
    const state = stateAfter(invoice(), unvalued);
    expect(unsettled(state)).toEqual([]);
    expect(lacksValue(state.payments.get('10')!)).toBe(true);
    expect(recordReport(state, unvalued)).toEqual([]);
    const nothing = stateAfter(invoice(), { ...unvalued, actuallyPaid: '0' });
    expect(lacksValue(nothing.payments.get('10')!)).toBe(false);
  });

  it('gets its verdict once it is valued, and keeps it', () => {
    const valued = { ...unvalued, valueCents: 2_100 };
    const state = stateAfter(invoice(), unvalued, valued);
    const money = { amountCents: 2_000, feeCents: 100, cryptoType: 'BTC' };
    expect(unsettled(state).map(({ verdict }) => verdict)).toEqual([{ kind: 'review', reason: 'wrong-coin', money }]);
    expect(recordReport(state, { ...valued, valueCents: 2_200 })).toEqual([]);
    const later = recordReport(state, { ...unvalued, actuallyPaid: '0.3' }).reduce(evolvePayment, state);
    expect(lacksValue(later.payments.get('10')!)).toBe(false);
  });
});

describe('an invoice expires', () => {
  it.each(['expired', 'failed', 'refunded'] as const)('once, when its payment is %s and nothing arrived', (status) => {
    const state = stateAfter(invoice(), waiting);
    const gone = { ...expired, status, gatewayStatus: status };
    const events = recordReport(state, gone);
    expect(events).toEqual([
      { type: 'PaymentReported', data: gone },
      { type: 'PaymentExpired', data: { orderId: ORDER, status } },
    ]);
    const given = events.reduce(evolvePayment, state);
    expect(given.isExpired).toBe(true);
    expect(recordReport(given, gone)).toEqual([]);
  });

  const otherUnderWay = report({ paymentId: '12', status: 'arriving', valueCents: null });
  it.each([
    ['by the refund of a payment that was credited', [report(), report({ status: 'refunded' })]],
    ['while another of its payments is under way', [otherUnderWay, expired]],
    ['while money cannot be valued', [report({ status: 'short', payCurrency: 'btc', valueCents: null })]],
  ])('not %s', (_, reports) => expect(stateAfter(invoice(), ...reports).isExpired).toBe(false));

  it('when the money that arrived is worth less than a cent, also by a report from before this rule', () => {
    const events = recordReport(stateAfter(invoice(), waiting), dust);
    expect(events.map(({ type }) => type)).toEqual(['PaymentReported', 'PaymentExpired']);
    const before = stateAfter(invoice());
    const reported = evolvePayment(before, { type: 'PaymentReported', data: dust });
    expect(recordReport(reported, dust).map(({ type }) => type)).toEqual(['PaymentExpired']);
  });
});

it('finds the payment in the id of an unknown order', () => {
  expect(paymentOfUnknownOrder(unknownOrderOf('123'))).toBe('123');
  for (const other of [ORDER, 'x-unknown-123', 'unknown-123/4']) expect(paymentOfUnknownOrder(other)).toBeNull();
});

it('counts the callbacks of an order', () => {
  const received = { type: 'CallbackReceived', data: { orderId: ORDER } } as PaymentEvent;
  expect([received, received].reduce(evolvePayment, initialPayment)).toEqual({ ...initialPayment, callbackCount: 2 });
});

it('throws on the outcome of a payment that was never reported', () => {
  expect(() => evolvePayment(stateAfter(invoice()), settledAs('10'))).toThrow('never reported');
});

describe('a report after the verdict', () => {
  const paymentAfter = (...reports: Partial<GatewayReport>[]) => {
    const payment = stateAfter(invoice(), ...reports.map((over) => report(over))).payments.get('10');
    if (payment === undefined) throw new Error('it was never reported');
    return payment;
  };

  it('does not change the verdict, and is compared with the report of the verdict', () => {
    const refunded = paymentAfter({ status: 'arriving', valueCents: null }, {}, { status: 'refunded' });
    expect(refunded.verdict).toEqual({ kind: 'credit' });
    const before = { gatewayStatus: 'paid', actuallyPaid: '0.25' };
    expect(changeSince(refunded)).toEqual({
      gatewayStatus: 'refunded',
      actuallyPaid: '0.25',
      payCurrency: 'ltc',
      before,
    });
    const more = paymentAfter({ status: 'short', actuallyPaid: '0.1', valueCents: 840 }, { actuallyPaid: '0.25' });
    expect(more.verdict).toMatchObject({ kind: 'review', reason: 'underpaid', money: { amountCents: 800 } });
    expect(changeSince(more)).toMatchObject({
      gatewayStatus: 'paid',
      actuallyPaid: '0.25',
      before: { gatewayStatus: 'short', actuallyPaid: '0.1' },
    });
  });

  it('is not a change while it is the same, or without a verdict', () => {
    expect(changeSince(paymentAfter({}))).toBeNull();
    expect(changeSince(paymentAfter({}, { actuallyPaid: '0.3' }))).toMatchObject({ actuallyPaid: '0.3' });
    expect(changeSince(paymentAfter({}, { status: 'refunded' }, {}))).toBeNull();
    expect(
      changeSince(paymentAfter({ status: 'waiting', valueCents: null }, { status: 'arriving', valueCents: null })),
    ).toBeNull();
  });

  it('follows a verdict, which needs at least one cent', () => {
    expect(canDecideVerdict({ status: 'paid', valueCents: 1 }, 'deposit')).toBe(false);
    expect(canDecideVerdict({ status: 'paid', valueCents: 1 }, 'tokens')).toBe(true);
    expect(canDecideVerdict({ status: 'arriving', valueCents: 2_100 }, 'deposit')).toBe(false);
    expect(canDecideVerdict({ status: 'paid', valueCents: null }, 'deposit')).toBe(false);
  });
});
