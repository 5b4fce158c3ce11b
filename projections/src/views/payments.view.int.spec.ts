import { LEDGER_STREAM, paymentStream } from '../../../contracts/streams.js';
import { MemoryLog } from '../testing/memory-log.js';
import { TestWorker } from '../testing/worker.js';
import { paymentsView } from './payments.view.js';

const worker = TestWorker.forTests('all');

it('ends an invoice with the ledger’s event that credits it, so that no list of invoices lags behind the balance', async () => {
  const ids = { orderId: 'o1', paymentId: '5000' };
  const order = { gamerId: 'alice', quantity: 10, amountCents: 300, cryptoType: 'TRX' } as const;
  const where = { roundId: 1, invoiceId: '4522', paymentUrl: 'https://pay.example', payAddress: 'T', payAmount: '9' };
  const coins = { payCurrency: 'trx', payAmount: '9', actuallyPaid: '9', valueCents: 300, parentPaymentId: null };
  const seen = { ...ids, ...coins, status: 'paid', gatewayStatus: 'finished', reportedBy: 'callback' } as const;
  const opened = { ...ids, ...order, ...where, purpose: 'tokens', feeCents: 0 } as const;
  const credited = { ...order, paymentId: ids.paymentId, purchaseBalanceCents: 300 };
  const log = new MemoryLog();
  log.record(paymentStream('o1'), { type: 'PaymentOpened', data: opened });
  log.record(paymentStream('o1'), { type: 'PaymentReported', data: seen });
  log.record(LEDGER_STREAM, { type: 'InvoiceCredited', data: credited });
  await worker.project(log, { views: [paymentsView] });
  const { rows } = await worker.db.query('SELECT outcome, credited_cents FROM payments');
  expect(rows).toEqual([{ outcome: 'balance', credited_cents: '300' }]);
});
