import type { OurEvent, Recorded } from '../../../contracts/events/recorded.js';
import { LEDGER_STREAM, paymentStream, postStream, ticketStream } from '../../../contracts/streams.js';
import type { BatchLimits } from '../batcher.js';
import { MemoryLog } from '../testing/memory-log.js';
import { TestWorker } from '../testing/worker.js';
import { communityView } from './community.view.js';
import { paymentsView } from './payments.view.js';
import { ticketsView } from './support.view.js';

const revisions = new Map<string, number>();
let position = 0;

function recorded(stream: string, event: OurEvent): Recorded {
  const revision = revisions.get(stream) ?? 0;
  revisions.set(stream, revision + 1);
  position += 1;
  const actor = { id: 'system', role: 'system' } as const;
  const metadata = { commandId: `c${position}`, actor, at: 1_000 + position, schema: 1 };
  return { id: `e${position}`, stream, revision, position: String(position), event, metadata };
}

const post = (postId: string, gamerId: string) =>
  recorded(postStream(postId), { type: 'PostPublished', data: { postId, gamerId, message: `${gamerId} says hello` } });
const hide = (postId: string) => recorded(postStream(postId), { type: 'PostHidden', data: { postId, reason: 'rude' } });
const open = (ticketId: string, gamerId: string) =>
  recorded(ticketStream(ticketId), {
    type: 'TicketOpened',
    data: { ticketId, gamerId, subject: 'Help', message: 'Please' },
  });
const note = (type: 'TicketClosed' | 'TicketReopened' | 'TicketNoted', ticketId: string, adminNotes: string | null) =>
  recorded(ticketStream(ticketId), { type, data: { ticketId, adminNotes } });
const remove = (gamerId: string) =>
  recorded(LEDGER_STREAM, {
    type: 'GamerRemoved',
    data: { gamerId, moved: [], forfeitedPurchaseCents: 0, forfeitedWinningsCents: 0 },
  });

const history = [
  post('p1', 'alice'),
  post('p2', 'bob'),
  open('t1', 'alice'),
  open('t2', 'bob'),
  hide('p1'),
  note('TicketClosed', 't1', 'Done'),
  note('TicketClosed', 't2', null),
  note('TicketReopened', 't1', null),
  note('TicketNoted', 't2', 'Wait'),
  remove('bob'),
  // After the removal in the log, by requests that were under way during it.
  post('p3', 'bob'),
  hide('p3'),
  open('t3', 'bob'),
  note('TicketClosed', 't3', 'Too late'),
  post('p4', 'alice'),
  open('t4', 'alice'),
  note('TicketClosed', 't4', 'Quick'),
];

let worker: TestWorker;
beforeEach(async () => {
  worker = await TestWorker.open();
});
afterEach(() => worker.close());

it.each<[string, BatchLimits]>([
  ['event by event', { maxEvents: 1, lingerMs: 0 }],
  ['all at once', { maxEvents: 1_000, lingerMs: 20 }],
])('deletes the tickets and posts of a removed gamer, %s', async (_, limits) => {
  const log = new MemoryLog(3);
  log.add(history);
  const { failures } = worker.start(log, { views: [communityView, ticketsView], limits });
  await worker.reached(String(position));
  expect(failures).toEqual([]);
  const posts = await worker.db.query('SELECT id, message, is_hidden FROM community_posts ORDER BY id');
  expect(posts.rows).toEqual([
    { id: 'p1', message: 'alice says hello', is_hidden: true },
    { id: 'p4', message: 'alice says hello', is_hidden: false },
  ]);
  const tickets = await worker.db.query('SELECT id, status, admin_notes, resolved_at_ms FROM tickets ORDER BY id');
  expect(tickets.rows).toEqual([
    { id: 't1', status: 'open', admin_notes: 'Done', resolved_at_ms: null },
    { id: 't4', status: 'closed', admin_notes: 'Quick', resolved_at_ms: String(1_000 + position) },
  ]);
});

it('ends an invoice with the ledger’s event that credits it, so that no list of invoices lags behind the balance', async () => {
  const ids = { orderId: 'o1', paymentId: '5000' };
  const opened = {
    ...ids,
    purpose: 'tokens',
    gamerId: 'alice',
    amountCents: 300,
    feeCents: 0,
    cryptoType: 'TRX',
  } as const;
  const where = { roundId: 1, invoiceId: '4522', paymentUrl: 'https://pay.example', payAddress: 'T', payAmount: '9' };
  const coins = { payCurrency: 'trx', payAmount: '9', actuallyPaid: '9', valueCents: 300, parentPaymentId: null };
  const seen = { ...ids, ...coins, status: 'paid', gatewayStatus: 'finished', seenBy: 'callback' } as const;
  const credited = {
    paymentId: ids.paymentId,
    gamerId: 'alice',
    quantity: 10,
    amountCents: 300,
    cryptoType: 'TRX',
  } as const;
  const log = new MemoryLog(0);
  log.add([
    recorded(paymentStream('o1'), { type: 'PaymentOpened', data: { ...opened, ...where, quantity: 10 } }),
    recorded(paymentStream('o1'), { type: 'PaymentSeen', data: seen }),
    recorded(LEDGER_STREAM, { type: 'InvoiceCredited', data: { ...credited, purchaseBalanceCents: 300 } }),
  ]);
  const { failures } = worker.start(log, { views: [paymentsView] });
  await worker.reached(String(position));
  expect(failures).toEqual([]);
  const { rows } = await worker.db.query('SELECT outcome, credited_cents FROM gateway_payments');
  expect(rows).toEqual([{ outcome: 'balance', credited_cents: '300' }]);
});
