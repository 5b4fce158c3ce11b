import { SYSTEM } from '../../contracts/events/metadata.js';
import type { Credit, PaymentEvent, PaymentEvents } from '../../contracts/events/payment-events.js';
import type { Recorded } from '../../contracts/events/recorded.js';
import { NO_LIMITS } from '../../contracts/protection.js';
import { BOB, CAROL, T0 } from '../../domain/testing/constants.js';
import { paymentOpened } from '../../domain/testing/money.js';
import { Auditor } from '../replay/auditor.js';
import { data, honest } from '../testing/forgeries.js';
import { historyOf, recorded } from '../testing/histories.js';
import { type OpenRound, Payments } from './payments.js';

type InvoiceFields = PaymentEvents['PaymentOpened'];

const opened = (paymentId: string, invoice: Partial<InvoiceFields>): PaymentEvent =>
  paymentOpened({ orderId: `order-${paymentId}`, paymentId, gamerId: CAROL, cryptoType: 'BTC', ...invoice });

const reported = (paymentId: string, valueCents: number | null, orderId = `order-${paymentId}`): PaymentEvent => ({
  type: 'PaymentReported',
  data: {
    orderId,
    paymentId,
    parentPaymentId: null,
    status: 'paid',
    gatewayStatus: 'finished',
    payCurrency: 'btc',
    payAmount: '1',
    actuallyPaid: '1',
    valueCents,
    reportedBy: 'callback',
  },
});

const settled = (paymentId: string, outcome: Credit, purchaseId: string | null = null) =>
  ({
    type: 'PaymentSettled',
    data: { orderId: `order-${paymentId}`, paymentId, outcome, depositId: null, purchaseId },
  }) satisfies PaymentEvent;

const parked = (paymentId: string, depositId: string): PaymentEvent => ({
  type: 'PaymentParked',
  data: { orderId: `order-${paymentId}`, paymentId, depositId, reason: 'late' },
});

/** The payment streams of the honest scenario: deposits and token invoices, credited, refused and parked. */
const streams = (): PaymentEvent[] => [
  opened('pay1', { amountCents: 700, feeCents: 35 }),
  reported('pay1', null),
  reported('pay1', 735),
  reported('pay1', 1),
  settled('pay1', 'approved'),
  opened('pay2', { purpose: 'tokens', amountCents: 30, feeCents: 0, quantity: 1, roundId: 1 }),
  reported('pay2', 30),
  settled('pay2', 'tokens', 'p3'),
  opened('pay3', { purpose: 'tokens', amountCents: 60, feeCents: 0, quantity: 2, roundId: 1 }),
  reported('pay3', 60),
  settled('pay3', 'balance'),
  opened('pay4', { amountCents: 2_000, feeCents: 100 }),
  reported('pay4', 1_050),
  parked('pay4', 'd4'),
  reported('pay5', 1_050, 'unknown-pay5'),
  opened('pay6', { purpose: 'tokens', amountCents: 30, feeCents: 0, quantity: 1, roundId: 3 }),
  reported('pay6', 30),
  settled('pay6', 'balance'),
  opened('pay7', { gamerId: BOB, purpose: 'tokens', amountCents: 30, feeCents: 0, quantity: 1, roundId: 3 }),
  reported('pay7', 30),
  settled('pay7', 'balance'),
  opened('pay8', { gamerId: BOB, amountCents: 700, feeCents: 35 }),
  reported('pay8', 736),
  parked('pay8', 'd8'),
];

/** What was settled after the last position is not compared. @param open the round that is open for each credited invoice */
function findings(
  events: PaymentEvent[],
  { log = honest(), lastPosition = 9e9, open = null as OpenRound | null } = {},
) {
  const [auditor, payments] = [new Auditor(), new Payments()];
  for (const one of log) {
    auditor.take(one);
    payments.takeLedger({ ...one, position: String(lastPosition) }, open ?? auditor.openRoundFor(one));
  }
  events.forEach((event, index) => {
    payments.takePayment({ event, position: String(1_000 + index) } as Recorded);
  });
  expect(payments.count).toBe(8);
  return payments.findings().map(({ message }) => message);
}

const invoice = (paymentId: string, change: Partial<InvoiceFields>): PaymentEvent[] =>
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
  expect(findings(streams())).toStrictEqual([]);
});

