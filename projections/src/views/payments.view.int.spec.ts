import { SYSTEM } from '../../../contracts/events/metadata.js';
import type { OurEvent, Recorded } from '../../../contracts/events/recorded.js';
import { LEDGER_STREAM, paymentStream } from '../../../contracts/streams.js';
import { MemoryLog } from '../testing/memory-log.js';
import { TestWorker } from '../testing/worker.js';
import { paymentsView } from './payments.view.js';

const revisions = new Map<string, number>();
let position = 0;

function recorded(stream: string, event: OurEvent): Recorded {
  const revision = revisions.get(stream) ?? 0;
  revisions.set(stream, revision + 1);
  position += 1;
  const actor = SYSTEM;
  const metadata = { commandId: `c${position}`, actor, at: 1_000 + position, schema: 1 };
  return { id: `e${position}`, stream, revision, position: String(position), event, metadata };
}

const worker = TestWorker.forTests('each');

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
  const seen = { ...ids, ...coins, status: 'paid', gatewayStatus: 'finished', reportedBy: 'callback' } as const;
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
    recorded(paymentStream('o1'), { type: 'PaymentReported', data: seen }),
    recorded(LEDGER_STREAM, { type: 'InvoiceCredited', data: { ...credited, purchaseBalanceCents: 300 } }),
  ]);
  const { failures } = worker.start(log, { views: [paymentsView] });
  await worker.reached(String(position));
  expect(failures).toEqual([]);
  const { rows } = await worker.db.query('SELECT outcome, credited_cents FROM gateway_payments');
  expect(rows).toEqual([{ outcome: 'balance', credited_cents: '300' }]);
});
