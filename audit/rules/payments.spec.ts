import { SYSTEM } from '../../contracts/events/metadata.js';
import type { Credit, PaymentEvent, PaymentEvents } from '../../contracts/events/payment-events.js';
import type { Recorded } from '../../contracts/events/recorded.js';
import { NO_LIMITS } from '../../contracts/limits.js';
import { BOB, CAROL, T0 } from '../../domain/testing/events.js';
import { Auditor } from '../replay/auditor.js';
import { honest } from '../testing/forgeries.js';
import { decided, recorded } from '../testing/histories.js';
import { Payments } from './payments.js';

type Opened = PaymentEvents['PaymentOpened'];

const opened = (paymentId: string, invoice: Partial<Opened>): PaymentEvent => ({
  type: 'PaymentOpened',
  data: {
    ...{ orderId: `order-${paymentId}`, purpose: 'deposit', gamerId: CAROL, amountCents: 1_000, feeCents: 50 },
    ...{ cryptoType: 'BTC', quantity: null, roundId: null, invoiceId: 'i', paymentId, paymentUrl: 'u' },
    ...{ payAddress: 'a', payAmount: '1' },
    ...invoice,
  },
});

const reported = (paymentId: string, valueCents: number | null, orderId = `order-${paymentId}`): PaymentEvent => ({
  type: 'PaymentReported',
  data: {
    ...{ orderId, paymentId, parentPaymentId: null, status: 'paid', gatewayStatus: 'finished' },
    ...{ payCurrency: 'btc', payAmount: '1', actuallyPaid: '1', valueCents, reportedBy: 'callback' },
  },
});

const settled = (paymentId: string, outcome: Credit, purchaseId: string | null = null) =>
  ({
    type: 'PaymentSettled',
    data: { orderId: `order-${paymentId}`, paymentId, outcome, depositId: null, purchaseId },
  }) satisfies PaymentEvent;

/** The payment streams of the honest scenario: deposits and token invoices, credited, refused and parked. */
const streams = (): PaymentEvent[] => [
  opened('pay1', { amountCents: 700, feeCents: 35 }),
  reported('pay1', null),
  reported('pay1', 735),
  settled('pay1', 'approved'),
  opened('pay2', { purpose: 'tokens', amountCents: 30, feeCents: 0, quantity: 1, roundId: 1 }),
  reported('pay2', 30),
  settled('pay2', 'tokens', 'p3'),
  opened('pay3', { purpose: 'tokens', amountCents: 60, feeCents: 0, quantity: 2, roundId: 1 }),
  reported('pay3', 60),
  settled('pay3', 'balance'),
  opened('pay4', { amountCents: 2_000, feeCents: 100 }),
  reported('pay4', 1_050),
  { type: 'PaymentParked', data: { orderId: 'order-pay4', paymentId: 'pay4', depositId: 'd4', reason: 'late' } },
  reported('pay5', 1_050, 'unknown-pay5'),
  opened('pay6', { purpose: 'tokens', amountCents: 30, feeCents: 0, quantity: 1, roundId: 3 }),
  reported('pay6', 30),
  settled('pay6', 'balance'),
  opened('pay7', { gamerId: BOB, purpose: 'tokens', amountCents: 30, feeCents: 0, quantity: 1, roundId: 3 }),
  reported('pay7', 30),
  settled('pay7', 'balance'),
  opened('pay8', { gamerId: BOB, amountCents: 700, feeCents: 35 }),
  reported('pay8', 736),
  { type: 'PaymentParked', data: { orderId: 'order-pay8', paymentId: 'pay8', depositId: 'd8', reason: 'over-limit' } },
];

/** @param lastPosition of the ledger: what was settled later is not compared */
function findings(events: PaymentEvent[], lastPosition = Number.MAX_SAFE_INTEGER): string[] {
  const [auditor, payments] = [new Auditor(), new Payments()];
  for (const one of honest()) {
    auditor.take(one);
    payments.takeLedger({ ...one, position: String(lastPosition) }, auditor.openRoundFor(one));
  }
  events.forEach((event, index) => {
    payments.takePayment({ event, position: String(1_000 + index) } as Recorded);
  });
  expect(payments.count).toBe(8);
  return payments.findings().map(({ says }) => says);
}