it.each<[string, PaymentEvent[]]>([
  ['DepositApproved is of payment pay1, which is in no payment stream', without('pay1', 'PaymentReported')],
  ['DepositApproved credits payment pay1, which has no invoice', without('pay1', 'PaymentOpened')],
  ['DepositApproved credits carol for an invoice of bob', invoice('pay1', { gamerId: BOB })],
  ['credits $7.35 for no tokens, and its invoice is of $7.34 for no', invoice('pay1', { amountCents: 699 })],
  ['credits $7.35 for no tokens', invoice('pay1', { amountCents: 701, feeCents: 34 })],
  ['the gateway did not report so much', [...without('pay1', 'PaymentReported'), reported('pay1', 734)]],
  ['TokenPurchased is of an invoice for deposit', invoice('pay2', { purpose: 'deposit' })],
  ['credits $0.30 for 1 tokens, and its invoice is of $0.30 for 2', invoice('pay2', { quantity: 2 })],
  ['buys in round 1 by an invoice of round 7', invoice('pay2', { roundId: 7 })],
  ['records $10.50, which the gateway did not', [...without('pay4', 'PaymentReported'), reported('pay4', 1_049)]],
  ['records $7.35, which the gateway did not report', invoice('pay8', { amountCents: 699 })],
  ['records payment pay4 for carol, who did not order it', invoice('pay4', { gamerId: BOB })],
  ['records payment pay4 for carol, who did not order it', without('pay4', 'PaymentOpened')],
  ['payment pay9 was settled, but the ledger does not know it', [...streams(), settled('pay9', 'approved')]],
  ['payment pay2 was settled in another way', [...streams(), settled('pay2', 'balance', 'p3')]],
  ['payment pay2 was settled in another way', [...streams(), settled('pay2', 'tokens', 'p9')]],
  ['payment pay4 was settled in another way', [...streams(), parked('pay4', 'd5')]],
  ['payment pay1 was settled in another way', [...streams(), parked('pay1', 'd1')]],
])('finds changed streams: %s', (message, events) => {
  expect(findings(events).join('\n')).toContain(message);
});

it('reports no payment that was settled after the ledger was read', () => {
  expect(findings([...streams(), settled('pay9', 'approved')], { lastPosition: 1_000 })).toEqual([]);
});

it('accepts the invoiced amount without a report of it only for a payment without a gamer or over a limit', () => {
  const of = (reason: 'no-gamer' | 'late') => data('DepositRecorded', { reason }, 2)(honest());
  expect(findings(streams(), { log: of('no-gamer') })).toEqual([]);
  expect(findings(streams(), { log: of('late') })).toHaveLength(1);
});

it('finds a credited invoice whose tokens could be bought at their price in its round', () => {
  const open = (tokenPriceCents: number) => findings(streams(), { open: { roundId: 1, tokenPriceCents } });
  expect(open(31)).toEqual([]);
  expect(open(30)).toEqual(['InvoiceCredited credits an invoice of round 1, in which its tokens could be bought']);
});

it.each([
  ['could not buy tokens beyond a deposit limit', 59, 'ForceStartLive', 0, null],
  ['could have bought tokens within its limits', 60, 'ForceStartLive', 0, 1],
  ['could have bought tokens before zero', 60, 'ForceStartLive', 299_999, 1],
  ['could not buy tokens at zero', 60, 'ForceStartLive', 300_000, null],
  ['could not buy tokens before the countdown', 60, 'StartGame', 0, null],
] as const)('knows of a credited invoice that it %s', (_name, week, type, afterMs, roundId) => {
  const deposits = { day: null, week, month: null };
  const past = historyOf([
    [T0, { type: 'EnrolAdmin', gamerId: 'admin' }],
    [T0, { type: 'EnrolGamer', gamerId: BOB, sponsorId: null }],
    [T0, { type }],
    [T0, { type: 'SetLimits', gamerId: BOB, limits: { ...NO_LIMITS, deposits } }],
  ]);
  const of = { paymentId: 'pay', gamerId: BOB, quantity: 2, amountCents: 60, purchaseBalanceCents: 60 };
  const credited = { type: 'InvoiceCredited', data: { ...of, cryptoType: 'BTC' } } as const;
  const auditor = new Auditor();
  const history = recorded([...past, { event: credited, atMs: T0 + afterMs, command: past.length, actor: SYSTEM }]);
  for (const one of history) auditor.take(one);
  expect(auditor.openRoundFor(history.at(-1)!)?.roundId ?? null).toBe(roundId);
});