const invoice = (paymentId: string, change: Partial<Opened>): PaymentEvent[] =>
  streams().map((event) =>
    event.type === 'PaymentOpened' && event.data.paymentId === paymentId
      ? { ...event, data: { ...event.data, ...change } }
      : event,
  );

const without = (paymentId: string, type: PaymentEvent['type']): PaymentEvent[] =>
  streams().filter(
    (event) => !(event.type === type && 'paymentId' in event.data && event.data.paymentId === paymentId),
  );

it('finds nothing when every payment is in its stream', () => {
  expect(findings(streams())).toEqual([]);
});

it.each<[string, PaymentEvent[]]>([
  ['DepositApproved is of payment pay1, which is in no payment stream', without('pay1', 'PaymentReported')],
  ['DepositApproved credits payment pay1, which has no invoice', without('pay1', 'PaymentOpened')],
  ['DepositApproved credits carol for an invoice of bob', invoice('pay1', { gamerId: BOB })],
  ['credits $7.35 for no tokens, and its invoice is of $7.34 for no', invoice('pay1', { amountCents: 699 })],
  ['credits $7.35 for no tokens', invoice('pay1', { amountCents: 701, feeCents: 34 })],
  [
    'credits $7.35, and the gateway did not report so much',
    [...without('pay1', 'PaymentReported'), reported('pay1', 734)],
  ],
  ['TokenPurchased is of an invoice for deposit', invoice('pay2', { purpose: 'deposit' })],
  ['credits $0.30 for 1 tokens, and its invoice is of $0.30 for 2', invoice('pay2', { quantity: 2 })],
  ['buys in round 1 by an invoice of round 7', invoice('pay2', { roundId: 7 })],
  [
    'DepositRecorded records $10.50, which the gateway did not report',
    [...without('pay4', 'PaymentReported'), reported('pay4', 1_049)],
  ],
  ['records payment pay4 for carol, who did not order it', invoice('pay4', { gamerId: BOB })],
  [
    'payment-order-pay9: payment pay9 was settled, but the ledger does not know it',
    [...streams(), settled('pay9', 'approved')],
  ],
  [
    'payment-order-pay2: payment pay2 was settled in another way',
    [...without('pay2', 'PaymentSettled'), settled('pay2', 'balance')],
  ],
])('finds changed streams: %s', (says, events) => {
  expect(findings(events).join('\n')).toContain(says);
});

it('reports no payment that was settled after the ledger was read', () => {
  expect(findings([...streams(), settled('pay9', 'approved')], 1_000)).toEqual([]);
});

it.each([
  ['could not buy tokens beyond a deposit limit', 59, null],
  ['could have bought tokens within its limits', 60, 1],
])('knows of a credited invoice that it %s', (_name, week, roundId) => {
  const deposits = { day: null, week, month: null };
  const amountCents = 60;
  const past = decided([
    [T0, { type: 'EnrolAdmin', gamerId: 'admin' }],
    [T0, { type: 'EnrolGamer', gamerId: BOB, sponsorId: null }],
    [T0, { type: 'ForceStartLive' }],
    [T0, { type: 'SetLimits', gamerId: BOB, limits: { ...NO_LIMITS, deposits } }],
  ]);
  const data = { paymentId: 'pay', gamerId: BOB, quantity: 2, amountCents, purchaseBalanceCents: amountCents };
  const credited = { type: 'InvoiceCredited', data: { ...data, cryptoType: 'BTC' } } as const;
  const auditor = new Auditor();
  const history = recorded([...past, { event: credited, at: T0, command: past.length, actor: SYSTEM }]);
  for (const one of history) auditor.take(one);
  expect(auditor.openRoundFor(history.at(-1)!)?.roundId ?? null).toBe(roundId);
});
